/** Messages between processes of a parallel hiera-transform: numbers, texts, and entries of a catalog, as bytes. They
 * are unpacked in the order in which they were packed, by the same program. */
#ifndef HIERA_PACK_H
#define HIERA_PACK_H

#include "hiera_trace.h"

typedef struct HieraPacker HieraPacker;
typedef struct HieraUnpacker HieraUnpacker;

HIERA_API void hiera_pack_number(HieraPacker *to, gint64 number);
HIERA_API void hiera_pack_bytes(HieraPacker *to, gconstpointer bytes, gsize n);

/** Pack the elements of an array as bytes; they must have no pointers. */
HIERA_API void hiera_pack_array(HieraPacker *to, const GArray *array);

/** Pack a text; a text that is packed again costs only one number. @param text  NULL is allowed */
HIERA_API void hiera_pack_text(HieraPacker *to, const char *text);

/** Pack a record that a trace has of a processor (HIERA_RECORDS), including the record's texts. */
HIERA_API void hiera_pack_sampled(HieraPacker *to, const HieraSampled *record);
HIERA_API void hiera_pack_timed(HieraPacker *to, const HieraTimed *record);
HIERA_API void hiera_pack_own_time(HieraPacker *to, const HieraOwnTime *record);
HIERA_API void hiera_pack_attribute(HieraPacker *to, const HieraAttributeValue *record);

HIERA_API HieraSampled hiera_unpack_sampled(HieraUnpacker *from);
HIERA_API HieraTimed hiera_unpack_timed(HieraUnpacker *from);
HIERA_API HieraOwnTime hiera_unpack_own_time(HieraUnpacker *from);
HIERA_API HieraAttributeValue hiera_unpack_attribute(HieraUnpacker *from);

HIERA_API gint64 hiera_unpack_number(HieraUnpacker *from);
HIERA_API void hiera_unpack_bytes(HieraUnpacker *from, gpointer bytes, gsize n);

/** Append the packed elements to an array of the same element type. */
HIERA_API void hiera_unpack_array(HieraUnpacker *from, GArray *array);

/** Return the packed text, interned in the catalog of this process; NULL if NULL was packed. */
HIERA_API const char *hiera_unpack_text(HieraUnpacker *from);

/** Return the call site of this process that equals the packing process's site with `id`. */
HIERA_API const HieraSite *hiera_unpack_site(const HieraUnpacker *from, guint32 id);

/** Return this process's index of the communicator with `index` in the packing process; HIERA_NONE is allowed. */
HIERA_API guint32 hiera_unpack_communicator(const HieraUnpacker *from, guint32 index);

#endif
