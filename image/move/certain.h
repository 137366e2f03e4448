/* Decides whether a function may be moved to a copy: only if everything about the function is certain. */
#pragma once

#include "dtd/plan.h"
#include "image/flow/flow.h"
#include "incoming.h"

/* Return why a function must not be moved, whatever its copy looks like. @return NULL if it may, or the reason, to be
 * freed with g_free */
char *hiera_certain_function(const HieraFlow *flow, const HieraIncoming *incoming);

/* Return why the original must not be redirected at some addresses: code of others, or the return of a call, might lead
 * into the middle of the jumps there.
 *
 * @param patches  n of them, all of this function
 * @param begin    address of the first page of the file */
char *hiera_certain_patches(const HieraFlow *flow, const HieraIncoming *incoming, const HieraPlanPatch *patches,
                            guint n, guint64 begin);
