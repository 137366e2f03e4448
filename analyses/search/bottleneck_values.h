/** Values of hypotheses: the share of the run time that is lost, in the run or in a part of it. */
#pragma once

#include "evidence.h"

typedef struct {
    const HieraTrace *trace;
    const HieraEvidences *evidences;
    const HieraScope *scope;
    HieraHypothesis hypothesis;
} HieraLosses;

/** A focus selects ranks and times: those processors and parts of time whose group is the given one. */
typedef struct {
    const guint8 *of_rank; /* by processor: its group, compared with `group`; NULL: all ranks in the scope */
    guint8 group;
    const guint8 *of_part; /* by part of time (time_parts.h): its group, compared with `part_group`; NULL: all parts */
    guint8 part_group;
} HieraFocus;

typedef struct {
    gint64 time_ns;
    gint64 value; /* time_ns as share of the run time, in 0.01 % */
} HieraLoss;

/** Return the begin and the end of a focus; with several parts of the run, the begin of the first and the end of the
 * last. */
gint64 hiera_focus_from(const HieraLosses *losses, const HieraFocus *focus);
gint64 hiera_focus_to(const HieraLosses *losses, const HieraFocus *focus);

/** Return copies of that evidence whose rank is in a focus; to be freed with g_array_unref. */
GArray *hiera_focus_select(const HieraFocus *focus, const GArray *evidence);

/** Find the loss in a focus. For most hypotheses the lost time is that of the evidence, and the run time the sum over
 * ranks. For imbalance it is the longest computation of a rank minus the mean, for each rank (for some of the ranks:
 * the excess of each over the mean of all); for serial the run time is the time that the parts of the run cover. */
HieraLoss hiera_losses_find(const HieraLosses *losses, const GArray *evidence, const HieraFocus *focus);

/** Return by processor the value (lost share) of its rank alone; -1: not in the focus. To be freed with g_free. */
gint64 *hiera_losses_by_rank(const HieraLosses *losses, const GArray *evidence, const HieraFocus *focus);

/** Return a time as share of the run time of all ranks in the scope, in 0.01 %. */
gint64 hiera_losses_value(const HieraLosses *losses, gint64 time_ns);
