/* A counter, and the functions that each family of counters (proc, perf, papi, …) provides. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_COUNTER_NAME = 128, HIERA_COUNTER_UNIT = 16, HIERA_COUNTER_HELP = 128 };

typedef struct HieraCounterFamily HieraCounterFamily;

/* A counter: one struct for each name, kept until the process ends. */
typedef struct HieraNamedCounter {
    char name[HIERA_COUNTER_NAME]; /* full name with its family: "proc:rss" */
    char unit[HIERA_COUNTER_UNIT]; /* unit of the values: "B", "ns", "%", …; "": a count */
    char help[HIERA_COUNTER_HELP];
    bool is_level;           /* the counter's current value matters, which goes up and down; else its growth */
    bool is_by_thread;       /* the counter's value is that of the reading thread; else of the process or the machine */
    bool is_of_thread_alone; /* the counter exists only for a thread, not for the whole process */
    bool is_real;            /* the counter's values may have fractions */
    const HieraCounterFamily *family;
    const char *reason; /* why the counter cannot be read; NULL: it can be read. May change at any time */
    bool is_pending;    /* the counter may become available later: the program registers it, or MPI_Init is called */
    bool is_awaited;    /* a list that the user gave names the counter, which was pending then */
    /* For the family's own use. Counters of a family with the same `source` are read in one call. */
    uint32_t source, item;
    uint32_t key; /* offset in `name` of the key in a file of /proc */
    const volatile void *address;
    double (*function)(void *data);
    void *data;
    uint64_t before[3];
    unsigned number; /* index of the counter among all, from 1, in order of creation */
} HieraNamedCounter;

/* Called for each counter of a family, with its full name, unit, help, and why it cannot be read. */
typedef void HieraCounterVisit(void *data, const HieraNamedCounter *counter);

struct HieraCounterFamily {
    const char *name; /* the part of its counters' names before the colon */
    const char *help;
    /* Prefixes of names, such as "cvar/"; a list of all counters shows only how many begin so; NULL: none. */
    const char *details;
    /* Return why the family has no counters on this machine; NULL: it has some. */
    const char *(*missing)(void);
    /* Call `visit` for each counter of the family. Not on the call path. */
    void (*each)(HieraCounterVisit *visit, void *data);
    /* Look up counter->name (`rest` is the part behind the colon) and fill in the other fields, also the reason if
     * there is no such counter. Not on the call path. The counter is moved afterwards. */
    void (*open)(HieraNamedCounter *counter, const char *rest);
    /* Read n counters of one source into `values`; an unknown value stays NaN. */
    void (*read)(HieraNamedCounter *const *counters, unsigned n, double *values);
    /* Free what the family holds for this thread, which ends or is the only one of a child of fork. May be NULL. */
    void (*end_thread)(void);
};

extern const HieraCounterFamily hiera_counters_proc, hiera_counters_perf, hiera_counters_papi, hiera_counters_malloc,
    hiera_counters_user;

/* The family of sum(…), mean(…), min(…), max(…): not in hiera_counter_families, since these names have no colon. */
extern const HieraCounterFamily hiera_counters_aggregate;

/* The family of MPI's performance variables, defined in mpi/life/mpi_counters.c, which this folder does not include. */
extern const HieraCounterFamily hiera_counters_mpi;

/* Whether this thread reads the value of the whole process where a counter has one: true in the helper thread, and in
 * threads that set it. */
void hiera_counters_set_of_process(bool of_process);
bool hiera_counters_are_of_process(void);

/* The names of a family whose counters are the rows of a table. */
typedef struct HieraCounterTable {
    const char *family;
    unsigned n;
    const char *(*name)(unsigned row);
    void (*fill)(HieraNamedCounter *counter, unsigned row); /* sets all fields of the row's counter but its name */
} HieraCounterTable;
void hiera_counter_table_each(const HieraCounterTable *table, HieraCounterVisit *visit, void *data);
void hiera_counter_table_open(const HieraCounterTable *table, HieraNamedCounter *counter, const char *rest);

/* Called by a family that has allocated memory for this thread: then the thread's end calls end_thread(). */
void hiera_counters_note_thread(void);

/* Set a counter's name to "family:rest", and its unit and help; texts that are too long are cut. */
void hiera_counter_name(HieraNamedCounter *counter, const char *family, const char *rest);
void hiera_counter_describe(HieraNamedCounter *counter, const char *unit, const char *help);
