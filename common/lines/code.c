/* Functions of recently used compilation units, sorted by address. See code.h. */
#include "code.h"

#include <stddef.h>
#include <stdlib.h>

/* DEPTH_MAX: functions and types nested deeper than this are ignored. UNITS: number of units that are kept; the oldest
 * one is dropped, since successive calls come from few units. */
enum { DEPTH_MAX = 48, FIRST_ROOM = 64, UNITS = 64 };

typedef struct Code {
    Dwarf_Addr start, end;
    Dwarf_Die function;
} Code;

typedef struct Functions {
    const void *unit; /* address of the unit's DIE */
    Code *code;
    size_t n, room;
} Functions;

static Functions known[UNITS];
static unsigned n_known; /* number of units seen, including dropped ones */

static bool add(Functions *functions, const Code *code)
{
    if (functions->n == functions->room) {
        size_t room = functions->room ? 2 * functions->room : FIRST_ROOM;
        Code *more = realloc(functions->code, room * sizeof *more);
        if (!more)
            return false;
        functions->code = more;
        functions->room = room;
    }
    functions->code[functions->n++] = *code;
    return true;
}

static void add_function(Functions *functions, Dwarf_Die *die)
{
    Dwarf_Addr base = 0;
    Code code = {.function = *die};
    for (ptrdiff_t at = 0; (at = hiera_dw.dwarf_ranges(die, at, &base, &code.start, &code.end)) > 0;)
        if (code.end > code.start && !add(functions, &code))
            return;
}

static void read_functions(Functions *functions, Dwarf_Die *parent, int depth)
{
    Dwarf_Die die;
    if (depth >= DEPTH_MAX || hiera_dw.dwarf_child(parent, &die) != 0)
        return;
    do {
        switch (hiera_dw.dwarf_tag(&die)) {
        case DW_TAG_subprogram:
            add_function(functions, &die);
            break;
        case DW_TAG_lexical_block: /* descend, as a lambda is a member function of a type in a block */
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
            break;
        default:
            continue;
        }
        read_functions(functions, &die, depth + 1);
    } while (hiera_dw.dwarf_siblingof(&die, &die) == 0);
}

static int compare(const void *a, const void *b)
{
    const Code *left = a, *right = b;
    return (left->start > right->start) - (left->start < right->start);
}

static const Functions *functions_of(Dwarf_Die *unit)
{
    for (unsigned i = 0; i < UNITS && i < n_known; i++)
        if (known[i].unit == unit->addr)
            return &known[i];
    Functions *functions = &known[n_known++ % UNITS];
    free(functions->code);
    *functions = (Functions){.unit = unit->addr};
    read_functions(functions, unit, 0);
    if (functions->n > 1)
        qsort(functions->code, functions->n, sizeof *functions->code, compare);
    return functions;
}

bool hiera_code_find_function(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die *function)
{
    const Functions *functions = functions_of(unit);
    size_t low = 0, high = functions->n; /* all functions before `low` begin at or before the address */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (functions->code[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || functions->code[low - 1].end <= address)
        return false;
    *function = functions->code[low - 1].function;
    return true;
}
