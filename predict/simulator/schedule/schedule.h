/* The sends and receives of a member of a collective operation, step by step. */
#pragma once

#include "steps.h"

/* Return the algorithm to use: the wanted one if the collective can use it, otherwise one chosen by size. */
HieraSimAlgorithm schedule_choose(HieraSimAlgorithm wanted, HieraSimCollective collective, guint32 n, gint64 bytes);
/* Advance to the next step. @return false if the member is done; `step` is then unchanged */
gboolean schedule_next(Schedule *schedule, ScheduleStep *step);
