/* What a counter is, and what a family of counters has to have. */
#ifndef HIERA_COUNTER_H
#define HIERA_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_COUNTER_NAME = 128, HIERA_COUNTER_UNIT = 16, HIERA_COUNTER_HELP = 128 };

typedef struct HieraCounterFamily HieraCounterFamily;

/* A counter is made once for each name, and kept until the process ends. */
typedef struct HieraNamedCounter {
    char name[HIERA_COUNTER_NAME]; /* with its family: "proc:rss" */
    char unit[HIERA_COUNTER_UNIT]; /* "B", "ns", "%", …; "": it is a number of things */
    char help[HIERA_COUNTER_HELP];
    bool is_level;           /* goes up and down: what it is matters, not by how much it has grown */
    bool is_by_thread;       /* of the thread that reads it, else of the process or of the machine */
    bool is_of_thread_alone; /* … and cannot be read of the process */
    bool is_real;            /* its numbers may be no whole ones */
    const HieraCounterFamily *family;
    const char *reason; /* why it cannot be read; NULL: it can. May change later, to NULL and back */
    bool is_pending;    /* it may come to be: the program registers it later, MPI begins later */
    bool is_awaited;    /* a list has it that was read when it was pending */
    /* For the family: counters with the same source are read together. */
    uint32_t source, item;
    uint32_t key; /* place in the name */
    const volatile void *address;
    double (*function)(void *data);
    void *data;
    uint64_t before[3];
    unsigned number; /* from 1, in the order in which they were made */
} HieraNamedCounter;

/* For lists: what a family has, without its own name. */
typedef void HieraCounterVisit(void *data, const HieraNamedCounter *counter);

struct HieraCounterFamily {
    const char *name; /* before the colon */
    const char *help;
    const char *details; /* begins of names that a list of all only counts, such as "cvar/"; NULL: none */
    /* Why there is none at all; NULL: there are some. */
    const char *(*missing)(void);
    /* Tell all that there are. Not on the call path. */
    void (*each)(HieraCounterVisit *visit, void *data);
    /* Find out what counter->name is, of which `rest` is behind the colon, and fill in the others, also the reason if
     * there is no such counter. Not on the call path. The counter is moved afterwards. */
    void (*open)(HieraNamedCounter *counter, const char *rest);
    /* Read counters of one source; NaN: not known. */
    void (*read)(HieraNamedCounter *const *counters, unsigned n, double *values);
    /* May be NULL: this thread ends, or is the one thread of a child of fork. */
    void (*end_thread)(void);
};

extern const HieraCounterFamily hiera_counters_proc, hiera_counters_perf, hiera_counters_papi, hiera_counters_malloc,
    hiera_counters_user;

/* sum(…), mean(…), min(…), max(…): no name with a colon, so that it is not in hiera_counter_families. */
extern const HieraCounterFamily hiera_counters_aggregate;

/* MPI has its own (mpi/life/mpi_counters.c; the linker finds it). */
extern const HieraCounterFamily hiera_counters_mpi;

/* Counters of a thread that are read now are those of the whole process, where they have such: in the helper, and where
 * this is set. */
void hiera_counters_set_of_process(bool of_process);
bool hiera_counters_are_of_process(void);

/* A family whose counters are the rows of a table. */
typedef struct HieraCounterTable {
    const char *family;
    unsigned n;
    const char *(*name)(unsigned row);
    void (*fill)(HieraNamedCounter *counter, unsigned row); /* the rest of it */
} HieraCounterTable;
void hiera_counter_table_each(const HieraCounterTable *table, HieraCounterVisit *visit, void *data);
void hiera_counter_table_open(const HieraCounterTable *table, HieraNamedCounter *counter, const char *rest);

/* A family has something for this thread: its end_thread() is to be called. */
void hiera_counters_note_thread(void);

/* Fill in name, unit and help. What is too long is cut. */
void hiera_counter_name(HieraNamedCounter *counter, const char *family, const char *rest);
void hiera_counter_describe(HieraNamedCounter *counter, const char *unit, const char *help);

#endif
