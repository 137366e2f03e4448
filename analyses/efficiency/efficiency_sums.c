/* Adds up the sums of efficiencies, and sends them to other processes; see efficiency_sums.h. */
#include "efficiency_sums.h"
#include "values/unrecorded.h"

static void keep_team(HieraEfficiencySums *sums, const HieraEfficiencyTeam *team)
{
    if (!sums->teams)
        sums->teams = g_array_new(FALSE, FALSE, sizeof *team);
    g_array_append_val(sums->teams, *team);
}

/* What sums of several ranks have together: X(member, function that joins two). */
#define NUMBERS(X)                                                                                                     \
    X(processes, hiera_plus)                                                                                           \
    X(threads, hiera_plus)                                                                                             \
    X(time_ns, MAX)                                                                                                    \
    X(ideal_ns, MAX)                                                                                                   \
    X(useful_ns, hiera_plus)                                                                                           \
    X(most_useful_ns, MAX)                                                                                             \
    X(io_ns, hiera_plus)                                                                                               \
    X(serial_ns, hiera_plus)                                                                                           \
    X(balance_ns, hiera_plus)                                                                                          \
    X(scheduling_ns, hiera_plus)                                                                                       \
    X(n_others, hiera_plus)                                                                                            \
    X(n_crowded, hiera_plus)                                                                                           \
    X(n_undivided, hiera_plus)                                                                                         \
    X(unsure, hiera_plus)

void hiera_efficiency_sums_add(HieraEfficiencySums *sums, const HieraEfficiencyShare *share)
{
    HieraEfficiencySums one = {.processes = 1,
                               .threads = share->n_threads,
                               .time_ns = share->time_ns,
                               .ideal_ns = share->ideal_ns,
                               .useful_ns = share->useful_ns,
                               .io_ns = share->io_ns};
    if (share->n_threads > 1) {
        const HieraEfficiencyTeam team = {share->n_threads, share->useful_ns, hiera_thread_times_idle(&share->threads)};
        keep_team(&one, &team);
        one.n_others = share->has_others;
        one.n_crowded = share->is_crowded;
        one.n_undivided = share->is_undivided;
        one.serial_ns = share->threads.serial_ns;
        one.balance_ns = share->threads.balance_ns;
        one.scheduling_ns = share->threads.scheduling_ns;
    } else {
        one.most_useful_ns = share->useful_ns;
    }
    hiera_efficiency_sums_join(sums, &one);
}

void hiera_efficiency_sums_clear(HieraEfficiencySums *sums)
{
    g_clear_pointer(&sums->teams, g_array_unref);
}

void hiera_efficiency_sums_pack(const HieraEfficiencySums *sums, HieraPacker *to)
{
    hiera_pack_text(to, sums->region);
    hiera_pack_number(to, sums->iteration);
#define X(member, join) hiera_pack_number(to, sums->member);
    NUMBERS(X)
#undef X
    hiera_pack_number(to, sums->unsure_processor);
    hiera_pack_number(to, sums->unsure > 0 ? sums->unsure_site->id : 0);
    hiera_pack_number(to, sums->teams ? sums->teams->len : 0);
    if (sums->teams)
        hiera_pack_bytes(to, sums->teams->data, sums->teams->len * sizeof(HieraEfficiencyTeam));
}

HieraEfficiencySums hiera_efficiency_sums_unpack(const HieraTrace *trace, HieraUnpacker *from)
{
    HieraEfficiencySums sums = {.processor = HIERA_NONE, .region = hiera_unpack_text(from)};
    sums.iteration = (guint32)hiera_unpack_number(from);
#define X(member, join) sums.member = (__typeof__(sums.member))hiera_unpack_number(from);
    NUMBERS(X)
#undef X
    sums.unsure_processor = (guint32)hiera_unpack_number(from);
    guint32 site = (guint32)hiera_unpack_number(from);
    sums.unsure_site = sums.unsure > 0 ? hiera_catalog_peek_site(trace->catalog, site) : NULL;
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        HieraEfficiencyTeam team;
        hiera_unpack_bytes(from, &team, sizeof team);
        keep_team(&sums, &team);
    }
    return sums;
}

void hiera_efficiency_sums_join(HieraEfficiencySums *to, HieraEfficiencySums *sums)
{
    if (sums->unsure > 0 && (to->unsure == 0 || sums->unsure_processor < to->unsure_processor)) {
        to->unsure_processor = sums->unsure_processor;
        to->unsure_site = sums->unsure_site;
    }
#define X(member, join) to->member = (__typeof__(to->member))join(to->member, sums->member);
    NUMBERS(X)
#undef X
    for (guint i = 0; sums->teams && i < sums->teams->len; i++)
        keep_team(to, &g_array_index(sums->teams, HieraEfficiencyTeam, i));
    g_clear_pointer(&sums->teams, g_array_unref);
}

void hiera_efficiency_sums_name_threads(HieraEfficiencySums *sums, const char *of_threads)
{
    sums->of_threads = of_threads;
    if (sums->teams && g_str_equal(of_threads, HIERA_OF_MPI_THREADS))
        sums->of_threads = HIERA_OF_RECORDED_THREADS;
    else if (sums->teams)
        sums->of_threads = sums->n_others > 0 ? HIERA_OF_OPENMP_THREADS : "";
}
