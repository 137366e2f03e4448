#include "plan_check.h"

#include <string.h>

static bool is_part(const HieraPlan *plan, HieraPlanPart part, size_t size)
{
    return part.at >= sizeof *plan && part.at % 4 == 0 && part.at <= plan->bytes &&
           part.n <= (plan->bytes - part.at) / size;
}

static bool is_text(const HieraPlan *plan, HieraPlanText text)
{
    return text < plan->texts.n;
}

static bool check_functions(const HieraPlan *plan)
{
    const HieraPlanFunction *functions = hiera_plan_part(plan, plan->functions);
    const HieraPlanLoop *loops = hiera_plan_part(plan, plan->loops);
    const HieraPlanRefused *refused = hiera_plan_part(plan, plan->refused);
    bool good = plan->loops.n <= HIERA_PLAN_LOOPS;
    for (uint32_t i = 0; i < plan->functions.n; i++)
        good &= is_text(plan, functions[i].name) && is_text(plan, functions[i].file) &&
                functions[i].loop <= plan->loops.n && functions[i].n_loops <= plan->loops.n - functions[i].loop;
    for (uint32_t i = 0; i < plan->loops.n; i++)
        good &= is_text(plan, loops[i].file) && loops[i].function < plan->functions.n &&
                (loops[i].parent == HIERA_PLAN_NO_LOOP || loops[i].parent < i);
    for (uint32_t i = 0; i < plan->refused.n; i++)
        good &= is_text(plan, refused[i].name) && is_text(plan, refused[i].reason);
    return good;
}

static bool check_fixup(const HieraPlan *plan, const HieraPlanFixup *fixup)
{
    uint32_t bytes = fixup->kind == HIERA_PLAN_AREA_64 ? plan->frames.n : plan->area.n;
    uint32_t size = fixup->kind == HIERA_PLAN_AREA_64 ? 8 : 4, target = (uint32_t)fixup->target;
    if (bytes < size || fixup->at > bytes - size)
        return false;
    switch (fixup->kind) {
    case HIERA_PLAN_FILE_32:
        return fixup->end <= plan->area.n;
    case HIERA_PLAN_AREA_64:
        return target <= plan->area.n;
    case HIERA_PLAN_EVENT_32:
        return fixup->end % HIERA_PLAN_SITE < HIERA_PLAN_EVENTS && fixup->end / HIERA_PLAN_SITE < HIERA_PLAN_SITES &&
               target < (fixup->end % HIERA_PLAN_SITE >= HIERA_PLAN_LOOP_IN ? plan->loops.n : plan->functions.n);
    case HIERA_PLAN_LOCAL_32:
        return fixup->end < HIERA_PLAN_LOCALS && target < (fixup->end == HIERA_PLAN_START   ? HIERA_PLAN_STARTS
                                                           : fixup->end == HIERA_PLAN_CALLS ? HIERA_PLAN_SITES
                                                           : fixup->end == HIERA_PLAN_GATES ? plan->functions.n
                                                                                            : plan->loops.n);
    default:
        return false;
    }
}

const HieraPlanRange *hiera_plan_range_of(const HieraPlan *plan, const HieraPlanPatch *patch)
{
    const HieraPlanRange *ranges = hiera_plan_part(plan, plan->ranges);
    for (uint32_t i = 0; i < plan->ranges.n; i++)
        if (patch->offset >= ranges[i].offset && patch->offset - ranges[i].offset <= ranges[i].n &&
            ranges[i].n - (patch->offset - ranges[i].offset) >= HIERA_PLAN_JUMP)
            return &ranges[i];
    return NULL;
}

static bool check_code(const HieraPlan *plan)
{
    const HieraPlanRange *ranges = hiera_plan_part(plan, plan->ranges);
    const HieraPlanPatch *patches = hiera_plan_part(plan, plan->patches);
    const HieraPlanFixup *fixups = hiera_plan_part(plan, plan->fixups);
    const HieraPlanPlace *places = hiera_plan_part(plan, plan->places);
    bool good = plan->area.n >= HIERA_PLAN_POINTERS;
    for (uint32_t i = 0; i < plan->ranges.n; i++)
        good &= ranges[i].at <= plan->bytes && ranges[i].n <= plan->bytes - ranges[i].at;
    for (uint32_t i = 0; i < plan->patches.n; i++)
        good &= patches[i].copy < plan->area.n && hiera_plan_range_of(plan, &patches[i]) != NULL;
    for (uint32_t i = 0; i < plan->fixups.n; i++)
        good &= check_fixup(plan, &fixups[i]);
    for (uint32_t i = 1; i < plan->places.n; i++)
        good &= places[i].copy >= places[i - 1].copy;
    return good;
}

bool hiera_plan_check(const void *bytes, size_t n)
{
    const HieraPlan *plan = bytes;
    if (n < sizeof *plan || memcmp(plan->magic, HIERA_PLAN_MAGIC, sizeof plan->magic) != 0 || plan->bytes > n ||
        plan->bytes < sizeof *plan || plan->build_bytes > HIERA_PLAN_BUILD)
        return false;
    bool good =
        is_part(plan, plan->functions, sizeof(HieraPlanFunction)) &&
        is_part(plan, plan->loops, sizeof(HieraPlanLoop)) && is_part(plan, plan->refused, sizeof(HieraPlanRefused)) &&
        is_part(plan, plan->ranges, sizeof(HieraPlanRange)) && is_part(plan, plan->patches, sizeof(HieraPlanPatch)) &&
        is_part(plan, plan->fixups, sizeof(HieraPlanFixup)) && is_part(plan, plan->places, sizeof(HieraPlanPlace)) &&
        is_part(plan, plan->area, 1) && is_part(plan, plan->frames, 1) && is_part(plan, plan->texts, 1);
    good = good && plan->texts.n > 0 && hiera_plan_text(plan, 0)[0] == '\0' &&
           hiera_plan_text(plan, plan->texts.n - 1)[0] == '\0';
    return good && is_text(plan, plan->path) && check_functions(plan) && check_code(plan);
}
