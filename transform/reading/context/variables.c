/* Variables by address, with their sizes: libdw.h. What is not certain is left out, as a variable that is kept in
 * registers or in parts, or one whose size is known only when the program runs. */
#include "libdw.h"
#include "lines/code.h"
#include "lines/readable.h"
#include "lines/units.h"
#include <stdlib.h>
#include <string.h>

enum { FRAME_POINTER = 6, STACK_POINTER = 7 }; /* registers of x86-64, as DWARF counts them */
enum { DEPTH_MAX = 48, NAME_MAX_BYTES = 1000 };

/* --- variables that are not on a stack --- */

HieraSizedVariable hiera_variables_find(Dwfl_Module *module, GElf_Addr address)
{
    char name[NAME_MAX_BYTES];
    GElf_Off inside;
    GElf_Sym facts;
    const char *symbol = hiera_dw_files.dwfl_module_addrinfo(module, address, &inside, &facts, NULL, NULL, NULL);
    if (!symbol || inside >= facts.st_size ||
        (GELF_ST_TYPE(facts.st_info) != STT_OBJECT && GELF_ST_TYPE(facts.st_info) != STT_COMMON))
        return (HieraSizedVariable){0};
    hiera_readable_symbol(name, sizeof name, symbol, NULL);
    char *dot = strchr(name, '.'); /* GCC: "count.0", a static variable of a function */
    if (dot > name)
        *dot = '\0';
    return (HieraSizedVariable){(gint64)(address - inside), (gint64)facts.st_size, g_utf8_make_valid(name, -1)};
}

/* --- variables in a frame --- */

/* A register and a number. */
typedef struct {
    gint64 number;
    guint reg;
} Place;

typedef struct {
    Dwarf_Addr pc; /* in the numbering of the debug information */
    Place base;    /* of the frame, from which the variables count */
    GArray *found;
} Search;

static gboolean is_of_x86(guint reg)
{
    return reg == FRAME_POINTER || reg == STACK_POINTER;
}

/* Read an expression that is a register and a number. */
static gboolean read_place(const Dwarf_Op *op, Place *place)
{
    if (op->atom == DW_OP_bregx)
        *place = (Place){(gint64)op->number2, (guint)op->number};
    else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
        *place = (Place){(gint64)op->number, op->atom - DW_OP_breg0};
    else if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
        *place = (Place){0, op->atom - DW_OP_reg0};
    else
        return FALSE;
    return is_of_x86(place->reg);
}

static gboolean find_in_cfi(Dwarf_CFI *cfi, Dwarf_Addr pc, Place *place)
{
    Dwarf_Frame *frame = NULL;
    Dwarf_Op *ops = NULL;
    size_t n = 0;
    if (!cfi || hiera_dw_variables.dwarf_cfi_addrframe(cfi, pc, &frame) != 0)
        return FALSE;
    gboolean known = hiera_dw_variables.dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1 && read_place(ops, place);
    free(frame);
    return known;
}

/* Find the canonical address of the frame of the code at an address. */
static gboolean find_canonical(Dwfl_Module *module, Dwarf_Addr address, Place *place)
{
    Dwarf_Addr bias = 0;
    Dwarf_CFI *cfi = hiera_dw_variables.dwfl_module_eh_cfi(module, &bias);
    if (find_in_cfi(cfi, address - bias, place))
        return TRUE;
    cfi = hiera_dw_variables.dwfl_module_dwarf_cfi(module, &bias);
    return find_in_cfi(cfi, address - bias, place);
}

/* Return the one operation that an attribute consists of at this place of the code; NULL: there are others. */
static const Dwarf_Op *find_operation(Dwarf_Die *die, guint name, Dwarf_Addr pc)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops[2];
    size_t lengths[2];
    if (!hiera_dw_variables.dwarf_attr_integrate(die, name, &attribute) ||
        hiera_dw_variables.dwarf_getlocation_addr(&attribute, pc, ops, lengths, G_N_ELEMENTS(ops)) != 1)
        return NULL;
    return lengths[0] == 1 ? ops[0] : NULL;
}

static gboolean find_base(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Die *function, Search *search)
{
    const Dwarf_Op *op = find_operation(function, DW_AT_frame_base, search->pc);
    if (!op)
        return FALSE;
    return op->atom == DW_OP_call_frame_cfa ? find_canonical(module, address, &search->base)
                                            : read_place(op, &search->base);
}

/* Return the basic type of which a variable consists; NULL: it has several, or one of which MPI may think otherwise, as
 * characters and enumerations. To be freed with g_free. */
static char *find_basic(const Dwarf_Die *of)
{
    static const char *const words[] = {[DW_ATE_signed] = "int",
                                        [DW_ATE_unsigned] = "uint",
                                        [DW_ATE_float] = "float",
                                        [DW_ATE_complex_float] = "complex"};
    Dwarf_Die type = *of;
    Dwarf_Attribute attribute;
    Dwarf_Word encoding, bytes;
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
        if (hiera_dw_variables.dwarf_peel_type(&type, &type) != 0)
            return NULL;
        if (hiera_dw.dwarf_tag(&type) != DW_TAG_array_type)
            break;
        if (!hiera_dw_variables.dwarf_attr_integrate(&type, DW_AT_type, &attribute) ||
            !hiera_dw_variables.dwarf_formref_die(&attribute, &type))
            return NULL;
    }
    if (hiera_dw.dwarf_tag(&type) != DW_TAG_base_type || !hiera_dw.dwarf_attr(&type, DW_AT_encoding, &attribute) ||
        hiera_dw.dwarf_formudata(&attribute, &encoding) != 0 || encoding >= G_N_ELEMENTS(words) || !words[encoding] ||
        hiera_dw_variables.dwarf_aggregate_size(&type, &bytes) != 0 || bytes == 1 || bytes > 16 ||
        (encoding == DW_ATE_float && bytes > 8) || (encoding == DW_ATE_complex_float && bytes > 16))
        return NULL;
    return g_strdup_printf("%s%u", words[encoding], (guint)bytes * 8);
}

static void add_variable(Search *search, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Word bytes;
    const Dwarf_Op *op = find_operation(die, DW_AT_location, search->pc);
    const char *name = hiera_dw_variables.dwarf_diename(die);
    if (!op || op->atom != DW_OP_fbreg || !hiera_dw_variables.dwarf_attr_integrate(die, DW_AT_type, &attribute) ||
        !hiera_dw_variables.dwarf_formref_die(&attribute, &type) ||
        hiera_dw_variables.dwarf_aggregate_size(&type, &bytes) != 0 || bytes == 0 || bytes > G_MAXINT32)
        return;
    g_autofree char *basic = find_basic(&type), *valid = g_utf8_make_valid(name ? name : "", -1);
    HieraSizedVariable variable = {search->base.number + (gint64)op->number, (gint64)bytes,
                                   basic ? g_strdup_printf("%s/%s", valid, basic) : g_strdup(valid)};
    g_array_append_val(search->found, variable);
}

/* Add the variables of a function, and of blocks and inlined functions inside that have code at the place. */
static void walk(Search *search, Dwarf_Die *parent, int depth)
{
    Dwarf_Die die;
    if (depth >= DEPTH_MAX || hiera_dw.dwarf_child(parent, &die) != 0)
        return;
    do
        switch (hiera_dw.dwarf_tag(&die)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter:
            add_variable(search, &die);
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
            if (hiera_dw.dwarf_haspc(&die, search->pc) == 1)
                walk(search, &die, depth + 1);
            break;
        default:
            break;
        }
    while (hiera_dw.dwarf_siblingof(&die, &die) == 0);
}

static gboolean has_functions(void)
{
    gboolean all = hiera_dw_has_units() && hiera_dw_has_tree();
#define X(f) all = all && hiera_dw_variables.f;
    HIERA_DW_VARIABLES(X)
#undef X
    return all;
}

HieraFrameVariables *hiera_variables_of_frame(Dwfl_Module *module, Dwarf_Addr address)
{
    HieraFrameVariables *frame = g_new0(HieraFrameVariables, 1);
    Search search = {.found = g_array_new(FALSE, FALSE, sizeof(HieraSizedVariable))};
    Dwarf_Die unit, function;
    Dwarf_Addr bias = 0;
    frame->variables = search.found;
    if (!has_functions() || !hiera_units_find(module, address, &unit, &bias))
        return frame;
    search.pc = address - bias;
    if (hiera_code_find_function(&unit, search.pc, &function) && find_base(module, address, &function, &search))
        walk(&search, &function, 0);
    frame->by_frame_pointer = search.base.reg == FRAME_POINTER;
    return frame;
}

void hiera_variables_free(HieraFrameVariables *variables)
{
    for (guint i = 0; i < variables->variables->len; i++)
        g_free(g_array_index(variables->variables, HieraSizedVariable, i).name);
    g_array_unref(variables->variables);
    g_free(variables);
}
