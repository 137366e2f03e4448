/* Does the process live that has kept memory? Compiled into hiera-recover as well. */
#ifndef HIERA_KEPT_PROCESS_H
#define HIERA_KEPT_PROCESS_H

#include "kept_file.h"

#include <stdbool.h>

/* Fill in this process. */
void hiera_kept_process_read(HieraKeptProcess *process);

/* Does this one live? One whose life cannot be known does not seem to. */
bool hiera_kept_process_lives(const HieraKeptProcess *process);

/* Can it be known here whether it lives? Not of a process that runs in a container with process numbers of its own, on
 * this computer. */
bool hiera_kept_process_is_known(const HieraKeptProcess *process);

/* What tells the process from any other one with its number, as traces have it: "BOOT/SPACE/START". Empty if there is
 * no /proc. */
enum { HIERA_PROCESS_TEXT = 96 };
void hiera_kept_process_name(char text[HIERA_PROCESS_TEXT], const HieraKeptProcess *process);

/* The same of the process that has this number here, dead or alive. @param lives  whether there is one  @return whether
 * that can be said of a process of this name: it is of this computer, since its last start, and its number is of those
 * here */
bool hiera_kept_process_ask(const char *text, long long pid, bool *lives);

#endif
