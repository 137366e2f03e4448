/* Packers and unpackers between processes. */
#pragma once

#include "pack.h"

/* Make a packer whose bytes go to another process, in large chunks. @return end it with hiera_packer_end() */
HieraPacker *hiera_packer_to(guint process);
/* Send the rest, and free the packer. */
void hiera_packer_end(HieraPacker *packer);
/* Send all packed bytes at once, and free the packer. The other process waits for them, even if there are none. */
void hiera_packer_send(HieraPacker *packer, guint process);

/* Two processes that pack data for each other at the same time. Packed bytes are sent whenever
 * they are many; received bytes are in memory until they are unpacked, and then freed chunk by chunk. */
typedef struct {
    guint other;
    gboolean ended;  /* the other process has packed everything */
    GQueue received; /* GBytes */
} HieraSwap;

/* Exchange data with process `other`, which calls this too. */
void hiera_swap(HieraSwap *swap, guint other, void (*pack)(HieraPacker *to, gpointer user), gpointer user);
/* Unpack the other process's data. @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_of_swap(HieraSwap *swap, HieraCatalog *catalog);
/* Free data that was not unpacked. */
void hiera_swap_clear(HieraSwap *swap);

/* Unpack data from another process. @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_from(guint process, HieraCatalog *catalog);

/* Process 0: send the packed bytes to all other processes, and free the packer. */
void hiera_packer_tell(HieraPacker *packer);
/* Other processes: unpack these bytes. @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_hear(HieraCatalog *catalog);
