/* Validates a plan, which comes from another process. */
#pragma once

#include "dtd/plan.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether these bytes are a plan of at most n bytes. Then no offset in it leads out of it. */
bool hiera_plan_check(const void *bytes, size_t n);

/* The range that contains the bytes which a patch replaces; NULL if there is none. */
const HieraPlanRange *hiera_plan_range_of(const HieraPlan *plan, const HieraPlanPatch *patch);

static inline const void *hiera_plan_part(const HieraPlan *plan, HieraPlanPart part)
{
    return (const char *)plan + part.at;
}

static inline const char *hiera_plan_text(const HieraPlan *plan, HieraPlanText text)
{
    return (const char *)plan + plan->texts.at + text;
}
