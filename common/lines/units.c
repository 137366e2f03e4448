/* Address ranges of compilation units, sorted by their first address. See units.h. */
#include "units.h"

#include <stdint.h>
#include <stdlib.h>

/* MAX_RANGES: a program of a million ranges has some 20 million lines of C++; calls in further units get no line.
 * BEHIND: ranges seldom overlap, so only this many ranges that begin before an address are tried. */
enum { MAX_RANGES = 1 << 20, FIRST_ROOM = 256, BEHIND = 8, FIRST_PAGE = 4096 };

typedef struct Range {
    Dwarf_Addr start;
    uint32_t length;
    uint32_t unit; /* offset of the unit's DIE */
} Range;

typedef struct Units {
    Range *ranges;
    size_t n, room;
} Units;

static bool add(Units *units, const Range *range)
{
    if (units->n == units->room) {
        size_t room = units->room ? 2 * units->room : FIRST_ROOM;
        Range *more = room > MAX_RANGES ? NULL : realloc(units->ranges, room * sizeof *more);
        if (!more)
            return false;
        units->ranges = more;
        units->room = room;
    }
    units->ranges[units->n++] = *range;
    return true;
}

/* Skip ranges on the first page, where no code can be: a linker leaves ranges of dropped functions at 0 or 1. */
static bool add_unit(Units *units, Dwarf_Die *die, Dwarf_Off offset)
{
    Dwarf_Addr base = 0, start = 0, end = 0;
    for (ptrdiff_t at = 0; (at = hiera_dw.dwarf_ranges(die, at, &base, &start, &end)) > 0;) {
        Range range = {start, (uint32_t)(end - start), (uint32_t)offset};
        if (start >= FIRST_PAGE && end > start && end - start <= UINT32_MAX && !add(units, &range))
            return false;
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const Range *left = a, *right = b;
    return (left->start > right->start) - (left->start < right->start);
}

static void read_units(Units *units, Dwarf *dwarf)
{
    size_t header = 0;
    for (Dwarf_Off at = 0, next = 0; hiera_dw.dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0;
         at = next) {
        Dwarf_Die die;
        if (at + header > UINT32_MAX)
            break;
        if (hiera_dw.dwarf_offdie(dwarf, at + header, &die) && !add_unit(units, &die, at + header))
            break;
    }
    if (units->n > 1)
        qsort(units->ranges, units->n, sizeof *units->ranges, compare);
}

static Units *units_of(Dwfl_Module *module, Dwarf *dwarf)
{
    void **kept = NULL;
    hiera_dw.dwfl_module_info(module, &kept, NULL, NULL, NULL, NULL, NULL, NULL);
    if (!kept)
        return NULL;
    if (!*kept && (*kept = calloc(1, sizeof(Units))))
        read_units(*kept, dwarf);
    return *kept;
}

/* Number of ranges that begin at `address` or before. */
static size_t count_before(const Units *units, Dwarf_Addr address)
{
    size_t low = 0, high = units->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (units->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool hiera_units_find(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Die *unit, Dwarf_Addr *bias)
{
    Dwarf *dwarf = hiera_dw.dwfl_module_getdwarf(module, bias);
    Units *units = dwarf ? units_of(module, dwarf) : NULL;
    if (!units)
        return false;
    Dwarf_Addr own = address - *bias;
    size_t n = count_before(units, own);
    for (size_t i = 0; i < BEHIND && i < n; i++) {
        const Range *range = &units->ranges[n - 1 - i];
        if (own - range->start < range->length)
            return hiera_dw.dwarf_offdie(dwarf, range->unit, unit) != NULL;
    }
    return false;
}
