/* Finds code and relocations that may lead into a function from elsewhere or change its code: once for all functions.
 */
#pragma once

#include "image/object/object.h"

typedef struct HieraIncoming HieraIncoming;

/* Search the code of an object, which must outlive the result. To be freed with hiera_incoming_free. */
HieraIncoming *hiera_incoming_new(const HieraObject *object);
void hiera_incoming_free(HieraIncoming *incoming);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraIncoming, hiera_incoming_free)

/* Add the addresses, sorted, of four bytes that would be the distance of a far jump or call to an address. They need
 * not be a jump.
 *
 * @param from  receives guint64 */
void hiera_incoming_jumps(const HieraIncoming *incoming, guint64 address, GArray *from);

/* Return the first address from `begin` to `end` at which a relocation changes code when it is loaded; 0: none. */
guint64 hiera_incoming_relocation(const HieraIncoming *incoming, guint64 begin, guint64 end);
