/* hiera-run --doctor: why there is no trace, no line, no level; before a run, or after one that left nothing. It prints
 * rows: what was looked at, what was found, and what to do. They fit on 80 columns. */
#pragma once

#include "launcher.h"
#include "options.h"

/* Prepares a command as for a run, but does not run it: prints its messages on standard error, and LD_PRELOAD=LIST on
 * standard output. May exit. */
typedef void HieraRehearsal(const HieraRunOptions *options, const HieraCommand *command);

/* Print what is found, row by row. @return the exit status: 1 if a recording would not work, else 0 */
int hiera_doctor(const HieraRunOptions *options, HieraRehearsal *rehearse);

/* --- for the files that print rows --- */

typedef enum HieraHealth {
    HIERA_HEALTH_GOOD,
    HIERA_HEALTH_LESS,  /* a recording works, but lacks something */
    HIERA_HEALTH_MAYBE, /* there may be no trace: it depends on what is not known before the run */
    HIERA_HEALTH_BAD,   /* there would be no trace, or a wrong one */
    HIERA_HEALTH_END
} HieraHealth;

/* Print a row. `what`: at most 10 letters. */
void hiera_doctor_row(HieraHealth health, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Print what to do, below the row that was printed last. */
void hiera_doctor_advise(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The rows of the trace: lines, levels, matching. */
void hiera_doctor_trace(const HieraCommand *command, const char *preload);

/* The rows of this machine: folder, memory, processors, limits, kernel, clock, container. `ranks`: their number here, 0
 * if it is not known. `has_slots`: the launcher refuses more ranks than there are cores. */
void hiera_doctor_host(unsigned long ranks, bool has_slots);
