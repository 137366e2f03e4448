/* Leaks: objects that a rank did not free before it ended. That is no error in MPI, but a longer run may run out of
 * memory. */
#include "base/vocabulary.h"
#include "leaks.h"
#include <string.h>

/* Sorts of objects that a rank makes and has to free: X(identifier, text for findings). */
#define SORTS(X)                                                                                                       \
    X(REQUEST, "requests that no call completed or freed")                                                             \
    X(COMMUNICATOR, "communicators that it did not free")                                                              \
    X(WINDOW, "windows that it did not free")                                                                          \
    X(FILE, "files that it did not close")                                                                             \
    X(TYPE, "datatypes that it did not free")                                                                          \
    X(GROUP, "groups that it did not free")                                                                            \
    X(OPERATOR, "operators that it did not free")
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

/* The operation that made an object. */
typedef struct {
    guint64 number; /* hiera_check_number() of the operation */
    guint32 site, line;
} Made;

/* Objects that one processor has made and not yet freed. */
typedef struct {
    gint64 held[N_SORTS]; /* by sort: number of objects that are not freed */
    Made first[N_SORTS];  /* by sort: operation that made the first object in `held`; the first datatype, group or
                             operator  may have been freed */
    GHashTable *made;     /* number of a communicator, window or file → Made: the operation that made it */
    gboolean incomplete;  /* whether calls of the rank were only counted, so that freeing calls may be missing */
} Leaks;

struct HieraLeaks {
    const HieraScope *scope;
    GArray *leaks; /* Leaks, indexed by processor */
};

static Made made_by(const HieraCheck *check, guint32 processor, guint32 row)
{
    return (Made){hiera_check_number(check, processor, row), check->trace->site[row], hiera_check_line(check, row)};
}

static void hold(Leaks *leaks, Sort sort, const Made *made)
{
    if (leaks->held[sort]++ <= 0 || made->number < leaks->first[sort].number)
        leaks->first[sort] = *made;
}

static gboolean begins(const char *name, const char *prefix)
{
    return g_str_has_prefix(name, prefix);
}

/* Count a call that makes or frees a datatype, a group or an operator. The trace does not identify them, so only their
 * number is known. Set operations on groups do not count, as what they make may be MPI_GROUP_EMPTY.
 * @return whether it is one */
static gboolean use_counted(Leaks *leaks, const char *name, const Made *by)
{
    static const struct {
        Sort sort;
        const char *freed, *made[9]; /* made: begins of names */
    } all[] = {
        {SORT_TYPE,
         "type_free",
         {"type_contiguous", "type_vector", "type_hvector", "type_indexed", "type_hindexed", "type_struct", "type_dup",
          "type_create_"}},
        {SORT_GROUP,
         "group_free",
         {"comm_group", "comm_remote_group", "win_get_group", "file_get_group", "group_incl", "group_excl",
          "group_range_", "group_from_session_pset"}},
        {SORT_OPERATOR, "op_free", {"op_create"}},
    };
    if (begins(name, "type_create_keyval") || begins(name, "type_create_f90_"))
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        if (strcmp(name, all[i].freed) == 0) {
            leaks->held[all[i].sort]--;
            return TRUE;
        }
        for (guint k = 0; all[i].made[k]; k++) {
            if (begins(name, all[i].made[k])) {
                hold(leaks, all[i].sort, by);
                return TRUE;
            }
        }
    }
    return FALSE;
}

static gboolean frees_object(const char *name)
{
    return strcmp(name, "comm_free") == 0 || strcmp(name, "comm_disconnect") == 0 ||
           strcmp(name, HIERA_OPERATION_WIN_FREE) == 0 || strcmp(name, "file_close") == 0;
}

static void use_row(const HieraCheck *check, guint32 processor, Leaks *leaks, guint32 row)
{
    const HieraTrace *trace = check->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    guint32 made = hiera_trace_peek_sparse(trace, row)->other;
    if (!site->mpi)
        return;
    Made by = made_by(check, processor, row);
    if (use_counted(leaks, site->operation, &by))
        return;
    if (frees_object(site->operation))
        g_hash_table_remove(leaks->made, GUINT_TO_POINTER(trace->comm[row]));
    else if (made != HIERA_NONE && (hiera_kind_collective(site->kind) || site->kind == HIERA_KIND_GROUP) &&
             hiera_catalog_peek_communicator(trace->catalog, made)->declared)
        g_hash_table_insert(leaks->made, GUINT_TO_POINTER(made), g_memdup2(&by, sizeof by));
}

static void count_objects(Leaks *leaks, const HieraCatalog *catalog)
{
    GHashTableIter at;
    gpointer value;
    g_hash_table_iter_init(&at, leaks->made);
    while (g_hash_table_iter_next(&at, NULL, &value)) {
        const Made *made = value;
        const char *name = hiera_catalog_peek_site(catalog, made->site)->operation;
        hold(leaks, begins(name, "win_") ? SORT_WINDOW : begins(name, "file_") ? SORT_FILE : SORT_COMMUNICATOR, made);
    }
}

static void report(const HieraCheck *check, const HieraProcessor *processor, const Leaks *leaks)
{
    for (guint sort = 0; sort < N_SORTS; sort++) {
        if (leaks->held[sort] <= 0)
            continue;
        const Made *made = &leaks->first[sort];
        const HieraSite *site = hiera_catalog_peek_site(check->trace->catalog, made->site);
        const HieraFindingAt at = {processor->path, made->line, {{site->file, site->line}}};
        g_autofree char *first = hiera_check_describe_site(site);
        hiera_check_stand(check, processor->number, sort);
        hiera_findings_add_at(check->findings, HIERA_FINDING_LEAK, &at, NULL,
                              "rank %u ended with %s: %" G_GINT64_FORMAT "; %s made %s", processor->rank, texts[sort],
                              leaks->held[sort], first, sort >= SORT_TYPE ? "one" : "the first");
    }
}

HieraLeaks *hiera_leaks_new(const HieraScope *scope)
{
    HieraLeaks *leaks = g_new0(HieraLeaks, 1);
    leaks->scope = scope;
    leaks->leaks = g_array_new(FALSE, TRUE, sizeof(Leaks));
    return leaks;
}

void hiera_leaks_free(HieraLeaks *leaks)
{
    for (guint i = 0; i < leaks->leaks->len; i++)
        g_hash_table_unref(g_array_index(leaks->leaks, Leaks, i).made);
    g_array_unref(leaks->leaks);
    g_free(leaks);
}

static Leaks *find_leaks(const HieraLeaks *leaks, guint32 processor)
{
    while (leaks->leaks->len <= processor) {
        Leaks none = {.made = g_hash_table_new_full(NULL, NULL, NULL, g_free)};
        g_array_append_val(leaks->leaks, none);
    }
    return &g_array_index(leaks->leaks, Leaks, processor);
}

void hiera_leaks_add(HieraLeaks *leaks, const HieraCheck *check)
{
    const HieraTrace *trace = check->trace;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        guint64 end = trace->processors[i].first + trace->processors[i].n_operations;
        Leaks *of = find_leaks(leaks, i);
        for (guint64 row = trace->processors[i].first; hiera_scope_is_own(leaks->scope, i) && row < end; row++)
            use_row(check, i, of, (guint32)row);
    }
    for (guint i = 0; trace->filtered && i < trace->filtered->len; i++)
        find_leaks(leaks, g_array_index(trace->filtered, HieraFilteredOf, i).processor)->incomplete = TRUE;
}

static void count_requests(const HieraLeaks *leaks, const HieraCheck *check)
{
    const GArray *open = check->match->open_requests;
    for (guint i = 0; i < open->len; i++) {
        guint32 row = g_array_index(open, guint32, i), processor = hiera_trace_find_processor(check->trace, row);
        Made made = made_by(check, processor, row);
        hold(find_leaks(leaks, processor), SORT_REQUEST, &made);
    }
}

/* Report objects that were not freed, except of ranks whose record has gaps: the freeing calls may be missing. */
void hiera_leaks_report(HieraLeaks *leaks, const HieraCheck *check)
{
    count_requests(leaks, check);
    for (guint32 i = 0; i < check->trace->n_processors; i++) {
        const HieraProcessor *processor = &check->trace->processors[i];
        Leaks *of = find_leaks(leaks, i);
        count_objects(of, check->trace->catalog);
        if (hiera_scope_is_own(leaks->scope, i) && !processor->cut && !*processor->seam && !of->incomplete &&
            processor->paused_calls <= 0)
            report(check, processor, of);
    }
}

void hiera_check_leaks(const HieraCheck *check)
{
    g_autoptr(HieraLeaks) leaks = hiera_leaks_new(check->scope);
    hiera_leaks_add(leaks, check);
    hiera_leaks_report(leaks, check);
}
