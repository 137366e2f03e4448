#include "collective_fit.h"
#include "collective_check.h"
#include <math.h>

/* Greatest value of each parameter that is tried, in its unit (ps, ps per byte). */
static const gdouble most[] = {[COLLECTIVE_STEP] = 1e9, [COLLECTIVE_OWN] = 1e4, [COLLECTIVE_REDUCE] = 1e4};
enum { HALVINGS = 50 };

typedef struct {
    HieraMachine *machine;
    CollectiveParameter parameter;
    const TimedCollective *measured;
    guint n;
} Fit;

static void set(const Fit *fit, gdouble value)
{
    HieraNetwork *networks[] = {&fit->machine->between, &fit->machine->inside};
    for (guint i = 0; i < G_N_ELEMENTS(networks); i++) {
        if (fit->parameter == COLLECTIVE_STEP)
            networks[i]->step_overhead_ps = (gint64)llround(value);
        else
            *(fit->parameter == COLLECTIVE_OWN ? &networks[i]->own_copy_ps_per_byte
                                               : &networks[i]->reduce_ps_per_byte) = value;
    }
}

static gdouble predict(const Fit *fit, const TimedCollective *of, gdouble value)
{
    set(fit, value);
    return collective_check_predict(fit->machine, of->collective, of->bytes, of->count);
}

static gdouble find(const Fit *fit, const TimedCollective *of)
{
    gdouble low = 0, high = most[fit->parameter];
    if (predict(fit, of, 0) >= of->seconds)
        return 0;
    for (guint i = 0; i < HALVINGS; i++) {
        gdouble middle = (low + high) / 2;
        *(predict(fit, of, middle) < of->seconds ? &low : &high) = middle;
    }
    return high;
}

static gdouble deviation(const Fit *fit, gdouble value)
{
    gdouble sum = 0;
    for (guint i = 0; i < fit->n; i++)
        sum += fabs(predict(fit, &fit->measured[i], value) / fit->measured[i].seconds - 1);
    return sum;
}

void collective_fit(HieraMachine *machine, CollectiveParameter parameter, const TimedCollective *measured, guint n)
{
    const Fit fit = {machine, parameter, measured, n};
    gdouble best = 0, least = deviation(&fit, 0);
    for (guint i = 0; i < n; i++) {
        gdouble value = find(&fit, &measured[i]), sum = deviation(&fit, value);
        if (sum >= least)
            continue;
        least = sum;
        best = value;
    }
    set(&fit, best);
}
