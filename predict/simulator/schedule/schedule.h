/* The messages of one member of a collective operation, as steps of an algorithm. */
#pragma once

#include "steps.h"

/* Return `wanted` if the collective can use this algorithm with n members; otherwise one chosen by n and size. */
HieraSimAlgorithm schedule_choose(HieraSimAlgorithm wanted, HieraSimCollective collective, guint32 n, gint64 bytes);
/* Advance to the member's next step. @return FALSE: the member is done, and `step` is unchanged */
gboolean schedule_next(Schedule *schedule, ScheduleStep *step);
