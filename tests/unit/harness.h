/* Traces written as text in a test, read, matched and made a graph. */
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

/* Read one trace per body, ranks from 0 on; a body is what stands inside `processor`. Each declares MPI_COMM_WORLD. */
Harness harness_load(const char *const *bodies, guint n);
#define HARNESS(...)                                                                                                   \
    harness_load((const char *const[]){__VA_ARGS__}, G_N_ELEMENTS(((const char *const[]){__VA_ARGS__})))
void harness_clear(Harness *harness);

/* The n-th operation (from 0) of a rank. */
guint32 harness_row(const Harness *harness, guint rank, guint n);
/* The edges of a kind, "1>6 2>5", by printed vertex numbers, in order. To be freed. */
char *harness_edges(const Harness *harness, HieraEdge kind);
void harness_expect_edges(const Harness *harness, HieraEdge kind, const char *expected);
void harness_expect_reason(const Harness *harness, guint rank, guint n, HieraReason expected);

/* The edges of a kind that are ambiguous, in the same way. */
void harness_expect_ambiguous(const Harness *harness, HieraEdge kind, const char *expected);

/* Elements; time is the number of the call, so that document order is the order of time. */
#define SPAN(start, finish, operation, arguments)                                                                      \
    "<hieraMPI operation=\"" operation "\" file=\"t.c\" line=\"1\" start_time=\"" start "\" finish_time=\"" finish     \
    "\" " arguments "/>\n"
#define CALL(time, operation, arguments) SPAN(#time, #time ".5", operation, arguments)
#define THREAD(id, body)                 "<hieraThread id=\"" #id "\">" body "</hieraThread>\n"
#define WORLD                            " comm=\"MPI_COMM_WORLD\""
#define SEND(time, to, in_tag)           CALL(time, "send", "dest=\"" #to "\" tag=\"" #in_tag "\" bytes=\"4\"" WORLD)
#define RECEIVE(time, from, in_tag)      CALL(time, "receive", "rem=\"" #from "\" tag=\"" #in_tag "\" bytes=\"4\"" WORLD)

#endif
