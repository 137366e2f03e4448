/* What the processes of a job on one host, and hiera-run, tell each other. Each message is one text.
 *
 * A member says "join" and the number of its process, to the one that listens, and waits. hiera-run says "tell" and
 * commands. They go to all members at once, behind a line "order=N", which comes back before each answer. hiera-run
 * gets each answer behind the number of its process, and then "end". */
#ifndef HIERA_ATTACH_WORDS_H
#define HIERA_ATTACH_WORDS_H

#include "attach_place.h"

#include <stddef.h>

/* Obey lines, each NAME=VALUE; the text may be changed. Write lines into `reply`. */
typedef void HieraAttachObey(char *lines, char *reply, size_t room);

/* The most that is added to commands or answers. */
enum { HIERA_ATTACH_FRAME = 64 };

#define HIERA_ATTACH_JOIN    "join\n"
#define HIERA_ATTACH_TELL    "tell\n"
#define HIERA_ATTACH_ORDER   "order="
#define HIERA_ATTACH_PROCESS "process="
#define HIERA_ATTACH_ENDED   "ended\n"
#define HIERA_ATTACH_SILENT  "silent\n"
#define HIERA_ATTACH_END     "end\n"

#endif
