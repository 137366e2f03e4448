#include "scaling_fits.h"
#include "calibration/network_fit.h"
#include "simulator/simulator.h"
#include <math.h>

#define NS_PER_S 1e9
/* Greatest size of messages and vectors; larger ones would make times overflow. */
#define MOST_BYTES 1e9

/* Whether a part does not occur on this number of ranks: a single rank sends no messages, and waits for nobody. */
static gboolean is_alone(PartKind kind, gdouble ranks)
{
    return ranks <= 1 && (kind == PART_MESSAGES || kind == PART_WAITING);
}

/* Fit a law to a quantile of sender-receiver distances. @param assumed  one number of ranks: the law is constant */
static void fit_distance(const ScalingParts *parts, const Part *part, guint quantile, gboolean assumed, LawFit *fit)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(LawPoint));
    for (guint i = 0; i < part->runs->len; i++) {
        const LawPoint point = {g_array_index(parts->runs, PartRun, i).ranks,
                                g_array_index(part->runs, PartValues, i).distance[quantile]};
        if (!isnan(point.value) && (assumed || point.ranks > 1))
            g_array_append_val(points, point);
    }
    if (assumed)
        law_assume(fit, LAW_CONSTANT, (const LawPoint *)(const void *)points->data, points->len);
    else
        law_fit(fit, (const LawPoint *)(const void *)points->data, points->len);
}

static void fit_quantity(const ScalingParts *parts, const Part *part, guint quantity, PartOf whose, LawFit *fit)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(LawPoint));
    for (guint i = 0; i < part->runs->len; i++) {
        const LawPoint point = {g_array_index(parts->runs, PartRun, i).ranks,
                                g_array_index(part->runs, PartValues, i).value[quantity][whose]};
        if (!isnan(point.value) && !is_alone(part->kind, point.ranks))
            g_array_append_val(points, point);
    }
    law_fit(fit, (const LawPoint *)(const void *)points->data, points->len);
}

void fitted_part_init(FittedPart *fitted, const ScalingParts *parts, const Part *part, const ScalingAssumed *assumed)
{
    *fitted = (FittedPart){.part = part};
    for (guint i = 0; part_peek_quantity(part->kind, i); i++) {
        for (PartOf whose = 0; whose < N_OF; whose++) {
            if (assumed->kind == SCALING_FITTED)
                fit_quantity(parts, part, i, whose, &fitted->fits[i][whose]);
            else
                scaling_assumed_fit(assumed, parts, part, i, whose, &fitted->fits[i][whose]);
        }
    }
    for (guint i = 0; part->kind == PART_MESSAGES && i < REACH_QUANTILES; i++)
        fit_distance(parts, part, i, assumed->kind != SCALING_FITTED, &fitted->distances[i]);
}

void fitted_part_clear(FittedPart *fitted)
{
    for (guint i = 0; i < REACH_QUANTILES; i++)
        law_fit_clear(&fitted->distances[i]);
    for (guint i = 0; i < PART_QUANTITIES * N_OF; i++)
        law_fit_clear(&fitted->fits[i / N_OF][i % N_OF]);
}

/* Return how long a receiver waits for a message that is sent at the moment when the receiver begins to wait. */
static gdouble message_ns(const HieraNetwork *network, gdouble bytes)
{
    return network_half_round_trip(network, llround(MIN(bytes, MOST_BYTES))) * NS_PER_S -
           (gdouble)network->send_overhead_ps / HIERA_PS_PER_NS;
}

static gdouble collective_ns(HieraSimCollective collective, const HieraNetwork *network, gdouble bytes, gdouble members)
{
    guint32 n = (guint32)CLAMP(llround(members), 1, SCALING_MOST_RANKS);
    return (gdouble)hiera_sim_one_step_ps(collective, n, llround(MIN(bytes, MOST_BYTES)), network) / HIERA_PS_PER_NS;
}

static gdouble value_of(const LawFit *fit, gdouble ranks, RangeEnd end)
{
    gdouble low, high;
    law_fit_range(fit, ranks, &low, &high);
    if (end == LOW)
        return low;
    return end == HIGH ? high : law_value(&fit->law, ranks);
}

/* Return the share of a part's messages whose sender and receiver are on the same host. */
static gdouble inside_of_messages(const FittedPart *fitted, ScalingPlaces *places, gdouble ranks, RangeEnd end)
{
    gdouble sum = 0;
    for (guint i = 0; i < REACH_QUANTILES; i++)
        sum += scaling_places_inside(places, value_of(&fitted->distances[i], ranks, end));
    return sum / REACH_QUANTILES;
}

/* Share of a collective within a host. If it does not have all ranks, it is not known which: some may be on one host.
 */
static gdouble inside_of_collective(const ScalingPlaces *places, gdouble members, gdouble ranks, RangeEnd end)
{
    if (scaling_places_count_hosts(places) == 1)
        return 1;
    return members < ranks - 0.5 && members <= scaling_places_count_most(places) && end == LOW ? 1 : 0;
}

static gdouble inside_of(const FittedPart *fitted, const ScalingMachine *machine, gdouble members, gdouble ranks,
                         RangeEnd end)
{
    if (machine->places)
        return fitted->part->kind == PART_MESSAGES ? inside_of_messages(fitted, machine->places, ranks, end)
                                                   : inside_of_collective(machine->places, members, ranks, end);
    gdouble recorded = g_array_index(fitted->part->runs, PartValues, machine->run).inside;
    return isnan(recorded) ? 0 : recorded;
}

static gdouble network_ns(const FittedPart *fitted, const gdouble *value, const HieraNetwork *network, gdouble members)
{
    if (fitted->part->kind == PART_MESSAGES)
        return value[MESSAGES_SENT] * (gdouble)network->send_overhead_ps / HIERA_PS_PER_NS +
               value[MESSAGES_RECEIVED] * message_ns(network, value[MESSAGES_RECEIVED_BYTES]);
    return value[COLLECTIVES_CALLS] *
           collective_ns(fitted->part->collective, network, value[COLLECTIVES_BYTES], members);
}

/* Time on both networks together. LOW and HIGH: with the share of messages within a host that gives least, or most. */
static gdouble networks_ns(const FittedPart *fitted, const gdouble *value, const ScalingMachine *machine, gdouble ranks,
                           RangeEnd end)
{
    gdouble members = MIN(value[COLLECTIVES_MEMBERS], ranks);
    gdouble between = network_ns(fitted, value, machine->between, members);
    gdouble inside = network_ns(fitted, value, machine->inside, members), least = G_MAXDOUBLE, most = 0;
    for (RangeEnd of = PREDICTED; of < N_ENDS; of++) {
        gdouble share = inside_of(fitted, machine, members, ranks, end == PREDICTED ? PREDICTED : of);
        gdouble ns = share * inside + (1 - share) * between;
        least = MIN(least, ns);
        most = MAX(most, ns);
    }
    return end == HIGH ? most : least;
}

gdouble fitted_part_ns(const FittedPart *fitted, const ScalingMachine *machine, gdouble ranks, gdouble shares,
                       RangeEnd end)
{
    const Part *part = fitted->part;
    gdouble value[PART_QUANTITIES] = {0};
    if (is_alone(part->kind, ranks))
        return 0;
    for (guint i = 0; part_peek_quantity(part->kind, i); i++)
        value[i] = value_of(&fitted->fits[i][OF_SLOWEST],
                            part_peek_quantity(part->kind, i)->unit == UNIT_NS ? shares : ranks, end);
    return part->kind == PART_MESSAGES || part->kind == PART_COLLECTIVES
               ? networks_ns(fitted, value, machine, ranks, end)
               : value[PART_TIME];
}
