/* Gates: counts for which ranks wait. Those who wait at a gate stand in a queue, in the order in which they came. */
#include "simulation.h"

typedef struct {
    gint64 count;
    guint32 least;       /* nobody in the queue needs less */
    guint32 first, last; /* ends of the queue; NONE: nobody waits */
} Gate;

void gates_init(Simulation *of)
{
    of->gates = g_array_new(FALSE, FALSE, sizeof(Gate));
}

static Gate *find_gate(const Simulation *of, guint32 number)
{
    static const Gate closed = {0, 0, NONE, NONE};
    while (of->gates->len <= number)
        g_array_append_val(of->gates, closed);
    return &g_array_index(of->gates, Gate, number);
}

/* Let a rank through if the count is great enough. */
static gboolean pass(Gate *gate, const HieraSimOperation *operation)
{
    if (gate->count < operation->needs)
        return FALSE;
    gate->count -= operation->takes;
    return TRUE;
}

/* Append ranks that wait behind each other to the queue. @param least  nobody of them needs less */
static void append(Simulation *of, Gate *gate, guint32 first, guint32 last, guint32 least)
{
    if (gate->first == NONE) {
        gate->first = first;
        gate->least = least;
    } else {
        of->ranks[gate->last].next_at_gate = first;
        gate->least = MIN(gate->least, least);
    }
    gate->last = last;
}

static void wait_at(Simulation *of, Gate *gate, guint32 rank)
{
    of->ranks[rank].state = BLOCKED;
    of->ranks[rank].next_at_gate = NONE;
    append(of, gate, rank, rank, of->ranks[rank].operation.needs);
}

/* Let those through whose turn it is. While the count is below what all need, nobody is looked at: so that many can
 * come to a gate that opens when the last one has come. */
static void call_in(Simulation *of, Gate *gate, gint64 time_ps)
{
    guint32 rank = gate->first, last = gate->last, least = gate->least;
    if (rank == NONE || gate->count < least)
        return;
    gate->first = NONE;
    while (rank != NONE && gate->count >= least) {
        guint32 next = of->ranks[rank].next_at_gate;
        const HieraSimOperation *operation = &of->ranks[rank].operation;
        if (pass(gate, operation))
            simulation_go_on(of, rank, time_ps + operation->duration_ps);
        else
            wait_at(of, gate, rank);
        rank = next;
    }
    if (rank != NONE)
        append(of, gate, rank, last, least);
}

gboolean gate_execute(Simulation *of, guint32 rank)
{
    Rank *coming = &of->ranks[rank];
    Gate *gate = find_gate(of, coming->operation.gate);
    gate->count += coming->operation.adds;
    if (coming->operation.adds > 0)
        call_in(of, gate, coming->now_ps);
    if (!pass(gate, &coming->operation)) {
        wait_at(of, gate, rank);
        return FALSE;
    }
    coming->now_ps += coming->operation.duration_ps;
    return TRUE;
}
