#include "function_names.h"

#include "base/lock.h"
#include "base/writer_stack.h"
#include "memory/signal_safe_memory.h"
#include "places/call_site.h"
#include "text/hash.h"

static HieraProbedFunction *place_of(const HieraProbedFunctions *functions, const void *function)
{
    size_t mask = functions->room - 1, at = hiera_hash_address(function) & mask;
    while (functions->at[at].function && functions->at[at].function != function)
        at = (at + 1) & mask;
    return &functions->at[at];
}

static bool grow(HieraProbedFunctions *functions)
{
    HieraProbedFunctions old = *functions;
    size_t room = old.room ? 2 * old.room : 64;
    HieraProbedFunction *at = hiera_memory_new(room * sizeof *at);
    if (!at)
        return false;
    *functions = (HieraProbedFunctions){at, old.n, room};
    for (size_t i = 0; i < old.room; i++)
        if (old.at[i].function)
            *place_of(functions, old.at[i].function) = old.at[i];
    hiera_memory_free(old.at, old.room * sizeof *old.at);
    return true;
}

typedef struct Search {
    HieraProbedFunctions *functions;
    const void *function;
    uint64_t (*find)(const char *name);
} Search;

/* Add a function to a thread's table. Called with the collector's lock held (base/lock.h). */
static void add(void *argument)
{
    const Search *search = argument;
    HieraProbedFunctions *functions = search->functions;
    if (4 * functions->n >= 3 * functions->room && !grow(functions))
        return;
    const char *name = hiera_site_function_name(search->function)->name;
    *place_of(functions, search->function) = (HieraProbedFunction){search->function, name, search->find(name)};
    functions->n++;
}

const HieraProbedFunction *hiera_probed_function(HieraProbedFunctions *functions, const void *function,
                                                 uint64_t (*find)(const char *name))
{
    const HieraProbedFunction *known = functions->room > 0 ? place_of(functions, function) : NULL;
    if (known && known->function)
        return known;
    if (!hiera_lock_enter())
        return NULL;
    Search search = {functions, function, find};
    hiera_stack_run(add, &search);
    hiera_lock_leave();
    known = functions->room > 0 ? place_of(functions, function) : NULL;
    return known && known->function ? known : NULL;
}

void hiera_probed_functions_clear(HieraProbedFunctions *functions)
{
    hiera_memory_free(functions->at, functions->room * sizeof *functions->at);
    *functions = (HieraProbedFunctions){0};
}
