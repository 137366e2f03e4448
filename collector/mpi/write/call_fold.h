/* Adds MPI calls to a profile (profile/): times, bytes and messages, by communicator and peer. For HieraLevelOps. */
#pragma once

#include "profile/tree.h"

void hiera_call_fold(HieraProfile *profile, const HieraRecord *record);

/* The call is written as a single operation, but calls that are added later may complete its request, or use its
 * object. */
void hiera_call_follow(const HieraRecord *record);
