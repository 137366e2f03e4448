/* Packers and unpackers, and what both sides have to know first: the catalog of the process that packs. */
#ifndef HIERA_TRACE_PACK_H
#define HIERA_TRACE_PACK_H

#include "catalog.h"
#include "hiera_pack.h"

/* @return free it with hiera_packer_free() */
HieraPacker *hiera_packer_new(void);
void hiera_packer_free(HieraPacker *packer);
/* Take what is packed, at least one byte. */
typedef void HieraPackerFlush(gpointer user, const guint8 *bytes, gsize n);
/* Hand what is packed over whenever there is much of it, so that it takes little memory, and what is left now. */
void hiera_packer_flush_by(HieraPacker *packer, HieraPackerFlush *flush, gpointer user);
void hiera_packer_flush(HieraPacker *packer);
/* The bytes that are packed; owned by the packer. */
const guint8 *hiera_packer_peek(const HieraPacker *packer, gsize *n);

/* Return the next bytes that the packer has handed over; the unpacker frees them with g_free. */
typedef guint8 *HieraUnpackerFill(gpointer user, gsize *n);
/* @param catalog  takes texts, and what hiera_catalog_unpack() finds
 * @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_new(HieraCatalog *catalog, HieraUnpackerFill *fill, gpointer user);
void hiera_unpacker_free(HieraUnpacker *unpacker);
/* Get the next bytes that the packer has handed over now, before they are asked for. */
void hiera_unpacker_fetch(HieraUnpacker *unpacker);
const HieraTraceCounter *hiera_unpack_counter(HieraUnpacker *from);

/* Pack all sites, communicators, counters and neighbours; unpack them into the catalog of the unpacker, which from then
 * on knows the numbers of sites and communicators. Before anything that names one. */
void hiera_catalog_pack(HieraCatalog *catalog, HieraPacker *to);
void hiera_catalog_unpack(HieraUnpacker *from);
/* Instead, where the other process has the same numbers as the catalog of the unpacker. */
void hiera_unpacker_keep_numbers(HieraUnpacker *from);

#endif
