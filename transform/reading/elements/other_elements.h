/* Elements other than calls and their declarations: sums, notices, counters, sections. And the state of the
 * reader of a file, which they change. */
#pragma once

#include "before.h"
#include "call_reader.h"
#include "reading.h"
#include "reading/loops/loops.h"
#include "xml/validator.h"

enum { HIERA_IN_LOOPS = 1, HIERA_LOOPS_DEEPEST = 101 }; /* more than the loops of any timed function */

/* Place of the next operation in the tree. */
typedef struct {
    guint64 parent;
    guint32 depth, thread;
    const char *sampled;  /* path of the samples inside the element; NULL: there are no samples */
    gboolean sampled_mpi; /* whether that path is in an MPI call */
    guint32 timed;   /* 0: not in a hieraLoops; else HIERA_IN_LOOPS plus the number of functions and loops around */
    gint64 event_ns; /* time that one recorded event costs */
    gboolean mpi;    /* inside an MPI call */
    gboolean summed; /* inside an operation that stands for several calls; then there is no parent */
} Nesting;

typedef struct {
    HieraInputFile *source;
    HieraXml *xml;
    HieraReadContext context;
    HieraCallReader *calls;
    HieraReadLoops *loops;
    const char *differing[HIERA_N_DIFFERING + 1];
    HieraValidator *validator;
    const HieraSink *sinks;
    guint n_sinks;
    HieraReading *reading;
    HieraAttributes sorted;            /* attributes of the current element, if it is not a call */
    HieraAttributeValues of_processor; /* those that are asked for, of the root element */
    Nesting nesting;
    Nesting *saved; /* one for each open element */
    guint n_saved, capacity;
    guint64 n_operations;
    HieraSummed summed; /* passed to the sinks when everything that belongs to it has been read */
    guint holds;        /* number of saved nestings inside `summed`; 0: there is no such operation */
    gint64 sample_period_ns;
    HieraCarrying carrying;
    gint64 pid;          /* process id of the process that wrote the trace; 0 if the trace does not have it */
    const char *process; /* identity of that process (alive.h) */
} Reader;

/* Report why the file cannot be read, and read no further. */
void hiera_read_fail(Reader *reader, HieraFindingCode code, const char *problem);
/* Tell the sinks the attributes that are asked for, of the call that was read last, which is an operation, and before
 * those of the first one the attributes of the processor. */
void hiera_read_attributes(const Reader *reader, guint64 index);
/* Read the start tag of an element that is neither a call nor the declaration of one. */
void hiera_read_other_element(Reader *reader, HieraElement element, const HieraAttributes *attributes);
