/* Makes a graph from traces that a test writes as text: they are read and matched. */
#ifndef HIERA_HARNESS_H
#define HIERA_HARNESS_H

#include "hiera_graph.h"
#include <check.h>

typedef struct {
    char *folder;
    GPtrArray *paths;
    HieraCatalog *catalog;
    HieraFindings *findings;
    HieraTrace *trace;
    HieraGraph *graph;
} Harness;

/* Write and read one trace for each body; ranks are numbered from 0. A body is the content of `processor`; NULL: no
 * trace of this rank. MPI_COMM_WORLD is declared. Free with harness_clear(). */
Harness harness_load(const char *const *bodies, guint n);
#define HARNESS(...)                                                                                                   \
    harness_load((const char *const[]){__VA_ARGS__}, G_N_ELEMENTS(((const char *const[]){__VA_ARGS__})))
void harness_clear(Harness *harness);

/* Return the row of the n-th operation (from 0) of a rank. */
guint32 harness_row(const Harness *harness, guint rank, guint n);
/* Return the edges of a kind as text, "1>6 2>5", in ascending order; vertices count from 1. Free with g_free. */
char *harness_edges(const Harness *harness, HieraEdge kind);
void harness_expect_edges(const Harness *harness, HieraEdge kind, const char *expected);
void harness_expect_reason(const Harness *harness, guint rank, guint n, HieraReason expected);

/* Check the ambiguous edges of a kind, in the same format. */
void harness_expect_ambiguous(const Harness *harness, HieraEdge kind, const char *expected);

/* Elements. The time of a call is its number, so that calls in document order have ascending times. */
#define SPAN(start, finish, operation, arguments)                                                                      \
    "<hieraMPI operation=\"" operation "\" file=\"t.c\" line=\"1\" start_time=\"" start "\" finish_time=\"" finish     \
    "\" " arguments "/>\n"
#define CALL(time, operation, arguments) SPAN(#time, #time ".5", operation, arguments)
#define THREAD(id, body)                 "<hieraThread id=\"" #id "\">" body "</hieraThread>\n"
#define WORLD                            " comm=\"MPI_COMM_WORLD\""
#define SEND(time, to, in_tag)           CALL(time, "send", "dest=\"" #to "\" tag=\"" #in_tag "\" bytes=\"4\"" WORLD)
#define RECEIVE(time, from, in_tag)      CALL(time, "receive", "rem=\"" #from "\" tag=\"" #in_tag "\" bytes=\"4\"" WORLD)
#define COLLECTIVE(time, operation)      CALL(time, operation, WORLD)
#define ROOTED(time, operation, at)      CALL(time, operation, "root=\"" #at "\"" WORLD)

#endif
