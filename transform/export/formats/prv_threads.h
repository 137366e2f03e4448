/* A trace in Paraver's two hierarchies: an application of tasks with threads, and nodes with CPUs. A
 * processor is a task, each of its lanes a thread, on a CPU of its own; a host is a node. All numbers are from 1. */
#pragma once

#include "export/export_lanes.h"
#include <stdio.h>

typedef struct {
    guint32 task, thread, node, cpu;
} HieraPrvThread;

typedef struct {
    const HieraScope *scope;
    const HieraTrace *trace;
    GArray *lanes;
    HieraPrvThread *threads; /* by lane: Paraver's numbers of the thread */
    guint *first;            /* by processor: index of its first lane */
    GPtrArray *nodes;        /* names of the nodes; the first has number 1 */
} HieraPrvThreads;
/* Number threads and CPUs. If there are several processes, all call this. */
void hiera_prv_threads_init(HieraPrvThreads *threads, const HieraScope *scope, const HieraTrace *trace);
void hiera_prv_threads_clear(HieraPrvThreads *threads);

/* Return the index of the lane (thread) of an operation. */
guint hiera_prv_threads_find(const HieraPrvThreads *threads, guint32 row);

/* Write, for the head of the file .prv, the CPUs of each node, and the threads and the node of each task. */
void hiera_prv_threads_write_head(const HieraPrvThreads *threads, FILE *stream);
/* Write the file .row: names of CPUs, nodes, tasks and threads. */
void hiera_prv_threads_write_rows(const HieraPrvThreads *threads, FILE *stream);
