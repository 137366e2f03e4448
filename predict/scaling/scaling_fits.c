/* See scaling_fits.h. */
#include "scaling_fits.h"
#include "calibration/network_fit.h"
#include "simulator/simulator.h"
#include <math.h>

#define NS_PER_S 1e9
/* Longest messages and vectors, so that times fit. */
#define MOST_BYTES 1e9

/* A rank that is alone has nobody to talk to, whatever it does in company. */
static gboolean is_alone(PartKind kind, gdouble ranks)
{
    return ranks <= 1 && (kind == PART_MESSAGES || kind == PART_WAITING);
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
}

void fitted_part_clear(FittedPart *fitted)
{
    for (guint i = 0; i < PART_QUANTITIES * N_OF; i++)
        law_fit_clear(&fitted->fits[i / N_OF][i % N_OF]);
}

/* What the receiver takes until it has a message that is sent when it waits for it. */
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
    return end == LOW ? low : end == HIGH ? high : law_value(&fit->law, ranks);
}

gdouble fitted_part_ns(const FittedPart *fitted, const HieraNetwork *network, gdouble ranks, gdouble shares,
                       RangeEnd end)
{
    const Part *part = fitted->part;
    gdouble value[PART_QUANTITIES] = {0};
    if (is_alone(part->kind, ranks))
        return 0;
    for (guint i = 0; part_peek_quantity(part->kind, i); i++)
        value[i] = value_of(&fitted->fits[i][OF_SLOWEST],
                            part_peek_quantity(part->kind, i)->unit == UNIT_NS ? shares : ranks, end);
    switch (part->kind) {
    case PART_MESSAGES:
        return value[MESSAGES_SENT] * (gdouble)network->send_overhead_ps / HIERA_PS_PER_NS +
               value[MESSAGES_RECEIVED] * message_ns(network, value[MESSAGES_RECEIVED_BYTES]);
    case PART_COLLECTIVES:
        return value[COLLECTIVES_CALLS] * collective_ns(part->collective, network, value[COLLECTIVES_BYTES],
                                                        MIN(value[COLLECTIVES_MEMBERS], ranks));
    default:
        return value[PART_TIME];
    }
}
