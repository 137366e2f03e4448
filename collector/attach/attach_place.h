/* Where the socket of a job is: on each host in a folder /tmp/hiera-UID-NUMBER that only the user may enter. NUMBER is
 * the kernel's number of the folder of the traces, so that jobs of containers that share /tmp get different folders. A
 * file .attach-HOST in the folder of the traces contains the path. Not safe in signal handlers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Prefix of the name of the file that names the socket's folder, and name of the socket in that folder. */
#define HIERA_ATTACH_FILE   ".attach-"
#define HIERA_ATTACH_SOCKET "socket"

enum { HIERA_ATTACH_PATH = 80, HIERA_ATTACH_TEXT = 4096, HIERA_ATTACH_SECONDS = 10 };

/* Set `folder` to the path of the socket's folder on this host, for traces in `traces` (an absolute path). */
void hiera_attach_folder(const char *traces, char folder[HIERA_ATTACH_PATH]);

/* Set `path` to that of the file that names the socket's folder. @return  false if it is longer than `room` */
bool hiera_attach_file(const char *traces, char *path, size_t room);

/* Whether `folder` is a folder that belongs to the user and that nobody else may enter. */
bool hiera_attach_is_private(const char *folder);
