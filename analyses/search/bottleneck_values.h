/** Values of hypotheses: how much of the run time is lost in a part of the run. */
#pragma once

#include "evidence.h"

typedef struct {
    const HieraTrace *trace;
    const HieraEvidences *evidences;
    const HieraScope *scope;
    HieraHypothesis hypothesis;
} HieraLosses;

/** A focus: a group of ranks and a group of parts of the run. */
typedef struct {
    const guint8 *of_rank; /* by processor: its group; NULL: all ranks in the scope */
    guint8 group;
    const guint8 *of_part; /* by part of the run (time_parts.h): its group; NULL: all parts */
    guint8 part_group;
} HieraFocus;

typedef struct {
    gint64 time_ns;
    gint64 value; /* time / run time in hundredths of a percent */
} HieraLoss;

/** Return the begin and the end of a focus; with several parts of the run, the begin of the first and the end of the
 * last. */
gint64 hiera_focus_from(const HieraLosses *losses, const HieraFocus *focus);
gint64 hiera_focus_to(const HieraLosses *losses, const HieraFocus *focus);

/** Return copies of the evidence on the ranks of a focus; to be freed with g_array_unref. */
GArray *hiera_focus_select(const HieraFocus *focus, const GArray *evidence);

/** Find the loss in a focus. For most hypotheses the lost time is that of the evidence, and the run time the sum over
 * ranks. For imbalance it is the longest computation of a rank minus the mean, for each rank (for some of the ranks:
 * the excess of each over the mean of all); for serial the run time is the time that the parts of the run cover. */
HieraLoss hiera_losses_find(const HieraLosses *losses, const GArray *evidence, const HieraFocus *focus);

/** Return the values of single ranks, -1 for ranks outside of the focus; to be freed with g_free. */
gint64 *hiera_losses_by_rank(const HieraLosses *losses, const GArray *evidence, const HieraFocus *focus);

/** Return the value of a time that is lost somewhere in the scope. */
gint64 hiera_losses_value(const HieraLosses *losses, gint64 time_ns);
