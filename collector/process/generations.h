/* HIERA_MODE=window: the last part of a trace, in two generations of files.
 *
 * The older generation is the trace. A younger one, in hidden files beside it, begins later (latest/) and gets the same
 * records. When the younger one covers the whole window, its files replace the older ones, and the next generation
 * begins. So the trace is complete at any moment: it covers at least the last `last=` of the run, and up to twice as
 * much. With `limit=` it has at least a third of that size, while both generations together stay below it. All
 * functions need the lock. */
#pragma once

#include "memory/kept_file.h"
#include "write/trace_file.h"

/* Write the records of a thread from `begin` to `end`, which are in the trace, to the younger generation, and note what
 * a later generation needs of them. `tail` writes the tail of the thread's file. */
void hiera_generations_follow(HieraThread *thread, const char *begin, const char *end, void (*tail)(HieraTraceFile *));

/* After a flush: begin the next generation, or let it replace the older one, if it is time. `write` writes the records
 * of another thread that may still run. */
void hiera_generations_turn(void (*write)(HieraThread *thread));

/* Let the younger generation replace the older one, if there is one, because the disk is full. Returns whether this
 * made room. */
bool hiera_generations_make_room(void);

/* Append the file of a thread that has ended to the younger generation, as a section. */
void hiera_generations_end_thread(HieraThread *thread);

/* hiera_generations_recover(): in a process that completes the trace of a killed one, whose memory it has: make sure
 * that the older generation is the trace. Afterwards hiera_generations_remove() removes the files of the younger one
 * from the folder. */
void hiera_generations_recover(const HieraKeptHeader *kept);
void hiera_generations_remove(const char *folder);

/* hiera_generations_end(): the process ends, so remove the younger generation. hiera_generations_leave_to_parent(): in
 * a forked child, whose parent owns these files. */
void hiera_generations_end(void);
void hiera_generations_leave_to_parent(void);
