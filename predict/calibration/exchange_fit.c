/* See exchange_fit.h. An exchange takes longer the larger the request overhead is and the smaller `duplex` is. So each
 * measured exchange yields one value of each; of these, the best one for all sizes is taken (least sum of relative
 * deviations). */
#include "exchange_fit.h"
#include "simulator/simulator.h"
#include <math.h>
#include <string.h>

#define PS_PER_S 1e12
/* SEEN: contention of both directions is assumed only if it reduces the mean deviation by this much. WORTH: a further
 * step has to reduce the sum of deviations by this much. */
#define SEEN  0.02
#define WORTH 0.15

/* Greatest request overhead that is tried. */
#define MOST_REQUEST_PS 1e8

enum { N_RANKS = 2, LEAST = 3, HALVINGS = 30, RECEIVE = 1, SEND = 2 };

/* --- simulating exchanges --- */

typedef struct {
    gint64 bytes;
    guint count;
    guint n_done[N_RANKS];
    gint64 begin_ps;
    guint64 requests[2];
} Exchanges;

/* Fill in the next operation of a rank. @param part  0: receive, 1: send, 2: wait for both */
static void fill(const Exchanges *of, guint part, HieraSimOperation *operation)
{
    static const HieraSimKind kinds[] = {HIERA_SIM_RECEIVE, HIERA_SIM_SEND, HIERA_SIM_WAIT};
    operation->kind = kinds[part];
    operation->bytes = of->bytes;
    operation->tag = 1;
    operation->request = part == 0 ? RECEIVE : part == 1 ? SEND : 0;
    operation->requests = of->requests;
    operation->n_requests = G_N_ELEMENTS(of->requests);
}

static gboolean next(gpointer context, guint32 rank, HieraSimOperation *operation)
{
    Exchanges *of = context;
    guint done = of->n_done[rank]++;
    operation->peer = 1 - (gint32)rank;
    if (done == 0)
        operation->kind = rank == 0 ? HIERA_SIM_RECEIVE : HIERA_SIM_SEND;
    else
        fill(of, (done - 1) % 3, operation);
    return done <= 3 * of->count;
}

static void done(gpointer context, guint32 rank, const HieraSimOperation *operation, const HieraSimTimes *times)
{
    Exchanges *of = context;
    if (rank == 0 && operation->tag == 0)
        of->begin_ps = times->end_ps;
}

gdouble exchange_predict(const HieraNetwork *network, gint64 bytes, guint count)
{
    g_auto(HieraSimResult) result = {0};
    Exchanges of = {.bytes = bytes, .count = count, .requests = {RECEIVE, SEND}};
    const HieraMachine machine = {.n_ranks = N_RANKS, .between = *network, .inside = *network};
    const HieraSimFeeder feeder = {.next = next, .done = done, .context = &of};
    if (!hiera_simulate(&machine, &feeder, &result, NULL))
        return -1;
    return (gdouble)(result.ranks[0].end_ps - of.begin_ps) / PS_PER_S / count;
}

/* --- fitting one parameter --- */

typedef struct {
    HieraNetwork network;                              /* copy of the network, in which values are tried */
    void (*set)(HieraNetwork *network, gdouble value); /* sets the parameter to be fitted, for all message sizes */
    gdouble shortest, longest; /* values of the parameter with which exchanges take least and most time */
    gdouble seen; /* least reduction of the mean deviation for which a value is taken instead of `shortest` */
    const TimedSize *measured;
    guint count;
} Fit;

static void set_request(HieraNetwork *network, gdouble value)
{
    network->request_overhead_ps = (gint64)llround(value);
}

static void set_duplex(HieraNetwork *network, gdouble value)
{
    network->duplex = value;
    for (guint32 i = 0; i < network->n_steps; i++)
        network->steps[i].duplex = value;
}

static gdouble predict(Fit *fit, gint64 bytes, gdouble value)
{
    fit->set(&fit->network, value);
    return exchange_predict(&fit->network, bytes, fit->count);
}

static gdouble deviation(Fit *fit, guint first, guint n, gdouble value)
{
    gdouble sum = 0;
    for (guint i = first; i < first + n; i++)
        sum += fabs(predict(fit, fit->measured[i].bytes, value) / fit->measured[i].seconds - 1);
    return sum;
}

/* Find the value of the parameter with which one exchange is predicted as measured, by halving the range. */
static gdouble find(Fit *fit, const TimedSize *of)
{
    gdouble shorter = fit->shortest, longer = fit->longest;
    for (guint i = 0; i < HALVINGS; i++) {
        gdouble middle = (shorter + longer) / 2;
        *(predict(fit, of->bytes, middle) > of->seconds ? &longer : &shorter) = middle;
    }
    return (shorter + longer) / 2;
}

/* Find the value that fits n sizes from `first` on best. @return sum of relative deviations from the measured times */
static gdouble find_best(Fit *fit, guint first, guint n, gdouble *best)
{
    gdouble alone = deviation(fit, first, n, fit->shortest), least = alone - fit->seen * n;
    *best = fit->shortest;
    for (guint i = first; i < first + n; i++) {
        gdouble value = find(fit, &fit->measured[i]), sum = deviation(fit, first, n, value);
        if (sum >= least)
            continue;
        least = sum;
        *best = value;
    }
    return *best != fit->shortest ? least : alone;
}

/* --- fitting duplex by ranges of sizes --- */

/* Set `duplex` for a range of sizes. @param step  index in network->steps; n_steps: sizes below all steps */
static void set(HieraNetwork *network, guint step, gdouble duplex)
{
    *(step < network->n_steps ? &network->steps[step].duplex : &network->duplex) = duplex;
}

/* Split a range of sizes: those above above_bytes become a step of their own. @return index of the new step */
static guint insert_step(HieraNetwork *network, guint step, gint64 above_bytes)
{
    HieraNetworkStep further =
        step < network->n_steps ? network->steps[step] : (HieraNetworkStep){.ps_per_byte = network->ps_per_byte};
    guint at = step < network->n_steps ? step + 1 : 0;
    further.above_bytes = above_bytes;
    memmove(&network->steps[at + 1], &network->steps[at], (network->n_steps++ - at) * sizeof further);
    network->steps[at] = further;
    return at;
}

/* Fit a step to the n sizes from `first` on, which belong to it: cut it where the gain is greatest, as long as that is
 * worth it. @return number of steps it has become */
static guint fit_step(Fit *fit, HieraNetwork *network, guint step, guint first, guint n)
{
    gdouble duplex, best = find_best(fit, first, n, &duplex) - WORTH;
    guint cut = 0;
    for (guint at = LEAST; at + LEAST <= n && network->n_steps < HIERA_NETWORK_STEPS; at++) {
        gdouble low, high, sum = find_best(fit, first, at, &low) + find_best(fit, first + at, n - at, &high);
        if (sum >= best)
            continue;
        best = sum;
        cut = at;
    }
    if (cut == 0) {
        set(network, step, duplex);
        return 1;
    }
    guint upper = insert_step(network, step, fit->measured[first + cut - 1].bytes);
    guint n_upper = fit_step(fit, network, upper, first + cut, n - cut);
    return fit_step(fit, network, step, first, cut) + n_upper;
}

/* Fit the request overhead, with the exchanges of eager messages. */
static void fit_requests(HieraNetwork *network, const TimedSize *measured, guint n, guint count)
{
    Fit fit = {*network, set_request, 0, MOST_REQUEST_PS, 0, measured, count};
    guint n_eager = 0;
    gdouble value;
    while (n_eager < n && measured[n_eager].bytes <= network->eager_bytes)
        n_eager++;
    find_best(&fit, 0, n_eager, &value);
    set_request(network, value);
}

void exchange_fit(HieraNetwork *network, const TimedSize *measured, guint n, guint count)
{
    fit_requests(network, measured, n, count);
    Fit fit = {*network, set_duplex, 2, 1, SEEN, measured, count};
    const HieraNetwork before = *network;
    guint at = 0, n_more = 0;
    for (guint step = 0; step <= before.n_steps; step++) {
        gint64 last = step < before.n_steps ? before.steps[step].above_bytes : G_MAXINT64;
        guint first = at, place = step == 0 ? G_MAXUINT : step - 1 + n_more;
        while (at < n && measured[at].bytes <= last)
            at++;
        if (at > first)
            n_more += fit_step(&fit, network, place, first, at - first) - 1;
        else if (step > 0) /* no measured size is in this step: take the duplex of the step for smaller messages */
            network->steps[place].duplex = place > 0 ? network->steps[place - 1].duplex : network->duplex;
    }
}
