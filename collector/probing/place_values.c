/* See probed.h. Computes the variables that events of calls and events of regions have in common. */
#include "base/lock.h"
#include "base/writer_stack.h"
#include "places/call_site.h"
#include "probed.h"
#include "record/open_regions.h"
#include "text/hash.h"
#include "write/level_ops.h"
#include "write/region_format.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static HieraValue text_of(const char *text)
{
    return text && *text ? hiera_value_text(text, strlen(text)) : hiera_value_missing();
}

/* --- &path: names of the open regions, outermost first, as hiera-transform writes them --- */

static size_t append(char *path, size_t n, const char *text)
{
    static const char between[] = " > ";
    size_t length = strlen(text), n_between = n > 0 ? sizeof between - 1 : 0;
    if (n + n_between + length > HIERA_PROBED_TEXT)
        return n;
    memcpy(path + n, between, n_between);
    memcpy(path + n + n_between, text, length);
    return n + n_between + length;
}

static const char *name_of(HieraProbed *probed, const HieraOpen *open)
{
    if (open->name)
        return hiera_name_text(open->name);
    const HieraProbedFunction *function = hiera_probed_function_of(probed, open->function);
    return function ? function->name : "?";
}

/* Append, by `one`, the text of each MPI call in whose callbacks the event happens, outermost first. */
static size_t append_calls(char *text, size_t n, HieraThread *callbacks, const HieraProbedPlace *place,
                           size_t (*one)(char *, size_t, const HieraProbedPlace *))
{
    HieraProbedPlace around = {.probed = place->probed};
    if (!callbacks || !callbacks->around)
        return n;
    n = append_calls(text, n, callbacks->around, place, one);
    around.name = hiera_level.around(callbacks, &around.site);
    return around.name ? one(text, n, &around) : n;
}

static size_t append_name(char *path, size_t n, const HieraProbedPlace *place)
{
    return append(path, n, place->name);
}

static HieraValue path_of(const HieraProbedPlace *place)
{
    char *path = place->probed->path;
    size_t n = 0;
    for (uint32_t i = 0; i < place->n_around; i++)
        if (!place->thread->open[i].is_filtered)
            n = append(path, n, name_of(place->probed, &place->thread->open[i]));
    n = append_calls(path, n, place->callbacks, place, append_name);
    return hiera_value_text(path, append(path, n, place->name));
}

static HieraValue depth_of(const HieraProbedPlace *place)
{
    int64_t depth = 0;
    for (const HieraThread *callbacks = place->callbacks; callbacks && callbacks->around; callbacks = callbacks->around)
        depth++;
    for (uint32_t i = 0; i < place->n_around; i++)
        depth += !place->thread->open[i].is_filtered;
    return hiera_value_integer(depth);
}

/* --- &file and &line of a call site --- */

/* Return file name or line number out of attributes such as ` file="md.c" line="58"`. */
static HieraValue part_of_site(const char *attributes, bool line)
{
    const char *begin = strstr(attributes, line ? " line=\"" : " file=\"");
    begin = begin ? begin + 7 : NULL;
    const char *end = begin ? strchr(begin, '"') : NULL;
    if (!end)
        return hiera_value_missing();
    if (line)
        return atoll(begin) > 0 ? hiera_value_integer(atoll(begin)) : hiera_value_missing();
    for (const char *at = end; at > begin; at--)
        if (at[-1] == '/')
            return hiera_value_text(at, (size_t)(end - at));
    return hiera_value_text(begin, (size_t)(end - begin));
}

typedef struct Search {
    const void *address;
    const HieraSiteText *site;
} Search;

static void search(void *argument)
{
    Search *work = argument;
    work->site = hiera_site_resolve(work->address);
}

/* Return file and line of a call site; NULL: they cannot be looked up now. */
static const HieraProbedSite *site_of(HieraProbed *probed, const void *address)
{
    HieraProbedSite *site = &probed->sites[hiera_hash_address(address) & (HIERA_PROBED_SITES - 1)];
    if (HIERA_LIKELY(site->address == address))
        return site;
    Search work = {address, NULL};
    if (!hiera_lock_enter())
        return NULL;
    hiera_stack_run(search, &work);
    hiera_lock_leave();
    *site = (HieraProbedSite){address, part_of_site(work.site->attributes, false),
                              part_of_site(work.site->attributes, true)};
    return site;
}

static HieraValue value_of_site(const HieraProbedPlace *place, bool line)
{
    const HieraProbedSite *site = site_of(place->probed, place->site);
    if (!site)
        return hiera_value_missing();
    return line ? site->line : site->file;
}

static HieraValue file_of(const HieraProbedPlace *place)
{
    return place->file ? text_of(hiera_base_name(place->file)) : value_of_site(place, false);
}

static HieraValue line_of(const HieraProbedPlace *place)
{
    return place->file ? hiera_value_integer(place->line) : value_of_site(place, true);
}

/* --- &stack: the path, with file and line of each operation --- */

static size_t append_place(char *stack, size_t n, const HieraProbedPlace *place)
{
    char text[HIERA_PROBED_TEXT];
    HieraValue file = file_of(place), line = line_of(place);
    if (file.type == HIERA_VALUE_MISSING)
        return append(stack, n, place->name);
    snprintf(text, sizeof text, "%s %.*s:%lld", place->name, (int)file.length, file.text,
             line.type == HIERA_VALUE_MISSING ? 0 : (long long)line.integer);
    return append(stack, n, text);
}

static HieraValue stack_of(const HieraProbedPlace *place)
{
    char *stack = place->probed->stack;
    size_t n = 0;
    for (uint32_t i = 0; i < place->n_around; i++) {
        const HieraOpen *open = &place->thread->open[i];
        HieraProbedPlace around = {.probed = place->probed, .site = open->name ? open->name->site : open->site};
        around.name = name_of(place->probed, open);
        if (!open->is_filtered)
            n = append_place(stack, n, &around);
    }
    n = append_calls(stack, n, place->callbacks, place, append_place);
    return hiera_value_text(stack, append_place(stack, n, place));
}

HieraValue hiera_probed_value(HieraProbeVariableId variable, const HieraProbedPlace *place)
{
    switch (variable) {
    case HIERA_PROBE_VARIABLE_NAME:
    case HIERA_PROBE_VARIABLE_CALL:
        return text_of(place->name);
    case HIERA_PROBE_VARIABLE_RANK:
        return hiera_value_integer(hiera_probed_rank());
    case HIERA_PROBE_VARIABLE_HOST:
        return text_of(hiera_probed_host_name());
    case HIERA_PROBE_VARIABLE_THREAD:
        return hiera_value_integer(place->thread->number);
    case HIERA_PROBE_VARIABLE_DEPTH:
        return depth_of(place);
    case HIERA_PROBE_VARIABLE_PATH:
        return path_of(place);
    case HIERA_PROBE_VARIABLE_PROCESSOR:
        return hiera_value_integer(sched_getcpu());
    case HIERA_PROBE_VARIABLE_FILE:
        return file_of(place);
    case HIERA_PROBE_VARIABLE_LINE:
        return line_of(place);
    case HIERA_PROBE_VARIABLE_STACK:
        return stack_of(place);
    default:
        return hiera_value_missing();
    }
}
