/* A counter, and the functions that each family of counters provides. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_COUNTER_NAME = 128, HIERA_COUNTER_UNIT = 16, HIERA_COUNTER_HELP = 128 };

typedef struct HieraCounterFamily HieraCounterFamily;

/* A counter is made once for each name, and kept until the process ends. */
typedef struct HieraNamedCounter {
    char name[HIERA_COUNTER_NAME]; /* full name with its family: "proc:rss" */
    char unit[HIERA_COUNTER_UNIT]; /* "B", "ns", "%", …; "": a plain number of things */
    char help[HIERA_COUNTER_HELP];
    bool is_level;           /* it goes up and down: its value matters, not its growth */
    bool is_by_thread;       /* its value is that of the reading thread, else of the process or of the machine */
    bool is_of_thread_alone; /* it can be read for a thread only, not for the whole process */
    bool is_real;            /* its values may be fractional */
    const HieraCounterFamily *family;
    const char *reason; /* why it cannot be read; NULL: it can be read. May change later, to NULL and back */
    bool is_pending;    /* it may become available: the program registers it later, or MPI begins later */
    bool is_awaited;    /* it was pending when a list that contains it was read */
    /* For the family's own use; counters with the same source are read together. */
    uint32_t source, item;
    uint32_t key; /* offset in the counter's name */
    const volatile void *address;
    double (*function)(void *data);
    void *data;
    uint64_t before[3];
    unsigned number; /* number of the counter, from 1, in order of creation */
} HieraNamedCounter;

/* Called for each counter of a family, with its name without the family. */
typedef void HieraCounterVisit(void *data, const HieraNamedCounter *counter);

struct HieraCounterFamily {
    const char *name; /* part of a counter's name before the colon */
    const char *help;
    const char *details; /* prefixes of names that a list of all counters only counts, such as "cvar/"; NULL: none */
    /* Returns why the family has no counters at all; NULL: it has some. */
    const char *(*missing)(void);
    /* Call `visit` for each counter of the family. Not on the call path. */
    void (*each)(HieraCounterVisit *visit, void *data);
    /* Look up counter->name (`rest` is the part behind the colon) and fill in the other fields, also the reason if
     * there is no such counter. Not on the call path. The counter is moved afterwards. */
    void (*open)(HieraNamedCounter *counter, const char *rest);
    /* Read counters of one source; a value is NaN if it is not known. */
    void (*read)(HieraNamedCounter *const *counters, unsigned n, double *values);
    /* Called when this thread ends, or when it is the only thread of a child of fork. May be NULL. */
    void (*end_thread)(void);
};

extern const HieraCounterFamily hiera_counters_proc, hiera_counters_perf, hiera_counters_papi, hiera_counters_malloc,
    hiera_counters_user;

/* The family of sum(…), mean(…), min(…), max(…): these names have no colon, so it is not in hiera_counter_families. */
extern const HieraCounterFamily hiera_counters_aggregate;

/* Counters of MPI are defined in mpi/life/mpi_counters.c; the linker finds them. */
extern const HieraCounterFamily hiera_counters_mpi;

/* Whether this thread reads the value of the whole process where a counter has one: true in the helper thread, and in
 * threads that set it. */
void hiera_counters_set_of_process(bool of_process);
bool hiera_counters_are_of_process(void);

/* A family whose counters are the rows of a table. */
typedef struct HieraCounterTable {
    const char *family;
    unsigned n;
    const char *(*name)(unsigned row);
    void (*fill)(HieraNamedCounter *counter, unsigned row); /* fills in the other fields of the counter for this row */
} HieraCounterTable;
void hiera_counter_table_each(const HieraCounterTable *table, HieraCounterVisit *visit, void *data);
void hiera_counter_table_open(const HieraCounterTable *table, HieraNamedCounter *counter, const char *rest);

/* A family has allocated something for this thread: its end_thread() must be called when the thread ends. */
void hiera_counters_note_thread(void);

/* Fill in name, unit and help; texts that are too long are cut. */
void hiera_counter_name(HieraNamedCounter *counter, const char *family, const char *rest);
void hiera_counter_describe(HieraNamedCounter *counter, const char *unit, const char *help);
