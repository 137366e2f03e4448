/** The search for bottlenecks: each hypothesis that is true for the whole is tested for parts of it, until it is false.
 *
 * The order is that of Paradyn's Performance Consultant, but on the finished trace: first where in the call paths, from
 * the outermost operations inward; at the last path for which it is true, on which ranks, on which communicators, and
 * in which iterations. What lies below a false part is never evaluated. */
#pragma once

#include "evidence.h"

/** A tested part of the run. The table owns the texts. */
typedef struct {
    HieraHypothesis hypothesis;
    const char *where; /* path of steps, as in HIERA_CELL_PATH */
    gint64 from_ns, to_ns;
    gint64 time_ns; /* time lost there; of several false parts in one row, the greatest */
    gint64 value;   /* share of the run in hundredths of a percent; likewise the greatest */
    HieraTestVerdict verdict;
} HieraTestedHypothesis;

typedef void (*HieraTestedVisit)(const HieraTestedHypothesis *tested, gpointer user);

/** Search, and visit all tested parts, from the whole run inward.
 *
 * @param thresholds  by hypothesis, in hundredths of a percent
 * @param evidences   of the same `paths` and `scope` */
void hiera_bottlenecks_search(const HieraMatch *match, const HieraCallPaths *paths, const HieraScope *scope,
                              const HieraEvidences *evidences, const gint64 *thresholds, HieraTable *table,
                              HieraTestedVisit visit, gpointer user);
