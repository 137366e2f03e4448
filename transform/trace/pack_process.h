/* Packers and unpackers between processes. */
#ifndef HIERA_PACK_PROCESS_H
#define HIERA_PACK_PROCESS_H

#include "pack.h"

/* What is packed goes to another process, much at a time. @return end it with hiera_packer_end() */
HieraPacker *hiera_packer_to(guint process);
/* Hand over what is left, and free the packer. */
void hiera_packer_end(HieraPacker *packer);
/* Hand over, at once, all that is packed, and free the packer. The other process waits for it, even if it is nothing.
 */
void hiera_packer_send(HieraPacker *packer, guint process);

/* Two processes that pack something for each other at the same time. What one has packed goes to the other whenever
 * there is much of it; what has come is in memory until it is unpacked, and freed piece by piece then. */
typedef struct {
    guint other;
    gboolean ended;  /* the other one has packed all */
    GQueue received; /* GBytes */
} HieraSwap;

/* Both call it. */
void hiera_swap(HieraSwap *swap, guint other, void (*pack)(HieraPacker *to, gpointer user), gpointer user);
/* Unpack what the other one has packed. @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_of_swap(HieraSwap *swap, HieraCatalog *catalog);
/* Free what was not unpacked. */
void hiera_swap_clear(HieraSwap *swap);

/* Unpack what comes from another process. @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_from(guint process, HieraCatalog *catalog);

/* Process 0: tell all others what is packed, and free the packer. */
void hiera_packer_tell(HieraPacker *packer);
/* The others: unpack that. @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_hear(HieraCatalog *catalog);

#endif
