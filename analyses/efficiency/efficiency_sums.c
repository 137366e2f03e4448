/* Adds up the sums of efficiencies, and sends them to other processes; see efficiency_sums.h. */
#include "efficiency_sums.h"
#include "values/unrecorded.h"

static void keep_team(HieraEfficiencySums *sums, const HieraEfficiencyTeam *team)
{
    if (!sums->teams)
        sums->teams = g_array_new(FALSE, FALSE, sizeof *team);
    g_array_append_val(sums->teams, *team);
}

static void add_team(HieraEfficiencySums *sums, const HieraEfficiencyShare *share)
{
    HieraEfficiencyTeam team = {share->n_threads, share->useful_ns, hiera_thread_times_idle(&share->threads)};
    keep_team(sums, &team);
    sums->n_others += share->has_others;
    sums->n_crowded += share->is_crowded;
    sums->n_undivided += share->is_undivided;
    sums->serial_ns = hiera_plus(sums->serial_ns, share->threads.serial_ns);
    sums->balance_ns = hiera_plus(sums->balance_ns, share->threads.balance_ns);
    sums->scheduling_ns = hiera_plus(sums->scheduling_ns, share->threads.scheduling_ns);
}

void hiera_efficiency_sums_add(HieraEfficiencySums *sums, const HieraEfficiencyShare *share)
{
    sums->processes++;
    sums->threads += share->n_threads;
    sums->time_ns = MAX(sums->time_ns, share->time_ns);
    sums->ideal_ns = MAX(sums->ideal_ns, share->ideal_ns);
    sums->useful_ns = hiera_plus(sums->useful_ns, share->useful_ns);
    sums->io_ns = hiera_plus(sums->io_ns, share->io_ns);
    if (share->n_threads > 1)
        add_team(sums, share);
    else
        sums->most_useful_ns = MAX(sums->most_useful_ns, share->useful_ns);
}

void hiera_efficiency_sums_clear(HieraEfficiencySums *sums)
{
    g_clear_pointer(&sums->teams, g_array_unref);
}

void hiera_efficiency_sums_pack(const HieraEfficiencySums *sums, HieraPacker *to)
{
    const gint64 numbers[] = {sums->iteration,
                              sums->processes,
                              sums->time_ns,
                              sums->ideal_ns,
                              sums->useful_ns,
                              sums->most_useful_ns,
                              sums->io_ns,
                              sums->unsure,
                              sums->unsure_processor,
                              sums->unsure > 0 ? sums->unsure_site->id : 0,
                              sums->threads,
                              sums->n_others,
                              sums->n_crowded,
                              sums->n_undivided,
                              sums->serial_ns,
                              sums->balance_ns,
                              sums->scheduling_ns,
                              sums->teams ? sums->teams->len : 0};
    hiera_pack_text(to, sums->region);
    for (guint k = 0; k < G_N_ELEMENTS(numbers); k++)
        hiera_pack_number(to, numbers[k]);
    if (sums->teams)
        hiera_pack_bytes(to, sums->teams->data, sums->teams->len * sizeof(HieraEfficiencyTeam));
}

HieraEfficiencySums hiera_efficiency_sums_unpack(const HieraTrace *trace, HieraUnpacker *from)
{
    HieraEfficiencySums sums = {.processor = HIERA_NONE};
    sums.region = hiera_unpack_text(from);
    sums.iteration = (guint32)hiera_unpack_number(from);
    sums.processes = (guint32)hiera_unpack_number(from);
    sums.time_ns = hiera_unpack_number(from);
    sums.ideal_ns = hiera_unpack_number(from);
    sums.useful_ns = hiera_unpack_number(from);
    sums.most_useful_ns = hiera_unpack_number(from);
    sums.io_ns = hiera_unpack_number(from);
    sums.unsure = hiera_unpack_number(from);
    sums.unsure_processor = (guint32)hiera_unpack_number(from);
    guint32 site = (guint32)hiera_unpack_number(from);
    sums.unsure_site = sums.unsure > 0 ? hiera_catalog_peek_site(trace->catalog, site) : NULL;
    sums.threads = hiera_unpack_number(from);
    sums.n_others = hiera_unpack_number(from);
    sums.n_crowded = hiera_unpack_number(from);
    sums.n_undivided = hiera_unpack_number(from);
    sums.serial_ns = hiera_unpack_number(from);
    sums.balance_ns = hiera_unpack_number(from);
    sums.scheduling_ns = hiera_unpack_number(from);
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
    to->unsure += sums->unsure;
    to->processes += sums->processes;
    to->time_ns = MAX(to->time_ns, sums->time_ns);
    to->ideal_ns = MAX(to->ideal_ns, sums->ideal_ns);
    to->useful_ns = hiera_plus(to->useful_ns, sums->useful_ns);
    to->most_useful_ns = MAX(to->most_useful_ns, sums->most_useful_ns);
    to->io_ns = hiera_plus(to->io_ns, sums->io_ns);
    to->threads += sums->threads;
    to->n_others += sums->n_others;
    to->n_crowded += sums->n_crowded;
    to->n_undivided += sums->n_undivided;
    to->serial_ns = hiera_plus(to->serial_ns, sums->serial_ns);
    to->balance_ns = hiera_plus(to->balance_ns, sums->balance_ns);
    to->scheduling_ns = hiera_plus(to->scheduling_ns, sums->scheduling_ns);
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
