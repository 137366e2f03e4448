/* Where the socket of a job is. On each host it is in a folder, /tmp/hiera-UID-NUMBER, that only the user may enter.
 * The number is that of the folder of the traces, as the kernel knows it, so that jobs of containers that have the same
 * /tmp keep apart. A file .attach-HOST in the folder of the traces has the path. Safe in no signal handler. */
#ifndef HIERA_ATTACH_PLACE_H
#define HIERA_ATTACH_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Begin of the name of the file, and name of the socket. */
#define HIERA_ATTACH_FILE   ".attach-"
#define HIERA_ATTACH_SOCKET "socket"

enum { HIERA_ATTACH_PATH = 80, HIERA_ATTACH_TEXT = 4096, HIERA_ATTACH_SECONDS = 10 };

/* The folder of this host for traces in `traces`, an absolute path. */
void hiera_attach_folder(const char *traces, char folder[HIERA_ATTACH_PATH]);

/* Path of the file that names it. @return  false: it is too long */
bool hiera_attach_file(const char *traces, char *path, size_t room);

/* Is this a folder that belongs to the user, and to nobody else? */
bool hiera_attach_is_private(const char *folder);

#endif
