/* Parts of the run; see time_parts.h. The parts of a processor are stored as pieces in order of time; time that no
 * piece covers is outside of iterations. */
#include "time_parts.h"
#include "alike/iterations.h"
#include "calls/packed_nodes.h"
#include "values/outermost.h"

enum {
    QUARTERS = 4,
    ITERATIONS_LEAST = 2, /* least number of iterations of the phase whose iterations are the parts */
    RANGES_MAX = 6        /* greatest number of ranges of iterations in the name of a group */
};

/* A time in which a processor is in one part of the run. */
typedef struct {
    gint64 begin_ns, end_ns;
    guint part;
} Piece;

/* --- pieces: times of a processor in one part of the run --- */

/* Append a piece of a processor, without what is before its last piece, or outside of its run or the scope. */
static void add_piece(HieraTimeParts *parts, guint32 processor, guint part, gint64 begin_ns, gint64 end_ns)
{
    const HieraProcessor *of = &parts->trace->processors[processor];
    gboolean others = parts->pieces->len > parts->first[processor];
    gint64 last_ns = others ? g_array_index(parts->pieces, Piece, parts->pieces->len - 1).end_ns : G_MININT64;
    Piece piece = {MAX(MAX(begin_ns, last_ns), MAX(of->init_ns, parts->from_ns)),
                   MIN(end_ns, MIN(of->finalize_ns, parts->to_ns)), part};
    if (piece.begin_ns >= piece.end_ns)
        return;
    gint64 *length_ns = &parts->length_ns[(gsize)processor * parts->n + part];
    *length_ns = hiera_plus(*length_ns, piece.end_ns - piece.begin_ns);
    parts->part_from_ns[part] = MIN(parts->part_from_ns[part], piece.begin_ns);
    parts->part_to_ns[part] = MAX(parts->part_to_ns[part], piece.end_ns);
    g_array_append_val(parts->pieces, piece);
}

static gint64 quarter_of(const HieraTimeParts *parts, guint quarter)
{
    return parts->from_ns + (gint64)(((__int128)parts->to_ns - parts->from_ns) * quarter / QUARTERS);
}

static void add_quarters(HieraTimeParts *parts, guint32 processor)
{
    for (guint i = 0; i < QUARTERS; i++)
        add_piece(parts, processor, i, quarter_of(parts, i), quarter_of(parts, i + 1));
}

static guint part_of(const HieraTimeParts *parts, guint iteration)
{
    guint n = parts->n - 1; /* all parts but the last one, which is the time outside of iterations */
    return (guint)((guint64)iteration * n / parts->n_iterations);
}

static void add_iterations(HieraTimeParts *parts, const HieraIterations *all, guint phase, guint32 processor)
{
    for (guint i = all->first[processor]; i < all->first[processor + 1]; i++) {
        const HieraIteration *iteration = &g_array_index(all->iterations, HieraIteration, i);
        if (iteration->phase == phase)
            add_piece(parts, processor, part_of(parts, iteration->number), iteration->begin_ns, iteration->end_ns);
    }
    const HieraProcessor *of = &parts->trace->processors[processor];
    gint64 outside_ns = hiera_minus(MIN(of->finalize_ns, parts->to_ns), MAX(of->init_ns, parts->from_ns));
    gint64 *length_ns = &parts->length_ns[(gsize)processor * parts->n];
    for (guint i = 0; i + 1 < parts->n; i++)
        outside_ns = hiera_minus(outside_ns, length_ns[i]);
    length_ns[parts->n - 1] = MAX(outside_ns, 0);
}

/* --- the phase and the times that are divided into parts --- */

/* Return the phase with most time; of equal ones the first. HIERA_NONE: no phase repeats. */
static guint find_phase(const HieraIterations *all)
{
    guint best = HIERA_NONE;
    gint64 most_ns = 0;
    for (guint i = 0; i < all->phases->len; i++) {
        const HieraPhase *phase = &g_array_index(all->phases, HieraPhase, i);
        if (phase->kept && phase->repeats >= ITERATIONS_LEAST && phase->time_ns > most_ns) {
            best = i;
            most_ns = phase->time_ns;
        }
    }
    return best;
}

static void find_run(HieraTimeParts *parts, const HieraScope *scope)
{
    parts->from_ns = G_MAXINT64;
    parts->to_ns = G_MININT64;
    for (guint32 i = 0; i < parts->trace->n_processors; i++) {
        const HieraProcessor *processor = &parts->trace->processors[i];
        if (!hiera_scope_accepts_rank(scope, processor->rank))
            continue;
        parts->from_ns = MIN(parts->from_ns, processor->init_ns);
        parts->to_ns = MAX(parts->to_ns, processor->finalize_ns);
    }
    parts->from_ns = MAX(parts->from_ns, scope->from_ns);
    parts->to_ns = MAX(MIN(parts->to_ns, scope->to_ns), parts->from_ns);
}

/* --- several processes: process 0 finds the lengths of the parts on all ranks, and the times of the parts --- */

static void pack_own(HieraPacker *to, gpointer user)
{
    const HieraTimeParts *parts = user;
    gsize n = (gsize)parts->trace->n_processors * parts->n;
    for (guint i = 0; i < parts->n; i++) {
        hiera_pack_number(to, parts->part_from_ns[i]);
        hiera_pack_number(to, parts->part_to_ns[i]);
    }
    for (gsize i = 0; i < n; i++)
        hiera_pack_number(to, parts->length_ns[i]);
}

/* Unpack the parts of another process. The lengths of a rank are more than 0 in one process only. */
static void unpack_own(HieraUnpacker *from, gpointer user)
{
    HieraTimeParts *parts = user;
    gsize n = (gsize)parts->trace->n_processors * parts->n;
    for (guint i = 0; i < parts->n; i++) {
        gint64 from_ns = hiera_unpack_number(from), to_ns = hiera_unpack_number(from);
        parts->part_from_ns[i] = MIN(parts->part_from_ns[i], from_ns);
        parts->part_to_ns[i] = MAX(parts->part_to_ns[i], to_ns);
    }
    for (gsize i = 0; i < n; i++) {
        gint64 length_ns = hiera_unpack_number(from);
        parts->length_ns[i] = MAX(parts->length_ns[i], length_ns);
    }
}

static void gather(HieraTimeParts *parts, const HieraScope *scope)
{
    hiera_scope_gather_others(scope, parts->trace, pack_own, unpack_own, parts);
}

/* Set the parts, and the pieces of processors. @param phase  whose iterations are parts; HIERA_NONE: quarters */
static void divide(HieraTimeParts *parts, const HieraIterations *all, guint phase, const HieraScope *scope)
{
    const guint32 n = parts->trace->n_processors;
    parts->n_iterations = phase == HIERA_NONE ? 0 : g_array_index(all->phases, HieraPhase, phase).repeats;
    parts->n = phase == HIERA_NONE ? QUARTERS : MIN(parts->n_iterations, HIERA_TIME_PARTS_MAX - 1) + 1;
    parts->pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
    parts->first = g_new0(guint, (gsize)n + 1);
    parts->length_ns = g_new0(gint64, ((gsize)n + 1) * parts->n);
    for (guint i = 0; i < parts->n; i++) {
        parts->part_from_ns[i] = phase == HIERA_NONE ? quarter_of(parts, i) : parts->to_ns;
        parts->part_to_ns[i] = phase == HIERA_NONE ? quarter_of(parts, i + 1) : parts->from_ns;
    }
    for (guint32 i = 0; i < n; i++) {
        parts->first[i] = parts->pieces->len;
        if (!hiera_scope_accepts_rank(scope, parts->trace->processors[i].rank) || !hiera_scope_is_own(scope, i))
            continue;
        if (phase == HIERA_NONE)
            add_quarters(parts, i);
        else
            add_iterations(parts, all, phase, i);
    }
    parts->first[n] = parts->pieces->len;
    gather(parts, scope);
    if (phase != HIERA_NONE) {
        parts->part_from_ns[parts->n - 1] = parts->from_ns;
        parts->part_to_ns[parts->n - 1] = parts->to_ns;
    }
}

void hiera_time_parts_init(HieraTimeParts *parts, const HieraCallPaths *paths, const HieraScope *scope)
{
    HieraScope whole = *scope;
    whole.level = NULL;
    whole.depth = -1;
    whole.where = FALSE;
    whole.chosen = NULL;
    gboolean narrowed = hiera_scope_has_units(scope);
    HieraCallPaths all_paths;
    HieraIterations all;
    if (narrowed)
        hiera_call_paths_init_together(&all_paths, paths->trace, &whole);
    hiera_iterations_init(&all, narrowed ? &all_paths : paths, &whole);
    *parts = (HieraTimeParts){.trace = paths->trace};
    find_run(parts, &whole);
    divide(parts, &all, find_phase(&all), &whole);
    hiera_iterations_clear(&all);
    if (narrowed)
        hiera_call_paths_clear(&all_paths);
}

void hiera_time_parts_clear(HieraTimeParts *parts)
{
    g_array_unref(parts->pieces);
    g_free(parts->first);
    g_free(parts->length_ns);
}

/* --- dividing intervals among the parts --- */

/* Return the index of a processor's first piece that ends after after_ns. */
static guint find_piece(const HieraTimeParts *parts, guint32 processor, gint64 after_ns)
{
    guint low = parts->first[processor], high = parts->first[processor + 1];
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(parts->pieces, Piece, middle).end_ns > after_ns)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static gint64 take(HieraPortion portion, gint64 ns)
{
    return (gint64)((__int128)ns * portion.n / portion.of);
}

void hiera_time_parts_add(const HieraTimeParts *parts, guint32 processor, gint64 begin_ns, gint64 end_ns,
                          HieraPortion portion, gint64 *times_ns)
{
    gint64 rest_ns = MAX(hiera_minus(MIN(end_ns, parts->to_ns), MAX(begin_ns, parts->from_ns)), 0);
    for (guint i = find_piece(parts, processor, begin_ns); i < parts->first[processor + 1]; i++) {
        const Piece *piece = &g_array_index(parts->pieces, Piece, i);
        if (piece->begin_ns >= end_ns)
            break;
        gint64 inside_ns = hiera_minus(MIN(end_ns, piece->end_ns), MAX(begin_ns, piece->begin_ns));
        times_ns[piece->part] = hiera_plus(times_ns[piece->part], take(portion, inside_ns));
        rest_ns = hiera_minus(rest_ns, inside_ns);
    }
    if (parts->n_iterations > 0)
        times_ns[parts->n - 1] = hiera_plus(times_ns[parts->n - 1], take(portion, MAX(rest_ns, 0)));
}

/* --- names of parts --- */

gboolean hiera_time_parts_is_outside(const HieraTimeParts *parts, guint part)
{
    return parts->n_iterations > 0 && part == parts->n - 1;
}

/* Return the first iteration or quarter of a part, from 1; for the index after the last part, the number after the
 * last. */
static guint number_of(const HieraTimeParts *parts, guint part)
{
    guint n = parts->n - 1;
    return parts->n_iterations == 0 ? part + 1 : (guint)(((guint64)part * parts->n_iterations + n - 1) / n) + 1;
}

char *hiera_time_parts_name(const HieraTimeParts *parts, const guint8 *of_part, guint8 group)
{
    guint n = parts->n_iterations > 0 ? parts->n - 1 : parts->n, ranges = 0, named = 0;
    g_autoptr(GString) numbers = g_string_new(NULL);
    for (guint i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && of_part[end] == of_part[i];)
            end++;
        if (of_part[i] != group)
            continue;
        guint first = number_of(parts, i), last = number_of(parts, end) - 1;
        named += last + 1 - first;
        if (ranges++ < RANGES_MAX)
            hiera_ranks_append_range(numbers, first, last);
        else if (ranges == RANGES_MAX + 1)
            g_string_append(numbers, " …");
    }
    if (named == 0)
        return g_strdup("outside iterations");
    return g_strdup_printf("%s%s %s", parts->n_iterations > 0 ? "iteration" : "quarter", named == 1 ? "" : "s",
                           numbers->str);
}
