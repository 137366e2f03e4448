#include "calibration.h"
#include "collective_check.h"
#include "collective_fit.h"
#include "exchange_fit.h"
#include "hiera_findings.h"
#include "machine/network_option.h"
#include "measured_network.h"
#include "parallel/launcher.h"
#include "parallel/library.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GOOD, WRONG_USE = 2 };
/* Bytes of collectives that are so short that their time depends on the number of steps only. */
enum { SHORT = 8 };

/* For each kind of measured collective: the same collective in the simulator. */
static const HieraSimCollective simulated[] = {
    [HIERA_PING_BARRIER] = HIERA_SIM_BARRIER,     [HIERA_PING_BROADCAST] = HIERA_SIM_BROADCAST,
    [HIERA_PING_REDUCE] = HIERA_SIM_REDUCE,       [HIERA_PING_ALLREDUCE] = HIERA_SIM_ALLREDUCE,
    [HIERA_PING_ALLGATHER] = HIERA_SIM_ALLGATHER, [HIERA_PING_ALLTOALL] = HIERA_SIM_ALLTOALL,
};
static const char *const collective_names[] = {
#define X(identifier, name) name,
    HIERA_PING_COLLECTIVES(X)
#undef X
};

typedef struct {
    MeasuredNetwork measured;
    GArray *collectives; /* MeasuredCollective: measured times of collectives */
    HieraNetwork network;
    char *library, *first_host, *last_host;
    guint n_processes;
} Calibration;

/* Whether a collective is used to fit a parameter: short ones for the time of a step, long ones for a member's copy to
 * itself and for the computation of reductions. */
static gboolean tells(const MeasuredCollective *of, CollectiveParameter parameter)
{
    if (parameter == COLLECTIVE_STEP || of->bytes <= SHORT)
        return parameter == COLLECTIVE_STEP && of->bytes <= SHORT;
    if (parameter == COLLECTIVE_OWN)
        return of->collective == HIERA_PING_ALLGATHER || of->collective == HIERA_PING_ALLTOALL;
    return of->collective == HIERA_PING_REDUCE || of->collective == HIERA_PING_ALLREDUCE;
}

static void fit_collectives(const Calibration *calibration, CollectiveParameter parameter, HieraMachine *machine)
{
    g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(TimedCollective));
    for (guint i = 0; i < calibration->collectives->len; i++) {
        const MeasuredCollective *of = &g_array_index(calibration->collectives, MeasuredCollective, i);
        const TimedCollective timed = {simulated[of->collective], of->bytes, of->count, of->seconds};
        if (tells(of, parameter))
            g_array_append_val(chosen, timed);
    }
    collective_fit(machine, parameter, (const TimedCollective *)(const void *)chosen->data, chosen->len);
}

static void fit(Calibration *calibration)
{
    const MeasuredNetwork *measured = &calibration->measured;
    const NetworkTimes times = {
        .half_round_trips = (const TimedSize *)(const void *)measured->half_round_trips->data,
        .n_half_round_trips = measured->half_round_trips->len,
        .sends = (const TimedSize *)(const void *)measured->sends->data,
        .n_sends = measured->sends->len,
        .receives = (const TimedSize *)(const void *)measured->receives->data,
        .n_receives = measured->receives->len,
        .message_seconds = measured->message_seconds,
        .eager_bytes = measured->eager_bytes,
    };
    network_fit(&times, &calibration->network);
    calibration->network.progress_in_calls = measured->overlapped_seconds > measured->transfer_seconds / 2;
    exchange_fit(&calibration->network, (const TimedSize *)(const void *)measured->exchanges->data,
                 measured->exchanges->len, EXCHANGES_IN_A_ROW);
    HieraMachine machine = {
        .n_ranks = calibration->n_processes, .between = calibration->network, .inside = calibration->network};
    fit_collectives(calibration, COLLECTIVE_STEP, &machine);
    fit_collectives(calibration, COLLECTIVE_OWN, &machine);
    fit_collectives(calibration, COLLECTIVE_REDUCE, &machine);
    calibration->network = machine.between;
}

/* --- tables of the answer --- */

#define MEASURED_COLUMNS                                                                                               \
    {"bytes", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"measured", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},                \
        {"predicted", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER}, {"error", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
static const HieraColumn message_columns[] = {MEASURED_COLUMNS};
static const HieraColumn collective_columns[] = {{"collective", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, MEASURED_COLUMNS};

static void fill(HieraCell *cells, gint64 bytes, gdouble measured_s, gdouble predicted_s)
{
    gdouble error = predicted_s / measured_s - 1;
    cells[0].number = bytes;
    cells[1].number = llround(measured_s * 1e9);
    cells[2].number = llround(predicted_s * 1e9);
    cells[3].number = llround(CLAMP(error, -1e9, 1e9) * 10000);
}

/* --- tables of messages: in one direction, and in both --- */

typedef struct {
    const char *title, *comment;
    gdouble (*predict)(const HieraNetwork *network, gint64 bytes);
} Kind;

static gdouble predict_exchange(const HieraNetwork *network, gint64 bytes)
{
    return exchange_predict(network, bytes, EXCHANGES_IN_A_ROW);
}

static const Kind half_round_trips = {"half round trips", "Half a round trip", network_half_round_trip},
                  exchanges = {"exchanges", "Each of four exchanges", predict_exchange};

static HieraTable *make_messages(const Calibration *of, const Kind *kind, const GArray *times)
{
    HieraTable *table = hiera_table_new(kind->title, message_columns, G_N_ELEMENTS(message_columns));
    for (guint i = 0; i < times->len; i++) {
        const TimedSize *time = &g_array_index(times, TimedSize, i);
        HieraCell cells[G_N_ELEMENTS(message_columns)];
        fill(cells, time->bytes, time->seconds, kind->predict(&of->network, time->bytes));
        hiera_table_add(table, cells);
    }
    return table;
}

static HieraTable *make_collectives(const Calibration *of)
{
    HieraTable *table = hiera_table_new("collectives", collective_columns, G_N_ELEMENTS(collective_columns));
    const HieraMachine machine = {.n_ranks = of->n_processes, .between = of->network, .inside = of->network};
    for (guint i = 0; i < of->collectives->len; i++) {
        const MeasuredCollective *measured = &g_array_index(of->collectives, MeasuredCollective, i);
        HieraCell cells[G_N_ELEMENTS(collective_columns)] = {{.text = collective_names[measured->collective]}};
        fill(cells + 1, measured->bytes, measured->seconds,
             collective_check_predict(&machine, simulated[measured->collective], measured->bytes, measured->count));
        hiera_table_add(table, cells);
    }
    return table;
}

/* --- writing the file of parameters --- */

/* Append a text, which may have several lines, as comments of the file: "# " before each line. */
static void append_comment(GString *text, const char *comment)
{
    g_auto(GStrv) lines = g_strsplit(comment, "\n", -1);
    for (char **line = lines; *line; line++) {
        if (*g_strchomp(*line))
            g_string_append_printf(text, "# %s\n", *line);
    }
}

static char *first_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end ? g_strndup(text, (gsize)(end - text)) : g_strdup(text);
}

static void append_residuals(GString *text, const Calibration *of, const Kind *kind, const GArray *times)
{
    gdouble worst = 0, sum = 0;
    g_string_append_printf(
        text, "#\n# %s, measured and by these parameters:\n#      bytes     measured    predicted    error\n",
        kind->comment);
    for (guint i = 0; i < times->len; i++) {
        const TimedSize *time = &g_array_index(times, TimedSize, i);
        gdouble predicted = kind->predict(&of->network, time->bytes);
        gdouble error = 100 * (predicted / time->seconds - 1);
        g_string_append_printf(text, "# %10" G_GINT64_FORMAT " %9.3f us %9.3f us %+6.1f %%\n", time->bytes,
                               time->seconds * 1e6, predicted * 1e6, error);
        worst = MAX(worst, fabs(error));
        sum += fabs(error);
    }
    g_string_append_printf(text, "# mean error %.1f %%, worst %.1f %%\n", sum / times->len, worst);
}

static gboolean write_file(const Calibration *of, const char *path, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GDateTime) now = g_date_time_new_now_local();
    g_autofree char *date = g_date_time_format(now, "%Y-%m-%d %H:%M"), *library = first_line(of->library);
    gboolean same = strcmp(of->first_host, of->last_host) == 0;
    g_autofree char *head = g_strdup_printf(
        "A network for hiera-predict --network%s, measured by hiera-predict calibrate on %s\nP0 on %s, P%u on %s\n%s",
        same ? " (or --network-inside)" : "", date, of->first_host, of->n_processes - 1, of->last_host, library);
    append_comment(text, head);
    network_option_format(&of->network, text);
    append_residuals(text, of, &half_round_trips, of->measured.half_round_trips);
    append_residuals(text, of, &exchanges, of->measured.exchanges);
    return g_file_set_contents(path, text->str, (gssize)text->len, error);
}

/* --- measuring, fitting, writing --- */

static void say(const char *message)
{
    fprintf(stderr, "hiera-predict: %s\n", message);
}

static int write_answer(const Calibration *of, const char *path, const AnswerShape *shape)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraFindings) none = hiera_findings_new();
    g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    g_ptr_array_add(tables, make_messages(of, &half_round_trips, of->measured.half_round_trips));
    g_ptr_array_add(tables, make_collectives(of));
    g_ptr_array_add(tables, make_messages(of, &exchanges, of->measured.exchanges));
    if (write_file(of, path, &error) && answer_write(shape, tables, none, &error))
        return GOOD;
    say(error->message);
    return WRONG_USE;
}

static int calibrate(const HieraPings *pings, int rank, int size, const char *path, guint turns,
                     const AnswerShape *shape)
{
    Calibration of = {.n_processes = (guint)size};
    of.library = g_strdup(pings->library());
    of.first_host = g_strdup(pings->host(0));
    of.last_host = g_strdup(pings->host(size - 1));
    measured_network_take(pings, turns, &of.measured);
    of.collectives = measured_collectives_take(pings);
    fit(&of);
    int status = rank == 0 ? write_answer(&of, path, shape) : GOOD;
    measured_network_clear(&of.measured);
    g_array_unref(of.collectives);
    g_free(of.library);
    g_free(of.first_host);
    g_free(of.last_host);
    return status;
}

int calibration_run(const char *path, guint turns, const AnswerShape *shape)
{
    const HieraLauncher launcher = hiera_launcher_find();
    g_autoptr(GError) error = NULL;
    int rank, size, status = WRONG_USE;
    if (launcher.size == 1) {
        say("calibrate measures between two ranks; write: mpirun -n 2 hiera-predict calibrate FILE");
        return WRONG_USE;
    }
    const HieraPings *pings =
        hiera_parallel_library_load(launcher.mpi, "../transform/parallel", HIERA_PINGS_TABLE, &error);
    if (!pings) {
        if (launcher.rank == 0)
            say(error->message);
        return WRONG_USE;
    }
    pings->begin(&rank, &size);
    if (size == (int)launcher.size)
        status = calibrate(pings, rank, size, path, turns, shape);
    else if (launcher.rank == 0)
        fprintf(
            stderr,
            "hiera-predict: the launcher has started %u processes, which do not find each other with the library for "
            "'%s'; name the MPI of the launcher with " HIERA_PARALLEL_SETTING "\n",
            launcher.size, launcher.mpi);
    pings->end();
    return status;
}
