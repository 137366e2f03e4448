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
/* Unpack what comes from another process. @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_from(guint process, HieraCatalog *catalog);

/* Process 0: tell all others what is packed, and free the packer. */
void hiera_packer_tell(HieraPacker *packer);
/* The others: unpack that. @return free it with hiera_unpacker_free() */
HieraUnpacker *hiera_unpacker_hear(HieraCatalog *catalog);

#endif
