/* See otf2_definitions.h. Members of groups are ranks of MPI_COMM_WORLD, which one more group maps to locations. */
#include "otf2_definitions.h"
#include "base/vocabulary.h"
#include "otf2/otf2_names.h"
#include "trace/catalog.h"
#include <string.h>

#define NS_PER_SECOND 1000000000
#define GROUP_WORLD   0       /* the ranks as locations */
#define LARGEST_GROUP 1000000 /* larger ones (no job has them yet) do not fit into a record */
#define NODE_OF_JOB   0

/* --- time --- */

static void write_clock(HieraOtf2Writer *writer)
{
    guint64 last_ns = 0;
    for (guint32 i = 0; i < writer->trace->n_processors; i++)
        last_ns = MAX(last_ns, (guint64)MAX(writer->trace->processors[i].finalize_ns, 0));
    OTF2_GlobalDefWriter_WriteClockProperties(writer->definitions, NS_PER_SECOND, 0, last_ns, OTF2_UNDEFINED_TIMESTAMP);
}

/* --- regions --- */

static OTF2_RegionRole role_of(const HieraSite *site)
{
    switch (site->kind) {
    case HIERA_KIND_SEND:
    case HIERA_KIND_RECEIVE:
    case HIERA_KIND_SEND_RECEIVE:
        return OTF2_REGION_ROLE_POINT2POINT;
    case HIERA_KIND_ALL_TO_ALL:
    case HIERA_KIND_GROUP:
        return OTF2_REGION_ROLE_COLL_ALL2ALL;
    case HIERA_KIND_ONE_TO_ALL:
        return OTF2_REGION_ROLE_COLL_ONE2ALL;
    case HIERA_KIND_ALL_TO_ONE:
        return OTF2_REGION_ROLE_COLL_ALL2ONE;
    case HIERA_KIND_PREFIX:
    case HIERA_KIND_NEIGHBOR:
        return OTF2_REGION_ROLE_COLL_OTHER;
    case HIERA_KIND_IO:
    case HIERA_KIND_IO_ALL:
        return OTF2_REGION_ROLE_FILE_IO;
    case HIERA_KIND_PUT:
    case HIERA_KIND_GET:
    case HIERA_KIND_UPDATE:
        return OTF2_REGION_ROLE_RMA;
    default:
        return site->mpi ? OTF2_REGION_ROLE_FUNCTION : OTF2_REGION_ROLE_CODE;
    }
}

static void write_region(HieraOtf2Writer *writer, guint number, const HieraSite *site)
{
    g_autofree char *name = site->mpi ? hiera_otf2_function(site->operation) : hiera_export_name(site);
    guint32 line = site->line ? site->line : OTF2_UNDEFINED_UINT32;
    OTF2_Paradigm paradigm = site->mpi                                        ? OTF2_PARADIGM_MPI
                             : strcmp(site->level, HIERA_LEVEL_FUNCTION) == 0 ? OTF2_PARADIGM_COMPILER
                                                                              : OTF2_PARADIGM_USER;
    OTF2_GlobalDefWriter_WriteRegion(writer->definitions, number, hiera_otf2_string(writer, name),
                                     hiera_otf2_string(writer, site->operation), hiera_otf2_string(writer, site->level),
                                     role_of(site), paradigm, OTF2_REGION_FLAG_NONE,
                                     hiera_otf2_string(writer, site->file), line, line);
}

/* --- communicators --- */

/* Return the members of a group, to be freed: NULL, and none, if they are not known or too many. */
static guint64 *list_members(const HieraRanks *ranks, guint32 *n)
{
    gint64 count = ranks && !hiera_ranks_has_strangers(ranks) ? hiera_ranks_count(ranks) : 0;
    *n = count <= LARGEST_GROUP ? (guint32)count : 0;
    guint64 *members = *n ? g_new(guint64, *n) : NULL;
    for (guint32 i = 0; i < *n; i++)
        members[i] = (guint64)hiera_ranks_at(ranks, i);
    return members;
}

/* Return how many ranks there are, as far as processors and communicators say. */
static guint32 count_ranks(const HieraTrace *trace)
{
    guint64 n = 1;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        n = MAX(n, trace->processors[i].rank + 1ULL);
        n = MAX(n, (guint64)MAX(trace->processors[i].size, 0));
    }
    for (guint32 i = 0; i < hiera_catalog_count_communicators(trace->catalog); i++) {
        guint32 n_members;
        g_autofree guint64 *members =
            list_members(hiera_catalog_peek_communicator(trace->catalog, i)->ranks, &n_members);
        for (guint32 member = 0; member < n_members; member++)
            n = MAX(n, members[member] + 1);
    }
    return (guint32)MIN(n, LARGEST_GROUP);
}

static void write_world(HieraOtf2Writer *writer)
{
    guint32 n = count_ranks(writer->trace);
    g_autofree guint64 *locations = g_new(guint64, n);
    for (guint32 rank = 0; rank < n; rank++)
        locations[rank] = hiera_otf2_location(rank, 0);
    OTF2_GlobalDefWriter_WriteGroup(writer->definitions, writer->n_groups++, hiera_otf2_string(writer, ""),
                                    OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n,
                                    locations);
}

static OTF2_GroupRef write_group(HieraOtf2Writer *writer, const HieraRanks *ranks)
{
    guint32 n;
    g_autofree guint64 *members = list_members(ranks, &n);
    OTF2_GlobalDefWriter_WriteGroup(writer->definitions, writer->n_groups, hiera_otf2_string(writer, ""),
                                    OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, members);
    return writer->n_groups++;
}

static void write_communicator(HieraOtf2Writer *writer, const HieraCommunicator *communicator)
{
    guint32 index = communicator->index;
    OTF2_GroupRef group = write_group(writer, communicator->ranks);
    OTF2_StringRef name = hiera_otf2_string(writer, communicator->id);
    if (communicator->remote)
        OTF2_GlobalDefWriter_WriteInterComm(writer->definitions, writer->comms[index], name, group,
                                            write_group(writer, communicator->remote), OTF2_UNDEFINED_COMM,
                                            OTF2_COMM_FLAG_NONE);
    else
        OTF2_GlobalDefWriter_WriteComm(writer->definitions, writer->comms[index], name, group, OTF2_UNDEFINED_COMM,
                                       OTF2_COMM_FLAG_NONE);
    if (writer->windows[index] != OTF2_UNDEFINED_RMA_WIN)
        OTF2_GlobalDefWriter_WriteRmaWin(writer->definitions, writer->windows[index], name, writer->comms[index],
                                         OTF2_RMA_WIN_FLAG_NONE);
}

static gint compare_communicators(gconstpointer a, gconstpointer b)
{
    const HieraCommunicator *left = *(const HieraCommunicator *const *)a, *right = *(const HieraCommunicator *const *)b;
    gint order = strcmp(left->id, right->id);
    order = order ? order : strcmp(left->ranks_text, right->ranks_text);
    return order ? order : strcmp(left->remote_text, right->remote_text);
}

/* Sort the communicators, whose indices depend on which file was read first. */
static GPtrArray *sort_communicators(const HieraCatalog *catalog)
{
    GPtrArray *sorted = g_ptr_array_new();
    for (guint32 i = 0; i < hiera_catalog_count_communicators(catalog); i++)
        g_ptr_array_add(sorted, (gpointer)hiera_catalog_peek_communicator(catalog, i));
    g_ptr_array_sort(sorted, compare_communicators);
    return sorted;
}

/* Number the communicators. A window or file, whose name differs from rank to rank, has one number. */
static void number_communicators(HieraOtf2Writer *writer)
{
    g_autoptr(GHashTable) objects = g_hash_table_new(NULL, NULL); /* context → number */
    for (guint i = 0; i < writer->sorted->len; i++) {
        const HieraCommunicator *communicator = g_ptr_array_index(writer->sorted, i);
        guint32 context = hiera_match_context(writer->match, communicator->index);
        gboolean shared = communicator->object && context != HIERA_NONE;
        gpointer found;
        if (shared && g_hash_table_lookup_extended(objects, GUINT_TO_POINTER(context), NULL, &found)) {
            writer->comms[communicator->index] = GPOINTER_TO_UINT(found);
            continue;
        }
        writer->comms[communicator->index] = writer->n_comms++;
        if (shared)
            g_hash_table_insert(objects, GUINT_TO_POINTER(context), GUINT_TO_POINTER(writer->n_comms - 1));
    }
}

/* Number the windows: they are what one-sided operations name. */
static void number_windows(HieraOtf2Writer *writer)
{
    const HieraTrace *trace = writer->trace;
    g_autofree OTF2_RmaWinRef *by_comm = g_new(OTF2_RmaWinRef, writer->n_comms + 1);
    OTF2_RmaWinRef n = 0;
    for (guint32 i = 0; i < writer->n_comms; i++)
        by_comm[i] = OTF2_UNDEFINED_RMA_WIN;
    for (guint32 row = 0; row < trace->n_operations; row++) {
        HieraKind kind = hiera_trace_peek_site(trace, row)->kind;
        if (trace->comm[row] != HIERA_NONE && kind >= HIERA_KIND_PUT && kind <= HIERA_KIND_RMA)
            by_comm[writer->comms[trace->comm[row]]] = 0;
    }
    for (guint32 i = 0; i < writer->n_comms; i++) {
        if (by_comm[i] == 0)
            by_comm[i] = n++;
    }
    for (guint32 i = 0; i < hiera_catalog_count_communicators(trace->catalog); i++)
        writer->windows[i] = by_comm[writer->comms[i]];
}

/* --- hosts and processes --- */

static void write_processes(HieraOtf2Writer *writer)
{
    const HieraTrace *trace = writer->trace;
    g_autoptr(GHashTable) nodes = g_hash_table_new(g_str_hash, g_str_equal); /* host → number; 0: the job's */
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer->definitions, NODE_OF_JOB,
                                             hiera_otf2_string(writer, trace->processors[0].application),
                                             hiera_otf2_string(writer, "machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        guint node = GPOINTER_TO_UINT(g_hash_table_lookup(nodes, processor->host));
        if (!node && processor->host[0]) {
            node = g_hash_table_size(nodes) + 1;
            g_hash_table_insert(nodes, (gpointer)processor->host, GUINT_TO_POINTER(node));
            OTF2_GlobalDefWriter_WriteSystemTreeNode(writer->definitions, node,
                                                     hiera_otf2_string(writer, processor->host),
                                                     hiera_otf2_string(writer, "node"), NODE_OF_JOB);
        }
        g_autofree char *name = hiera_export_lane(processor, 0);
        OTF2_GlobalDefWriter_WriteLocationGroup(writer->definitions, i, hiera_otf2_string(writer, name),
                                                OTF2_LOCATION_GROUP_TYPE_PROCESS, node, OTF2_UNDEFINED_LOCATION_GROUP);
    }
}

OTF2_LocationRef hiera_otf2_location(guint32 rank, guint32 thread)
{
    return (guint64)thread << 32 | rank;
}

void hiera_otf2_write_definitions(HieraOtf2Writer *writer)
{
    writer->sorted = sort_communicators(writer->trace->catalog);
    number_communicators(writer);
    number_windows(writer);
    write_clock(writer);
    OTF2_GlobalDefWriter_WriteParadigm(writer->definitions, OTF2_PARADIGM_MPI, hiera_otf2_string(writer, "MPI"),
                                       OTF2_PARADIGM_CLASS_PROCESS);
    OTF2_GlobalDefWriter_WriteParameter(writer->definitions, writer->note, hiera_otf2_string(writer, HIERA_OTF2_NOTE),
                                        OTF2_PARAMETER_TYPE_STRING);
    write_processes(writer);
    for (guint i = 0; i < writer->order.n; i++)
        write_region(writer, i, writer->order.sites[i]);
}

void hiera_otf2_write_communicators(HieraOtf2Writer *writer)
{
    write_world(writer);
    OTF2_CommRef next = 0;
    for (guint i = 0; i < writer->sorted->len; i++) {
        const HieraCommunicator *communicator = g_ptr_array_index(writer->sorted, i);
        if (writer->comms[communicator->index] == next) {
            write_communicator(writer, communicator);
            next++;
        }
    }
}
