/** The parts of the summary: each adds its sentences to the table. */
#ifndef HIERA_SUMMARY_H
#define HIERA_SUMMARY_H

#include "causes/cause_rows.h"

/** What all parts use. */
typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraCallPaths paths;
    const GArray *waits;
    const HieraDelays *delays;
    gint64 run_ns; /* of all ranks in the scope together */
    HieraTable *table;
} HieraSummary;

/** Add a sentence.
 *
 * @param bar   hundredths of a percent; -1: none
 * @param more  the options that show more of it; "" : none. A constant */
void hiera_summary_say(const HieraSummary *summary, const char *topic, gint64 bar, const char *more, const char *format,
                       ...) G_GNUC_PRINTF(5, 6);

/** The worst waits: who waits where for whom, and why. */
void hiera_summary_add_waits(const HieraSummary *summary);

/** What is unusual, and what limits the answers. */
void hiera_summary_add_unusual(const HieraSummary *summary);

#endif
