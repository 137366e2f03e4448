/* Validates a plan (how functions are copied), which hiera-image, another process, has made. */
#pragma once

#include "dtd/plan.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the bytes are a valid plan of at most n bytes, in which no offset leads outside. */
bool hiera_plan_check(const void *bytes, size_t n);

/* The range of original code that contains the bytes which a patch replaces; NULL if there is none. */
const HieraPlanRange *hiera_plan_range_of(const HieraPlan *plan, const HieraPlanPatch *patch);

static inline const void *hiera_plan_part(const HieraPlan *plan, HieraPlanPart part)
{
    return (const char *)plan + part.at;
}

static inline const char *hiera_plan_text(const HieraPlan *plan, HieraPlanText text)
{
    return (const char *)plan + plan->texts.at + text;
}
