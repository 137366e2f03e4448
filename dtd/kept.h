/* Names and places of the files of kept memory (HIERA_SURVIVE), which a killed process leaves. Contract between the
 * collector, which makes them, and the transform, which reports that they exist. Only the collector knows their
 * content. And what hiera-recover says of copies of traces whose processes still run (--live). */
#ifndef HIERA_DTD_KEPT_H
#define HIERA_DTD_KEPT_H

#define HIERA_KEPT_SHM   "/dev/shm"    /* or the folder of the traces, then with a dot before the file's name */
#define HIERA_KEPT_BEGIN "hiera-kept-" /* begin of the file's name; then follow user id, process id, a unique part */
#define HIERA_KEPT_NAME  HIERA_KEPT_BEGIN "%u-%d-"

#define HIERA_END_RUNS    "still runs" /* `cause` in a copy of the trace of a process that still runs */
#define HIERA_END_STOPPED "stopped"    /* `name` then, if a signal or a debugger has stopped the process */
#define HIERA_END_FAR     "not known"  /* `cause` then, if the process is on another computer: was seen until `time` */

/* A line for each copy, on standard output: rank, and the time in ns in the trace up to which everything is known; of a
 * process that has died, or is on another computer, the number is 0. The copies are trace<rank>.xml, with the suffix of
 * the original. */
#define HIERA_LIVE_LINE "%d %llu\n"

#endif
