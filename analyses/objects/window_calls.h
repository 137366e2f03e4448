/** Which calls are one-sided communication. */
#pragma once

#include "hiera_measure.h"

/** What a call on a window is for: "access", "synchronisation" or "window". A constant, always the same for a word.
 *
 * @return NULL if it is no such call */
const char *hiera_window_call_kind(const HieraSite *site);
