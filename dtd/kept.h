/* Files of kept memory (HIERA_SURVIVE), which a killed process leaves: where they are, and their names. Contract
 * between the collector, which makes them, and the transform, which says that they are there. What is in them is the
 * collector's alone. */
#ifndef HIERA_DTD_KEPT_H
#define HIERA_DTD_KEPT_H

#define HIERA_KEPT_SHM   "/dev/shm"    /* here, or in the folder of the traces, where a dot precedes the name */
#define HIERA_KEPT_BEGIN "hiera-kept-" /* then user, process, and what makes it unique */
#define HIERA_KEPT_NAME  HIERA_KEPT_BEGIN "%u-%d-"

#endif
