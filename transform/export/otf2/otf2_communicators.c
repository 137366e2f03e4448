/* See otf2_communicators.h. Members of groups are ranks in MPI_COMM_WORLD; one group maps those to locations. */
#include "otf2_communicators.h"
#include "trace/catalog.h"
#include <string.h>

#define LARGEST_GROUP 1000000 /* greatest number of ranks whose group fits into a record of OTF2 */

/* --- numbers of communicators and windows --- */

/* What one process knows of communicators, windows and files. Both arrays are by index in `sorted`. */
typedef struct {
    GArray *first;    /* guint32: index of the first one that is the same communicator, window or file */
    GArray *accessed; /* guint8: whether put, get or another one-sided operation uses it */
} Known;

static gint compare_communicators(gconstpointer a, gconstpointer b)
{
    const HieraCommunicator *left = *(const HieraCommunicator *const *)a, *right = *(const HieraCommunicator *const *)b;
    gint order = strcmp(left->id, right->id);
    order = order ? order : strcmp(left->ranks_text, right->ranks_text);
    return order ? order : strcmp(left->remote_text, right->remote_text);
}

/* Return the communicators sorted by id and ranks, because their indices depend on which file was read first. */
static GPtrArray *sort_communicators(const HieraCatalog *catalog)
{
    GPtrArray *sorted = g_ptr_array_new();
    for (guint32 i = 0; i < hiera_catalog_count_communicators(catalog); i++)
        g_ptr_array_add(sorted, (gpointer)hiera_catalog_peek_communicator(catalog, i));
    g_ptr_array_sort(sorted, compare_communicators);
    return sorted;
}

/* Find which entries are the same window or file, because the ids of these differ from rank to rank. */
static void find_first(const HieraOtf2Writer *writer, GArray *first)
{
    g_autoptr(GHashTable) objects = g_hash_table_new(NULL, NULL); /* context → index in `sorted` */
    for (guint i = 0; i < writer->sorted->len; i++) {
        const HieraCommunicator *communicator = g_ptr_array_index(writer->sorted, i);
        guint32 context = hiera_match_context(writer->match, communicator->index), place = i;
        gpointer found;
        if (communicator->object && context != HIERA_NONE) {
            if (g_hash_table_lookup_extended(objects, GUINT_TO_POINTER(context), NULL, &found))
                place = GPOINTER_TO_UINT(found);
            else
                g_hash_table_insert(objects, GUINT_TO_POINTER(context), GUINT_TO_POINTER(place));
        }
        g_array_append_val(first, place);
    }
}

static void find_accessed(const HieraOtf2Writer *writer, GArray *accessed)
{
    const HieraTrace *trace = writer->trace;
    g_autofree guint8 *by_index = g_new0(guint8, (gsize)writer->sorted->len + 1);
    for (guint32 row = 0; row < trace->n_operations; row++) {
        HieraKind kind = hiera_trace_peek_site(trace, row)->kind;
        if (trace->comm[row] != HIERA_NONE && kind >= HIERA_KIND_PUT && kind <= HIERA_KIND_RMA)
            by_index[trace->comm[row]] = 1;
    }
    for (guint i = 0; i < writer->sorted->len; i++)
        g_array_append_val(accessed, by_index[((const HieraCommunicator *)writer->sorted->pdata[i])->index]);
}

static void pack_known(HieraPacker *to, gpointer user)
{
    const Known *known = user;
    hiera_pack_array(to, known->first);
    hiera_pack_array(to, known->accessed);
}

/* Add what another process knows about ids of the same window. Only processes whose ranks use the window know. */
static void unpack_known(HieraUnpacker *from, gpointer user)
{
    const Known *known = user;
    g_autoptr(GArray) first = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autoptr(GArray) accessed = g_array_new(FALSE, FALSE, sizeof(guint8));
    hiera_unpack_array(from, first);
    hiera_unpack_array(from, accessed);
    for (guint i = 0; i < first->len; i++) {
        guint32 *own = &g_array_index(known->first, guint32, i);
        *own = MIN(*own, g_array_index(first, guint32, i));
        g_array_index(known->accessed, guint8, i) |= g_array_index(accessed, guint8, i);
    }
}

/* Number the communicators in the archive; all ids of one window or file get one number. */
static void number_communicators(HieraOtf2Writer *writer, const GArray *first)
{
    for (guint i = 0; i < writer->sorted->len; i++) {
        const HieraCommunicator *communicator = g_ptr_array_index(writer->sorted, i);
        const HieraCommunicator *same = g_ptr_array_index(writer->sorted, g_array_index(first, guint32, i));
        writer->comms[communicator->index] = same == communicator ? writer->n_comms++ : writer->comms[same->index];
    }
}

/* Give a window number (OTF2_RmaWinRef) to each communicator, window or file that one-sided operations use. */
static void number_windows(HieraOtf2Writer *writer, const GArray *accessed)
{
    g_autofree OTF2_RmaWinRef *by_comm = g_new(OTF2_RmaWinRef, writer->n_comms + 1);
    OTF2_RmaWinRef n = 0;
    for (guint32 i = 0; i < writer->n_comms; i++)
        by_comm[i] = OTF2_UNDEFINED_RMA_WIN;
    for (guint i = 0; i < writer->sorted->len; i++) {
        if (g_array_index(accessed, guint8, i))
            by_comm[writer->comms[((const HieraCommunicator *)writer->sorted->pdata[i])->index]] = 0;
    }
    for (guint32 i = 0; i < writer->n_comms; i++) {
        if (by_comm[i] == 0)
            by_comm[i] = n++;
    }
    for (guint i = 0; i < writer->sorted->len; i++)
        writer->windows[i] = by_comm[writer->comms[i]];
}

void hiera_otf2_number_communicators(HieraOtf2Writer *writer)
{
    g_autoptr(GArray) first = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autoptr(GArray) accessed = g_array_new(FALSE, FALSE, sizeof(guint8));
    Known known = {first, accessed};
    writer->sorted = sort_communicators(writer->trace->catalog);
    find_first(writer, first);
    find_accessed(writer, accessed);
    hiera_scope_gather_others(writer->scope, writer->trace, pack_known, unpack_known, &known);
    hiera_scope_tell(writer->scope, writer->trace, pack_known, unpack_known, &known);
    number_communicators(writer, first);
    number_windows(writer, accessed);
}

/* --- definitions of communicators and windows --- */

/* Return the ranks of a group, to be freed; NULL with n = 0: they are not known, or too many. */
static guint64 *list_members(const HieraRanks *ranks, guint32 *n)
{
    gint64 count = ranks && !hiera_ranks_has_strangers(ranks) ? hiera_ranks_count(ranks) : 0;
    *n = count <= LARGEST_GROUP ? (guint32)count : 0;
    guint64 *members = *n ? g_new(guint64, *n) : NULL;
    for (guint32 i = 0; i < *n; i++)
        members[i] = (guint64)hiera_ranks_at(ranks, i);
    return members;
}

guint32 hiera_otf2_count_ranks(const HieraTrace *trace)
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
    guint32 n = hiera_otf2_count_ranks(writer->trace);
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
