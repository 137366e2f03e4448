#include "executable_trust.h"
#include "execution/ends.h"
#include "image/places/readable_name.h"
#include <string.h>

/* How far a row says that the answer can be trusted; rows are sorted by it. */
typedef enum { INCOMPLETE, DRAWN, EXACT, LIKELY, IF } Verdict;

static const char *const verdicts[] = {"incomplete", "drawn", "exact", "likely", "if"};

typedef struct {
    Verdict verdict;
    guint vertex; /* HIERA_NO_VERTEX: of no place */
    guint64 times;
    char *why;
} Row;

enum { FIRST_ROWS = 5 };

static void clear_row(gpointer row)
{
    g_free(((Row *)row)->why);
}

/* --- what calls of MPI a decision decides --- */

/* By function: whether it calls MPI, itself or through others. */
static gboolean *find_communicating(const HieraExecution *execution)
{
    gboolean *communicates = g_new0(gboolean, execution->graphs->len + 1);
    for (gboolean again = TRUE; again;) {
        again = FALSE;
        for (guint i = 0; i < execution->vertices->len; i++) {
            const HieraVertex *vertex = hiera_execution_vertex(execution, i);
            gboolean calls = vertex->kind == HIERA_VERTEX_COMMUNICATION ||
                             (vertex->kind == HIERA_VERTEX_CALL && vertex->callee != HIERA_NO_VERTEX &&
                              communicates[vertex->callee]);
            again |= calls && !communicates[vertex->graph];
            communicates[vertex->graph] |= calls;
        }
    }
    return communicates;
}

/* Mark what can be reached in a function from a vertex, without passing `barrier`. */
static void reach(const HieraExecution *execution, guint from, guint barrier, GHashTable *reached)
{
    g_autoptr(GArray) to_visit = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(to_visit, from);
    while (to_visit->len > 0) {
        guint at = g_array_index(to_visit, guint, to_visit->len - 1);
        g_array_set_size(to_visit, to_visit->len - 1);
        if (at == HIERA_NO_VERTEX || at == barrier || execution->hopeless[at] ||
            !g_hash_table_add(reached, GUINT_TO_POINTER(at)))
            continue;
        const HieraVertex *vertex = hiera_execution_vertex(execution, at);
        guint first = vertex->kind == HIERA_VERTEX_JUMP || vertex->kind == HIERA_VERTEX_SWITCH ? 1 : 0;
        for (guint k = first; k < vertex->n_next; k++)
            g_array_append_val(to_visit, vertex->next[k]);
    }
}

static gboolean calls_mpi(const HieraExecution *execution, guint number, const gboolean *communicates)
{
    const HieraVertex *vertex = hiera_execution_vertex(execution, number);
    if (vertex->kind == HIERA_VERTEX_CALL && vertex->callee == HIERA_NO_VERTEX && !vertex->name)
        return TRUE; /* through a pointer, to a function that may call MPI */
    return vertex->kind == HIERA_VERTEX_COMMUNICATION ||
           (vertex->kind == HIERA_VERTEX_CALL && vertex->callee != HIERA_NO_VERTEX && communicates[vertex->callee]);
}

/* Find the first call that leads to MPI and is on some ways from a decision, but not on all. @return HIERA_NO_VERTEX:
 * none */
static guint find_decided(const HieraExecution *execution, guint number, const gboolean *communicates)
{
    const HieraVertex *vertex = hiera_execution_vertex(execution, number);
    guint first = vertex->kind == HIERA_VERTEX_SWITCH ? 1 : 0, found = HIERA_NO_VERTEX, n_ways = 0;
    g_autoptr(GHashTable) n_of = g_hash_table_new(NULL, NULL);
    GHashTableIter iterator;
    gpointer at, n;
    for (guint k = first; k < vertex->n_next; k++) {
        g_autoptr(GHashTable) reached = g_hash_table_new(NULL, NULL);
        if (vertex->next[k] != HIERA_NO_VERTEX && execution->hopeless[vertex->next[k]])
            continue;
        n_ways++;
        reach(execution, vertex->next[k], number, reached);
        g_hash_table_iter_init(&iterator, reached);
        while (g_hash_table_iter_next(&iterator, &at, NULL))
            g_hash_table_insert(n_of, at, GUINT_TO_POINTER(GPOINTER_TO_UINT(g_hash_table_lookup(n_of, at)) + 1));
    }
    g_hash_table_iter_init(&iterator, n_of);
    while (g_hash_table_iter_next(&iterator, &at, &n))
        if (GPOINTER_TO_UINT(n) < n_ways && GPOINTER_TO_UINT(at) < found &&
            calls_mpi(execution, GPOINTER_TO_UINT(at), communicates))
            found = GPOINTER_TO_UINT(at);
    return found;
}

/* --- rows --- */

static void add_row(GArray *rows, Verdict verdict, guint vertex, guint64 times, char *why)
{
    const Row row = {verdict, vertex, times, why};
    g_array_append_val(rows, row);
}

static char *name_call(const HieraExecution *execution, guint number)
{
    const HieraVertex *vertex = hiera_execution_vertex(execution, number);
    g_autofree char *place = hiera_place_text(execution, number);
    g_autofree char *name = vertex->kind == HIERA_VERTEX_COMMUNICATION ? g_strdup(vertex->name)
                            : vertex->callee == HIERA_NO_VERTEX        ? g_strdup("a call through a pointer")
                                                                       : hiera_function_text(execution, vertex->callee);
    return g_strdup_printf("%s (%s)", name, place);
}

static void add_decision(const ExecutableSums *sums, guint number, const gboolean *communicates, GArray *rows)
{
    guint decided = find_decided(sums->execution, number, communicates);
    if (decided == HIERA_NO_VERTEX) {
        add_row(rows, IF, number, sums->n_undecided[number], g_strdup("drawn, decides no MPI call directly"));
        return;
    }
    g_autofree char *call = name_call(sums->execution, decided);
    add_row(rows, DRAWN, number, sums->n_undecided[number], g_strdup_printf("drawn, decides about %s", call));
}

static guint64 count_executions(const ExecutableSums *sums, guint vertex)
{
    gdouble n = 0;
    for (guint32 i = 0; i < sums->n_processes; i++)
        n += sums->processes[i].counters[vertex];
    return (guint64)n;
}

static char *say_function(const char *name)
{
    g_autofree char *readable = name ? hiera_readable_name(name, NULL) : g_strdup("a function of a library");
    return g_strdup_printf("calls %s, which is not followed", readable);
}

/* Whether a call is in a header of C++ for streams and locales, whose code is in the functions that include it. These
 * are made before main begins, so nothing is known of them; they call no MPI. */
static gboolean is_in_stream(const HieraExecution *execution, guint vertex)
{
    static const char *const headers[] = {
        "locale_facets.h:", "locale_facets.tcc:", "basic_ios.h:", "ostream:", "istream:", "streambuf:", "libstdc++.so"};
    g_autofree char *place = hiera_place_text(execution, vertex);
    for (guint i = 0; i < G_N_ELEMENTS(headers); i++)
        if (g_str_has_prefix(place, headers[i]))
            return TRUE;
    return FALSE;
}

static gboolean depends_on_time(const char *name)
{
    static const char *const patterns[] = {"*MPI_Test*",    "*MPI_Iprobe",   "*MPI_Improbe", "*MPI_Wait?ny",
                                           "*MPI_Waitsome", "*MPI_Parrived", "*MPI_Wtime",   "mpi_test*",
                                           "mpi_iprobe_",   "mpi_wait?ny_",  "mpi_waitsome_"};
    for (guint i = 0; name && i < G_N_ELEMENTS(patterns); i++)
        if (g_pattern_match_simple(patterns[i], name))
            return TRUE;
    return FALSE;
}

/* What was assumed about arguments of MPI calls. */
static void add_notes(const ExecutableSums *sums, GArray *rows)
{
    GHashTableIter iterator;
    gpointer note, kind;
    g_hash_table_iter_init(&iterator, sums->notes);
    while (g_hash_table_iter_next(&iterator, &note, &kind))
        if (GPOINTER_TO_INT(kind) != HIERA_NOTE_PLAIN)
            add_row(rows, GPOINTER_TO_INT(kind) == HIERA_NOTE_TIME ? IF : DRAWN, HIERA_NO_VERTEX, 0, g_strdup(note));
}

/* What runs before main and is not followed. */
static void add_starts(const HieraExecution *execution, GArray *rows)
{
    if (execution->n_unknown_starts > 0)
        add_row(rows, IF, HIERA_NO_VERTEX, execution->n_unknown_starts,
                g_strdup("code before main sets nothing that matters"));
}

static void add_vertex(const ExecutableSums *sums, guint number, const gboolean *communicates, GArray *rows)
{
    const HieraVertex *vertex = hiera_execution_vertex(sums->execution, number);
    guint8 doubts = sums->unknown[number];
    guint64 n = doubts ? count_executions(sums, number) : 0;
    if (doubts & HIERA_UNKNOWN_POINTER)
        add_row(rows, is_in_stream(sums->execution, number) ? IF : INCOMPLETE, number, n,
                g_strdup("calls what an unknown pointer names"));
    if (doubts & HIERA_UNKNOWN_DRAWN)
        add_decision(sums, number, communicates, rows);
    else if ((doubts & HIERA_UNKNOWN_DECISION) && !(doubts & HIERA_UNKNOWN_EARLIER))
        add_row(rows, IF, number, sums->n_undecided[number],
                g_strdup("the way to an error, or an unlikely one, is not taken"));
    if (doubts & HIERA_UNKNOWN_END)
        add_row(rows, INCOMPLETE, number, n, g_strdup("ends a process without MPI_Finalize"));
    if (doubts & HIERA_UNKNOWN_SKIPPED)
        add_row(rows, IF, number, n, g_strdup("all iterations are like the first ones"));
    if (vertex->kind == HIERA_VERTEX_COMMUNICATION && depends_on_time(vertex->name) &&
        count_executions(sums, number) > 0)
        add_row(rows, IF, number, count_executions(sums, number),
                g_strdup_printf("what %s finds is a matter of time", vertex->name));
    if (doubts & HIERA_UNKNOWN_EARLIER)
        add_row(rows, IF, number, sums->n_undecided[number], g_strdup("a counter ends the loop, nothing earlier"));
    if (doubts & HIERA_UNKNOWN_STORE)
        add_row(rows, IF, number, n, g_strdup("stores a value nobody knows where"));
    if (doubts & HIERA_UNKNOWN_FUNCTION)
        add_row(rows, IF, number, n, say_function(vertex->name));
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
    const Row *x = a, *y = b;
    if (x->verdict != y->verdict)
        return (gint)x->verdict - (gint)y->verdict;
    if (x->times != y->times)
        return x->times > y->times ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static const HieraColumn columns[] = {{"answer", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                      {"place", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                      {"because", HIERA_CELL_TEXT, HIERA_ROLE_ANSWER},
                                      {"times", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
                                      {"function", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL}};

static void add_cells(HieraTable *table, const HieraExecution *execution, const Row *row)
{
    gboolean has_place = row->vertex != HIERA_NO_VERTEX;
    g_autofree char *place = has_place ? hiera_place_text(execution, row->vertex) : g_strdup(""),
                    *function = has_place ? hiera_function_text(execution,
                                                                hiera_execution_vertex(execution, row->vertex)->graph)
                                          : g_strdup("");
    const HieraCell cells[] = {{.text = verdicts[row->verdict]},
                               {.text = hiera_table_keep(table, place)},
                               {.text = hiera_table_keep(table, row->why)},
                               {.number = (gint64)row->times},
                               {.text = hiera_table_keep(table, function)}};
    hiera_table_add(table, cells);
}

HieraTable *executable_table_trust(const ExecutableSums *sums, gboolean all, gboolean *incomplete)
{
    HieraTable *table = hiera_table_new("trust", columns, G_N_ELEMENTS(columns));
    g_autofree gboolean *communicates = find_communicating(sums->execution);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));
    g_array_set_clear_func(rows, clear_row);
    for (guint i = 0; i < sums->execution->vertices->len; i++)
        add_vertex(sums, i, communicates, rows);
    add_notes(sums, rows);
    add_starts(sums->execution, rows);
    g_array_sort(rows, compare_rows);
    const Row *first = rows->len > 0 ? &g_array_index(rows, Row, 0) : NULL;
    *incomplete = first && first->verdict == INCOMPLETE;
    if (!first || first->verdict > EXACT) {
        add_row(rows, first ? LIKELY : EXACT, HIERA_NO_VERTEX, 0, g_strdup("no decision between MPI calls was drawn"));
        g_array_sort(rows, compare_rows);
    }
    guint n = all || rows->len <= FIRST_ROWS ? rows->len : FIRST_ROWS;
    for (guint i = 0; i < n; i++)
        add_cells(table, sums->execution, &g_array_index(rows, Row, i));
    if (n < rows->len) {
        Row more = {g_array_index(rows, Row, n).verdict, HIERA_NO_VERTEX, rows->len - n, NULL};
        more.why = g_strdup_printf("%u more places (--explain)", rows->len - n);
        add_cells(table, sums->execution, &more);
        g_free(more.why);
    }
    return table;
}
