/** The search for bottlenecks: each hypothesis that is true for the whole is tested for parts of it, until it is false.
 *
 * The order is that of Paradyn's Performance Consultant, but on the finished trace: first where in the call paths, from
 * the outermost operations inward; at the last path for which it is true, on which ranks, on which communicators, and
 * in which iterations. What lies below a false part is never evaluated. */
#pragma once

#include "evidence.h"

/** Result for one part of the run. The table owns its texts. */
typedef struct {
    HieraHypothesis hypothesis;
    const char *where; /* the part as a path: call path, ranks, communicator, iterations (HIERA_CELL_PATH) */
    gint64 from_ns, to_ns;
    gint64 time_ns; /* time lost in the part; of a row for several false parts: of the one that lost most */
    gint64 value;   /* time_ns as share of the run, in 0.01 % */
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
