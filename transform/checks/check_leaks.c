/* Leaks: objects that a rank did not free before it ended. For most that is no error in MPI, but a longer run may run
 * out of memory. Communication must be complete and files be closed before MPI_Finalize (MPI 4.1, 11.2.2, 14.2.1). */
#include "base/vocabulary.h"
#include "leaks.h"
#include <string.h>

/* Sorts of objects that a rank makes and has to free: X(identifier, code of the finding, text for findings). Of those
 * from TYPE on the trace does not say which one a call makes or frees. */
#define SORTS(X)                                                                                                       \
    X(REQUEST, FINALIZE, "requests that no call completed or freed")                                                   \
    X(PERSISTENT, LEAK, "persistent requests that it did not free")                                                    \
    X(COMMUNICATOR, LEAK, "communicators that it did not free")                                                        \
    X(WINDOW, LEAK, "windows that it did not free")                                                                    \
    X(FILE, FINALIZE, "files that it did not close")                                                                   \
    X(TYPE, LEAK, "datatypes that it did not free")                                                                    \
    X(GROUP, LEAK, "groups that it did not free")                                                                      \
    X(OPERATOR, LEAK, "operators that it did not free")                                                                \
    X(ERRHANDLER, LEAK, "error handlers that it did not free")                                                         \
    X(INFO, LEAK, "info objects that it did not free")                                                                 \
    X(KEYVAL, LEAK, "attribute keys that it did not free")                                                             \
    X(SESSION, LEAK, "sessions that it did not finalize")
typedef enum {
#define X(identifier, code, text) SORT_##identifier,
    SORTS(X)
#undef X
        N_SORTS
} Sort;

static const struct {
    HieraFindingCode code;
    const char *text;
} sorts[] = {
#define X(identifier, code, text) {HIERA_FINDING_##code, text},
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
    Made first[N_SORTS];  /* by sort: operation that made the first object in `held`; from SORT_TYPE on that object may
                             have been freed */
    GHashTable *made;     /* number of a communicator, window or file → Made: the operation that made it */
    gboolean incomplete;  /* whether calls of the rank were only counted, so that freeing calls may be missing */
} Leaks;

struct HieraLeaks {
    const HieraScope *scope;
    GArray *leaks;   /* Leaks, indexed by processor */
    GArray *of_site; /* gint8, by call site: what find_use() has found; USE_UNKNOWN: it was not called */
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

/* What calls of a name do to the number of objects that the trace does not identify: -(sort) they free one, sort they
 * make one; 0: neither. Set operations on groups do not count, as what they make may be MPI_GROUP_EMPTY, nor do calls
 * that get an error handler, which may be a predefined one. */
static gint8 find_use(const char *name)
{
    static const struct {
        gint8 sort;
        const char *freed[4], *made[9]; /* names; begins of names */
    } all[] = {
        {SORT_KEYVAL,
         {"comm_free_keyval", "type_free_keyval", "win_free_keyval", "keyval_free"},
         {"comm_create_keyval", "type_create_keyval", "win_create_keyval", "keyval_create"}},
        {SORT_TYPE,
         {"type_free"},
         {"type_contiguous", "type_vector", "type_hvector", "type_indexed", "type_hindexed", "type_struct", "type_dup",
          "type_create_"}},
        {SORT_GROUP,
         {"group_free"},
         {"comm_group", "comm_remote_group", "win_get_group", "file_get_group", "group_incl", "group_excl",
          "group_range_", "group_from_session_pset"}},
        {SORT_OPERATOR, {"op_free"}, {"op_create"}},
        {SORT_ERRHANDLER,
         {"errhandler_free"},
         {"comm_create_errhandler", "win_create_errhandler", "file_create_errhandler", "session_create_errhandler",
          "errhandler_create"}},
        {SORT_INFO,
         {"info_free"},
         {"info_create", "info_dup", "comm_get_info", "win_get_info", "file_get_info", "session_get_info",
          "session_get_pset_info"}},
        {SORT_SESSION, {"session_finalize"}, {"session_init"}},
    };
    for (guint i = 0; i < G_N_ELEMENTS(all) && !begins(name, "type_create_f90_"); i++) {
        for (guint k = 0; k < G_N_ELEMENTS(all[i].freed) && all[i].freed[k]; k++)
            if (strcmp(name, all[i].freed[k]) == 0)
                return (gint8)-all[i].sort;
        for (guint k = 0; all[i].made[k]; k++)
            if (begins(name, all[i].made[k]))
                return all[i].sort;
    }
    return 0;
}

enum { USE_UNKNOWN = G_MAXINT8 };

/* What calls of a site do, as find_use() says it. */
static gint8 use_of(HieraLeaks *leaks, const HieraSite *site)
{
    const gint8 unknown = USE_UNKNOWN;
    while (leaks->of_site->len <= site->id)
        g_array_append_val(leaks->of_site, unknown);
    gint8 *use = &g_array_index(leaks->of_site, gint8, site->id);
    if (*use == USE_UNKNOWN)
        *use = find_use(site->operation);
    return *use;
}

static gboolean frees_object(const char *name)
{
    return strcmp(name, "comm_free") == 0 || strcmp(name, "comm_disconnect") == 0 ||
           strcmp(name, HIERA_OPERATION_WIN_FREE) == 0 || strcmp(name, "file_close") == 0;
}

static void use_row(const HieraCheck *check, guint32 processor, HieraLeaks *all, Leaks *leaks, guint32 row)
{
    const HieraTrace *trace = check->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    guint32 made = hiera_trace_peek_sparse(trace, row)->other;
    if (!site->mpi || hiera_trace_is_failed(trace, row))
        return;
    Made by = made_by(check, processor, row);
    gint8 use = use_of(all, site);
    if (use != 0 && hiera_trace_is_failed(trace, row))
        return;
    if (use > 0)
        hold(leaks, (Sort)use, &by);
    else if (use < 0)
        leaks->held[-use]--;
    else if (frees_object(site->operation))
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

/* Whether it is not certain that objects are left. What a trace that begins late has left may have been freed before;
 * MPI may give the handle of a request to another thread before the one that has completed it says so; and predicted
 * traces and archives of other tools do not say of each request which call completed it. */
static gboolean is_vague(const HieraProcessor *processor, guint sort)
{
    gboolean is_other = *processor->predicted || strstr(processor->path, ".otf2#");
    return processor->before || (sort == SORT_REQUEST && (processor->calls_in_threads || is_other));
}

/* Report the objects that are left. */
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
        hiera_findings_add_at(check->findings, is_vague(processor, sort) ? HIERA_FINDING_LEAK : sorts[sort].code, &at,
                              NULL, "rank %u ended with %s: %" G_GINT64_FORMAT "; %s made %s", processor->rank,
                              sorts[sort].text, leaks->held[sort], first, sort >= SORT_TYPE ? "one" : "the first");
    }
}

/* Whether a rank ended in an MPI call: then MPI may have ended it. */
static gboolean ended_in_call(const HieraTrace *trace, const HieraProcessor *processor)
{
    gboolean in_call = FALSE;
    for (guint i = 0; i < trace->open->len && !in_call; i++) {
        guint32 row = g_array_index(trace->open, guint32, i);
        in_call = row >= processor->first && row < processor->first + processor->n_operations &&
                  hiera_trace_peek_site(trace, row)->mpi;
    }
    return in_call;
}

/* Whether a rank has sessions, which end without MPI_Finalize. */
static gboolean has_sessions(const HieraTrace *trace, const HieraProcessor *processor)
{
    static const char name[] = "session_init";
    for (guint64 i = 0; i < processor->n_operations; i++)
        if (strcmp(hiera_trace_peek_site(trace, (guint32)(processor->first + i))->operation, name) == 0)
            return TRUE;
    for (guint i = 0; trace->filtered && i < trace->filtered->len; i++)
        if (strcmp(g_array_index(trace->filtered, HieraFilteredOf, i).sum.site->operation, name) == 0)
            return TRUE;
    return processor->paused_calls > 0 || *processor->seam || processor->lost_calls > 0 ||
           hiera_processor_is_past(processor);
}

/* Report a rank that ended by itself, without MPI_Finalize. */
static void report_exit(const HieraCheck *check, const HieraProcessor *processor)
{
    if (!g_str_has_prefix(processor->end, "exit") || ended_in_call(check->trace, processor) ||
        has_sessions(check->trace, processor))
        return;
    hiera_check_stand(check, processor->number, N_SORTS);
    hiera_findings_add(check->findings, HIERA_FINDING_FINALIZE, processor->path, 0, NULL,
                       "rank %u ended without MPI_Finalize, by %s", processor->rank, processor->end);
}

HieraLeaks *hiera_leaks_new(const HieraScope *scope)
{
    HieraLeaks *leaks = g_new0(HieraLeaks, 1);
    leaks->scope = scope;
    leaks->leaks = g_array_new(FALSE, TRUE, sizeof(Leaks));
    leaks->of_site = g_array_new(FALSE, FALSE, sizeof(gint8));
    return leaks;
}

void hiera_leaks_free(HieraLeaks *leaks)
{
    for (guint i = 0; i < leaks->leaks->len; i++)
        g_hash_table_unref(g_array_index(leaks->leaks, Leaks, i).made);
    g_array_unref(leaks->leaks);
    g_array_unref(leaks->of_site);
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
            use_row(check, i, leaks, of, (guint32)row);
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
        gboolean idle = hiera_trace_peek_site(check->trace, row)->starts != HIERA_KIND_LOCAL;
        hold(find_leaks(leaks, processor), idle ? SORT_PERSISTENT : SORT_REQUEST, &made);
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
        if (hiera_scope_is_own(leaks->scope, i))
            report_exit(check, processor);
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
