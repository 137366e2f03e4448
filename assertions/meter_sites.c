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

static bool is_plain(const HieraMeter *meter, const HieraMeterSite *site)
{
    const uint32_t *counters = hiera_meter_list(meter, site->counters);
    for (unsigned i = 0; i < (unsigned)site->n_times + site->n_calls + site->n_others; i++) {
        if (meter->counters[counters[i]].comm != 0 || meter->counters[counters[i]].has_peer)
            return false;
    }
    return true;
}

HieraMeterNeed hiera_meter_need(const HieraMeter *meter, uint32_t number, bool begins)
{
    const HieraMeterSite *site = hiera_meter_peek_site(meter, number);
    bool persistent = site->starts != HIERA_ROLE_OTHER || site->role == HIERA_ROLE_STARTS || site->role == HIERA_ROLE_FREES;
    if (site->n_rules > 0 || site->n_insides > 0)
        return HIERA_METER_ALL;
    /* A rule that is added later may ask for messages; then it has to be known what the starts of persistent requests do. */
    if (!site->plain || persistent || (meter->wants_requests && meter->wants_comms))
        return HIERA_METER_FLAT;
    if (site->role == HIERA_ROLE_COMPLETES && meter->wants_requests)
        return HIERA_METER_REQUESTS;
    if (site->n_others == 0 || (site->role == HIERA_ROLE_RECEIVES && begins))
        return site->n_times + site->n_calls > 0 ? HIERA_METER_SUM : HIERA_METER_NOTHING;
    return site->role == HIERA_ROLE_SENDS      ? HIERA_METER_SENDS
           : site->role == HIERA_ROLE_RECEIVES ? HIERA_METER_RECEIVES
           : site->role == HIERA_ROLE_OTHER    ? HIERA_METER_MOVES
                                               : HIERA_METER_FLAT;
}

bool hiera_meter_needs_times(const HieraMeter *meter, uint32_t site)
{
    return hiera_meter_peek_site(meter, site)->n_times > 0;
}

bool hiera_meter_has_comms(const HieraMeter *meter)
{
    return meter->wants_comms;
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
    site.plain = is_plain(meter, &site);
    bool concerns = site.n_rules + site.n_insides + site.n_times + site.n_calls + site.n_others > 0;
    return is_mpi || concerns ? add(meter, &site) : 0;
}

uint32_t hiera_meter_site_of_rule(HieraMeter *meter, unsigned rule)
{
    HieraMeterSite site = {.rules = (uint32_t)meter->lists.n};
    list(meter, &site.n_rules, rule);
    return add(meter, &site);
}
