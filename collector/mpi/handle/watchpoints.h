/* Accesses of the program itself to the memory of calls that are not complete, seen by the processor: a thread has up
 * to four watchpoints (perf_event_open), which signal an access with SIGTRAP. An access in an MPI call, which MPI
 * makes, is passed over. The program goes on behind the access, as without it.
 *
 * A watchpoint covers the first bytes of a buffer, at most 8; newer buffers take those of older ones. No page is
 * protected: system calls that touch such a page would fail, and those of a correct program may do so. Nothing is
 * watched where the system has no such watchpoints, nor where the program handles SIGTRAP itself. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Until when memory is watched. `call`: when the call began whose memory it is; the buffers of one call do not take
 * each other's watchpoints. `request`: number of the request that is not complete; `window`: that of the window whose
 * access is not, and `target` its rank. All 0 but `window`, with `is_window`: memory of this window. */
typedef struct HieraWatchOf {
    uint64_t call;
    uint32_t request, window;
    int32_t target;
    bool is_window;
    bool may_share; /* MPI may have given the same handle to other requests, so that each of them may be the one that a
                       call completes: it is no receive, and not persistent */
} HieraWatchOf;

enum { HIERA_EVERY_TARGET = -1 };

/* Set how to tell whether a library, by its file name, is MPI's. Called when the MPI level is loaded. */
void hiera_watch_load(bool (*is_mpis)(const char *library));

/* Watch memory: its stores, or (`loads`) also its loads. */
void hiera_watch_add(int64_t address, int64_t bytes, bool loads, HieraWatchOf of);
/* No longer watch the memory of a request; of all that may share a handle; of accesses to a window; of all that has to
 * do with a window; any at all. */
void hiera_watch_end_request(uint32_t request);
void hiera_watch_end_sharing(void);
void hiera_watch_end_accesses(uint32_t window, int32_t target);
void hiera_watch_end_window(uint32_t window);
void hiera_watch_end_all(void);
/* At the begin of a call: end all watches if the program handles SIGTRAP now. */
void hiera_watch_look(void);
/* Record the thread's accesses since the last call as operations of the level `access`; and watch the windows that
 * other threads have made. */
void hiera_watch_report(void);
/* The same, between constructs of another level (levels/openmp), whose threads may make no calls. */
__attribute__((visibility("default"))) void hiera_level_report(void);
/* Return why accesses are not seen, or no longer, for a hieraLost; NULL: they are, or nothing is to be watched. */
const char *hiera_watch_missing(void);
