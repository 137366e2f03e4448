/* What rules have to do with operations of a name: the sites of a meter. See meter.h. */
#include "meter_parts.h"
#include <string.h>

uint32_t hiera_meter_comm(const HieraMeter *meter, const char *id)
{
    const HieraCounter *counters = meter->rules->counters;
    for (size_t i = 0; id && i < meter->n_counters; i++) {
        if (counters[i].comm && strcmp(counters[i].comm, id) == 0)
            return (uint32_t)i + 1; /* that of the first counter that names it */
    }
    return 0;
}

static void list(HieraMeter *meter, uint16_t *n, size_t item)
{
    if (*n == UINT16_MAX || !hiera_meter_room(meter, &meter->lists, sizeof(uint32_t), 1)) {
        meter->lost = true;
        return;
    }
    ((uint32_t *)meter->lists.items)[meter->lists.n++] = (uint32_t)item;
    ++*n;
}

/* List the counters of times first, then those of calls, then the others. */
static void list_counters(HieraMeter *meter, HieraMeterSite *site, const char *method_class, const char *operation)
{
    uint16_t *const n[] = {&site->n_times, &site->n_calls, &site->n_others};
    site->counters = (uint32_t)meter->lists.n;
    for (unsigned part = 0; part < 3; part++) {
        for (size_t i = 0; i < meter->n_counters; i++) {
            unsigned amount = meter->counters[i].amount;
            unsigned of = amount == HIERA_AMOUNT_TIME ? 0 : amount == HIERA_AMOUNT_CALLS ? 1 : 2;
            if (of == part &&
                hiera_counter_counts(&meter->rules->counters[i], site->is_mpi, method_class, operation))
                list(meter, n[part], i);
        }
    }
}

static void list_rules(HieraMeter *meter, HieraMeterSite *site, const char *method_class, const char *operation)
{
    const HieraRules *rules = meter->rules;
    site->rules = (uint32_t)meter->lists.n;
    for (size_t i = 0; i < rules->n_rules; i++) {
        if (hiera_rule_is_about(&rules->rules[i], site->is_mpi, method_class, operation))
            list(meter, &site->n_rules, i);
    }
    site->insides = (uint32_t)meter->lists.n;
    for (size_t i = 0; i < rules->n_rules; i++) {
        if (hiera_rule_is_inside(&rules->rules[i], method_class, operation))
            list(meter, &site->n_insides, i);
    }
}

static HieraMeterNeed need_of(const HieraMeter *meter, const HieraMeterSite *site)
{
    const uint32_t *counters = hiera_meter_list(meter, site->counters);
    bool has_requests = site->role != HIERA_ROLE_OTHER || site->starts != HIERA_ROLE_OTHER;
    if (site->n_rules > 0 || site->n_insides > 0 || site->n_others > 0 || (meter->wants_requests && has_requests) ||
        site->starts != HIERA_ROLE_OTHER)
        return HIERA_METER_ALL;
    for (unsigned i = 0; i < (unsigned)site->n_times + site->n_calls; i++) {
        if (meter->counters[counters[i]].comm != 0 || meter->counters[counters[i]].has_peer)
            return HIERA_METER_ALL;
    }
    return site->n_times + site->n_calls > 0 ? HIERA_METER_SUM : HIERA_METER_NOTHING;
}

static uint32_t add(HieraMeter *meter, const HieraMeterSite *site)
{
    if (!hiera_meter_room(meter, &meter->sites, sizeof *site, 1))
        return 0;
    ((HieraMeterSite *)meter->sites.items)[meter->sites.n] = *site;
    return (uint32_t)meter->sites.n++;
}

uint32_t hiera_meter_site(HieraMeter *meter, bool is_mpi, const char *method_class, const char *operation)
{
    HieraMeterSite site = {.is_mpi = is_mpi};
    if (is_mpi)
        site.role = hiera_call_role(operation, &site.starts);
    list_counters(meter, &site, method_class, operation);
    list_rules(meter, &site, method_class, operation);
    site.need = need_of(meter, &site);
    return !is_mpi && site.need == HIERA_METER_NOTHING ? 0 : add(meter, &site);
}

uint32_t hiera_meter_site_of_rule(HieraMeter *meter, unsigned rule)
{
    HieraMeterSite site = {.rules = (uint32_t)meter->lists.n, .need = HIERA_METER_ALL};
    list(meter, &site.n_rules, rule);
    return add(meter, &site);
}
