#include "scaling_law.h"
#include <math.h>

/* Least error by which a point is weighed, relative to the greatest value: a value of 0 would have infinite weight. */
#define LEAST_ERROR 0.01
/* Residuals below this one count as exact fits. */
#define EXACT 0.001
/* With two numbers of ranks: a form with one parameter is preferred if its residual is not greater than this. */
#define CLOSE 0.02
/* Forms whose residual is up to this many times the least residual fit equally well. */
#define AS_WELL 2
/* Tolerance for rounding errors, relative. */
#define TINY 1e-9

static const struct {
    const char *name;
    guint parameters;
} forms[] = {
#define X(identifier, name, parameters, factor) {name, parameters},
    LAW_FORMS(X)
#undef X
};

const char *law_form_name(LawForm form)
{
    return forms[form].name;
}

guint law_form_count_parameters(LawForm form)
{
    return forms[form].parameters;
}

static gdouble factor_of(LawForm form, gdouble p)
{
    switch (form) {
#define X(identifier, name, parameters, factor)                                                                        \
    case LAW_##identifier:                                                                                             \
        return factor;
        LAW_FORMS(X)
#undef X
    default:
        return 0;
    }
}

gdouble law_value(const Law *law, gdouble ranks)
{
    gdouble factor = factor_of(law->form, ranks);
    gdouble value = forms[law->form].parameters == 1 ? law->a * factor : law->a + law->b * factor;
    return MAX(value, 0);
}

/* --- fitting one form of law --- */

typedef struct {
    const LawPoint *points;
    guint n, skipped; /* number of points; index of one that is left out, n: none */
    guint n_ranks;    /* how many different numbers of ranks the points have */
    gdouble greatest; /* greatest value of the points */
} Points;

static gdouble weight_of(const Points *of, gdouble value)
{
    gdouble error = MAX(value, LEAST_ERROR * of->greatest);
    return 1 / (error * error);
}

/* Find a and b by the normal equations of the weighted points. @return FALSE: the points do not determine them */
static gboolean solve(const Points *of, Law *law)
{
    gdouble s = 0, x = 0, xx = 0, y = 0, xy = 0;
    for (guint i = 0; i < of->n; i++) {
        gdouble factor = factor_of(law->form, of->points[i].ranks), value = of->points[i].value;
        gdouble weight = i == of->skipped ? 0 : weight_of(of, value);
        s += weight;
        x += weight * factor;
        xx += weight * factor * factor;
        y += weight * value;
        xy += weight * factor * value;
    }
    gdouble determinant = s * xx - x * x;
    if (forms[law->form].parameters == 1) {
        law->a = xx > 0 ? xy / xx : 0;
        return xx > 0;
    }
    law->b = (s * xy - x * y) / determinant;
    law->a = (y - law->b * x) / s;
    return TRUE;
}

static void find_residual(const Points *of, Law *law)
{
    gdouble sum = 0;
    guint n = of->n - (of->skipped < of->n), parameters = forms[law->form].parameters;
    for (guint i = 0; i < of->n; i++) {
        gdouble off = law_value(law, of->points[i].ranks) - of->points[i].value;
        sum += i == of->skipped ? 0 : weight_of(of, of->points[i].value) * off * off;
    }
    law->residual = n > parameters ? sqrt(sum / (n - parameters)) : 0;
}

/* Whether a law can hold for other numbers of ranks: it never falls below 0. */
static gboolean is_sound(const Points *of, const Law *law)
{
    gdouble tiny = TINY * of->greatest;
    if (forms[law->form].parameters == 1)
        return TRUE;
    if (law->form != LAW_PARTLY_SHARED)
        return law->b >= 0;
    return law->a >= -tiny && (law->b >= 0 || of->n_ranks > 2);
}

static gboolean fit_form(const Points *of, LawForm form, Law *law)
{
    *law = (Law){.form = form};
    if (of->n_ranks < forms[form].parameters || !solve(of, law))
        return FALSE;
    find_residual(of, law);
    return is_sound(of, law);
}

static guint count_ranks(const LawPoint *points, guint n, guint skipped)
{
    guint different = 0;
    for (guint i = 0; i < n; i++) {
        gboolean is_new = i != skipped;
        for (guint j = 0; j < i; j++)
            is_new &= j == skipped || points[j].ranks != points[i].ranks;
        different += is_new;
    }
    return different;
}

static Points make_points(const LawPoint *points, guint n, guint skipped)
{
    Points of = {points, n, skipped, count_ranks(points, n, skipped), 0};
    for (guint i = 0; i < n; i++)
        of.greatest = MAX(of.greatest, points[i].value);
    return of;
}

/* --- choosing a form of law --- */

/* Whether a law is better than another. Of equal laws the first, simplest one is chosen. With two numbers of ranks, all
 * laws with two parameters are equal; one with a single parameter is preferred if it is close. */
static gboolean is_better(const Points *of, const Law *law, const Law *than)
{
    gdouble exact = of->n_ranks == 2 ? CLOSE : EXACT;
    return MAX(law->residual, exact) < MAX(than->residual, exact) * (1 - TINY);
}

static void choose(LawFit *fit, const Points *of)
{
    Law law;
    fit_form(of, LAW_CONSTANT, &fit->law);
    for (LawForm form = LAW_CONSTANT + 1; form < LAW_N_FORMS && of->n_ranks > 1; form++) {
        if (fit_form(of, form, &law) && is_better(of, &law, &fit->law))
            fit->law = law;
    }
}

static void add_others(LawFit *fit, const Points *of)
{
    Law law;
    /* With two numbers of ranks, no point is left to check a second parameter. */
    gboolean one_alone = of->n_ranks == 2 && forms[fit->law.form].parameters == 1;
    for (LawForm form = 0; form < LAW_N_FORMS; form++) {
        if (form != fit->law.form && !(one_alone && forms[form].parameters == 2) && fit_form(of, form, &law) &&
            law.residual <= AS_WELL * MAX(fit->law.residual, EXACT))
            g_array_append_val(fit->others, law);
    }
    for (guint i = 0; i < of->n; i++) {
        const Points without = make_points(of->points, of->n, i);
        if (without.n_ranks > 0 && fit_form(&without, fit->law.form, &law))
            g_array_append_val(fit->others, law);
    }
}

/* Add extreme laws. With two numbers of ranks nothing checks a second parameter: the quantity may as well stay constant
 * from most ranks on, and a falling one may fall in proportion. */
static void add_extremes(LawFit *fit, const Points *of)
{
    const LawPoint *last = of->points, *first = of->points;
    for (guint i = 1; i < of->n; i++) {
        last = of->points[i].ranks > last->ranks ? &of->points[i] : last;
        first = of->points[i].ranks < first->ranks ? &of->points[i] : first;
    }
    const Law constant = {.form = LAW_CONSTANT, .a = last->value},
              shared = {LAW_SHARED, last->value * last->ranks, 0, 0};
    g_array_append_val(fit->others, constant);
    if (last->value < first->value)
        g_array_append_val(fit->others, shared);
}

void law_fit(LawFit *fit, const LawPoint *points, guint n)
{
    const Points of = make_points(points, n, n);
    *fit = (LawFit){.others = g_array_new(FALSE, FALSE, sizeof(Law))};
    if (of.greatest <= 0)
        return;
    choose(fit, &of);
    add_others(fit, &of);
    if (of.n_ranks == 2 && forms[fit->law.form].parameters == 2)
        add_extremes(fit, &of);
}

void law_assume(LawFit *fit, LawForm form, const LawPoint *points, guint n)
{
    gdouble sum = 0;
    *fit = (LawFit){.law = {.form = form}, .others = g_array_new(FALSE, FALSE, sizeof(Law))};
    for (guint i = 0; i < n; i++) {
        const Law through = {.form = form, .a = points[i].value / factor_of(form, points[i].ranks)};
        g_array_append_val(fit->others, through);
        sum += points[i].value;
    }
    if (n == 0)
        return;
    fit->law.a = sum / n / factor_of(form, points[0].ranks);
    const Law constant = {.form = LAW_CONSTANT, .a = sum / n};
    if (form == LAW_SHARED)
        g_array_append_val(fit->others, constant);
}

void law_fit_clear(LawFit *fit)
{
    if (fit->others)
        g_array_unref(fit->others);
    fit->others = NULL;
}

void law_fit_range(const LawFit *fit, gdouble ranks, gdouble *low, gdouble *high)
{
    *low = *high = law_value(&fit->law, ranks);
    for (guint i = 0; i < fit->others->len; i++) {
        gdouble value = law_value(&g_array_index(fit->others, Law, i), ranks);
        *low = MIN(*low, value);
        *high = MAX(*high, value);
    }
}
