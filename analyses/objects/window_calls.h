/** Classifies calls of one-sided communication. */
#pragma once

#include "hiera_measure.h"

/** Return the purpose of a call on a window: "access", "synchronisation" or "window". Equal words are the same pointer.
 *
 * @return NULL if it is no such call */
const char *hiera_window_call_kind(const HieraSite *site);
