#include "executable.h"
#include "calls/timeline.h"
#include "executable_notes.h"
#include "executable_plan.h"
#include "executable_profile.h"
#include "executable_tables.h"
#include "executable_trust.h"
#include "execution/ends.h"
#include "execution/graph/graph_report.h"
#include "image/places/readable_name.h"
#include "machine/hosts.h"
#include "machine/network_option.h"
#include "run/recorded_run.h"
#include "traces/execution_traces.h"
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

static const gdouble UNBELIEVABLE = 1000; /* a calibration factor above this, or below its inverse, is reported */

/* Set an error HIERA_GRAPH_ERROR_USE. @return FALSE */
static gboolean refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
static gboolean refuse(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, message);
    return FALSE;
}

/* Append to an error in which calls processes wait for each other, or for one that has ended. */
static void explain_stuck(const HieraExecution *execution, const HieraExecutionRun *run, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint32 i = 0; i < run->result.n_stuck; i++) {
        guint32 other = run->result.stuck[i].waits_for;
        const HieraVertex *vertex = hiera_execution_vertex(execution, hiera_world_vertex(run->result.stuck[i].token));
        const HieraProcess *process = other < run->world.n ? run->world.processes[other] : NULL;
        g_autofree char *function = hiera_function_text(execution, vertex->graph);
        g_string_append_printf(text, "\n  P%u waits in %s of %s for P%u", run->result.stuck[i].rank, vertex->name,
                               function, other);
        if (!process || !process->ended)
            continue;
        g_autofree char *last = hiera_function_text(execution, hiera_execution_vertex(execution, process->at)->graph);
        if (process->ended_by)
            g_string_append_printf(text, ", which has called %s in %s", process->ended_by, last);
        else
            g_string_append_printf(text, ", which has ended in %s", last);
        g_autofree char *drawn = hiera_drawn_text(process);
        g_string_append(text, drawn);
    }
    if (error && *error && text->len > 0) { /* replace the simulator's message, which names operations by number */
        g_free((*error)->message);
        (*error)->message = g_strconcat(run->result.circle ? "deadlock: processes wait for each other in a circle:"
                                                           : "a process waits for one that has ended:",
                                        text->str, NULL);
    }
}

/* Append to an error that traces of the run until the error exist. @param folder  has the traces; NULL: no traces */
static void say_partial(const char *folder, GError **error)
{
    if (folder && error && *error) {
        g_autofree char *message = g_strdup((*error)->message);
        g_free((*error)->message);
        (*error)->message = g_strdup_printf("%s\n  the traces in %s show what it did until then", message, folder);
    }
}

/* Append to an error which of n simulations failed. @param i  index of the simulation, from 0 on */
static void say_which(guint i, guint n, guint32 seed, GError **error)
{
    if (i > 0 && error && *error) {
        g_autofree char *message = g_strdup((*error)->message);
        g_free((*error)->message);
        (*error)->message = g_strdup_printf("simulation %u of %u (--seed %u): %s", i + 1, n, seed, message);
    }
}

/* Assign processes to hosts. @param hosts  receives their hosts; stays empty if no option depends on hosts */
static gboolean place(Hosts *hosts, const MachineOptions *options, guint32 n_processes, GError **error)
{
    g_autofree guint32 *ranks = g_new(guint32, n_processes);
    g_autofree char *one_host = g_strdup_printf("block:%u", n_processes);
    g_autoptr(GError) wrong = NULL;
    for (guint32 i = 0; i < n_processes; i++)
        ranks[i] = i;
    return !(options->mapping || options->cores || options->links || options->has_inside) ||
           hosts_map(hosts, ranks, n_processes, options->mapping ? options->mapping : one_host, &wrong) ||
           refuse(error, "%s", wrong->message);
}

/* Lower the bandwidths of a network to what other jobs leave of it. @param load  share of others, below 1 */
static void load_links(HieraNetwork *network, gdouble load)
{
    network->ps_per_byte /= 1 - load;
    for (guint32 i = 0; i < network->n_steps; i++)
        network->steps[i].ps_per_byte /= 1 - load;
}

/* Run the simulations with one number of processes, which differ by their random numbers, and add up their results. */
static ExecutableSums *simulate_once(const HieraExecution *execution, const MachineOptions *options,
                                     const ExecutablePlan *plan, guint32 n_processes, GError **error)
{
    g_autoptr(ExecutableSums) sums = executable_sums_new(execution, n_processes);
    HieraWalkOptions walk = plan->walk;
    HieraMachine machine = machine_options_make(options, n_processes);
    load_links(&machine.between, plan->link_load);
    load_links(&machine.inside, plan->link_load);
    g_auto(Hosts) hosts = {0};
    walk.n_processes = n_processes;
    if (!place(&hosts, options, n_processes, error))
        return NULL;
    machine.host = hosts.host;
    machine.n_hosts = hosts.names ? hosts.names->len : 0;
    for (guint i = 0; i < plan->n_simulations; i++) {
        g_auto(HieraExecutionRun) run = {0};
        g_autoptr(ExecutionTraces) traces = NULL;
        walk.seed = plan->walk.seed + i;
        if (plan->output && i == 0) {
            traces = execution_traces_new(execution, n_processes, &hosts, plan->command, plan->output, error);
            if (!traces)
                return NULL;
        }
        gboolean good = hiera_execution_run(execution, &walk, &machine,
                                            traces ? execution_traces_follower(traces) : NULL, &run, error);
        if (execution->wanted->len > 0)
            return NULL;
        if (!good)
            explain_stuck(execution, &run, error);
        if (traces && !execution_traces_close(traces, &run, good ? error : NULL))
            return NULL;
        if (!good) {
            say_which(i, plan->n_simulations, walk.seed, error);
            say_partial(traces ? plan->output : NULL, error);
            return NULL;
        }
        executable_sums_add(sums, &run);
        gboolean drawn = FALSE;
        for (guint32 p = 0; p < n_processes; p++)
            drawn |= run.world.processes[p]->n_drawn > 0;
        if (!drawn && plan->walk.access_ps <= 0)
            break; /* nothing is random: all further simulations would give the same result */
    }
    return g_steal_pointer(&sums);
}

/* Compute costs, reductions and --decide rules of the new vertices, from `first` on. @return FALSE with an error */
static gboolean prepare(HieraExecution *execution, ExecutablePlan *plan, guint first, GError **error)
{
    g_autoptr(GError) reading = NULL;
    if (plan->by_mca && !hiera_execution_cost_by_mca(execution, first, plan->cpu, &reading))
        return refuse(error, "%s", reading->message);
    hiera_execution_cost_misses(execution, first, plan->misses, plan->miss_cycles);
    if (plan->reductions)
        hiera_execution_reduce(execution, plan->reductions);
    hiera_walk_prepare(execution, &plan->walk);
    if (!plan->profile)
        return TRUE;
    g_free(plan->visits);
    plan->visits = executable_profile_read(execution, plan->profile, &plan->n_profiled, error);
    plan->walk.visits = plan->visits;
    return plan->visits != NULL;
}

/* Simulate. If processes call functions without graphs, through pointers, make these graphs and simulate again. */
static ExecutableSums *simulate(HieraExecution *execution, const MachineOptions *options, ExecutablePlan *plan,
                                guint32 n_processes, GError **error)
{
    for (;;) {
        g_autoptr(GError) wrong = NULL;
        guint first = execution->vertices->len;
        ExecutableSums *sums = simulate_once(execution, options, plan, n_processes, &wrong);
        if (sums)
            return sums;
        if (!hiera_execution_extend(execution)) {
            g_propagate_error(error, g_steal_pointer(&wrong));
            return NULL;
        }
        if (!prepare(execution, plan, first, error))
            return NULL;
    }
}

static void add_span(const HieraTimeSpan *span, gpointer sum)
{
    if (span->doing == HIERA_DOES_COMPUTE)
        *(gint64 *)sum += span->end_ns - span->begin_ns;
}

/* Read how long a recorded run computes, all processes together. @param n_processes  receives their number */
static gboolean read_computed(const char *trace, gdouble *computed_ns, guint32 *n_processes, GError **error)
{
    const char *arguments[] = {trace, NULL};
    RecordedRun run;
    gint64 sum_ns = 0;
    gboolean good = recorded_run_load(&run, arguments, error);
    for (guint32 i = 0; good && i < run.trace->n_processors; i++)
        hiera_timeline_visit(run.trace, i, add_span, &sum_ns);
    *n_processes = good ? run.trace->n_processors : 0;
    *computed_ns = (gdouble)sum_ns;
    recorded_run_clear(&run);
    return good;
}

/* Find the factor that makes computation as long as in a run of the same program.
 * @param by  a trace, or the computation time of one process: 2.5s */
static gboolean calibrate(HieraExecution *execution, const MachineOptions *options, ExecutablePlan *plan,
                          const char *by, GPtrArray *notes, GError **error)
{
    gdouble computed_ns;
    guint32 n = 1;
    if (!network_option_read_value(by, HIERA_VALUE_DURATION, &computed_ns) &&
        !read_computed(by, &computed_ns, &n, error))
        return FALSE;
    g_autoptr(ExecutableSums) sums = simulate(execution, options, plan, n, error);
    gdouble predicted_ps = sums ? executable_sums_compute(sums) : 0;
    if (!sums)
        return FALSE;
    if (predicted_ps <= 0 || computed_ns <= 0)
        return refuse(error, "--calibrate-by %s: nothing is computed in it", by);
    plan->walk.factor = computed_ns * HIERA_PS_PER_NS / predicted_ps;
    g_ptr_array_add(
        notes, g_strdup_printf("computation takes %.3f times what the costs of instructions say (%u process%s, by %s)",
                               plan->walk.factor, n, n == 1 ? "" : "es", by));
    if (plan->walk.factor > UNBELIEVABLE || plan->walk.factor < 1 / UNBELIEVABLE)
        g_ptr_array_add(notes,
                        g_strdup_printf("such a factor is not to be believed: on %u process%s the program does not do "
                                        "what it did in %s; other arguments, or compiled for other processes?",
                                        n, n == 1 ? "" : "es", by));
    return TRUE;
}

/* Find the graph of a function; one that the compiler has made of it counts if it is not there itself. */
static gboolean find_graph(const HieraExecution *execution, const char *name, guint *graph, GError **error)
{
    for (guint i = 0; i < 2 * execution->graphs->len; i++) {
        const char *symbol = hiera_execution_graph(execution, i % execution->graphs->len)->name;
        g_autofree char *whole = hiera_name_without_clone(symbol);
        if ((i >= execution->graphs->len || strcmp(whole, symbol) == 0) && hiera_name_means(name, symbol)) {
            *graph = i % execution->graphs->len;
            return TRUE;
        }
    }
    return refuse(error, "--graph: main calls no function '%s'", name);
}

static GPtrArray *show_graph(const HieraExecution *execution, const ExecutableWords *words, GError **error)
{
    guint graph = 0;
    if (!find_graph(execution, words->graph, &graph, error))
        return NULL;
    FILE *stream = words->dot ? fopen(words->dot, "we") : NULL;
    if (words->dot && !stream) {
        refuse(error, "%s: %s", words->dot, g_strerror(errno));
        return NULL;
    }
    if (stream) {
        hiera_execution_write_dot(execution, graph, stream);
        if (fclose(stream) != 0) {
            refuse(error, "%s: %s", words->dot, g_strerror(errno));
            return NULL;
        }
    }
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    g_ptr_array_add(tables, executable_table_graph(execution, graph));
    return tables;
}

static GPtrArray *predict_all(HieraExecution *execution, const MachineOptions *options, ExecutablePlan *plan,
                              const ExecutableWords *words, GPtrArray *notes, gboolean *incomplete, GError **error)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)executable_sums_free);
    for (guint i = 0; i < plan->processes->len; i++) {
        ExecutableSums *sums = simulate(execution, options, plan, g_array_index(plan->processes, guint32, i), error);
        if (!sums)
            return NULL;
        g_ptr_array_add(all, sums);
    }
    const ExecutableSums *last = all->pdata[all->len - 1];
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    executable_notes_add(last, plan->walk.n_threads > 0, notes);
    if (plan->output && last->n_simulations > 1)
        g_ptr_array_add(notes, g_strdup_printf("the traces in %s are those of the first one of %u simulations, which "
                                               "takes %.9f s; the tables have means of all",
                                               plan->output, last->n_simulations,
                                               g_array_index(last->ends_ps, gdouble, 0) / 1e12));
    guint32 fewest = executable_sums_find_smallest(all)->n_processes;
    if (fewest > 1)
        g_ptr_array_add(
            notes, g_strdup_printf("speedup and efficiency are those beside %u processes, as if these were %u times as "
                                   "fast as one; name 1 in --processes, too",
                                   fewest, fewest));
    g_ptr_array_add(tables, executable_table_trust(last, words->explain, incomplete));
    g_ptr_array_add(tables, executable_table_runs(all));
    if (all->len > 1)
        g_ptr_array_add(tables, executable_table_scalability(all));
    g_ptr_array_add(tables, executable_table_processes(last));
    g_ptr_array_add(tables, executable_table_functions(last, words->per_process));
    g_ptr_array_add(tables, executable_table_loops(last, words->per_process));
    g_ptr_array_add(tables, executable_table_decisions(last));
    return tables;
}

static GPtrArray *work(const ExecutableWords *words, const MachineOptions *options, ExecutablePlan *plan,
                       const char *output, GPtrArray *notes, gboolean *incomplete, GError **error)
{
    g_autoptr(GError) reading = NULL;
    g_autoptr(HieraExecution) execution = hiera_execution_new(words->path, words->libraries, &reading);
    if (!execution) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "%s", reading->message);
        return NULL;
    }
    if (!words->graph && hiera_execution_is_of_abi(execution)) {
        refuse(error,
               "%s: it is linked with libmpi_abi.so; handles and constants of Open MPI and of MPICH are known, not "
               "those of the ABI of MPI 5.0",
               words->path);
        return NULL;
    }
    plan->profile = words->graph ? NULL : words->profile;
    if (!prepare(execution, plan, 0, error))
        return NULL;
    if (words->graph)
        return show_graph(execution, words, error);
    if (words->calibrate_by && !calibrate(execution, options, plan, words->calibrate_by, notes, error))
        return NULL;
    plan->output = output;
    /* Not before --calibrate-by: its run is not assumed to have had this load. */
    plan->walk.cycle_ps /= 1 - plan->load;
    GPtrArray *tables = predict_all(execution, options, plan, words, notes, incomplete, error);
    if (plan->profile)
        g_ptr_array_insert(notes, 0,
                           g_strdup_printf("%u loops are repeated as in %s where their ends are not known",
                                           plan->n_profiled, plan->profile));
    return tables;
}

/* Whether --output would overwrite a trace that is read: both are in the same folder. */
static gboolean is_there(const char *trace, const char *output)
{
    GStatBuf here, there;
    g_autofree char *of =
        trace && !g_file_test(trace, G_FILE_TEST_IS_DIR) ? g_path_get_dirname(trace) : g_strdup(trace);
    return trace && g_file_test(trace, G_FILE_TEST_EXISTS) && g_stat(of, &here) == 0 && g_stat(output, &there) == 0 &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

GPtrArray *executable_make_tables(const ExecutableWords *words, const MachineOptions *machine, const char *output,
                                  const char *command, GPtrArray *notes, gboolean *incomplete, GError **error)
{
    ExecutablePlan plan;
    GPtrArray *tables = NULL;
    gboolean good = executable_plan_parse(&plan, words, error);
    plan.command = command;
    if (good && output && words->graph)
        refuse(error, "--graph predicts no run that --output could write");
    else if (good && output && plan.processes->len > 1)
        refuse(error, "--output is one predicted run; name one number of --processes");
    else if (good && output && (is_there(words->calibrate_by, output) || is_there(words->profile, output)))
        refuse(error, "--output %s: the traces there would be overwritten; name another folder", output);
    else if (good)
        tables = work(words, machine, &plan, output, notes, incomplete, error);
    executable_plan_clear(&plan);
    return tables;
}
