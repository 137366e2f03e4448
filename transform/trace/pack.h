/* Packers and unpackers. The packing process's catalog is packed first, so that its numbers can be translated. */
#pragma once

#include "catalog.h"
#include "hiera_pack.h"

/* Make a packer that keeps all bytes. @return free it with hiera_packer_free() */
HieraPacker *hiera_packer_new(void);
void hiera_packer_free(HieraPacker *packer);
/* Takes over `n` packed bytes, at least one, from a packer. */
typedef void HieraPackerFlush(gpointer user, const guint8 *bytes, gsize n);
/* Pass packed bytes to `flush` whenever there are many, to save memory; hiera_packer_flush passes the rest now. */
void hiera_packer_flush_by(HieraPacker *packer, HieraPackerFlush *flush, gpointer user);
void hiera_packer_flush(HieraPacker *packer);
/* Return the bytes packed so far; owned by the packer. */
const guint8 *hiera_packer_peek(const HieraPacker *packer, gsize *n);

/* Return the packer's next bytes, which the unpacker frees with g_free. */
typedef guint8 *HieraUnpackerFill(gpointer user, gsize *n);
/* @param catalog  receives texts, and the entries of hiera_catalog_unpack()
 * @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_new(HieraCatalog *catalog, HieraUnpackerFill *fill, gpointer user);
void hiera_unpacker_free(HieraUnpacker *unpacker);
/* Get the packer's next bytes now, not only when they are needed. */
void hiera_unpacker_fetch(HieraUnpacker *unpacker);
const HieraTraceCounter *hiera_unpack_counter(HieraUnpacker *from);

/* Pack all sites, communicators, counters and neighbours; unpack them into the catalog of the unpacker, which then
 * knows the numbers of sites and communicators. Call it before packing anything that names one. */
void hiera_catalog_pack(HieraCatalog *catalog, HieraPacker *to);
void hiera_catalog_unpack(HieraUnpacker *from);
/* To be called instead of hiera_catalog_unpack() if both processes' catalogs have the same numbers. */
void hiera_unpacker_keep_numbers(HieraUnpacker *from);
