/* Leaks: objects that a rank did not free before it ended. That is no error in MPI, but a longer run may run out of
 * memory. */
#include "base/vocabulary.h"
#include "checks.h"
#include <string.h>

/* Sorts of objects: X(identifier, text). */
#define SORTS(X)                                                                                                       \
    X(REQUEST, "requests that no call completed or freed")                                                             \
    X(COMMUNICATOR, "communicators that it did not free")                                                              \
    X(WINDOW, "windows that it did not free")                                                                          \
    X(FILE, "files that it did not close")                                                                             \
    X(TYPE, "datatypes that it did not free")
typedef enum {
#define X(identifier, text) SORT_##identifier,
    SORTS(X)
#undef X
        N_SORTS
} Sort;

static const char *const texts[] = {
#define X(identifier, text) text,
    SORTS(X)
#undef X
};

typedef struct {
    const HieraCheck *check;
    guint32 processor;
    gint64 held[N_SORTS];   /* objects that exist */
    guint32 first[N_SORTS]; /* row that made the first of them; of datatypes, the first row that made one */
    GHashTable *made;       /* number of a communicator, window or file → row that made it + 1 */
} Leaks;

static void hold(Leaks *leaks, Sort sort, guint32 row)
{
    if (leaks->held[sort]++ <= 0 || row < leaks->first[sort])
        leaks->first[sort] = row;
}

static gboolean begins(const char *name, const char *prefix)
{
    return g_str_has_prefix(name, prefix);
}

/* Count a call that makes or frees a datatype. The trace does not tell datatypes apart, so only their number is
 * known. */
static void use_type(Leaks *leaks, const char *name, guint32 row)
{
    static const char *const made[] = {"type_contiguous", "type_vector", "type_hvector", "type_indexed",
                                       "type_hindexed",   "type_struct", "type_dup",     "type_create_"};
    if (strcmp(name, "type_free") == 0) {
        leaks->held[SORT_TYPE]--;
        return;
    }
    if (begins(name, "type_create_keyval") || begins(name, "type_create_f90_"))
        return;
    for (guint i = 0; i < G_N_ELEMENTS(made); i++) {
        if (begins(name, made[i])) {
            hold(leaks, SORT_TYPE, row);
            return;
        }
    }
}

static gboolean frees_object(const char *name)
{
    return strcmp(name, "comm_free") == 0 || strcmp(name, "comm_disconnect") == 0 ||
           strcmp(name, HIERA_OPERATION_WIN_FREE) == 0 || strcmp(name, "file_close") == 0;
}

static void use_row(Leaks *leaks, guint32 row)
{
    const HieraTrace *trace = leaks->check->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    guint32 made = hiera_trace_peek_sparse(trace, row)->other;
    if (!site->mpi)
        return;
    if (begins(site->operation, "type_"))
        use_type(leaks, site->operation, row);
    else if (frees_object(site->operation))
        g_hash_table_remove(leaks->made, GUINT_TO_POINTER(trace->comm[row]));
    else if (made != HIERA_NONE && (hiera_kind_collective(site->kind) || site->kind == HIERA_KIND_GROUP) &&
             hiera_catalog_peek_communicator(trace->catalog, made)->declared)
        g_hash_table_insert(leaks->made, GUINT_TO_POINTER(made), GUINT_TO_POINTER(row + 1));
}

static void count_objects(Leaks *leaks)
{
    GHashTableIter at;
    gpointer value;
    g_hash_table_iter_init(&at, leaks->made);
    while (g_hash_table_iter_next(&at, NULL, &value)) {
        guint32 row = GPOINTER_TO_UINT(value) - 1;
        const char *name = hiera_trace_peek_site(leaks->check->trace, row)->operation;
        hold(leaks, begins(name, "win_") ? SORT_WINDOW : begins(name, "file_") ? SORT_FILE : SORT_COMMUNICATOR, row);
    }
}

static void report(const Leaks *leaks)
{
    const HieraCheck *check = leaks->check;
    for (guint sort = 0; sort < N_SORTS; sort++) {
        if (leaks->held[sort] <= 0)
            continue;
        g_autofree char *first = hiera_check_describe(check, leaks->first[sort]);
        hiera_check_stand(check, leaks->processor, sort);
        hiera_findings_add(check->findings, HIERA_FINDING_LEAK, hiera_check_path(check, leaks->first[sort]),
                           hiera_check_line(check, leaks->first[sort]), NULL,
                           "rank %u ended with %s: %" G_GINT64_FORMAT "; %s made %s",
                           check->trace->processors[leaks->processor].rank, texts[sort], leaks->held[sort], first,
                           sort == SORT_TYPE ? "one" : "the first");
    }
}

/* Return the set of processors that did not record all of their calls. */
static GHashTable *find_incomplete(const HieraTrace *trace)
{
    GHashTable *incomplete = g_hash_table_new(NULL, NULL);
    for (guint i = 0; trace->filtered && i < trace->filtered->len; i++)
        g_hash_table_add(incomplete, GUINT_TO_POINTER(g_array_index(trace->filtered, HieraFilteredOf, i).processor));
    for (guint32 i = 0; i < trace->n_processors; i++)
        if (trace->processors[i].paused_calls > 0)
            g_hash_table_add(incomplete, GUINT_TO_POINTER(i));
    return incomplete;
}

void hiera_check_leaks(const HieraCheck *check)
{
    const HieraTrace *trace = check->trace;
    const GArray *open = check->match->open_requests;
    g_autoptr(GHashTable) incomplete = find_incomplete(trace);
    guint next = 0;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        guint64 end = trace->processors[i].first + trace->processors[i].n_operations;
        gboolean own = hiera_scope_is_own(check->scope, i);
        Leaks leaks = {.check = check, .processor = i, .made = g_hash_table_new(NULL, NULL)};
        for (guint64 row = trace->processors[i].first; own && row < end; row++)
            use_row(&leaks, (guint32)row);
        for (; next < open->len && g_array_index(open, guint32, next) < end; next++)
            hold(&leaks, SORT_REQUEST, g_array_index(open, guint32, next));
        count_objects(&leaks);
        /* If the trace is cut short or calls were not recorded one by one, the objects may have been freed. */
        if (own && !trace->processors[i].cut && !*trace->processors[i].seam &&
            !g_hash_table_contains(incomplete, GUINT_TO_POINTER(i)))
            report(&leaks);
        g_hash_table_unref(leaks.made);
    }
}
