/* The meaning of Paraver's numbers. A Paraver record has numbers only: type of an event, its value, or a state; the
 * file .pcf explains them. */
#pragma once

#include "export/export_labels.h"
#include "hiera_measure.h"
#include "prv_numbers.h"
#include <stdio.h>

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
