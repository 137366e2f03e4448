/* See export_labels.h. Texts are made from call sites; arguments from the columns of the trace. */
#include "export_labels.h"
#include <stdlib.h>
#include <string.h>

char *hiera_export_name(const HieraSite *site)
{
    return site->class_name[0] ? g_strconcat(site->class_name, "::", site->operation, NULL) : g_strdup(site->operation);
}

char *hiera_export_frame(const HieraSite *site)
{
    g_autofree char *name = hiera_export_name(site), *place = hiera_site_place(site);
    return place[0] ? g_strdup_printf("%s:%s (%s)", site->level, name, place)
                    : g_strdup_printf("%s:%s", site->level, name);
}

gboolean hiera_export_same_name(const HieraSite *a, const HieraSite *b)
{
    return strcmp(a->level, b->level) == 0 && strcmp(a->class_name, b->class_name) == 0 &&
           strcmp(a->operation, b->operation) == 0;
}

char *hiera_export_lane(const HieraProcessor *processor, guint32 thread)
{
    return thread ? g_strdup_printf("P%u thread %u", processor->rank, thread) : g_strdup_printf("P%u", processor->rank);
}

static void add_text(HieraExportArgument *arguments, guint *n, const char *name, const char *text)
{
    if (text[0])
        arguments[(*n)++] = (HieraExportArgument){.name = name, .text = text};
}

/* Add a number to the arguments, unless it equals `none`, the value of an absent argument. */
static void add_number(HieraExportArgument *arguments, guint *n, const char *name, gint64 number, gint64 none)
{
    if (number != none)
        arguments[(*n)++] = (HieraExportArgument){.name = name, .number = number};
}

guint hiera_export_arguments(const HieraMatch *match, guint32 row, HieraExportArgument *arguments)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    const HieraSparse *sparse = hiera_trace_peek_sparse(trace, row);
    guint n = 0;
    add_text(arguments, &n, "comm", hiera_match_comm_id(match, trace->comm[row]));
    add_number(arguments, &n, "bytes", trace->bytes[row], -1);
    add_number(arguments, &n, "rbytes", sparse->rbytes, -1);
    if (trace->peer[row] != HIERA_ABSENT)
        add_number(arguments, &n, "peer", hiera_match_peer(match, row), HIERA_ABSENT);
    if (trace->source[row] != HIERA_ABSENT)
        add_number(arguments, &n, "source", hiera_match_world_rank(match, trace->comm[row], trace->source[row]),
                   HIERA_ABSENT);
    add_number(arguments, &n, "tag", trace->tag[row], HIERA_ABSENT);
    return n;
}

static gint compare_sites(gconstpointer a, gconstpointer b)
{
    return hiera_site_compare(*(const HieraSite *const *)a, *(const HieraSite *const *)b);
}

void hiera_site_order_init(HieraSiteOrder *order, const HieraTrace *trace)
{
    guint n = hiera_catalog_count_sites(trace->catalog);
    *order = (HieraSiteOrder){n, g_new(const HieraSite *, MAX(n, 1)), g_new(guint32, MAX(n, 1))};
    for (guint i = 0; i < n; i++)
        order->sites[i] = hiera_catalog_peek_site(trace->catalog, i);
    qsort(order->sites, n, sizeof *order->sites, compare_sites);
    for (guint i = 0; i < n; i++)
        order->position[order->sites[i]->id] = i;
}

void hiera_site_order_clear(HieraSiteOrder *order)
{
    g_free(order->sites);
    g_free(order->position);
}
