/* See scope_check.h. Options are checked one after another, so that the message names the option that selects
 * nothing. */
#include "scope_check.h"
#include "base/misuse.h"
#include "base/ranks.h"
#include "hiera_graph.h"
#include "report/table.h"
#include "text/nearest.h"
#include <string.h>

enum { LISTED = 12 }; /* greatest number of levels or ranges of ranks that a message lists */

typedef struct {
    const char *name;
    guint32 deepest, shallowest; /* greatest and least depth of the level's operations; 0 and G_MAXUINT32: a filter
                                    removed all of them */
} Level;

struct ScopeCheck {
    const HieraScope *scope;
    GHashTable *levels;       /* name → Level, of the operations of ranks in the scope */
    GArray *ranks;            /* gint64: ranks of all traces, in the scope or not */
    guint ranks_met;          /* number of traces whose rank is in the scope */
    guint64 placed;           /* number of operations whose rank, level and depth are in the scope, at any time */
    guint64 met;              /* number of operations in `placed` that also start within the scope's times */
    gint64 first_ns, last_ns; /* first and last time in the traces of ranks in the scope */
};

/* State while the operations of one processor are read. */
typedef struct {
    const HieraScope *scope;
    GHashTable *levels;
    Level *last; /* level of the previous operation: often that of the next one, too */
    guint64 placed, met;
    gint64 last_ns;
} State;

static GHashTable *levels_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
}

gboolean scope_check_is_narrow(const HieraScope *scope)
{
    return scope->ranks || scope->level || scope->depth >= 0 || scope->from_ns != G_MININT64 ||
           scope->to_ns != G_MAXINT64;
}

ScopeCheck *scope_check_new(const HieraScope *scope)
{
    ScopeCheck *check = g_new0(ScopeCheck, 1);
    *check = (ScopeCheck){.scope = scope, .first_ns = G_MAXINT64, .last_ns = G_MININT64};
    check->levels = levels_new();
    check->ranks = g_array_new(FALSE, FALSE, sizeof(gint64));
    return check;
}

void scope_check_free(ScopeCheck *check)
{
    if (!check)
        return;
    g_hash_table_unref(check->levels);
    g_array_unref(check->ranks);
    g_free(check);
}

static Level *find_level(GHashTable *levels, const char *name)
{
    Level *level = g_hash_table_lookup(levels, name);
    if (!level) {
        level = g_new0(Level, 1);
        *level = (Level){name, 0, G_MAXUINT32};
        g_hash_table_insert(levels, (gpointer)name, level);
    }
    return level;
}

static gpointer begin(gpointer user, const HieraProcessor *processor)
{
    const ScopeCheck *check = user;
    if (!hiera_scope_accepts_rank(check->scope, processor->rank))
        return NULL;
    State *state = g_new0(State, 1);
    *state = (State){.scope = check->scope, .levels = levels_new(), .last_ns = processor->finalize_ns};
    return state;
}

static void operation(gpointer data, const HieraOperation *operation)
{
    State *state = data;
    if (!state)
        return;
    const HieraSite *site = operation->site;
    if (!state->last || state->last->name != site->level)
        state->last = find_level(state->levels, site->level);
    state->last->deepest = MAX(state->last->deepest, operation->depth);
    state->last->shallowest = MIN(state->last->shallowest, operation->depth);
    state->placed += hiera_scope_accepts_operation(state->scope, operation);
    state->met += hiera_scope_accepts_operation(state->scope, operation) &&
                  hiera_scope_accepts_time(state->scope, operation->start_ns);
    gint64 seen_ns = operation->finish_ns == HIERA_TIME_OPEN ? operation->start_ns : operation->finish_ns;
    state->last_ns = MAX(state->last_ns, seen_ns);
}

/* Count calls that a filter removed. Their depth is not known, so --depth selects none of them. */
static void filtered(gpointer data, const HieraFiltered *filtered)
{
    State *state = data;
    if (!state)
        return;
    find_level(state->levels, filtered->site->level);
    gboolean meets = state->scope->depth < 0 && hiera_scope_accepts_site(state->scope, filtered->site);
    state->placed += meets;
    state->met += meets;
}

/* Count sums over several calls. Their times are not known: where times matter, sums_check() refuses such traces. */
static void summed(gpointer data, const HieraSummed *summed)
{
    State *state = data;
    if (!state)
        return;
    Level *level = find_level(state->levels, summed->site->level);
    level->deepest = MAX(level->deepest, summed->depth);
    level->shallowest = MIN(level->shallowest, summed->depth);
    gboolean meets = hiera_scope_accepts_summed(state->scope, summed);
    state->placed += meets;
    state->met += meets;
}

static void merge_levels(GHashTable *all, GHashTable *one)
{
    GHashTableIter iterator;
    gpointer value;
    g_hash_table_iter_init(&iterator, one);
    while (g_hash_table_iter_next(&iterator, NULL, &value)) {
        const Level *from = value;
        Level *level = find_level(all, from->name);
        level->deepest = MAX(level->deepest, from->deepest);
        level->shallowest = MIN(level->shallowest, from->shallowest);
    }
}

static void end(gpointer user, gpointer data, const HieraProcessor *processor, gboolean keep)
{
    ScopeCheck *check = user;
    State *state = data;
    gint64 rank = processor->rank;
    if (keep)
        g_array_append_val(check->ranks, rank);
    if (state && keep) {
        check->ranks_met++;
        check->placed += state->placed;
        check->met += state->met;
        check->first_ns = MIN(check->first_ns, processor->init_ns);
        check->last_ns = MAX(check->last_ns, MAX(state->last_ns, processor->finalize_ns));
        merge_levels(check->levels, state->levels);
    }
    if (state)
        g_hash_table_unref(state->levels);
    g_free(state);
}

static void pack(gpointer data, const HieraProcessor *processor, HieraPacker *to)
{
    (void)processor;
    const State *state = data;
    GHashTableIter iterator;
    gpointer value;
    hiera_pack_number(to, state != NULL);
    if (!state)
        return;
    hiera_pack_number(to, (gint64)state->placed);
    hiera_pack_number(to, (gint64)state->met);
    hiera_pack_number(to, state->last_ns);
    hiera_pack_number(to, g_hash_table_size(state->levels));
    g_hash_table_iter_init(&iterator, state->levels);
    while (g_hash_table_iter_next(&iterator, NULL, &value)) {
        const Level *level = value;
        hiera_pack_text(to, level->name);
        hiera_pack_number(to, level->deepest);
        hiera_pack_number(to, level->shallowest);
    }
}

static gpointer unpack(gpointer user, const HieraProcessor *processor, HieraUnpacker *from)
{
    State *state = hiera_unpack_number(from) ? begin(user, processor) : NULL;
    if (!state)
        return NULL;
    state->placed = (guint64)hiera_unpack_number(from);
    state->met = (guint64)hiera_unpack_number(from);
    state->last_ns = hiera_unpack_number(from);
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        Level *level = find_level(state->levels, hiera_unpack_text(from));
        level->deepest = (guint32)hiera_unpack_number(from);
        level->shallowest = (guint32)hiera_unpack_number(from);
    }
    return state;
}

HieraSink scope_check_sink(ScopeCheck *check)
{
    return (HieraSink){.begin = begin,
                       .operation = operation,
                       .end = end,
                       .user = check,
                       .filtered = filtered,
                       .summed = summed,
                       .pack = pack,
                       .unpack = unpack};
}

/* --- messages about a scope that selects nothing --- */

/* Return ranks like "0-3, 7"; to be freed with g_free. */
static char *list_ranks(const GArray *ranks)
{
    GString *text = g_string_new(NULL);
    guint listed = 0;
    for (guint i = 0, j; i < ranks->len; i = j + 1) {
        gint64 first = g_array_index(ranks, gint64, i), last = first;
        for (j = i; j + 1 < ranks->len && g_array_index(ranks, gint64, j + 1) == last + 1; j++)
            last++;
        if (listed++ == LISTED) {
            g_string_append(text, ", …");
            break;
        }
        g_string_append_printf(text, "%s%" G_GINT64_FORMAT, text->len ? ", " : "", first);
        if (last > first)
            g_string_append_printf(text, "-%" G_GINT64_FORMAT, last);
    }
    return g_string_free(text, FALSE);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Return levels like "mpi, oops"; to be freed with g_free. */
static char *list_levels(const char **names, guint n)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < MIN(n, LISTED); i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "", names[i]);
    if (n > LISTED)
        g_string_append_printf(text, " and %u more", n - LISTED);
    return g_string_free(text, FALSE);
}

static gboolean refuse_level(const ScopeCheck *check, GError **error)
{
    guint n;
    g_autofree const char **names = (const char **)g_hash_table_get_keys_as_array(check->levels, &n);
    if (n == 0)
        return misuse(error, "--level %s: the traces have no operations", check->scope->level);
    qsort(names, n, sizeof *names, compare_names);
    g_autofree char *list = list_levels(names, n);
    const char *nearest = n > LISTED ? hiera_nearest_of(check->scope->level, names, n) : NULL;
    return misuse(error, "--level %s: no operation %shas this level; levels: %s%s%s%s", check->scope->level,
                  check->scope->ranks ? "of these ranks " : "", list, nearest ? " (did you mean '" : "",
                  nearest ? nearest : "", nearest ? "'?)" : "");
}

static guint32 find_deepest(const ScopeCheck *check)
{
    guint32 deepest = 0;
    GHashTableIter iterator;
    gpointer value;
    g_hash_table_iter_init(&iterator, check->levels);
    while (g_hash_table_iter_next(&iterator, NULL, &value))
        deepest = MAX(deepest, ((const Level *)value)->deepest);
    return deepest;
}

/* Set the error that --depth selects nothing. A level that --level names exists in the traces. */
static gboolean refuse_depth(const ScopeCheck *check, GError **error)
{
    const HieraScope *scope = check->scope;
    const Level *level = scope->level ? g_hash_table_lookup(check->levels, scope->level) : NULL;
    if (level && level->shallowest != G_MAXUINT32)
        return misuse(error,
                      "--level %s --depth %" G_GINT64_FORMAT
                      ": no operation of this level has this depth; they are at depths from %u to %u",
                      scope->level, scope->depth, level->shallowest, level->deepest);
    return misuse(error, "--depth %" G_GINT64_FORMAT ": no operation has this depth; the greatest is %u", scope->depth,
                  find_deepest(check));
}

static gboolean check_time(const ScopeCheck *check, GError **error)
{
    const HieraScope *scope = check->scope;
    char first[HIERA_NUMBER_BYTES], last[HIERA_NUMBER_BYTES];
    if (scope->from_ns <= check->last_ns && scope->to_ns > check->first_ns)
        return TRUE;
    hiera_seconds_format(first, check->first_ns);
    hiera_seconds_format(last, check->last_ns);
    return misuse(error, "%s: selects nothing; the traces go from %s to %s seconds",
                  scope->from_ns > check->last_ns ? "--from" : "--to", first, last);
}

gboolean scope_check_result(const ScopeCheck *check, GError **error)
{
    const HieraScope *scope = check->scope;
    if (check->ranks_met == 0) {
        g_autofree char *ranks = list_ranks(check->ranks);
        return misuse(error, "--ranks: there is no trace of these ranks; there are traces of ranks %s", ranks);
    }
    if (scope->level && !g_hash_table_contains(check->levels, scope->level))
        return refuse_level(check, error);
    if (g_hash_table_size(check->levels) == 0)
        return scope->depth < 0 || misuse(error, "--depth: the traces have no operations");
    if (scope->depth >= 0 && check->placed == 0)
        return refuse_depth(check, error);
    return check_time(check, error);
}

char *scope_check_note(const ScopeCheck *check)
{
    const HieraScope *scope = check->scope;
    gint64 named = scope->ranks ? hiera_ranks_count(scope->ranks) : 0;
    if (named > check->ranks_met)
        return g_strdup_printf("--ranks names %" G_GINT64_FORMAT " ranks; %u of them have a trace here", named,
                               check->ranks_met);
    if (check->placed > 0 && check->met == 0)
        return g_strdup("no selected operation starts between --from and --to");
    return NULL;
}
