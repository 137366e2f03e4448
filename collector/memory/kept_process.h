/* Whether the process that has left a file of kept memory is alive. Also compiled into hiera-recover. */
#pragma once

#include "kept_file.h"

#include <stdbool.h>

/* Set *process to the identity of the calling process. */
void hiera_kept_process_read(HieraKeptProcess *process);

/* Whether the process is alive. False also if that cannot be found out from here. */
bool hiera_kept_process_lives(const HieraKeptProcess *process);

/* Whether the process is stopped, by a signal or a debugger. */
bool hiera_kept_process_is_stopped(const HieraKeptProcess *process);

/* Whether the calling process can find out if `process` is alive: not if that runs in a container with process numbers
 * of its own, on this computer. */
bool hiera_kept_process_is_known(const HieraKeptProcess *process);

/* Write the identity of a process as in traces: "BOOT/SPACE/START". It distinguishes the process from any other with
 * the same number. Empty if there is no /proc. */
enum { HIERA_PROCESS_TEXT = 96 };
void hiera_kept_process_name(char text[HIERA_PROCESS_TEXT], const HieraKeptProcess *process);

/* Find out by such a text whether the process with this number is alive. @param lives  becomes the answer  @return
 * whether it is known: the process ran on this computer since its last start, and its number belongs to the namespace
 * here */
bool hiera_kept_process_ask(const char *text, long long pid, bool *lives);
