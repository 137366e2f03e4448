/* See measured_network.h. Each time is the lower quartile of many, so half of them, and more of the long ones, may be
 * disturbed by other activity of the machine. Sizes are measured in turns, so that such activity affects all alike. */
#include "measured_network.h"
#include <stdlib.h>

enum {
    LONGEST = 16 << 20,
    LONGEST_EAGER = 4 << 20,
    OVERLAPPED = 1 << 20,
    LONGEST_EXCHANGE = 2 << 20,
    IN_A_ROW = 20,
    ROW_BYTES = 2 << 20,
    WARM = 3,
    LEAST = 15,
    MOST = 400,
    LATE = 15,
    BURST_SHORT = 8,
    BURST_LONG = 64,
    BURSTS = 200
};
/* SECONDS_EACH: time for each size and turn; DELAY_S: a delay longer than any message; DELAY_FACTOR: delay of a late
 * receive, in times of a message. */
#define SECONDS_EACH 0.012
#define DELAY_S      100e-6
#define DELAY_FACTOR 20

static int compare(const void *a, const void *b)
{
    gdouble first = *(const gdouble *)a, second = *(const gdouble *)b;
    return (first > second) - (first < second);
}

/* Return the lower quartile of measured times, and sort them. */
static gdouble typical(GArray *seconds)
{
    qsort(seconds->data, seconds->len, sizeof(gdouble), compare);
    return g_array_index(seconds, gdouble, seconds->len / 4);
}

/* Measure a kind of ping n times. @param seconds  the measured times are appended */
static void ping(const HieraPings *pings, const HieraPing *what, int n, GArray *seconds)
{
    guint before = seconds->len;
    g_array_set_size(seconds, before + (guint)n);
    pings->ping(what, n, &g_array_index(seconds, gdouble, before));
}

static gdouble ping_typical(const HieraPings *pings, const HieraPing *what, int n)
{
    g_autoptr(GArray) seconds = g_array_new(FALSE, FALSE, sizeof(gdouble));
    ping(pings, what, n, seconds);
    return typical(seconds);
}

/* Make the list of message sizes: 0, powers of 2, and from 64 on also the middle between two of them. */
static GArray *make_sizes(void)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(gint64));
    gint64 none = 0;
    g_array_append_val(sizes, none);
    for (gint64 size = 1; size <= LONGEST; size *= 2) {
        gint64 middle = size + size / 2;
        g_array_append_val(sizes, size);
        if (size >= 64 && middle < LONGEST)
            g_array_append_val(sizes, middle);
    }
    return sizes;
}

static int count_for(gdouble seconds)
{
    return (int)CLAMP(SECONDS_EACH / MAX(seconds, 1e-9), LEAST, MOST);
}

/* Measure a kind of ping for each size, in turns; `count` is that of HieraPing. A time of 0 (below the resolution of
 * the clock) becomes a nanosecond. */
static GArray *take_sizes(const HieraPings *pings, HieraPingKind kind, gdouble delay_s, int count, gint64 most_bytes,
                          guint turns)
{
    g_autoptr(GArray) sizes = make_sizes();
    GArray *times = g_array_new(FALSE, FALSE, sizeof(TimedSize));
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint i = 0; i < sizes->len; i++)
        g_ptr_array_add(all, g_array_new(FALSE, FALSE, sizeof(gdouble)));
    for (guint turn = 0; turn < turns; turn++) {
        for (guint i = 0; i < sizes->len && g_array_index(sizes, gint64, i) <= most_bytes; i++) {
            const HieraPing what = {kind, (size_t)g_array_index(sizes, gint64, i), delay_s, count};
            /* This ping warms up; its time decides how often the size is measured. */
            gdouble about = ping_typical(pings, &what, WARM);
            ping(pings, &what, count_for(about * MAX(count, 1) + delay_s), all->pdata[i]);
        }
    }
    for (guint i = 0; i < sizes->len && g_array_index(sizes, gint64, i) <= most_bytes; i++) {
        const TimedSize time = {g_array_index(sizes, gint64, i), MAX(typical(all->pdata[i]), 1e-9)};
        g_array_append_val(times, time);
    }
    return times;
}

/* Whether a send of so many bytes returns before its receive is posted (the test posts the receive late). */
static gboolean is_eager(const HieraPings *pings, gint64 bytes, const GArray *half_round_trips)
{
    const TimedSize *at = &g_array_index(half_round_trips, TimedSize, 0);
    while (at->bytes < bytes)
        at++;
    const HieraPing late = {HIERA_PING_SEND, (size_t)bytes, DELAY_S + DELAY_FACTOR * at->seconds, 0};
    g_autoptr(GArray) seconds = g_array_new(FALSE, FALSE, sizeof(gdouble));
    ping(pings, &late, LATE, seconds);
    qsort(seconds->data, seconds->len, sizeof(gdouble), compare);
    /* The median, since some sends may be disturbed by other activity of the machine. */
    return g_array_index(seconds, gdouble, LATE / 2) < late.delay_s / 2;
}

static gint64 find_eager(const HieraPings *pings, const GArray *half_round_trips)
{
    gint64 eager = 0, longer = LONGEST_EAGER;
    if (is_eager(pings, LONGEST_EAGER, half_round_trips))
        return G_MAXINT64;
    while (longer - eager > 1) {
        gint64 middle = (eager + longer) / 2;
        *(is_eager(pings, middle, half_round_trips) ? &eager : &longer) = middle;
    }
    return eager;
}

static gdouble take_message_seconds(const HieraPings *pings)
{
    const HieraPing brief = {HIERA_PING_BURST, 0, 0, BURST_SHORT}, many = {HIERA_PING_BURST, 0, 0, BURST_LONG};
    gdouble brief_s = ping_typical(pings, &brief, BURSTS), many_s = ping_typical(pings, &many, BURSTS);
    return MAX(many_s - brief_s, 0) / (BURST_LONG - BURST_SHORT);
}

void measured_network_take(const HieraPings *pings, guint turns, MeasuredNetwork *network)
{
    *network = (MeasuredNetwork){.half_round_trips = take_sizes(pings, HIERA_PING_ROUND_TRIP, 0, 0, LONGEST, turns)};
    gdouble shortest = g_array_index(network->half_round_trips, TimedSize, 0).seconds;
    network->eager_bytes = find_eager(pings, network->half_round_trips);
    network->sends = take_sizes(pings, HIERA_PING_SEND, 0, 0, LONGEST_EAGER, turns);
    network->receives = take_sizes(pings, HIERA_PING_RECEIVE, DELAY_FACTOR * shortest, 0, network->eager_bytes, turns);
    network->exchanges = take_sizes(pings, HIERA_PING_EXCHANGE, 0, EXCHANGES_IN_A_ROW, LONGEST_EXCHANGE, turns);
    network->message_seconds = take_message_seconds(pings);
    const HieraPing alone = {HIERA_PING_ROUND_TRIP, OVERLAPPED, 0, 0};
    network->transfer_seconds = ping_typical(pings, &alone, LATE);
    const HieraPing overlap = {HIERA_PING_OVERLAP, OVERLAPPED, 2 * network->transfer_seconds, 0};
    network->overlapped_seconds = ping_typical(pings, &overlap, LATE);
}

void measured_network_clear(MeasuredNetwork *network)
{
    g_array_unref(network->half_round_trips);
    g_array_unref(network->sends);
    g_array_unref(network->receives);
    g_array_unref(network->exchanges);
}

GArray *measured_collectives_take(const HieraPings *pings)
{
    static const gint64 sizes[] = {8, 1024, 32768, 262144};
    enum { N = 41 };
    GArray *all = g_array_new(FALSE, FALSE, sizeof(MeasuredCollective));
    for (guint i = 0; i < HIERA_PING_N_COLLECTIVES; i++) {
        for (guint j = 0; j < (i == HIERA_PING_BARRIER ? 1 : G_N_ELEMENTS(sizes)); j++) {
            gint64 bytes = i == HIERA_PING_BARRIER ? 0 : sizes[j];
            MeasuredCollective measured = {i, bytes, (guint)CLAMP(ROW_BYTES / MAX(bytes, 1), 1, IN_A_ROW), 0};
            g_autoptr(GArray) seconds = g_array_new(FALSE, FALSE, sizeof(gdouble));
            g_array_set_size(seconds, N);
            pings->collective(i, (size_t)bytes, (int)measured.count, N, (gdouble *)(void *)seconds->data);
            measured.seconds = MAX(typical(seconds), 1e-9) / measured.count;
            g_array_append_val(all, measured);
        }
    }
    return all;
}
