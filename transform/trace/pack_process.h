/* Packers and unpackers whose bytes go from one process to another. */
#pragma once

#include "pack.h"

/* Make a packer whose bytes go to `process` in large chunks. @return end it with hiera_packer_end() */
HieraPacker *hiera_packer_to(guint process);
/* Send the packer's last bytes, and free the packer. */
void hiera_packer_end(HieraPacker *packer);
/* Send all packed bytes in one message, even if there are none, and free the packer. */
void hiera_packer_send(HieraPacker *packer, guint process);

/* Two processes that pack data for each other at the same time. Packed bytes are sent whenever
 * they are many; received bytes are in memory until they are unpacked, and then freed chunk by chunk. */
typedef struct {
    guint other;
    gboolean ended;  /* whether the other process has sent everything */
    GQueue received; /* GBytes: chunks received and not yet unpacked */
} HieraSwap;

/* Exchange data with process `other`, which calls this at the same time. `pack` packs what goes there. */
void hiera_swap(HieraSwap *swap, guint other, void (*pack)(HieraPacker *to, gpointer user), gpointer user);
/* Return an unpacker of what hiera_swap received. @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_of_swap(HieraSwap *swap, HieraCatalog *catalog);
/* Free received data that was not unpacked. */
void hiera_swap_clear(HieraSwap *swap);

/* Return an unpacker of what `process` sends to this one. @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_from(guint process, HieraCatalog *catalog);

/* In process 0: send the packed bytes to all other processes, and free the packer. */
void hiera_packer_broadcast(HieraPacker *packer);
/* In other processes: receive what process 0 broadcasts. @return an unpacker, to be freed with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_of_broadcast(HieraCatalog *catalog);
