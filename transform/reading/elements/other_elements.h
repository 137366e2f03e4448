/* Elements other than calls and their declarations: sums, notices, counters, sections. And the state of the
 * reader of a file, which they change. */
#pragma once

#include "before.h"
#include "call_reader.h"
#include "reading.h"
#include "reading/loops/loops.h"
#include "xml/validator.h"

enum { HIERA_IN_LOOPS = 1, HIERA_LOOPS_DEEPEST = 101 }; /* values of Nesting.timed */

/* Position in the tree of the next operation or record. */
typedef struct {
    guint64 parent;
    guint32 depth, thread;
    const char *sampled;  /* call path of samples inside the open element; NULL: the element can have no samples */
    gboolean sampled_mpi; /* whether `sampled` leads into an MPI call */
    guint32 timed; /* 0: outside of hieraLoops; else HIERA_IN_LOOPS plus the number of open functions and loops in it */
    gint64 inner;  /* HieraTimed.inner of the open function: its loops have the number of their function */
    gboolean mpi;  /* whether the position is inside an MPI call */
    gboolean summed; /* whether the position is inside an operation that stands for several calls, which is no parent */
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
    HieraAttributes sorted;            /* attributes of the current element, by number, if it is no call */
    HieraAttributeValues of_processor; /* requested attributes of the root element */
    Nesting nesting;
    Nesting *saved; /* stack with one entry for each open element: nesting of its siblings */
    guint n_saved, capacity;
    guint64 n_operations;
    HieraSummed summed; /* the last summed operation; passed to the sinks when all elements inside it are read */
    guint holds;        /* size of `saved` inside the element of `summed`; 0: there is no such element */
    gint64 sample_period_ns;
    HieraCarrying carrying;
    gint64 pid;          /* id of the process that wrote the trace; 0: not in the trace */
    const char *process; /* identity of the process that wrote the trace (alive.h) */
} Reader;

/* Report why the file cannot be read, and stop reading it. */
void hiera_read_fail(Reader *reader, HieraFindingCode code, const char *problem);
/* Tell the sinks the requested attribute values of the operation that was read last, and before those of the first
 * operation the values of the processor. */
void hiera_read_attributes(const Reader *reader, guint64 index);
/* Read the start tag of an element that is neither a call nor a declaration of calls (hieraCall). */
void hiera_read_other_element(Reader *reader, HieraElement element, const HieraAttributes *attributes);
