/* Source lines of addresses, also through inlined functions. See lines.h. */
#include "lines.h"

#include "code.h"
#include "units.h"

#include <stddef.h>
#include <string.h>

/* Inlined functions and blocks nested deeper than this are ignored. */
enum { DEPTH_MAX = 48 };

typedef struct Place {
    const char *file;
    const char *folder; /* working directory of the compiler, NULL if it is not known */
    int line;
} Place;

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    return hiera_dw.dwarf_attr(die, name, &attribute) ? hiera_dw.dwarf_formstring(&attribute) : NULL;
}

/* Find the line in the line table of its unit, because libdw does not find units in objects of clang. */
static bool find_in_unit(Dwfl_Module *module, Dwarf_Addr address, Place *place)
{
    Dwarf_Die unit;
    Dwarf_Addr bias = 0;
    if (!hiera_dw_has_units() || !hiera_units_find(module, address, &unit, &bias))
        return false;
    Dwarf_Line *line = hiera_dw.dwarf_getsrc_die(&unit, address - bias);
    if (!line || hiera_dw.dwarf_lineno(line, &place->line) != 0)
        return false;
    place->file = hiera_dw.dwarf_linesrc(line, NULL, NULL);
    place->folder = text_of(&unit, DW_AT_comp_dir);
    return place->file != NULL;
}

static bool find_line(Dwfl_Module *module, Dwarf_Addr address, Place *place)
{
    Dwfl_Line *line = hiera_dw.dwfl_module_getsrc(module, address);
    place->file = line ? hiera_dw.dwfl_lineinfo(line, NULL, &place->line, NULL, NULL, NULL) : NULL;
    place->folder = line ? hiera_dw.dwfl_line_comp_dir(line) : NULL;
    return place->file || find_in_unit(module, address, place);
}

/* True for headers of the system, MPI, Hiera and marker libraries: no program has these as its own source. */
static bool is_foreign(const char *file)
{
    static const char *const parts[] = {"/usr/include/", "/include/c++/", "/ompi/mpi/cxx/", "/nvtx3/", "/boost/mpi/"};
    static const char *const names[] = {"hiera.h", "hiera.hpp", "mpicxx.h"};
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(file, parts[i]))
            return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Find the unit that has the DIEs of the functions: with -gsplit-dwarf, the unit in a file beside the object. */
static bool find_tree(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Die *unit, Dwarf_Addr *bias)
{
    Dwarf_Die *found = hiera_dw.dwfl_module_addrdie(module, address, bias), split;
    if (found)
        *unit = *found;
    else if (!hiera_dw_has_units() || !hiera_units_find(module, address, unit, bias))
        return false;
    memset(&split, 0, sizeof split);
    if (hiera_dw.dwarf_cu_info && hiera_dw.dwarf_cu_info(unit->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) == 0 &&
        split.addr)
        *unit = split;
    return true;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    return hiera_dw.dwarf_attr(die, name, &attribute) && hiera_dw.dwarf_formudata(&attribute, &value) == 0 ? value : 0;
}

/* Chain of inlined functions at an address, the outermost first. */
typedef struct Inlined {
    Dwarf_Die dies[DEPTH_MAX];
    int n;
} Inlined;

static bool find_inlined(Dwarf_Die *parent, Dwarf_Addr address, int depth, Inlined *inlined);

/* If the address is in the code of `die`, add the functions inlined there to the chain. */
static bool visit(Dwarf_Die *die, Dwarf_Addr address, int depth, Inlined *inlined)
{
    bool is_in_it = hiera_dw.dwarf_haspc(die, address) == 1;
    switch (hiera_dw.dwarf_tag(die)) {
    case DW_TAG_inlined_subroutine:
        if (!is_in_it)
            return false;
        inlined->dies[inlined->n++] = *die;
        break;
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
        break;
    default:
        return false;
    }
    return find_inlined(die, address, depth + 1, inlined) || is_in_it;
}

/* Find the chain. dwarf_getscopes() could do this, but it gives up where the units of an object were optimised
 * together. */
static bool find_inlined(Dwarf_Die *parent, Dwarf_Addr address, int depth, Inlined *inlined)
{
    Dwarf_Die die;
    if (depth >= DEPTH_MAX || hiera_dw.dwarf_child(parent, &die) != 0)
        return false;
    do
        if (visit(&die, address, depth, inlined))
            return true;
    while (hiera_dw.dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* Go outwards from the innermost inlined function to the first call in a file of the program. */
static void leave_headers(Inlined *inlined, Dwarf_Files *files, Place *place)
{
    while (inlined->n-- > 0) {
        Dwarf_Die *die = &inlined->dies[inlined->n];
        const char *file = hiera_dw.dwarf_filesrc(files, number_of(die, DW_AT_call_file), NULL, NULL);
        int line = (int)number_of(die, DW_AT_call_line);
        if (line <= 0 || !file || is_foreign(file))
            continue;
        place->file = file;
        place->line = line;
        return;
    }
}

static void look_through(Dwfl_Module *module, Dwarf_Addr address, Place *place)
{
    Dwarf_Die unit, function;
    Dwarf_Addr bias = 0;
    Dwarf_Files *files = NULL;
    Inlined inlined = {.n = 0};
    if (!hiera_dw_has_tree() || !hiera_dw_has_units() || !find_tree(module, address, &unit, &bias))
        return;
    if (hiera_code_find_function(&unit, address - bias, &function) &&
        find_inlined(&function, address - bias, 0, &inlined) &&
        hiera_dw.dwarf_getsrcfiles(&unit, &files, &(size_t){0}) == 0)
        leave_headers(&inlined, files, place);
}

/* Undo what libdw does to a relative path: it prepends the compiler's working directory. */
static const char *path_as_compiled(const char *path, const char *folder)
{
    size_t length = folder ? strlen(folder) : 0;
    while (length > 0 && folder[length - 1] == '/')
        length--;
    if (length == 0 || strncmp(path, folder, length) != 0 || path[length] != '/')
        return path;
    path += length;
    while (*path == '/')
        path++;
    return path;
}

static bool find_place(Dwfl_Module *module, Dwarf_Addr address, Place *place, bool through)
{
    if (!find_line(module, address, place))
        return false;
    if (through && is_foreign(place->file))
        look_through(module, address, place);
    place->file = path_as_compiled(place->file, place->folder);
    return true;
}

const char *hiera_lines_source(Dwfl_Module *module, Dwarf_Addr address, int *line)
{
    Place place = {NULL, NULL, 0};
    if (!find_place(module, address, &place, false))
        return NULL;
    *line = place.line;
    return place.file;
}

const char *hiera_lines_caller(Dwfl_Module *module, Dwarf_Addr address, int *line)
{
    Place place = {NULL, NULL, 0};
    if (!find_place(module, address, &place, true))
        return NULL;
    *line = place.line;
    return place.file;
}
