/* The meaning of Paraver's numbers. A Paraver record has numbers only: type of an event, its value, or a state; the
 * file .pcf explains them. The numbers of MPI are those of Extrae, so that the views that come with Paraver
 * work. */
#pragma once

#include "export/export_labels.h"
#include "hiera_measure.h"
#include <stdio.h>

/* Types of Paraver's event records: X(identifier, number, label). */
#define HIERA_PRV_TYPES(X)                                                                                             \
    X(POINT_TO_POINT, 50000001, "MPI Point-to-point")                                                                  \
    X(COLLECTIVE, 50000002, "MPI Collective Comm")                                                                     \
    X(OTHER, 50000003, "MPI Other")                                                                                    \
    X(ONE_SIDED, 50000004, "MPI One-sided")                                                                            \
    X(IO, 50000005, "MPI I/O")                                                                                         \
    X(SENT, 50100001, "Send Size in MPI Global OP")                                                                    \
    X(RECEIVED, 50100002, "Recv Size in MPI Global OP")                                                                \
    X(FUNCTION, 60000019, "User function")                                                                             \
    X(FUNCTION_LINE, 60000119, "User function line")                                                                   \
    X(CALLER_LINE, 80000001, "Caller line at level 1")

/* States of a thread in Paraver: X(identifier, number, label, colour). */
#define HIERA_PRV_STATES(X)                                                                                            \
    X(IDLE, 0, "Idle", "{117,195,255}")                                                                                \
    X(RUNNING, 1, "Running", "{0,0,255}")                                                                              \
    X(WAIT_MESSAGE, 3, "Waiting a message", "{255,0,0}")                                                               \
    X(SEND, 4, "Blocking Send", "{255,0,174}")                                                                         \
    X(SYNCHRONIZATION, 5, "Synchronization", "{179,0,0}")                                                              \
    X(TEST, 6, "Test/Probe", "{0,255,0}")                                                                              \
    X(WAIT, 8, "Wait/WaitAll", "{235,0,0}")                                                                            \
    X(ISEND, 10, "Immediate Send", "{255,0,255}")                                                                      \
    X(IRECEIVE, 11, "Immediate Receive", "{100,100,177}")                                                              \
    X(IO, 12, "I/O", "{172,174,41}")                                                                                   \
    X(COLLECTIVE, 13, "Group Communication", "{255,144,26}")                                                           \
    X(OTHERS, 15, "Others", "{192,224,0}")                                                                             \
    X(SEND_RECEIVE, 16, "Send Receive", "{66,66,66}")                                                                  \
    X(ONE_SIDED, 20, "Remote memory access", "{0,109,255}")

enum {
#define X(identifier, number, label) HIERA_PRV_TYPE_##identifier = (number),
    HIERA_PRV_TYPES(X)
#undef X
};
typedef enum {
#define X(identifier, number, label, colour) HIERA_PRV_STATE_##identifier = (number),
    HIERA_PRV_STATES(X)
#undef X
} HieraPrvState;

enum { HIERA_PRV_FIRST_COUNTER = 91000001 };

/* Paraver's numbers for call sites. Arrays `type`, `value`, `place`: by id of a site. Value 0: end, place 0: unknown */
typedef struct {
    HieraSiteOrder order;
    guint32 *type, *value, *place;
    GPtrArray *places;   /* texts "file:line"; the first one has the place number 1 */
    GPtrArray *counters; /* HieraTraceCounter, by name; the first one has the event type HIERA_PRV_FIRST_COUNTER */
} HieraPrvLabels;
/* Number the call sites and counters. If there are several processes, all call this. */
void hiera_prv_labels_init(HieraPrvLabels *labels, const HieraScope *scope, const HieraTrace *trace);
void hiera_prv_labels_clear(HieraPrvLabels *labels);

/* Return the type of event records for a counter. */
guint32 hiera_prv_counter_type(const HieraPrvLabels *labels, const HieraTraceCounter *counter);

/* Return the state in which a thread is while it executes the MPI call of a call site. */
HieraPrvState hiera_prv_state(const HieraSite *site);

/* Return a text of the traces as a label of one line, "-" if it is empty. To be freed with g_free. */
char *hiera_prv_label(const char *text);

/* Write the file .pcf, which explains the numbers of the file .prv. */
void hiera_prv_labels_write(const HieraPrvLabels *labels, FILE *stream);
