/* What a member of a collective operation sends and receives, step after step. */
#ifndef HIERA_SCHEDULE_H
#define HIERA_SCHEDULE_H

#include "steps.h"

/* The algorithm that is used: the wanted one, if the collective can use it, else one chosen by size. */
HieraSimAlgorithm schedule_choose(HieraSimAlgorithm wanted, HieraSimCollective collective, guint32 n, gint64 bytes);
/* Go to the next step. @return false if the member is done; `step` is then not changed */
gboolean schedule_next(Schedule *schedule, ScheduleStep *step);

#endif
