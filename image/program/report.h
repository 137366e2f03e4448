/* Writes functions and loops: as a tree, as CSV, as JSON, and the flow chart of one function. */
#pragma once

#include "image/places/places.h"
#include "options.h"
#include <stdio.h>

typedef struct {
    Format format;
    FILE *stream;
    const HieraObject *object;
    HieraPlaces *places; /* source lines; NULL: not known */
    guint n_functions;   /* number of functions written */
} Report;

void report_begin(Report *report);
/* Write a function, after hiera_flow_finish() of its flow. */
void report_function(Report *report, const HieraFlow *flow);
void report_end(Report *report);

/* Counts the functions whose flow is certain, so that they can be timed, and the reasons for the others. Free it with
 * certainty_free. */
typedef struct Certainty Certainty;
Certainty *certainty_new(const HieraFunctions *functions, HieraDecoder *decoder);
void certainty_free(Certainty *certainty);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Certainty, certainty_free)
/* Count a function, after hiera_flow_finish() of its flow. If it has several doubts, the first one is the reason. */
void certainty_add(Certainty *certainty, const HieraFlow *flow);
void certainty_write(Certainty *certainty, const Report *report);

/* Write the blocks of a function and their edges for Graphviz; loops are clusters. */
void report_dot(const HieraFlow *flow, HieraPlaces *places, FILE *stream);

/* Return the lines of a function or a loop; unknown without debug information. */
HieraLines report_find_lines(HieraPlaces *places, const HieraFlow *flow, const HieraLoop *loop);
/* Return the number of calls in the nodes of a loop. */
guint report_count_calls(const HieraFlow *flow, const HieraLoop *loop);
/* Return the range from the begin of a loop to the end of the last of its blocks. */
HieraCodeRange report_range(const HieraFlow *flow, const HieraLoop *loop);
