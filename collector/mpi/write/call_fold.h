/* Adds MPI calls to a profile (profile/): times, bytes and messages, by communicator and peer. For HieraLevelOps. */
#pragma once

#include "profile/tree.h"

void hiera_call_fold(HieraProfile *profile, const HieraRecord *record);

/* Note what later calls, which are added to the profile, need of a call that is written as a single operation: they may
 * complete its request, or use its window or file. */
void hiera_call_follow(const HieraRecord *record);
