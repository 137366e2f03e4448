/* Jump tables: finds them from the instructions before a jump and reads their elements. See walk.h. */
#include "jump_values.h"
#include "walk.h"

/* Length in bytes of the longest instruction of x86-64. */
enum { LONGEST = 15 };
/* Greatest number of elements of a jump table. */
enum { ENTRIES_MAX = 65536 };

/* A table of numbers of `value.size` bytes at `value.number`, which are shifted and added to `value.base`; with a size
 * of 8 and no base they are addresses. */
typedef struct {
    HieraJumpValue value;
    guint n; /* number of elements; 0: not known */
} Table;

/* Find the instruction that ends at an address and continues there; NULL if there is none. */
static const HieraInstruction *go_back(const HieraWalk *walk, guint64 address)
{
    for (guint length = 1; length <= LONGEST && length <= address; length++) {
        const HieraInstruction *before = hiera_walk_at(walk, address - length);
        if (!before || before->length != length)
            continue;
        gboolean on = before->kind == HIERA_FLOW_ON || before->kind == HIERA_FLOW_BRANCH ||
                      before->kind == HIERA_FLOW_CALL || before->kind == HIERA_FLOW_CALL_POINTER;
        return on ? before : NULL;
    }
    return NULL;
}

/* Find the only jump to an address; NULL if there is none or several. */
static const HieraInstruction *find_jump(const HieraWalk *walk, guint64 address)
{
    const HieraInstruction *found = NULL;
    for (guint i = 0; i < walk->flow->instructions->len; i++) {
        const HieraInstruction *jump = &g_array_index(walk->flow->instructions, HieraInstruction, i);
        if ((jump->kind != HIERA_FLOW_JUMP && jump->kind != HIERA_FLOW_BRANCH) || jump->target != address)
            continue;
        if (found)
            return NULL;
        found = jump;
    }
    return found;
}

guint hiera_walk_before(const HieraWalk *walk, guint64 address, guint64 *addresses, gboolean *taken, guint n_max)
{
    guint n = 0;
    while (n < n_max) {
        const HieraInstruction *before = go_back(walk, address);
        taken[n] = FALSE;
        if (!before) {
            before = find_jump(walk, address);
            taken[n] = TRUE;
        }
        if (!before)
            break;
        addresses[n++] = address = before->address;
    }
    return n;
}

/* Compute target `i` of a table. @return  false if the element cannot be read from the file */
static gboolean read_target(const HieraWalk *walk, const Table *table, guint i, guint64 *target)
{
    const HieraObject *object = walk->functions->object;
    guint64 at = table->value.number + (guint64)i * table->value.size;
    gint64 number;
    const guint64 *pointer =
        table->value.size == 8 && !table->value.base ? g_hash_table_lookup(object->pointers, &at) : NULL;
    if (pointer) {
        *target = *pointer;
        return TRUE;
    }
    if (!hiera_object_number(object, at, table->value.size, table->value.is_signed, &number))
        return FALSE;
    *target = table->value.base + ((guint64)number << table->value.shift);
    return TRUE;
}

/* Whether addresses in a table are functions: then the jump is a call of one of them. The first address may be missing.
 */
static gboolean has_functions(const HieraWalk *walk, const Table *table)
{
    guint64 target = 0;
    for (guint i = 0; i < 16 && table->value.size == 8 && !table->value.base && target == 0; i++) {
        guint64 at = table->value.number + (guint64)i * table->value.size;
        if (hiera_decoder_import(walk->decoder, at))
            return TRUE;
        if (!read_target(walk, table, i, &target))
            return FALSE;
    }
    return target != 0 && hiera_functions_at(walk->functions, target) != NULL;
}

/* Read the targets of a table. @return  false if one of its n targets is not in the function, or if there is none */
static gboolean read_targets(const HieraWalk *walk, const Table *table, GArray *targets)
{
    guint n = table->n > 0 ? table->n : ENTRIES_MAX;
    for (guint i = 0; i < n && n <= ENTRIES_MAX; i++) {
        guint64 target = 0;
        if (read_target(walk, table, i, &target) && (hiera_function_has(walk->flow->function, target) ||
                                                     (table->n > 0 && hiera_part_at(walk->functions, target)))) {
            g_array_append_val(targets, target);
            continue;
        }
        if (table->n > 0)
            g_array_set_size(targets, 0);
        break;
    }
    return targets->len > 0;
}

/* Read the targets of a jump. @param known  false: it is not known which table the jump uses */
static HieraJumpKind use(const HieraWalk *walk, const HieraInstruction *jump, gboolean known, const Table *table,
                         GArray *targets, char **doubt)
{
    const char *format = NULL;
    if (!known)
        format = "jump at 0x%" G_GINT64_MODIFIER "x: its table is not recognised";
    else if (has_functions(walk, table))
        return HIERA_JUMP_OUT;
    else if (!read_targets(walk, table, targets))
        format = "jump at 0x%" G_GINT64_MODIFIER "x: no table where it should be";
    else if (table->n == 0)
        format = "jump at 0x%" G_GINT64_MODIFIER "x: length of its table is not known";
    if (format)
        *doubt = g_strdup_printf(format, jump->address);
    return targets->len > 0 ? HIERA_JUMP_TABLE : HIERA_JUMP_UNKNOWN;
}

HieraJumpKind hiera_jump_find(HieraWalk *walk, const HieraInstruction *jump, GArray *targets, char **doubt)
{
    const HieraRegisters *registers = hiera_registers_of(walk->decoder->object->machine);
    guint64 before[HIERA_BEFORE_MAX];
    gboolean taken[HIERA_BEFORE_MAX];
    guint n = hiera_walk_before(walk, jump->address, before, taken, HIERA_BEFORE_MAX);
    HieraJumpValue value = hiera_evaluate_jump(walk->flow, jump->address, registers, before, n);
    HieraJumpKind kind = HIERA_JUMP_OUT;
    Table table = {.value = value};
    if (value.kind == HIERA_VALUE_SUM || value.kind == HIERA_VALUE_LOADED || value.kind == HIERA_VALUE_ELEMENT ||
        value.kind == HIERA_VALUE_SCALED) {
        table.n = GPOINTER_TO_UINT(g_hash_table_lookup(walk->lengths, &jump->address));
        if (table.n == 0)
            table.n = registers->find_bound(walk->decoder, before, taken, n);
        gboolean known = value.kind == HIERA_VALUE_SUM || (value.kind == HIERA_VALUE_LOADED && value.size == 8);
        kind = use(walk, jump, known, &table, targets, doubt);
    }
    value.n = 0;
    const HieraPointerJump found = {jump->address, kind == HIERA_JUMP_OUT, value, table.n, targets->len};
    if (kind != HIERA_JUMP_UNKNOWN)
        g_array_append_val(walk->flow->pointer_jumps, found);
    return kind;
}
