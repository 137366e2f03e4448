/* Makes the execution graphs of all functions that a program can reach. See execution_graph.h. */
#include "execution_graph.h"
#include "function_graph.h"
#include <elf.h>
#include <stdarg.h>
#include <string.h>

enum { MOST_OF_ENTRY = 30, LARGEST_TABLE = 8192 };

static guint graph_at(const HieraExecution *execution, guint64 address)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(execution->by_address, &address)) - 1;
}

/* Set `callee` of all calls, once the graphs of all functions are made. */
static void link_calls(HieraExecution *execution)
{
    for (guint i = 0; i < execution->vertices->len; i++) {
        HieraVertex *vertex = hiera_execution_vertex(execution, i);
        if (vertex->kind == HIERA_VERTEX_CALL && vertex->target != 0)
            vertex->callee = graph_at(execution, vertex->target);
    }
}

/* Return the address of main: the program's entry passes it to the C library as first argument (rdi); 0: not found. */
static guint64 find_first_argument(const HieraExecution *execution)
{
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(HieraStep));
    const HieraModule *executable = execution->modules.all->pdata[0];
    guint64 at = execution->object->entry, address = 0;
    HieraInstruction instruction;
    for (guint i = 0; i < MOST_OF_ENTRY && hiera_decoder_decode(executable->decoder, at, &instruction); i++) {
        if (instruction.kind != HIERA_FLOW_ON)
            break;
        hiera_steps_append(executable->decoder, steps);
        at += instruction.length;
    }
    for (guint i = 0; i < steps->len; i++) {
        const HieraStep *step = &g_array_index(steps, HieraStep, i);
        gboolean sets = step->to.kind == HIERA_OPERAND_REGISTER && step->to.base == HIERA_RDI,
                 is_address = step->kind == HIERA_STEP_ADDRESS && step->a.base == HIERA_NO_REGISTER,
                 is_number = step->kind == HIERA_STEP_MOVE && step->a.kind == HIERA_OPERAND_NUMBER;
        if (sets && (is_address || is_number))
            address = (guint64)step->a.number;
    }
    return address;
}

/* Find main by its name in the executable or a library, otherwise by the code of the program's entry. */
static const HieraFunction *find_main(const HieraExecution *execution)
{
    const HieraFunctions *functions = ((HieraModule *)execution->modules.all->pdata[0])->functions;
    for (guint i = 0; i < functions->functions->len; i++) {
        const HieraFunction *function = functions->functions->pdata[i];
        if (strcmp(function->name, "main") == 0)
            return function;
    }
    HieraTarget elsewhere = hiera_program_resolve(execution->modules.program, execution->object, "main");
    guint64 address = elsewhere.kind == HIERA_TARGET_INSIDE ? elsewhere.address : find_first_argument(execution);
    return address ? hiera_modules_function(&execution->modules, address) : NULL;
}

static void add_all(HieraExecution *execution, GArray *found)
{
    for (guint i = 0; i < found->len; i++) {
        guint64 address = g_array_index(found, guint64, i);
        const HieraFunction *function = hiera_modules_function(&execution->modules, address);
        if (function && graph_at(execution, address) == HIERA_NO_VERTEX)
            hiera_function_graph_add(execution, function, found);
    }
}

/* Return the address of the function that a pointer of a file names when the file is loaded; 0: not known. */
static guint64 function_of(const HieraExecution *execution, const HieraModule *module, guint64 at)
{
    const guint64 *pointer = g_hash_table_lookup(module->object->pointers, &at);
    const char *name;
    gboolean chosen;
    return pointer ? *pointer : hiera_modules_import(&execution->modules, module, at, TRUE, &name, &chosen);
}

/* Whether a compiler adds the function to each file, where it does nothing to a program. */
static gboolean is_of_compiler(const HieraFunction *function)
{
    return strcmp(function->name, "frame_dummy") == 0 || strcmp(function->name, "__do_global_dtors_aux") == 0;
}

/* Append the functions of a table to an array. @return the number of those that are not known, without the compiler's,
 * of which a stripped file says nothing */
static guint add_calls(const HieraExecution *execution, const HieraModule *module, gint64 tag, gint64 tag_size,
                       GArray *calls)
{
    guint64 begin, n = hiera_object_calls(module->object, tag, tag_size, &begin);
    guint unknown = 0, of_compiler = 0;
    for (guint64 at = begin; at < begin + n * 8; at += 8) {
        gint64 number = 0;
        guint64 address = function_of(execution, module, at);
        if (address == 0 && module->object->is_fixed && hiera_object_number(module->object, at, 8, FALSE, &number))
            address = (guint64)number;
        const HieraFunction *function = address ? hiera_modules_function(&execution->modules, address) : NULL;
        unknown += !function;
        of_compiler += function && is_of_compiler(function);
        if (function && !is_of_compiler(function))
            g_array_append_val(calls, address);
    }
    return unknown > 0 && of_compiler == 0 ? unknown - 1 : unknown;
}

/* Find what the dynamic linker calls before main, libraries first, and what it calls behind it, libraries last. A
 * program that is linked alone has its library in itself, which begins in a way of its own. */
static void find_calls_around(HieraExecution *execution)
{
    g_autoptr(GArray) order = hiera_program_order(execution->modules.program);
    guint64 begin, n_alone = hiera_object_calls(execution->object, DT_INIT_ARRAY, DT_INIT_ARRAYSZ, &begin);
    if (execution->object->is_linked_alone) {
        execution->n_unknown_starts = n_alone > 1 ? (guint)n_alone - 1 : 0; /* one is the compiler's */
        return;
    }
    for (guint i = 0; i < order->len; i++) {
        const HieraModule *first = execution->modules.all->pdata[g_array_index(order, guint, i)],
                          *last = execution->modules.all->pdata[g_array_index(order, guint, order->len - 1 - i)];
        if (first)
            execution->n_unknown_starts +=
                add_calls(execution, first, DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ, execution->starts) +
                add_calls(execution, first, DT_INIT_ARRAY, DT_INIT_ARRAYSZ, execution->starts);
        guint n = execution->ends->len;
        if (last)
            add_calls(execution, last, DT_FINI_ARRAY, DT_FINI_ARRAYSZ, execution->ends);
        for (guint64 *from = (guint64 *)execution->ends->data + n, *to = from + (execution->ends->len - n);
             from + 1 < to; from++, to--) { /* a table of ends is called from its end on */
            guint64 swapped = *from;
            *from = to[-1];
            to[-1] = swapped;
        }
    }
}

/* Add the graphs of all functions reachable from main, and from those that run before and behind it. Pointers in
 * libraries are looked at only when a process reaches them: few of many are ever used. */
static void add_reachable(HieraExecution *execution, const HieraFunction *from)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(guint64));
    GHashTableIter iterator;
    gpointer address;
    g_array_append_val(found, from->address);
    find_calls_around(execution);
    g_array_append_vals(found, execution->starts->data, execution->starts->len);
    g_array_append_vals(found, execution->ends->data, execution->ends->len);
    g_hash_table_iter_init(&iterator, execution->object->pointers);
    while (g_hash_table_iter_next(&iterator, NULL, &address)) {
        const HieraFunction *function = hiera_modules_function(&execution->modules, *(guint64 *)address);
        if (function && function->named && function->name[0] != '_')
            g_array_append_val(found, function->address);
    }
    add_all(execution, found);
}

/* Return by vertex: whether all paths from it end the program other than by main's return. */
static gboolean *find_hopeless(const HieraExecution *execution)
{
    guint n = execution->vertices->len;
    gboolean *hopeless = g_new0(gboolean, n);
    for (gboolean again = TRUE; again;) {
        again = FALSE;
        for (guint i = n; i-- > 0;) {
            const HieraVertex *vertex = hiera_execution_vertex(execution, i);
            guint first = vertex->kind == HIERA_VERTEX_JUMP || vertex->kind == HIERA_VERTEX_SWITCH ? 1 : 0;
            gboolean all = vertex->n_next > first && vertex->kind != HIERA_VERTEX_RETURN;
            for (guint k = first; k < vertex->n_next; k++)
                all &= vertex->next[k] != HIERA_NO_VERTEX && hopeless[vertex->next[k]];
            all |= vertex->kind == HIERA_VERTEX_CALL && vertex->callee != HIERA_NO_VERTEX &&
                   hopeless[hiera_execution_graph(execution, vertex->callee)->first];
            all |= vertex->kind == HIERA_VERTEX_STOP ||
                   (vertex->kind == HIERA_VERTEX_COMMUNICATION && vertex->name && strstr(vertex->name, "Abort"));
            if (all && !hopeless[i])
                hopeless[i] = again = TRUE;
        }
    }
    return hopeless;
}

void hiera_execution_note(HieraExecution *execution, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_hash_table_add(execution->notes, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

static void note_libraries(HieraExecution *execution)
{
    const HieraProgram *program = execution->modules.program;
    for (guint i = 0; i < program->missing->len; i++)
        hiera_execution_note(
            execution,
            "%s is not found: its functions have the cost of any function of a library. Name its folder "
            "in LD_LIBRARY_PATH, or leave it out with --libraries",
            (const char *)program->missing->pdata[i]);
    for (guint i = 0; i < program->damaged->len; i++)
        hiera_execution_note(execution, "%s; its functions have the cost of any function of a library",
                             (const char *)program->damaged->pdata[i]);
}

static void finish(HieraExecution *execution)
{
    link_calls(execution);
    g_free(execution->hopeless);
    execution->hopeless = find_hopeless(execution);
}

HieraExecution *hiera_execution_new(const char *path, const char *libraries, GError **error)
{
    g_autoptr(HieraExecution) execution = g_new0(HieraExecution, 1);
    execution->vertices = g_array_new(FALSE, FALSE, sizeof(HieraVertex));
    execution->graphs = g_array_new(FALSE, FALSE, sizeof(HieraFunctionGraph));
    execution->loops = g_array_new(FALSE, FALSE, sizeof(HieraExecutionLoop));
    execution->steps = g_array_new(FALSE, FALSE, sizeof(HieraStep));
    execution->by_address = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    execution->wanted = g_array_new(FALSE, FALSE, sizeof(guint64));
    execution->starts = g_array_new(FALSE, FALSE, sizeof(guint64));
    execution->ends = g_array_new(FALSE, FALSE, sizeof(guint64));
    execution->notes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    execution->n_stores = 1;
    if (!hiera_modules_open(&execution->modules, path, libraries, error))
        return NULL;
    execution->object = execution->modules.program->objects->pdata[0];
    const HieraFunction *main_function = find_main(execution);
    if (!main_function) {
        g_set_error(error, HIERA_IMAGE_ERROR, 0, "%s: has no function 'main'; name the executable of a program", path);
        return NULL;
    }
    note_libraries(execution);
    add_reachable(execution, main_function);
    execution->main = graph_at(execution, main_function->address);
    finish(execution);
    return g_steal_pointer(&execution);
}

/* Add all functions of the table of pointers that contains `slot` to `wanted`: others of the table will be called, too.
 */
static void want_table(const HieraExecution *execution, guint64 slot)
{
    const HieraModule *module = slot != 0 ? hiera_modules_at(&execution->modules, slot) : NULL;
    const HieraSymbol *table = module ? hiera_object_variable(module->object, slot) : NULL;
    for (guint64 i = 0; table && i + 8 <= MIN(table->size, LARGEST_TABLE); i += 8) {
        guint64 target = function_of(execution, module, table->address + i);
        if (target != 0)
            g_array_append_val(execution->wanted, target);
    }
}

guint hiera_execution_find(const HieraExecution *execution, guint64 pointer, guint64 slot)
{
    guint graph = graph_at(execution, pointer);
    const HieraModule *module = hiera_modules_at(&execution->modules, pointer);
    const HieraCodeSection *section = module ? hiera_object_section(module->object, pointer) : NULL;
    if (graph != HIERA_NO_VERTEX || !section)
        return graph;
    const char *name;
    gboolean chosen;
    guint64 target =
        section->stubs ? hiera_modules_import(&execution->modules, module, pointer, FALSE, &name, &chosen) : pointer;
    graph = graph_at(execution, target);
    if (target == 0 || graph != HIERA_NO_VERTEX || !hiera_modules_function(&execution->modules, target))
        return graph;
    g_array_append_val(execution->wanted, target);
    want_table(execution, slot);
    return graph;
}

gboolean hiera_execution_extend(HieraExecution *execution)
{
    guint n = execution->graphs->len;
    g_autoptr(GArray) found = g_steal_pointer(&execution->wanted);
    execution->wanted = g_array_new(FALSE, FALSE, sizeof(guint64));
    add_all(execution, found);
    if (execution->graphs->len == n)
        return FALSE;
    finish(execution);
    return TRUE;
}

void hiera_execution_free(HieraExecution *execution)
{
    if (!execution)
        return;
    for (guint i = 0; i < execution->vertices->len; i++)
        g_free(hiera_execution_vertex(execution, i)->next);
    for (guint i = 0; i < execution->graphs->len; i++) {
        g_free(hiera_execution_graph(execution, i)->file);
        g_free(hiera_execution_graph(execution, i)->doubt);
    }
    for (guint i = 0; i < execution->loops->len; i++)
        g_free(hiera_execution_loop(execution, i)->file);
    g_free(execution->hopeless);
    g_array_unref(execution->vertices);
    g_array_unref(execution->graphs);
    g_array_unref(execution->loops);
    g_array_unref(execution->steps);
    g_hash_table_unref(execution->by_address);
    g_hash_table_unref(execution->notes);
    g_array_unref(execution->wanted);
    g_array_unref(execution->starts);
    g_array_unref(execution->ends);
    hiera_modules_clear(&execution->modules);
    g_free(execution);
}

gboolean hiera_execution_is_inside(const HieraExecution *execution, guint vertex, guint loop)
{
    guint at = hiera_execution_vertex(execution, vertex)->loop;
    while (at != HIERA_NO_VERTEX && at != loop)
        at = hiera_execution_loop(execution, at)->parent;
    return at == loop;
}
