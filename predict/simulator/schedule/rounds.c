/* Algorithms of collectives in which round k is between members 2^k apart. */
#include "algorithms.h"

/* Return the distance between partners in a round: 2^round; 0: there is no such round among n members. */
static guint32 distance_of(guint32 round, guint32 n)
{
    guint64 distance = G_GUINT64_CONSTANT(1) << MIN(round, 32);
    return distance < n ? (guint32)distance : 0;
}

gboolean rounds_dissemination(const Schedule *schedule, ScheduleStep *step)
{
    guint32 distance = distance_of(schedule->step, schedule->n);
    if (distance == 0)
        return FALSE;
    step->to = member_after(schedule, distance);
    step->from = member_before(schedule, distance);
    return TRUE;
}

gboolean rounds_bruck_allgather(const Schedule *schedule, ScheduleStep *step)
{
    guint32 distance = distance_of(schedule->step, schedule->n);
    if (distance == 0)
        return FALSE;
    step->to = member_before(schedule, distance);
    step->from = member_after(schedule, distance);
    step->bytes = schedule->bytes * (gint64)MIN(distance, schedule->n - distance);
    return TRUE;
}

/* Return how many of the numbers 0 … n - 1 have a bit set. @param bit  a power of 2 */
static guint32 count_with_bit(guint32 n, guint32 bit)
{
    guint64 period = (guint64)bit * 2, rest = n % period;
    return (guint32)(n / period * bit + (rest > bit ? rest - bit : 0));
}

gboolean rounds_bruck_alltoall(const Schedule *schedule, ScheduleStep *step)
{
    guint32 distance = distance_of(schedule->step, schedule->n);
    if (!rounds_dissemination(schedule, step))
        return FALSE;
    step->bytes = schedule->bytes * count_with_bit(schedule->n, distance);
    return TRUE;
}

gboolean rounds_scan(const Schedule *schedule, ScheduleStep *step)
{
    guint32 distance = distance_of(schedule->step, schedule->n);
    if (distance == 0)
        return FALSE;
    step->to = schedule->me + (guint64)distance < schedule->n ? schedule->me + distance : NOBODY;
    step->from = schedule->me >= distance ? schedule->me - distance : NOBODY;
    step->bytes = schedule->bytes;
    return TRUE;
}

/* n = power + rest. Of the first 2 rest members, each even one gives its vector to the next odd one, pauses, and gets
 * the result from it; the remaining members, a power of 2, exchange. */
gboolean rounds_allreduce(const Schedule *schedule, ScheduleStep *step)
{
    guint32 power = 1, rounds = 0, me = schedule->me;
    for (; power <= schedule->n / 2; power *= 2)
        rounds++;
    guint32 rest = schedule->n - power;
    gboolean paired = me < 2 * rest, out = paired && me % 2 == 0;
    step->bytes = schedule->bytes;
    step->combines = schedule->step <= rounds; /* the last step brings the result, complete */
    if (schedule->step == 0 || schedule->step == rounds + 1) {
        if (paired)
            *(out == (schedule->step == 0) ? &step->to : &step->from) = out ? me + 1 : me - 1;
        return TRUE;
    }
    if (schedule->step > rounds + 1)
        return FALSE;
    if (!out) {
        guint32 partner = (paired ? me / 2 : me - rest) ^ (1u << (schedule->step - 1));
        step->to = step->from = partner < rest ? partner * 2 + 1 : partner + rest;
    }
    return TRUE;
}

gboolean rounds_allgather(const Schedule *schedule, ScheduleStep *step)
{
    guint32 distance = distance_of(schedule->step, schedule->n);
    if (distance == 0)
        return FALSE;
    step->to = step->from = schedule->me ^ distance;
    step->bytes = schedule->bytes * distance;
    return TRUE;
}

/* Recursive halving: partners are n / 2 apart in the first step, half as far in each further one. */
gboolean rounds_reduce_scatter(const Schedule *schedule, ScheduleStep *step)
{
    guint32 distance = schedule->step < 32 ? (schedule->n / 2) >> schedule->step : 0;
    if (distance == 0)
        return FALSE;
    step->to = step->from = schedule->me ^ distance;
    step->bytes = schedule->bytes * distance;
    return TRUE;
}
