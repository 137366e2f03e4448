/* The protocol between the processes of a job on one host, and hiera-run. Each message is one text.
 *
 * A member sends "join" and its process number to the listener, and waits. hiera-run sends "tell" and commands. The
 * listener sends the commands to all members at once, behind a line "order=N", which each answer repeats. hiera-run
 * receives each answer behind the number of its process, and then "end". */
#pragma once

#include "attach_place.h"

#include <stddef.h>

/* Execute the commands in `lines` (NAME=VALUE; may be changed), and write the answer's lines into `reply`. */
typedef void HieraAttachObey(char *lines, char *reply, size_t room);

/* Most bytes that the protocol adds to commands or answers. */
enum { HIERA_ATTACH_FRAME = 64 };

#define HIERA_ATTACH_JOIN    "join\n"
#define HIERA_ATTACH_TELL    "tell\n"
#define HIERA_ATTACH_ORDER   "order="
#define HIERA_ATTACH_PROCESS "process="
#define HIERA_ATTACH_ENDED   "ended\n"
#define HIERA_ATTACH_SILENT  "silent\n"
#define HIERA_ATTACH_END     "end\n"
