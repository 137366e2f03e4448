/* What stands in a trace beside calls and their declarations: sums, notices, counters, sections. And the state of the
 * reader of a file, which they change. */
#ifndef HIERA_OTHER_ELEMENTS_H
#define HIERA_OTHER_ELEMENTS_H

#include "before.h"
#include "call_reader.h"
#include "reading.h"
#include "reading/loops/loops.h"
#include "xml/validator.h"

enum { HIERA_IN_LOOPS = 1, HIERA_LOOPS_DEEPEST = 101 }; /* more loops than a function can have that is timed */

/* Place of the next operation in the tree. */
typedef struct {
    guint64 parent;
    guint32 depth, thread;
    const char *sampled;  /* path of what samples are in; NULL: no samples are here */
    gboolean sampled_mpi; /* and whether that is in an MPI call */
    guint32 timed;        /* 0: no exact times are here; HIERA_IN_LOOPS, and how many functions and loops are around */
    gint64 event_ns;      /* what an event of these takes */
    gboolean mpi;         /* inside an MPI call */
    gboolean summed;      /* inside an operation that stands for several calls; then there is no parent */
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
    HieraSummed summed; /* is told to the sinks when what belongs to it has been read */
    guint holds;        /* number of saved nestings inside it; 0: there is none */
    gint64 sample_period_ns;
    HieraCarrying carrying;
    gint64 pid;          /* of the process that wrote the trace; 0 if the trace does not have it */
    const char *process; /* which one it is (alive.h) */
} Reader;

/* Report why the file cannot be read, and read no further. */
void hiera_read_fail(Reader *reader, HieraFindingCode code, const char *problem);
/* Tell the sinks the attributes that are asked for, of the call that was read last, which is an operation, and before
 * those of the first one the attributes of the processor. */
void hiera_read_attributes(const Reader *reader, guint64 index);
/* Read the start tag of an element that is neither a call nor the declaration of one. */
void hiera_read_other_element(Reader *reader, HieraElement element, const HieraAttributes *attributes);

#endif
