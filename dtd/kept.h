/* Names and places of the files of kept memory (HIERA_SURVIVE), which a killed process leaves. Contract between the
 * collector, which makes them, and the transform, which reports that they exist. Only the collector knows their
 * content. */
#ifndef HIERA_DTD_KEPT_H
#define HIERA_DTD_KEPT_H

#define HIERA_KEPT_SHM   "/dev/shm"    /* or the folder of the traces, then with a dot before the file's name */
#define HIERA_KEPT_BEGIN "hiera-kept-" /* begin of the file's name; then follow user id, process id, a unique part */
#define HIERA_KEPT_NAME  HIERA_KEPT_BEGIN "%u-%d-"

#endif
