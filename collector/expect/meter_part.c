#include "meter_part.h"

#include "base/writer_stack.h"
#include "memory/signal_safe_memory.h"
#include "record/assertion.h"
#include "text/hash.h"
#include "write/region_format.h"

#include <stdint.h>
#include <string.h>

/* Slot of a hash table: a function, and its number in the meter. */
typedef struct HieraFunctionSite {
    const void *function; /* NULL: the slot is empty */
    uint32_t site;
} FunctionSite;

bool hiera_meter_part_begin(HieraMeterPart *part, HieraRulesFrom from, HieraMeter *meter)
{
    *part = (HieraMeterPart){.from = from, .version = 1, .meter = meter, .calls = hiera_level.meter_begin()};
    if (!part->calls)
        hiera_meter_part_end(part);
    return part->meter != NULL;
}

void hiera_meter_part_end(HieraMeterPart *part)
{
    hiera_meter_free(part->meter);
    hiera_level.meter_end(part->calls);
    hiera_memory_free(part->functions.sites, part->functions.room * sizeof *part->functions.sites);
    *part = (HieraMeterPart){.from = part->from};
}

void hiera_meter_part_renumber(HieraMeterPart *part)
{
    part->version++;
    hiera_level.meter_forget(part->calls);
    if (part->functions.sites)
        memset(part->functions.sites, 0, part->functions.room * sizeof *part->functions.sites);
    part->functions.n = 0;
}

static uint32_t new_site(HieraMeterPart *part, const char *level, const char *name)
{
    const char *colons = strcmp(level, "oops") == 0 ? hiera_region_last_colons(name) : NULL;
    char class_name[HIERA_REGION_TEXT_MAX + 1] = "";
    if (colons)
        memcpy(class_name, name, (size_t)(colons - name));
    return hiera_meter_site(part->meter, false, class_name, colons ? colons + 2 : name);
}

uint32_t hiera_meter_part_region(HieraMeterPart *part, HieraName *name)
{
    HieraNameMetered *known = &name->metered[part->from];
    if (known->version != part->version) {
        bool marks = part->from == HIERA_RULES_SOURCE && name->assertion;
        *known = (HieraNameMetered){part->version, marks ? hiera_meter_site_of_rule(part->meter, name->assertion->rule)
                                                         : new_site(part, name->level, hiera_name_text(name))};
    }
    return known->site;
}

/* --- numbers of functions in the meter, by address --- */

static FunctionSite *place_of(const HieraFunctionSites *functions, const void *function)
{
    size_t mask = functions->room - 1, at = hiera_hash_address(function) & mask;
    while (functions->sites[at].function && functions->sites[at].function != function)
        at = (at + 1) & mask;
    return &functions->sites[at];
}

static bool make_place(HieraFunctionSites *functions)
{
    HieraFunctionSites old = *functions;
    size_t room = old.room ? 2 * old.room : 64;
    if (4 * old.n < 3 * old.room)
        return true;
    FunctionSite *sites = hiera_memory_new(room * sizeof *sites);
    if (!sites)
        return false;
    *functions = (HieraFunctionSites){sites, old.n, room};
    for (size_t i = 0; i < old.room; i++)
        if (old.sites[i].function)
            *place_of(functions, old.sites[i].function) = old.sites[i];
    hiera_memory_free(old.sites, old.room * sizeof *sites);
    return true;
}

typedef struct Resolved {
    const void *function;
    HieraRegionInfo info;
} Resolved;

static void resolve(void *data)
{
    Resolved *resolved = data;
    const HieraFunctionRecord record = {.head = {.call = HIERA_RECORD_FUNCTION}, .function = resolved->function};
    resolved->info = hiera_region_info(&record.head);
}

uint32_t hiera_meter_part_function(HieraMeterPart *part, const void *function)
{
    if (!make_place(&part->functions)) {
        hiera_meter_lose(part->meter);
        return 0;
    }
    FunctionSite *place = place_of(&part->functions, function);
    if (!place->function) {
        Resolved resolved = {.function = function};
        hiera_stack_run(resolve, &resolved); /* resolve() reads debug information, which needs a large stack */
        *place = (FunctionSite){function, new_site(part, resolved.info.level, resolved.info.name)};
        part->functions.n++;
    }
    return place->site;
}
