/** Values of hypotheses: how much of the run time is lost in a part of the run. */
#pragma once

#include "evidence.h"

typedef struct {
    const HieraTrace *trace;
    const HieraEvidences *evidences;
    const HieraScope *scope;
    HieraHypothesis hypothesis;
} HieraLosses;

/** Ranks and time: a group of each. */
typedef struct {
    const guint8 *of_rank; /* group of each processor; NULL: all in the scope */
    guint8 group;
    const guint8 *of_part; /* group of each part of the run (time_parts.h); NULL: all */
    guint8 part_group;
} HieraFocus;

typedef struct {
    gint64 time_ns;
    gint64 value; /* time / run time in hundredths of a percent */
} HieraLoss;

/** Return when a focus begins and ends; of several parts of the run, the first of them begins and the last one ends. */
gint64 hiera_focus_from(const HieraLosses *losses, const HieraFocus *focus);
gint64 hiera_focus_to(const HieraLosses *losses, const HieraFocus *focus);

/** Return copies of the evidence on the ranks of a focus; to be freed with g_array_unref. */
GArray *hiera_focus_select(const HieraFocus *focus, const GArray *evidence);

/** Find what is lost in a focus. Of most hypotheses it is the time of the evidence, and the run time the sum of the
 * ranks. Of imbalance it is the longest computation of a rank less the mean, for each rank (of some of the ranks: what
 * each computes longer than the mean of all); of serial the run time is the time that the parts of the run cover. */
HieraLoss hiera_losses_find(const HieraLosses *losses, const GArray *evidence, const HieraFocus *focus);

/** The values of single ranks, -1 for those out of the focus; to be freed with g_free. */
gint64 *hiera_losses_by_rank(const HieraLosses *losses, const GArray *evidence, const HieraFocus *focus);

/** The value of a time that is lost somewhere in the scope. */
gint64 hiera_losses_value(const HieraLosses *losses, gint64 time_ns);
