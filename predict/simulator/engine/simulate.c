/* The loop over events, and over the operations of a rank. A rank continues without an event as long as no event is
 * earlier, so that most operations need none. */
#include "simulation.h"
#include <math.h>
#include <string.h>

G_DEFINE_QUARK(hiera - simulator - error - quark, hiera_simulator_error)

#define PS_PER_DAY (86400 * G_GINT64_CONSTANT(1000000000000))

static const char *const kind_names[] = {
#define X(identifier, name) name,
    HIERA_SIM_KINDS(X)
#undef X
};

const char *hiera_sim_kind_name(HieraSimKind kind)
{
    return kind_names[kind];
}

void simulation_put(Simulation *of, gint64 time_ps, EventKind kind, guint32 index)
{
    events_put(&of->events, time_ps, (guint32)kind << EVENT_BITS | index);
}

void simulation_fail(Simulation *of, guint32 rank, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    if (of->error)
        return;
    g_autofree char *name =
        of->feeder->name
            ? of->feeder->name(of->feeder->context, rank, operation->token)
            : g_strdup_printf("operation %" G_GUINT64_FORMAT " (%s)", operation->token,
                              operation->kind < HIERA_SIM_N_KINDS ? hiera_sim_kind_name(operation->kind) : "?");
    g_set_error(&of->error, HIERA_SIMULATOR_ERROR, HIERA_SIMULATOR_ERROR_OPERATION, "%s of rank %u: %s", name, rank,
                what);
}

gint64 simulation_round(gdouble duration_ps)
{
    return duration_ps < (gdouble)HIERA_SIM_LONGEST_PS ? (gint64)llround(duration_ps) : HIERA_SIM_LONGEST_PS;
}

/* --- executing operations --- */

static gdouble speed_of(const HieraMachine *machine, guint32 rank, guint32 class)
{
    gdouble speed = machine->rank_speed ? machine->rank_speed[rank] : 1;
    if (machine->host_speed && machine->n_hosts > 0)
        speed *= machine->host_speed[machine->host[rank]];
    return class < machine->n_classes ? speed * machine->class_speed[class] : speed;
}

static gboolean execute_compute(Simulation *of, guint32 rank)
{
    Rank *computing = &of->ranks[rank];
    gdouble speed = speed_of(of->machine, rank, computing->operation.class);
    gint64 duration_ps = computing->operation.duration_ps;
    duration_ps = speed == 1 ? duration_ps : simulation_round((gdouble)duration_ps / speed);
    if (!cores_are_enough(of, rank, duration_ps))
        return FALSE;
    computing->now_ps += duration_ps;
    return TRUE;
}

static gboolean execute_delay(Simulation *of, guint32 rank)
{
    message_let_go_on(of, rank);
    of->ranks[rank].now_ps += of->ranks[rank].operation.duration_ps;
    return TRUE;
}

/* Handlers by kind of operation. @return whether it is done; otherwise the rank is blocked, or the simulation has
 * failed */
static gboolean (*const execute[HIERA_SIM_N_KINDS])(Simulation *of, guint32 rank) = {
    [HIERA_SIM_COMPUTE] = execute_compute,
    [HIERA_SIM_DELAY] = execute_delay,
    [HIERA_SIM_SEND] = message_execute_send,
    [HIERA_SIM_RECEIVE] = message_execute_receive,
    [HIERA_SIM_WAIT] = wait_execute,
    [HIERA_SIM_COLLECTIVE] = collective_execute,
    [HIERA_SIM_PUT] = access_execute_put,
    [HIERA_SIM_GET] = access_execute_get,
    [HIERA_SIM_FLUSH] = access_execute_flush,
    [HIERA_SIM_FENCE] = access_execute_fence,
    [HIERA_SIM_LOCK] = lock_execute,
    [HIERA_SIM_UNLOCK] = lock_execute_unlock,
    [HIERA_SIM_POST] = access_execute_post,
    [HIERA_SIM_START] = access_execute_start,
    [HIERA_SIM_COMPLETE] = access_execute_complete,
    [HIERA_SIM_EXPOSED] = access_execute_exposed,
    [HIERA_SIM_GATE] = gate_execute,
};

static gboolean is_operation(Simulation *of, guint32 rank)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    if (operation->kind >= HIERA_SIM_N_KINDS)
        simulation_fail(of, rank, "there is no kind %d", (int)operation->kind);
    else if (operation->duration_ps < 0 || operation->duration_ps > HIERA_SIM_LONGEST_PS)
        simulation_fail(of, rank, "it takes %" G_GINT64_FORMAT " ps", operation->duration_ps);
    return !of->error;
}

/* Add the times of a rank's operation, whose end is known, to the results, and report them to the feeder. */
static void finish(Simulation *of, guint32 rank)
{
    Rank *ended = &of->ranks[rank];
    HieraSimRank *sums = &of->result->ranks[rank];
    gint64 took_ps = ended->now_ps - ended->start_ps;
    HieraSimKind kind = ended->operation.kind;
    *(kind == HIERA_SIM_COMPUTE                           ? &sums->compute_ps
      : kind == HIERA_SIM_DELAY || kind == HIERA_SIM_GATE ? &sums->delay_ps
                                                          : &sums->mpi_ps) += took_ps;
    sums->waiting_ps += ended->waiting_ps;
    sums->end_ps = ended->now_ps;
    if (ended->now_ps > HIERA_SIM_LONGEST_PS)
        simulation_fail(of, rank, "the run takes longer than %d days", (int)(HIERA_SIM_LONGEST_PS / PS_PER_DAY));
    of->result->n_operations++;
    if (!of->feeder->done)
        return;
    gboolean chosen =
        kind == HIERA_SIM_WAIT && ended->operation.until != HIERA_SIM_ALL && ended->operation.n_requests > 0;
    const HieraSimTimes times = {ended->start_ps, ended->now_ps, ended->waiting_ps,
                                 chosen ? &g_array_index(of->completed, guint64, 0) : NULL,
                                 chosen ? of->completed->len : 0};
    of->feeder->done(of->feeder->context, rank, &ended->operation, &times);
}

void simulation_go_on(Simulation *of, guint32 rank, gint64 time_ps)
{
    Rank *ready = &of->ranks[rank];
    ready->now_ps = time_ps;
    ready->state = READY;
    if (!ready->resume)
        finish(of, rank);
    simulation_put(of, time_ps, EVENT_STEP, rank);
}

/* Continue the current operation of a rank. @return whether the rank can begin its next operation now */
static gboolean resume(Simulation *of, guint32 rank)
{
    Resume next = of->ranks[rank].resume;
    if (!next)
        return TRUE;
    if (!next(of, rank) || of->error)
        return FALSE;
    of->ranks[rank].resume = NULL;
    finish(of, rank);
    return of->ranks[rank].now_ps <= events_next_ps(&of->events);
}

static void step(Simulation *of, guint32 rank)
{
    Rank *going = &of->ranks[rank];
    if (!resume(of, rank)) {
        if (going->state == READY && !of->error)
            simulation_put(of, going->now_ps, EVENT_STEP, rank);
        return;
    }
    for (;;) {
        memset(&going->operation, 0, sizeof going->operation);
        if (!of->feeder->next(of->feeder->context, rank, &going->operation)) {
            going->state = ENDED;
            message_let_go_on(of, rank);
            return;
        }
        going->start_ps = going->now_ps;
        going->waiting_ps = 0;
        if (!is_operation(of, rank) || !execute[going->operation.kind](of, rank) || of->error)
            return;
        finish(of, rank);
        if (of->error)
            return;
        if (going->now_ps > events_next_ps(&of->events)) {
            simulation_put(of, going->now_ps, EVENT_STEP, rank);
            return;
        }
    }
}

/* --- the loop over events --- */

static void happen(Simulation *of, const Event *event)
{
    guint32 index = event->what & EVENT_MASK;
    switch ((EventKind)(event->what >> EVENT_BITS)) {
    case EVENT_STEP:
        step(of, index);
        break;
    case EVENT_WAKE:
        wait_wake(of, index, event->time_ps);
        break;
    case EVENT_MEET:
        message_meet(of, index, event->time_ps);
        break;
    case EVENT_CLEAR:
        message_clear_to_send(of, index, event->time_ps);
        break;
    case EVENT_ARRIVE:
        matching_arrive(of, index);
        break;
    case EVENT_OUT:
        network_take_out(of, index, event->time_ps);
        break;
    case EVENT_IN:
        network_take_in(of, index, event->time_ps);
        break;
    case EVENT_FETCH:
        message_clear_to_send(of, index, event->time_ps);
        break;
    case EVENT_LOCK:
        lock_ask(of, index, event->time_ps);
        break;
    case EVENT_UNLOCK:
        lock_give_back(of, index, event->time_ps);
        break;
    default: /* EVENT_CORES */
        cores_end(of, index, event->time_ps);
    }
}

static void run(Simulation *of)
{
    for (guint32 i = 0; i < of->machine->n_ranks; i++)
        simulation_put(of, 0, EVENT_STEP, i);
    while (of->events.n > 0 && !of->error) {
        const Event event = events_take(&of->events);
        happen(of, &event);
        of->result->n_events++;
        of->result->most_open = MAX(of->result->most_open, (guint64)of->messages.n_used + of->requests.n_used);
        if (of->messages.n > EVENT_MASK)
            g_set_error(&of->error, HIERA_SIMULATOR_ERROR, HIERA_SIMULATOR_ERROR_OPERATION,
                        "more than %u messages are open", EVENT_MASK);
    }
    for (guint32 i = 0; i < of->machine->n_ranks; i++) {
        of->result->ranks[i].end_ps = of->ranks[i].now_ps;
        of->result->end_ps = MAX(of->result->end_ps, of->ranks[i].now_ps);
    }
    if (!of->error)
        deadlock_find(of);
}

static void clear(Simulation *of)
{
    for (guint32 i = 0; i < of->machine->n_ranks; i++) {
        g_free(of->ranks[i].wait);
        if (of->ranks[i].held)
            g_array_unref(of->ranks[i].held);
        if (of->ranks[i].accesses)
            g_array_unref(of->ranks[i].accesses);
    }
    g_free(of->ranks);
    g_free(of->out_free_ps);
    g_free(of->in_free_ps);
    cores_clear(of);
    g_hash_table_unref(of->locks);
    g_hash_table_unref(of->groups);
    g_free(of->messages.at);
    g_free(of->requests.at);
    events_clear(&of->events);
    places_clear(&of->channels);
    places_clear(&of->numbers);
    g_array_unref(of->gates);
    g_array_unref(of->completed);
    g_array_unref(of->sorted);
}

gboolean hiera_simulate(const HieraMachine *machine, const HieraSimFeeder *feeder, HieraSimResult *result,
                        GError **error)
{
    *result = (HieraSimResult){0};
    if (!machine_check(machine, error))
        return FALSE;
    result->n_ranks = machine->n_ranks;
    result->ranks = g_new0(HieraSimRank, machine->n_ranks);
    Simulation of = {.machine = machine, .self = machine->inside, .feeder = feeder, .result = result};
    of.self.latency_ps = 0;
    of.ranks = g_new0(Rank, machine->n_ranks);
    of.groups = g_hash_table_new_full(NULL, NULL, NULL, group_free);
    of.completed = g_array_new(FALSE, FALSE, sizeof(guint64));
    of.sorted = g_array_new(FALSE, FALSE, 2 * sizeof(gint64));
    for (guint32 i = 0; i < machine->n_ranks; i++)
        of.ranks[i].first_posted = of.ranks[i].first_unexpected = NONE;
    network_init_links(&of);
    locks_init(&of);
    gates_init(&of);
    cores_init(&of);
    run(&of);
    clear(&of);
    if (of.error)
        g_propagate_error(error, of.error);
    return !of.error;
}

void hiera_sim_result_clear(HieraSimResult *result)
{
    g_free(result->ranks);
    g_free(result->stuck);
    *result = (HieraSimResult){0};
}
