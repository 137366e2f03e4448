/* Times of iterations over all ranks, and their spread; see phase_times.h. */
#include "phase_times.h"

enum { RANGES_MAX = 6 }; /* greatest number of ranges in the list of outliers */

static const HieraPhase *peek_phase(const HieraPhaseTimes *times, guint phase)
{
    return &g_array_index(times->all.phases, HieraPhase, phase);
}

/* --- times of iterations on all ranks --- */

/* Merge the time of an iteration on further ranks into its time on all ranks. */
static void add_time(HieraPhaseTime *time, const HieraPhaseTime *added)
{
    if (added->ranks == 0)
        return;
    time->start_ns = time->ranks == 0 ? added->start_ns : MIN(time->start_ns, added->start_ns);
    time->cut += added->cut;
    if (time->ranks == 0 || added->time_ns > time->time_ns) {
        time->time_ns = added->time_ns;
        time->slowest = added->slowest;
    }
    time->ranks += added->ranks;
}

static void add_iteration(HieraPhaseTimes *times, guint32 processor, const HieraIteration *iteration)
{
    const HieraPhaseTime added = {iteration->begin_ns, hiera_minus(iteration->end_ns, iteration->begin_ns), processor,
                                  1, iteration->cut};
    add_time(&times->times[times->first[iteration->phase] + iteration->number], &added);
}

/* --- times of all processes --- */

typedef struct {
    HieraPhaseTime *of;
    gsize n;
} Times;

static void pack_times(HieraPacker *to, gpointer user)
{
    const Times *times = user;
    for (gsize i = 0; i < times->n; i++) {
        const HieraPhaseTime *time = &times->of[i];
        hiera_pack_number(to, time->ranks);
        if (time->ranks == 0)
            continue;
        hiera_pack_number(to, time->start_ns);
        hiera_pack_number(to, time->time_ns);
        hiera_pack_number(to, time->slowest);
        hiera_pack_number(to, time->cut);
    }
}

static void unpack_times(HieraUnpacker *from, gpointer user)
{
    const Times *times = user;
    for (gsize i = 0; i < times->n; i++) {
        HieraPhaseTime time = {.ranks = (guint32)hiera_unpack_number(from)};
        if (time.ranks == 0)
            continue;
        time.start_ns = hiera_unpack_number(from);
        time.time_ns = hiera_unpack_number(from);
        time.slowest = (guint32)hiera_unpack_number(from);
        time.cut = (guint32)hiera_unpack_number(from);
        add_time(&times->of[i], &time);
    }
}

static void add_up(HieraPhaseTimes *times)
{
    const HieraIterations *all = &times->all;
    gsize n = 0;
    times->first = g_new(gsize, (gsize)all->phases->len + 1);
    for (guint i = 0; i < all->phases->len; i++) {
        times->first[i] = n;
        n += peek_phase(times, i)->repeats;
    }
    times->times = g_new0(HieraPhaseTime, n + 1);
    for (guint32 i = 0; i < all->trace->n_processors; i++) {
        for (guint k = all->first[i]; k < all->first[i + 1]; k++)
            add_iteration(times, i, &g_array_index(all->iterations, HieraIteration, k));
    }
    Times of = {times->times, n};
    hiera_scope_gather_others(all->scope, all->trace, pack_times, unpack_times, &of);
}

/* Sort by time, longest first; if equal, by index of the phase. */
static gint compare_phases(gconstpointer left, gconstpointer right, gpointer times)
{
    guint a = *(const guint *)left, b = *(const guint *)right;
    gint64 time_a = peek_phase(times, a)->time_ns, time_b = peek_phase(times, b)->time_ns;
    return time_a != time_b ? (time_a < time_b) - (time_a > time_b) : (a > b) - (a < b);
}

void hiera_phase_times_init(HieraPhaseTimes *times, const HieraCallPaths *paths, const HieraScope *scope)
{
    *times = (HieraPhaseTimes){0};
    hiera_iterations_init(&times->all, paths, scope);
    times->order = g_new(guint, (gsize)times->all.phases->len + 1);
    for (guint i = 0; i < times->all.phases->len; i++) {
        if (peek_phase(times, i)->kept)
            times->order[times->n_shown++] = i;
    }
    g_qsort_with_data(times->order, (gint)times->n_shown, sizeof *times->order, compare_phases, times);
    add_up(times);
}

void hiera_phase_times_clear(HieraPhaseTimes *times)
{
    hiera_iterations_clear(&times->all);
    g_free(times->order);
    g_free(times->times);
    g_free(times->first);
}

const HieraPhase *hiera_phase_times_peek(const HieraPhaseTimes *times, guint place, const HieraPhaseTime **first)
{
    *first = &times->times[times->first[times->order[place]]];
    return peek_phase(times, times->order[place]);
}

/* --- how the times of a phase's iterations differ --- */

/* Sums for fitting a straight line through points. */
typedef struct {
    __int128 n, x, y, xy, xx; /* number of points, and sums of x, y, x·y, x² */
} Line;

static void add_point(Line *line, gint64 x, gint64 y)
{
    line->n++;
    line->x += x;
    line->y += y;
    line->xy += (__int128)x * y;
    line->xx += (__int128)x * x;
}

/* Return the slope of the line with least squares, rounded: (n Σ x y − Σ x Σ y) / (n Σ x² − (Σ x)²). */
static gint64 slope_of(const Line *line)
{
    __int128 over = line->n * line->xy - line->x * line->y, under = line->n * line->xx - line->x * line->x;
    if (under == 0)
        return 0;
    __int128 slope = (2 * (over < 0 ? -over : over) + under) / (2 * under);
    return (gint64)(over < 0 ? -slope : slope);
}

HieraPhaseSpread hiera_phase_spread_of(const HieraPhaseTime *first, guint n)
{
    Line line = {0};
    guint whole = 0;
    g_autofree gint64 *times = g_new(gint64, (gsize)n + 1);
    for (guint i = 0; i < n; i++)
        whole += first[i].cut == 0;
    for (guint i = 0; i < n; i++) {
        if (whole > 0 && first[i].cut > 0)
            continue;
        times[line.n] = first[i].time_ns;
        add_point(&line, i, first[i].time_ns);
    }
    HieraPhaseSpread spread = {.of = hiera_distribution_of(times, (gsize)line.n)};
    spread.drift_ns = spread.of.sum == HIERA_TOO_LARGE ? HIERA_TOO_LARGE : slope_of(&line);
    return spread;
}

/* Whether the time of an iteration is an outlier among the iterations of its phase. */
static gboolean is_outlier(const HieraPhaseTime *time, const HieraPhaseSpread *spread)
{
    const HieraDistribution *of = &spread->of;
    __int128 apart = (__int128)time->time_ns - of->mean, far = 3 * (__int128)of->deviation;
    gboolean is_far = of->deviation > 0 && (apart > far || (apart < -far && time->cut == 0)); /* 0: perhaps rounded */
    return is_far || (__int128)time->time_ns * 2 > 3 * (__int128)of->median;
}

char *hiera_phase_name_outliers(const HieraPhaseTime *first, guint n, const HieraPhaseSpread *spread)
{
    GString *text = g_string_new(NULL);
    guint ranges = 0;
    for (guint i = 0; i < n; i++) {
        guint begin = i;
        while (i < n && is_outlier(&first[i], spread))
            i++;
        if (i > begin && ranges++ == RANGES_MAX) {
            g_string_append(text, " …");
            break;
        }
        if (i > begin)
            hiera_ranks_append_range(text, begin + 1, i);
    }
    return g_string_free(text, FALSE);
}
