/* HIERA_MODE=window: the last part of a trace, in two generations of files.
 *
 * The older generation is the trace. A younger one, in hidden files beside it, begins later (latest/) and gets the same
 * records. When it holds the whole window, its files take the place of the older ones, and the next generation begins.
 * So the trace is complete at any moment: it has the last `last=` of the run, and up to twice as much; or at least a
 * third of `limit=`, while both generations together have no more than that. With the lock held. */
#ifndef HIERA_GENERATIONS_H
#define HIERA_GENERATIONS_H

#include "memory/kept_file.h"
#include "write/trace_file.h"

/* The records of a thread from `begin` to `end` are in the trace: note what a later generation must know of them, and
 * write them to it. `tail` writes the tail of the thread's file. */
void hiera_generations_follow(HieraThread *thread, const char *begin, const char *end, void (*tail)(HieraTraceFile *));

/* After a flush: let the next generation begin, or take over, if it is time. `write` writes the records of another
 * thread that may still run. */
void hiera_generations_turn(void (*write)(HieraThread *thread));

/* The disk is full: the younger generation takes over now, if there is one. Returns whether it has made room. */
bool hiera_generations_make_room(void);

/* The thread has ended: its part of the younger generation becomes a section. */
void hiera_generations_end_thread(HieraThread *thread);

/* In the process that completes the trace of another one, with the memory of that one: the older generation is the
 * trace. Then remove the files of the younger one that are left in the folder. */
void hiera_generations_recover(const HieraKeptHeader *kept);
void hiera_generations_remove(const char *folder);

/* The process ends: remove the younger generation. In a forked child: its files belong to the parent. */
void hiera_generations_end(void);
void hiera_generations_leave_to_parent(void);

#endif
