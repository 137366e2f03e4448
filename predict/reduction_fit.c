/* See reduction_fit.h. */
#include "reduction_fit.h"
#include "collective_check.h"
#include <math.h>

/* Combining is slower than this nowhere; halving it so often is exact enough. */
#define MOST_PS_PER_BYTE 10000.0
enum { HALVINGS = 40 };

static gdouble predict(HieraMachine *machine, const TimedReduction *of, guint count, gdouble ps_per_byte)
{
    machine->between.reduce_ps_per_byte = machine->inside.reduce_ps_per_byte = ps_per_byte;
    return collective_check_predict(machine, of->collective, of->bytes, count);
}

/* The time grows with it. */
static gdouble find(HieraMachine *machine, const TimedReduction *of, guint count)
{
    gdouble low = 0, high = MOST_PS_PER_BYTE;
    if (predict(machine, of, count, 0) >= of->seconds)
        return 0;
    for (guint i = 0; i < HALVINGS; i++) {
        gdouble middle = (low + high) / 2;
        *(predict(machine, of, count, middle) < of->seconds ? &low : &high) = middle;
    }
    return high;
}

static gdouble deviation(HieraMachine *machine, const TimedReduction *measured, guint n, guint count,
                         gdouble ps_per_byte)
{
    gdouble sum = 0;
    for (guint i = 0; i < n; i++)
        sum += fabs(predict(machine, &measured[i], count, ps_per_byte) / measured[i].seconds - 1);
    return sum;
}

void reduction_fit(HieraMachine *machine, const TimedReduction *measured, guint n, guint count)
{
    gdouble best = 0, least = deviation(machine, measured, n, count, 0);
    for (guint i = 0; i < n; i++) {
        gdouble ps_per_byte = find(machine, &measured[i], count);
        gdouble sum = deviation(machine, measured, n, count, ps_per_byte);
        if (sum >= least)
            continue;
        least = sum;
        best = ps_per_byte;
    }
    machine->between.reduce_ps_per_byte = machine->inside.reduce_ps_per_byte = best;
}
