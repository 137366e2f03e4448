/* A quantity as a function of the number of ranks p: the simplest of a few forms that fits the recorded values.
 *
 * A part of the performance model normal form of Extra-P (Calotoiu, Hoefler, Poke, Wolf, SC 2013). A form is fitted by
 * least squares of relative errors; the one with the least residual per degree of freedom is chosen, so that a further
 * parameter must improve the fit enough. No form falls below 0 for any p. */
#pragma once

#include <glib.h>

/* X(identifier, name, number of parameters, factor of the last parameter). Of equally good forms the first is chosen.
 */
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
    gdouble ranks, value; /* number of ranks p, at least 1, and value of the quantity, not negative */
} LawPoint;

typedef struct {
    LawForm form;
    gdouble a, b;
    gdouble residual; /* root mean square of the relative errors, per degree of freedom; 0: exact fit */
} Law;

typedef struct {
    Law law;
    GArray *others; /* Law: other forms that fit equally well, and the chosen form fitted without each of the points */
} LawFit;

/* Fit a law. @param n  With points of two different p no more than one parameter can be checked: of the forms with two,
 * which go through both points, a + b / p is chosen for falling values, a + b log2 p for growing ones. With one p only
 * the constant is possible; with no points it is 0 */
void law_fit(LawFit *fit, const LawPoint *points, guint n);
/* Set a law of a known form through the mean of the points; `others` get laws through each of them. For a quantity that
 * is shared, `others` also get the case that it is not.
 * @param n  all points are of one p; without points the law is 0 */
void law_assume(LawFit *fit, LawForm form, const LawPoint *points, guint n);
void law_fit_clear(LawFit *fit);

const char *law_form_name(LawForm form);
guint law_form_count_parameters(LawForm form);
gdouble law_value(const Law *law, gdouble ranks);
/* Get the least and the greatest value of the law and its `others` on a number of ranks. */
void law_fit_range(const LawFit *fit, gdouble ranks, gdouble *low, gdouble *high);
