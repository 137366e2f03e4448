/* How a quantity depends on the number of ranks p: the simplest of a few forms that fits what was recorded.
 *
 * A part of the performance model normal form of Extra-P (Calotoiu, Hoefler, Poke, Wolf, SC 2013). A form is fitted by
 * least squares of relative errors; the one with the least residual per degree of freedom is chosen, so that a further
 * parameter has to earn its place. No form falls below 0 for any p. */
#ifndef HIERA_PREDICT_SCALING_LAW_H
#define HIERA_PREDICT_SCALING_LAW_H

#include <glib.h>

/* X(identifier, name, parameters, what the last parameter is multiplied by). Of equal ones the first is chosen. */
#define LAW_FORMS(X)                                                                                                   \
    X(CONSTANT, "a", 1, 1)                                                                                             \
    X(SHARED, "a / p", 1, 1 / p)                                                                                       \
    X(SHARED_TWICE, "a / p^2", 1, 1 / (p * p))                                                                         \
    X(PROPORTIONAL, "a p", 1, p)                                                                                       \
    X(ROUNDS, "a log2 p", 1, log2(p))                                                                                  \
    X(PARTLY_SHARED, "a + b / p", 2, 1 / p)                                                                            \
    X(LOGARITHM, "a + b log2 p", 2, log2(p))                                                                           \
    X(LINEAR, "a + b p", 2, p)
typedef enum {
#define X(identifier, name, parameters, factor) LAW_##identifier,
    LAW_FORMS(X)
#undef X
        LAW_N_FORMS
} LawForm;

typedef struct {
    gdouble ranks, value; /* at least 1; not negative */
} LawPoint;

typedef struct {
    LawForm form;
    gdouble a, b;
    gdouble residual; /* relative: root of the mean square per degree of freedom; 0 if it goes through all points */
} Law;

typedef struct {
    Law law;
    GArray *others; /* Law: forms that fit as well, and the same form without one of the points */
} LawFit;

/* @param n  With points of two different p no more than one parameter can be checked: of forms with two, which go
 * through both, a + b / p is chosen for what falls, a + b log2 p for what grows. With one p only the constant is left,
 *           with no point 0 */
void law_fit(LawFit *fit, const LawPoint *points, guint n);
/* A form that is not found but known, through the mean of the points; others go through each of them. What is shared
 * out may as well not be.
 * @param n  all points are of one p; with none it is 0 */
void law_assume(LawFit *fit, LawForm form, const LawPoint *points, guint n);
void law_fit_clear(LawFit *fit);

const char *law_form_name(LawForm form);
guint law_form_count_parameters(LawForm form);
gdouble law_value(const Law *law, gdouble ranks);
/* The spread of the law and all others. */
void law_fit_range(const LawFit *fit, gdouble ranks, gdouble *low, gdouble *high);

#endif
