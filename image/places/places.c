/* Finds source lines with libdw. See places.h. */
#include "places.h"
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <string.h>

/* Greatest depth of inlined functions that are distinguished. */
enum { DEPTH_MAX = 64 };

/* A range of code of one unit, or of one function in it. */
typedef struct {
    Dwarf_Addr begin, end;
    Dwarf_Off die;
} Range;

struct HieraPlaces {
    Dwfl *dwfl;
    Dwarf *dwarf;
    Dwarf_Addr bias;       /* is added to addresses of `dwarf` to get those at which the file is loaded */
    GArray *units;         /* Range: code of units, sorted by address */
    GHashTable *functions; /* offset of a unit → GArray of Range, sorted by address */
    GHashTable *frames; /* Dwarf_Line * → GArray of HieraFrame: the frames of all code of this row of the line table */
};

static int compare(gconstpointer a, gconstpointer b)
{
    const Range *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static void add_ranges(Dwarf_Die *die, gpointer ranges)
{
    Dwarf_Addr base = 0, begin = 0, end = 0;
    guint n = 0;
    for (ptrdiff_t at = 0; n < 100000 && (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0; n++) {
        const Range range = {begin, end, dwarf_dieoffset(die)};
        if (end > begin)
            g_array_append_val((GArray *)ranges, range);
    }
}

static const Range *find_range(const GArray *ranges, Dwarf_Addr address)
{
    guint low = 0, high = ranges->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(ranges, Range, middle).begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || g_array_index(ranges, Range, low - 1).end <= address)
        return NULL;
    return &g_array_index(ranges, Range, low - 1);
}

static void read_units(HieraPlaces *places)
{
    Dwarf_Off offset = 0, next = 0;
    size_t size = 0;
    Dwarf_Die die;
    for (; dwarf_nextcu(places->dwarf, offset, &next, &size, NULL, NULL, NULL) == 0 && next > offset; offset = next)
        if (dwarf_offdie(places->dwarf, offset + size, &die))
            add_ranges(&die, places->units);
    g_array_sort(places->units, compare);
}

HieraPlaces *hiera_places_new(const char *path)
{
    return hiera_places_new_at(path, 0);
}

HieraPlaces *hiera_places_new_at(const char *path, guint64 base)
{
    static char *no_path = NULL;
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address,
                                             .debuginfo_path = &no_path};
    g_autoptr(HieraPlaces) places = g_new0(HieraPlaces, 1);
    places->units = g_array_new(FALSE, FALSE, sizeof(Range));
    places->functions = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_array_unref);
    places->frames = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    places->dwfl = dwfl_begin(&callbacks);
    Dwfl_Module *module = places->dwfl ? dwfl_report_offline(places->dwfl, path, path, -1) : NULL;
    Dwarf_Addr of_dwarf = 0;
    GElf_Addr of_elf = 0;
    if (!module || dwfl_report_end(places->dwfl, NULL, NULL) != 0 || !dwfl_module_getelf(module, &of_elf))
        return NULL;
    places->dwarf = dwfl_module_getdwarf(module, &of_dwarf);
    if (!places->dwarf)
        return NULL;
    places->bias = of_dwarf - of_elf + base;
    read_units(places);
    return g_steal_pointer(&places);
}

void hiera_places_free(HieraPlaces *places)
{
    if (!places)
        return;
    g_array_unref(places->units);
    g_hash_table_unref(places->functions);
    g_hash_table_unref(places->frames);
    if (places->dwfl)
        dwfl_end(places->dwfl);
    g_free(places);
}

/* Visit the functions of a unit, in any namespace or class. */
static void visit_functions(Dwarf_Die *parent, guint depth, void (*visit)(Dwarf_Die *, gpointer), gpointer user)
{
    Dwarf_Die die;
    if (depth >= DEPTH_MAX || dwarf_child(parent, &die) != 0)
        return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
            visit(&die, user);
            visit_functions(&die, depth + 1, visit, user);
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_lexical_block:
            visit_functions(&die, depth + 1, visit, user);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static const GArray *functions_of(HieraPlaces *places, Dwarf_Off unit, Dwarf_Die *die)
{
    gint64 key = (gint64)unit;
    GArray *functions = g_hash_table_lookup(places->functions, &key);
    if (functions)
        return functions;
    functions = g_array_new(FALSE, FALSE, sizeof(Range));
    visit_functions(die, 0, add_ranges, functions);
    g_array_sort(functions, compare);
    g_hash_table_insert(places->functions, g_memdup2(&key, sizeof key), functions);
    return functions;
}

static int number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    return dwarf_attr_integrate(die, name, &attribute) && dwarf_formudata(&attribute, &value) == 0 && value <= G_MAXINT
               ? (int)value
               : 0;
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

/* Find the inlined function below a DIE that contains an address; blocks are searched, too. */
static gboolean find_inlined(Dwarf_Die *parent, Dwarf_Addr address, Dwarf_Die *found, guint depth)
{
    Dwarf_Die die;
    if (depth >= DEPTH_MAX || dwarf_child(parent, &die) != 0)
        return FALSE;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_inlined_subroutine && dwarf_haspc(&die, address) == 1) {
            *found = die;
            return TRUE;
        }
        if (tag == DW_TAG_lexical_block && find_inlined(&die, address, found, depth + 1))
            return TRUE;
    } while (dwarf_siblingof(&die, &die) == 0);
    return FALSE;
}

/* Add frames from the innermost line outwards: the caller's line is the call of the inlined function. */
static void add_frames(Dwarf_Die *unit, Dwarf_Die *dies, guint n, const HieraFrame *innermost, GArray *frames)
{
    Dwarf_Files *files = NULL;
    size_t n_files = 0;
    HieraFrame frame = *innermost;
    if (dwarf_getsrcfiles(unit, &files, &n_files) != 0)
        n_files = 0;
    for (guint i = n; i > 0; i--) {
        frame.scope = dwarf_dieoffset(&dies[i - 1]);
        frame.function = text_of(&dies[i - 1], DW_AT_name);
        g_array_append_val(frames, frame);
        size_t file = (size_t)number_of(&dies[i - 1], DW_AT_call_file);
        frame.file = file < n_files ? dwarf_filesrc(files, file, NULL, NULL) : NULL;
        frame.line = number_of(&dies[i - 1], DW_AT_call_line);
    }
}

static void find_frames(HieraPlaces *places, const Range *unit, Dwarf_Die *unit_die, Dwarf_Line *line, Dwarf_Addr at,
                        GArray *frames)
{
    Dwarf_Die dies[DEPTH_MAX];
    guint n = 0;
    HieraFrame frame = {0};
    if (line && dwarf_lineno(line, &frame.line) == 0)
        frame.file = dwarf_linesrc(line, NULL, NULL);
    const Range *function = find_range(functions_of(places, unit->die, unit_die), at);
    if (function && dwarf_offdie(places->dwarf, function->die, &dies[0]))
        for (n = 1; n < DEPTH_MAX && find_inlined(&dies[n - 1], at, &dies[n], 0); n++)
            ;
    if (n == 0 && frame.file)
        g_array_append_val(frames, frame);
    add_frames(unit_die, dies, n, &frame, frames);
}

void hiera_places_find(HieraPlaces *places, guint64 address, GArray *frames)
{
    Dwarf_Addr at = address - places->bias;
    const Range *unit = find_range(places->units, at);
    Dwarf_Die die;
    g_array_set_size(frames, 0);
    if (!unit || !dwarf_offdie(places->dwarf, unit->die, &die))
        return;
    Dwarf_Line *line = dwarf_getsrc_die(&die, at);
    GArray *found = line ? g_hash_table_lookup(places->frames, line) : NULL;
    if (!found) {
        find_frames(places, unit, &die, line, at, frames);
        found = g_array_copy(frames);
        if (line)
            g_hash_table_insert(places->frames, line, found);
        else
            g_array_unref(found);
        return;
    }
    g_array_append_vals(frames, found->data, found->len);
}

/* A part of a function, and the function of the source that begins last before it. `file`: number in the unit. */
typedef struct {
    const char *symbol, *likely;
    int file, line, begin;
} Whole;

static void try_whole(Dwarf_Die *die, gpointer of)
{
    Whole *whole = of;
    const char *linked = text_of(die, DW_AT_linkage_name), *symbol = linked ? linked : text_of(die, DW_AT_name);
    int line = number_of(die, DW_AT_decl_line);
    gboolean is_part = !symbol || *symbol == '.' || g_str_has_prefix(symbol, "_ZZ"); /* _ZZ: local to a function */
    if (is_part || line == 0)
        return;
    gboolean is_likely = whole->likely && strcmp(symbol, whole->likely) == 0;
    if ((line > whole->begin || (line == whole->begin && is_likely)) && line <= whole->line &&
        number_of(die, DW_AT_decl_file) == whole->file && !dwarf_hasattr(die, DW_AT_declaration)) {
        whole->symbol = symbol;
        whole->begin = line;
    }
}

const char *hiera_places_whole(HieraPlaces *places, guint64 address, const char *likely)
{
    Dwarf_Addr at = address - places->bias;
    const Range *unit = find_range(places->units, at), *part = NULL;
    Dwarf_Die unit_die, die;
    if (unit && dwarf_offdie(places->dwarf, unit->die, &unit_die))
        part = find_range(functions_of(places, unit->die, &unit_die), at);
    if (!part || !dwarf_offdie(places->dwarf, part->die, &die))
        return NULL;
    Whole whole = {NULL, likely, number_of(&die, DW_AT_decl_file), number_of(&die, DW_AT_decl_line), 0};
    visit_functions(&unit_die, 0, try_whole, &whole);
    return whole.symbol;
}

static void widen(HieraLines *lines, const HieraFrame *frame)
{
    if (frame->line <= 0 || !frame->file || (lines->file && strcmp(lines->file, frame->file) != 0))
        return;
    if (!lines->file)
        *lines = (HieraLines){frame->file, frame->line, frame->line};
    lines->first = MIN(lines->first, frame->line);
    lines->last = MAX(lines->last, frame->line);
}

HieraLines hiera_places_function(HieraPlaces *places, const HieraFlow *flow)
{
    HieraLines lines = {0};
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(HieraFrame));
    for (guint i = 0; i < flow->instructions->len; i++) {
        hiera_places_find(places, g_array_index(flow->instructions, HieraInstruction, i).address, frames);
        if (frames->len > 0)
            widen(&lines, &g_array_index(frames, HieraFrame, frames->len - 1));
    }
    return lines;
}

/* Find the frames of a loop: those of its last jump back or, in a region without one, of the first instruction. */
static void find_scope(HieraPlaces *places, const HieraFlow *flow, const HieraLoop *loop, GArray *frames)
{
    guint node = loop->header;
    for (guint i = 0; i < loop->latches->len; i++) {
        guint latch = g_array_index(loop->latches, guint, i);
        node = i == 0 ? latch : MAX(node, latch);
    }
    const HieraBlock *block = &g_array_index(flow->blocks, HieraBlock, node);
    guint last = loop->latches->len > 0 ? block->first + block->n - 1 : block->first;
    hiera_places_find(places, g_array_index(flow->instructions, HieraInstruction, last).address, frames);
}

static void add_lines(HieraPlaces *places, guint64 address, const HieraFrame *scope, GArray *frames, HieraLines *lines)
{
    hiera_places_find(places, address, frames);
    for (guint i = 0; i < frames->len; i++) {
        const HieraFrame *frame = &g_array_index(frames, HieraFrame, i);
        if (frame->scope == scope->scope)
            widen(lines, frame);
    }
}

HieraLines hiera_places_loop(HieraPlaces *places, const HieraFlow *flow, const HieraLoop *loop)
{
    HieraLines lines = {0};
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(HieraFrame));
    find_scope(places, flow, loop, frames);
    if (frames->len == 0)
        return lines;
    const HieraFrame scope = g_array_index(frames, HieraFrame, 0);
    widen(&lines, &scope);
    for (guint n = 0; n < loop->nodes->len; n++) {
        const HieraBlock *block = &g_array_index(flow->blocks, HieraBlock, g_array_index(loop->nodes, guint, n));
        for (guint i = 0; i < block->n; i++)
            add_lines(places, g_array_index(flow->instructions, HieraInstruction, block->first + i).address, &scope,
                      frames, &lines);
    }
    return lines;
}
