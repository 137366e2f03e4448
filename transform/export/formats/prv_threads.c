/* See prv_threads.h. CPUs are numbered node after node, lanes processor after processor. */
#include "prv_threads.h"
#include "export/export_labels.h"
#include "prv_labels.h"

/* Return the number of a host's node, from 1; a new host gets the next number. */
static guint32 find_node(GPtrArray *nodes, GHashTable *numbers, const char *host)
{
    g_autofree char *label = hiera_prv_label(host);
    guint32 number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, label));
    if (!number) {
        number = nodes->len + 1;
        g_hash_table_insert(numbers, label, GUINT_TO_POINTER(number));
        g_ptr_array_add(nodes, g_steal_pointer(&label));
    }
    return number;
}

static void number_threads(HieraPrvThreads *threads)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < threads->lanes->len; i++) {
        const guint32 processor = g_array_index(threads->lanes, HieraExportLane, i).processor;
        HieraPrvThread *thread = &threads->threads[i];
        thread->task = processor + 1;
        thread->thread = i && thread[-1].task == thread->task ? thread[-1].thread + 1 : 1;
        thread->node = find_node(threads->nodes, numbers, threads->trace->processors[processor].host);
        if (thread->thread == 1)
            threads->first[processor] = i;
    }
}

static void number_cpus(HieraPrvThreads *threads)
{
    g_autofree guint32 *next = g_new0(guint32, threads->nodes->len + 1);
    for (guint i = 0; i < threads->lanes->len; i++)
        next[threads->threads[i].node]++;
    for (guint node = 1; node <= threads->nodes->len; node++)
        next[node] += next[node - 1];
    for (guint i = 0; i < threads->lanes->len; i++)
        threads->threads[i].cpu = ++next[threads->threads[i].node - 1];
}

void hiera_prv_threads_init(HieraPrvThreads *threads, const HieraScope *scope, const HieraTrace *trace)
{
    *threads = (HieraPrvThreads){.scope = scope, .trace = trace, .lanes = hiera_lanes_new(scope, trace)};
    threads->threads = g_new0(HieraPrvThread, threads->lanes->len);
    threads->first = g_new0(guint, trace->n_processors);
    threads->nodes = g_ptr_array_new_with_free_func(g_free);
    number_threads(threads);
    number_cpus(threads);
}

void hiera_prv_threads_clear(HieraPrvThreads *threads)
{
    g_array_unref(threads->lanes);
    g_free(threads->threads);
    g_free(threads->first);
    g_ptr_array_unref(threads->nodes);
}

guint hiera_prv_threads_find(const HieraPrvThreads *threads, guint32 row)
{
    guint lane = threads->first[hiera_trace_find_processor(threads->trace, row)];
    guint32 number = hiera_scope_number(threads->scope, threads->trace, row);
    const HieraExportLane *candidate = &g_array_index(threads->lanes, HieraExportLane, lane);
    for (; number < candidate->first || number >= candidate->first + candidate->n_operations; candidate++)
        lane++;
    return lane;
}

/* Write the CPUs of each node, the threads of each task, and the task's node. */
void hiera_prv_threads_write_head(const HieraPrvThreads *threads, FILE *stream)
{
    const guint32 n_tasks = threads->trace->n_processors;
    g_autofree guint *cpus = g_new0(guint, threads->nodes->len), *counts = g_new0(guint, n_tasks);
    for (guint i = 0; i < threads->lanes->len; i++) {
        cpus[threads->threads[i].node - 1]++;
        counts[threads->threads[i].task - 1]++;
    }
    fprintf(stream, "%u(", threads->nodes->len);
    for (guint i = 0; i < threads->nodes->len; i++)
        fprintf(stream, "%s%u", i ? "," : "", cpus[i]);
    fprintf(stream, "):1:%u(", n_tasks);
    for (guint32 i = 0; i < n_tasks; i++)
        fprintf(stream, "%s%u:%u", i ? "," : "", counts[i], threads->threads[threads->first[i]].node);
    fputs(")", stream);
}

static void write_cpus(const HieraPrvThreads *threads, FILE *stream)
{
    const guint n = threads->lanes->len;
    g_autofree guint *nodes = g_new0(guint, n); /* by CPU, from 0: number of its node */
    for (guint i = 0; i < n; i++)
        nodes[threads->threads[i].cpu - 1] = threads->threads[i].node;
    fprintf(stream, "LEVEL CPU SIZE %u\n", n);
    for (guint i = 0; i < n; i++)
        fprintf(stream, "%u.%s\n", i + 1, (char *)g_ptr_array_index(threads->nodes, nodes[i] - 1));
}

void hiera_prv_threads_write_rows(const HieraPrvThreads *threads, FILE *stream)
{
    const HieraTrace *trace = threads->trace;
    write_cpus(threads, stream);
    fprintf(stream, "\nLEVEL NODE SIZE %u\n", threads->nodes->len);
    for (guint i = 0; i < threads->nodes->len; i++)
        fprintf(stream, "%s\n", (char *)g_ptr_array_index(threads->nodes, i));
    fprintf(stream, "\nLEVEL TASK SIZE %u\n", trace->n_processors);
    for (guint32 i = 0; i < trace->n_processors; i++)
        fprintf(stream, "P%u\n", trace->processors[i].rank);
    fprintf(stream, "\nLEVEL THREAD SIZE %u\n", threads->lanes->len);
    for (guint i = 0; i < threads->lanes->len; i++) {
        const HieraExportLane *lane = &g_array_index(threads->lanes, HieraExportLane, i);
        g_autofree char *name = hiera_export_lane(&trace->processors[lane->processor], lane->thread);
        fprintf(stream, "%s\n", name);
    }
}
