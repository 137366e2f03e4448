/* See prv_labels.h. Numbers follow the order of sites, so that the same trace always gives the same numbers. */
#include "prv_labels.h"
#include "base/safe_text.h"
#include "prv_openmp.h"
#include "trace/pack.h"
#include <string.h>

/* MPI calls, each with its number in Extrae, from 1: Paraver's predefined views refer to these numbers. */
static const char calls[] =
    "send receive isend irecv wait waitall broadcast barrier reduce allreduce alltoall alltoallv gather "
    "gatherv scatter scatterv allgather allgatherv comm_rank comm_size comm_create comm_dup comm_split "
    "comm_group comm_free comm_remote_group comm_remote_size comm_test_inter comm_compare scan init "
    "finalize bsend ssend rsend ibsend issend irsend test cancel sendrecv sendrecv_replace cart_create "
    "cart_shift cart_coords cart_get cart_map cart_rank cart_sub cartdim_get dims_create graph_get "
    "graph_map graph_create graph_neighbors graphdims_get graph_neighbors_count topo_test waitany "
    "waitsome probe iprobe win_create win_free put get accumulate win_fence win_start win_complete "
    "win_post win_wait win_test win_lock win_unlock pack unpack op_create op_free reduce_scatter";

/* first number of MPI calls that are not in `calls` */
#define OTHER_CALLS 1001

HieraPrvState hiera_prv_state(const HieraSite *site)
{
    gboolean immediate = site->operation[0] == 'i';
    switch (site->kind) {
    case HIERA_KIND_SEND:
        return immediate ? HIERA_PRV_STATE_ISEND : HIERA_PRV_STATE_SEND;
    case HIERA_KIND_RECEIVE:
        return immediate ? HIERA_PRV_STATE_IRECEIVE : HIERA_PRV_STATE_WAIT_MESSAGE;
    case HIERA_KIND_SEND_RECEIVE:
        return HIERA_PRV_STATE_SEND_RECEIVE;
    case HIERA_KIND_PROBE:
        return HIERA_PRV_STATE_TEST;
    case HIERA_KIND_COMPLETE:
        return g_str_has_prefix(site->operation, "test") ? HIERA_PRV_STATE_TEST : HIERA_PRV_STATE_WAIT;
    case HIERA_KIND_PUT:
    case HIERA_KIND_GET:
    case HIERA_KIND_UPDATE:
    case HIERA_KIND_RMA:
        return HIERA_PRV_STATE_ONE_SIDED;
    case HIERA_KIND_EXPOSE:
    case HIERA_KIND_EXPOSE_END:
    case HIERA_KIND_ACCESS:
    case HIERA_KIND_ACCESS_END:
        return HIERA_PRV_STATE_SYNCHRONIZATION;
    case HIERA_KIND_IO:
    case HIERA_KIND_IO_ALL:
        return HIERA_PRV_STATE_IO;
    case HIERA_KIND_LOCAL:
    case HIERA_KIND_START:
        return HIERA_PRV_STATE_OTHERS;
    default:
        return strcmp(site->operation, "barrier") == 0 ? HIERA_PRV_STATE_SYNCHRONIZATION : HIERA_PRV_STATE_COLLECTIVE;
    }
}

/* Return the type of events of a site. Collectives that make handles are no collectives for Paraver: only calls that
 * move data, and barriers. */
static guint32 find_type(const HieraSite *site)
{
    static const char *const others[] = {"comm_", "cart_", "graph_", "dist_graph_", "intercomm_", "session_"};
    if (!site->mpi)
        return HIERA_PRV_TYPE_FUNCTION;
    if (g_str_has_prefix(site->operation, "win_"))
        return HIERA_PRV_TYPE_ONE_SIDED;
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        if (g_str_has_prefix(site->operation, others[i]))
            return HIERA_PRV_TYPE_OTHER;
    }
    switch (hiera_prv_state(site)) {
    case HIERA_PRV_STATE_IO:
        return HIERA_PRV_TYPE_IO;
    case HIERA_PRV_STATE_ONE_SIDED:
        return HIERA_PRV_TYPE_ONE_SIDED;
    case HIERA_PRV_STATE_OTHERS:
        return HIERA_PRV_TYPE_OTHER;
    case HIERA_PRV_STATE_SYNCHRONIZATION:
    case HIERA_PRV_STATE_COLLECTIVE:
        return HIERA_PRV_TYPE_COLLECTIVE;
    default:
        return HIERA_PRV_TYPE_POINT_TO_POINT;
    }
}

/* Return the number of an MPI call in `calls`, from 1; 0: the call is not there. */
static guint32 find_call(char **names, const HieraSite *site)
{
    for (guint i = 0; site->mpi && names[i]; i++) {
        if (strcmp(site->operation, names[i]) == 0)
            return i + 1;
    }
    return 0;
}

static void number_values(HieraPrvLabels *labels)
{
    g_auto(GStrv) names = g_strsplit(calls, " ", 0);
    guint32 next_call = OTHER_CALLS, next_function = 1, value = 0;
    for (guint i = 0; i < labels->order.n; i++) {
        const HieraSite *site = labels->order.sites[i];
        if (i == 0 || !hiera_export_same_name(site, labels->order.sites[i - 1])) {
            value = find_call(names, site);
            if (!value)
                value = site->mpi ? next_call++ : next_function++;
        }
        labels->type[site->id] = find_type(site);
        labels->value[site->id] = value;
    }
}

static void number_places(HieraPrvLabels *labels)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < labels->order.n; i++) {
        const HieraSite *site = labels->order.sites[i];
        g_autofree char *place = hiera_site_place(site);
        guint32 number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, place));
        if (!number && place[0]) {
            number = labels->places->len + 1;
            g_ptr_array_add(labels->places, g_steal_pointer(&place));
            g_hash_table_insert(numbers, g_ptr_array_index(labels->places, number - 1), GUINT_TO_POINTER(number));
        }
        labels->place[site->id] = number;
    }
}

static gint compare_counters(gconstpointer a, gconstpointer b)
{
    return strcmp((*(const HieraTraceCounter *const *)a)->name, (*(const HieraTraceCounter *const *)b)->name);
}

/* Compare counters by name, because the same counter of another process has another pointer. */
static gboolean is_same_counter(gconstpointer a, gconstpointer b)
{
    return a == b || strcmp(((const HieraTraceCounter *)a)->name, ((const HieraTraceCounter *)b)->name) == 0;
}

static void add_counter(HieraPrvLabels *labels, const HieraTraceCounter *counter)
{
    if (!g_ptr_array_find_with_equal_func(labels->counters, counter, is_same_counter, NULL))
        g_ptr_array_add(labels->counters, (gpointer)counter);
}

static void pack_counters(HieraPacker *to, gpointer user)
{
    const HieraPrvLabels *labels = user;
    hiera_pack_number(to, labels->counters->len);
    for (guint i = 0; i < labels->counters->len; i++)
        hiera_pack_text(to, ((const HieraTraceCounter *)labels->counters->pdata[i])->name);
}

static void unpack_counters(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--)
        add_counter(user, hiera_unpack_counter(from));
}

/* Find all counters that have values in any process, and sort them by name, which numbers them. */
static void number_counters(HieraPrvLabels *labels, const HieraScope *scope, const HieraTrace *trace)
{
    for (guint i = 0; i < trace->counted->len; i++)
        add_counter(labels, g_array_index(trace->counted, HieraCounted, i).counter);
    hiera_scope_gather_others(scope, trace, pack_counters, unpack_counters, labels);
    hiera_scope_tell(scope, trace, pack_counters, unpack_counters, labels);
    g_ptr_array_sort(labels->counters, compare_counters);
}

guint32 hiera_prv_counter_type(const HieraPrvLabels *labels, const HieraTraceCounter *counter)
{
    guint index = 0;
    g_ptr_array_find_with_equal_func(labels->counters, counter, is_same_counter, &index);
    return HIERA_PRV_FIRST_COUNTER + index;
}

void hiera_prv_labels_init(HieraPrvLabels *labels, const HieraScope *scope, const HieraTrace *trace)
{
    hiera_site_order_init(&labels->order, trace);
    labels->type = g_new0(guint32, labels->order.n + 1);
    labels->value = g_new0(guint32, labels->order.n + 1);
    labels->place = g_new0(guint32, labels->order.n + 1);
    labels->places = g_ptr_array_new_with_free_func(g_free);
    labels->counters = g_ptr_array_new();
    number_values(labels);
    number_places(labels);
    number_counters(labels, scope, trace);
}

void hiera_prv_labels_clear(HieraPrvLabels *labels)
{
    hiera_site_order_clear(&labels->order);
    g_free(labels->type);
    g_free(labels->value);
    g_free(labels->place);
    g_ptr_array_unref(labels->places);
    g_ptr_array_unref(labels->counters);
}

char *hiera_prv_label(const char *text)
{
    char *label = g_strstrip(g_strdelimit(hiera_text_printable(text), "\n\r\t", ' '));
    if (label[0])
        return label;
    g_free(label);
    return g_strdup("-");
}

static void write_type(guint32 type, FILE *stream)
{
    static const struct {
        guint32 number;
        const char *label;
    } types[] = {
#define X(identifier, number, label) {number, label},
        HIERA_PRV_TYPES(X)
#undef X
    };
    for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
        if (types[i].number == type)
            fprintf(stream, "0    %u    %s\n", type, types[i].label);
    }
}

/* Write the names of all values of one type of events, each once. */
static void write_values(const HieraPrvLabels *labels, guint32 type, FILE *stream)
{
    const HieraSite *last = NULL;
    for (guint i = 0; i < labels->order.n; i++) {
        const HieraSite *site = labels->order.sites[i];
        if (labels->type[site->id] != type || (last && hiera_export_same_name(site, last)))
            continue;
        if (!last) {
            fputs("EVENT_TYPE\n", stream);
            write_type(type, stream);
            fputs("VALUES\n0      End\n", stream);
        }
        g_autofree char *name = hiera_export_name(site), *label = hiera_prv_label(name),
                        *level = hiera_prv_label(site->level);
        fprintf(stream, "%u      %s%s%s\n", labels->value[site->id], site->mpi ? "" : level, site->mpi ? "" : ":",
                label);
        last = site;
    }
    if (last)
        fputs("\n\n", stream);
}

static void write_counters(const HieraPrvLabels *labels, FILE *stream)
{
    for (guint i = 0; i < labels->counters->len; i++) {
        const HieraTraceCounter *counter = g_ptr_array_index(labels->counters, i);
        g_autofree char *label = hiera_prv_label(counter->name);
        fprintf(stream, "EVENT_TYPE\n7    %u    %s%s%s%s\n\n\n", HIERA_PRV_FIRST_COUNTER + i, label,
                counter->unit[0] ? " [" : "", counter->unit, counter->unit[0] ? "]" : "");
    }
}

static void write_states(FILE *stream)
{
    fputs("STATES\n", stream);
#define X(identifier, number, label, colour) fprintf(stream, "%d    %s\n", number, label);
    HIERA_PRV_STATES(X)
#undef X
    fputs("\n\nSTATES_COLOR\n", stream);
#define X(identifier, number, label, colour) fprintf(stream, "%d    %s\n", number, colour);
    HIERA_PRV_STATES(X)
#undef X
    fputs("\n\n", stream);
}

/* Write the values of constructs of OpenMP that the trace has, except places. */
static void write_constructs(const HieraPrvLabels *labels, FILE *stream)
{
    const HieraPrvConstruct *construct, *last = NULL;
    for (guint i = 0; (construct = hiera_prv_construct_at(i)); i++) {
        if (!construct->label || !hiera_prv_constructs_have(&labels->order, construct->type))
            continue;
        if (!last || last->type != construct->type) {
            fputs(last ? "\n\nEVENT_TYPE\n" : "EVENT_TYPE\n", stream);
            write_type(construct->type, stream);
            fputs("VALUES\n0      End\n", stream);
        }
        if (!last || last->type != construct->type || last->value != construct->value)
            fprintf(stream, "%u      %s\n", construct->value, construct->label);
        last = construct;
    }
    fputs(last ? "\n\n" : "", stream);
}

/* Write the numbers of places, which are the values of several types. */
static void write_places(const HieraPrvLabels *labels, FILE *stream)
{
    static const guint32 functions[] = {HIERA_PRV_TYPE_PARALLEL_FUNCTION, HIERA_PRV_TYPE_TASK_FUNCTION};
    fputs("\n\nEVENT_TYPE\n", stream);
    write_type(HIERA_PRV_TYPE_FUNCTION_LINE, stream);
    write_type(HIERA_PRV_TYPE_CALLER_LINE, stream);
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++) {
        if (hiera_prv_constructs_have(&labels->order, functions[i]))
            write_type(functions[i], stream);
    }
    fputs("VALUES\n0      End\n", stream);
    for (guint i = 0; i < labels->places->len; i++) {
        g_autofree char *label = hiera_prv_label(g_ptr_array_index(labels->places, i));
        fprintf(stream, "%u      %s\n", i + 1, label);
    }
}

void hiera_prv_labels_write(const HieraPrvLabels *labels, FILE *stream)
{
    fputs("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\n\n"
          "DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\n\n",
          stream);
    write_states(stream);
    for (guint32 type = HIERA_PRV_TYPE_POINT_TO_POINT; type <= HIERA_PRV_TYPE_IO; type++)
        write_values(labels, type, stream);
    write_values(labels, HIERA_PRV_TYPE_FUNCTION, stream);
    write_counters(labels, stream);
    write_constructs(labels, stream);
    fputs("EVENT_TYPE\n", stream);
    write_type(HIERA_PRV_TYPE_SENT, stream);
    write_type(HIERA_PRV_TYPE_RECEIVED, stream);
    write_places(labels, stream);
}
