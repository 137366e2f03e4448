/* Packers and unpackers, and what both sides have to know first: the catalog of the process that packs. */
#ifndef HIERA_TRACE_PACK_H
#define HIERA_TRACE_PACK_H

#include "catalog.h"
#include "hiera_pack.h"

/* @return free it with hiera_packer_free() */
HieraPacker *hiera_packer_new(void);
void hiera_packer_free(HieraPacker *packer);
/* The bytes that were packed since it was cleared; owned by the packer. */
const guint8 *hiera_packer_peek(const HieraPacker *packer, gsize *n);
/* Forget the bytes. Texts keep their numbers: it goes on to pack for the same unpacker. */
void hiera_packer_clear(HieraPacker *packer);

/* @param catalog  takes texts, and what hiera_catalog_unpack() finds. @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_new(HieraCatalog *catalog);
void hiera_unpacker_free(HieraUnpacker *unpacker);
/* The next bytes of the packer, which must stay until all of them are unpacked. */
void hiera_unpacker_feed(HieraUnpacker *unpacker, const guint8 *bytes, gsize n);
const HieraTraceCounter *hiera_unpack_counter(HieraUnpacker *from);

/* Pack all sites, communicators, counters and neighbours; unpack them into the catalog of the unpacker, which from then on knows
 * the numbers of sites and communicators. Before anything that names one. */
void hiera_catalog_pack(HieraCatalog *catalog, HieraPacker *to);
void hiera_catalog_unpack(HieraUnpacker *from);

#endif
