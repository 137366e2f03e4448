#include "network_fit.h"
#include <math.h>

#define PS_PER_S 1e12
/* A further line (piece) must reduce the sum of relative deviations by at least this, for example by 3 times 5 %. */
#define WORTH 0.15
/* There is a gap if the time between two messages is longer than this times the larger overhead. */
#define GAP_SEEN 1.1

enum { COPYING_STEPS = 10, MOST_PIECES = 4 };

static gint64 to_ps(gdouble seconds)
{
    return (gint64)llround(MAX(seconds, 0) * PS_PER_S);
}

/* Make steps from the pieces on one side of the eager limit; the very first piece is the network itself.
 * @param fixed  time of a message on this side without the steps */
static void add_steps(HieraNetwork *network, const TimedSize *times, const GArray *pieces, const SizePiece *fixed,
                      gboolean is_first)
{
    for (guint i = 0; i < pieces->len; i++) {
        const SizePiece *piece = &g_array_index(pieces, SizePiece, i);
        gdouble ps_per_byte = MAX(piece->per_byte - fixed->per_byte, 0) * PS_PER_S;
        if (i == 0 && is_first) {
            network->ps_per_byte = ps_per_byte;
            continue;
        }
        gint64 above = i == 0 ? network->eager_bytes : times[piece->first - 1].bytes;
        if (network->n_steps < HIERA_NETWORK_STEPS)
            network->steps[network->n_steps++] =
                (HieraNetworkStep){above, to_ps(piece->seconds - fixed->seconds), ps_per_byte, 0};
    }
}

typedef struct {
    const NetworkTimes *times;
    guint n_eager, n_eager_sends;
    SizePiece send, receive;
    gdouble latency; /* latency of the network in seconds */
} Measured;

/* Make the network, with this share of the copying (0 to 1) not overlapped. @return sum of relative deviations */
static gdouble make_network(const Measured *measured, gdouble copying, HieraNetwork *network)
{
    const NetworkTimes *times = measured->times;
    const TimedSize *all = times->half_round_trips, *longer = all + measured->n_eager;
    gdouble overheads = measured->send.seconds + measured->receive.seconds, sum = 0;
    gboolean has_gap = times->message_seconds > GAP_SEEN * MAX(measured->send.seconds, measured->receive.seconds);
    const SizePiece fixed = {0, 0, overheads + measured->latency,
                             copying * (measured->send.per_byte + measured->receive.per_byte)};
    const SizePiece fixed_longer = {0, 0, overheads + 3 * measured->latency, 0};
    g_autoptr(GArray) eager = size_fit_pieces(all, measured->n_eager, fixed.seconds, WORTH, MOST_PIECES);
    g_autoptr(GArray) others = size_fit_pieces(longer, times->n_half_round_trips - measured->n_eager,
                                               fixed_longer.seconds, WORTH, MOST_PIECES);
    *network = (HieraNetwork){.latency_ps = to_ps(measured->latency),
                              .send_overhead_ps = to_ps(measured->send.seconds),
                              .receive_overhead_ps = to_ps(measured->receive.seconds),
                              .gap_ps = has_gap ? to_ps(times->message_seconds) : 0,
                              .eager_bytes = times->eager_bytes,
                              .send_copy_ps_per_byte = copying * measured->send.per_byte * PS_PER_S,
                              .receive_copy_ps_per_byte = copying * measured->receive.per_byte * PS_PER_S};
    add_steps(network, all, eager, &fixed, TRUE);
    add_steps(network, longer, others, &fixed_longer, eager->len == 0);
    for (guint i = 0; i < times->n_half_round_trips; i++)
        sum += fabs(network_half_round_trip(network, all[i].bytes) / all[i].seconds - 1);
    return sum;
}

/* Time that synchronous sends take in addition to what the network predicts. Each send yields a value; the best one for
 * all is taken (least sum of relative deviations). */
static gint64 find_acknowledgement(const Measured *measured, const HieraNetwork *network)
{
    const TimedSize *sends = measured->times->sends + measured->n_eager_sends;
    guint n = measured->times->n_sends - measured->n_eager_sends;
    gdouble receive = (gdouble)(network->receive_overhead_ps + network->latency_ps) / PS_PER_S, best = 0, least = 0;
    g_autofree gdouble *without = g_new(gdouble, (gsize)n + 1);
    for (guint i = 0; i < n; i++) {
        without[i] = network_half_round_trip(network, sends[i].bytes) - receive;
        least += fabs(without[i] / sends[i].seconds - 1);
    }
    for (guint i = 0; i < n; i++) {
        gdouble value = MAX(sends[i].seconds - without[i], 0), sum = 0;
        for (guint j = 0; j < n; j++)
            sum += fabs((without[j] + value) / sends[j].seconds - 1);
        if (sum >= least)
            continue;
        least = sum;
        best = value;
    }
    return to_ps(best);
}

/* Divide the time of an empty message into both overheads, measured alone, and the rest: the latency. */
static Measured split(const NetworkTimes *times)
{
    Measured measured = {.times = times};
    gdouble whole = times->half_round_trips[0].seconds;
    while (measured.n_eager < times->n_half_round_trips &&
           times->half_round_trips[measured.n_eager].bytes <= times->eager_bytes)
        measured.n_eager++;
    while (measured.n_eager_sends < times->n_sends && times->sends[measured.n_eager_sends].bytes <= times->eager_bytes)
        measured.n_eager_sends++;
    size_fit_line(times->sends, MAX(measured.n_eager_sends, 1), 0, &measured.send);
    size_fit_line(times->receives, times->n_receives, 0, &measured.receive);
    gdouble overheads = measured.send.seconds + measured.receive.seconds;
    if (overheads > whole) {
        measured.send.seconds *= whole / overheads;
        measured.receive.seconds *= whole / overheads;
    }
    measured.latency = MAX(whole - overheads, 0);
    if (measured.n_eager == 0)
        measured.latency /= 3;
    return measured;
}

/* Make the network with as much copying as fits into the round trips: the sender's copying may overlap with the
 * receiver's. */
static void make_with_copying(const Measured *measured, HieraNetwork *network)
{
    gdouble without = make_network(measured, 0, network);
    for (guint i = COPYING_STEPS; i > 0; i--) {
        if (make_network(measured, (gdouble)i / COPYING_STEPS, network) <= without + WORTH)
            return;
    }
    make_network(measured, 0, network);
}

void network_fit(const NetworkTimes *times, HieraNetwork *network)
{
    const Measured measured = split(times);
    make_with_copying(&measured, network);
    network->acknowledgement_ps = find_acknowledgement(&measured, network);
}

gdouble network_half_round_trip(const HieraNetwork *network, gint64 bytes)
{
    gboolean eager = bytes <= network->eager_bytes;
    HieraNetworkStep step = {.ps_per_byte = network->ps_per_byte};
    for (guint32 i = 0; i < network->n_steps && bytes > network->steps[i].above_bytes; i++)
        step = network->steps[i];
    gdouble copy = eager ? network->send_copy_ps_per_byte + network->receive_copy_ps_per_byte : 0;
    return ((gdouble)(network->send_overhead_ps + network->receive_overhead_ps + step.extra_ps) +
            (eager ? 1.0 : 3.0) * (gdouble)network->latency_ps + (gdouble)bytes * (step.ps_per_byte + copy)) /
           PS_PER_S;
}
