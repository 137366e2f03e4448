/* Finds functions that never return. See no_return.h. */
#include "no_return.h"
#include "flow.h"
#include <string.h>

/* Names of functions that never return, in the order of the standards: C, its libraries, C++, Fortran, GLib. Those of
 * `ordinary` may be others in a program that has its own. */
static const char *const ordinary[] = {"err", "errx", "verr", "verrx"};
static const char *const known[] = {
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "thrd_exit",
    "pthread_exit",
    "__assert_fail",
    "__assert_perror_fail",
    "__assert",
    "__chk_fail",
    "__fortify_fail",
    "__stack_chk_fail",
    "__libc_start_call_main",
    "_Unwind_Resume",
    "__cxa_throw",
    "__cxa_rethrow",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_throw_bad_array_new_length",
    "__cxa_throw_bad_array_length",
    "__cxa_call_unexpected",
    "__cxa_call_terminate",
    "__cxa_pure_virtual",
    "__cxa_deleted_virtual",
    "__clang_call_terminate",
    "_ZSt9terminatev",
    "_ZSt10unexpectedv",
    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
    "_gfortran_stop_numeric",
    "_gfortran_stop_string",
    "_gfortran_error_stop_numeric",
    "_gfortran_error_stop_string",
    "_gfortran_runtime_error",
    "_gfortran_runtime_error_at",
    "_gfortran_os_error",
    "_gfortran_os_error_at",
    "_gfortran_exit_i4",
    "g_assertion_message",
    "g_assertion_message_expr",
    "g_abort",
};
/* Whether a name is that of std::__throw_length_error(char const*) or similar: _ZSt, the length of the name, the name.
 */
static gboolean throws(const char *name)
{
    const char *number = name + strlen("_ZSt");
    return g_str_has_prefix(name, "_ZSt") && g_str_has_prefix(number + strspn(number, "0123456789"), "__throw_");
}

static gboolean is_among(const char *const *names, guint n, const char *name)
{
    for (guint i = 0; name && i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return TRUE;
    return FALSE;
}

/* Whether a function never returns that is in the file itself. */
static gboolean is_reserved(const char *name)
{
    return is_among(known, G_N_ELEMENTS(known), name) || (name && throws(name));
}

gboolean hiera_no_return_is_known(const char *name)
{
    return is_reserved(name) || is_among(ordinary, G_N_ELEMENTS(ordinary), name);
}

typedef struct {
    guint64 callee;
    guint caller;
} Caller;

struct HieraNoReturn {
    HieraFunctions *functions;
    HieraDecoder *decoder;
    GArray *callers;      /* Caller, finally sorted by callee: callers of the functions that are analysed now */
    GArray *to_look;      /* guint: functions that are analysed now */
    GArray *to_visit;     /* guint: functions to be decoded next */
    gboolean *is_seen;    /* by function: whether it is or was in `to_look` */
    gboolean *is_waiting; /* by function: whether it is in `to_visit` */
};

static int compare(gconstpointer a, gconstpointer b)
{
    const Caller *x = a, *y = b;
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

/* Decode the callers of a function again, after it was found not to return. */
static void visit_callers(HieraNoReturn *search, guint64 callee)
{
    guint low = 0, high = search->callers->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(search->callers, Caller, middle).callee < callee)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < search->callers->len && g_array_index(search->callers, Caller, low).callee == callee; low++) {
        guint caller = g_array_index(search->callers, Caller, low).caller;
        if (!search->is_waiting[caller])
            g_array_append_val(search->to_visit, caller);
        search->is_waiting[caller] = TRUE;
    }
}

/* Decode a function; repeat until all its parts are known. */
static HieraFlow *decode(HieraNoReturn *search, HieraFunction *function)
{
    HieraFlow *flow = hiera_flow_decode(search->functions, function, search->decoder);
    while (flow->part) {
        hiera_function_join(function, flow->part);
        hiera_flow_free(flow);
        flow = hiera_flow_decode(search->functions, function, search->decoder);
    }
    return flow;
}

static void look_later(HieraNoReturn *search, guint index)
{
    if (!search->is_seen[index])
        g_array_append_val(search->to_look, index);
    search->is_seen[index] = TRUE;
}

static void add_callers(HieraNoReturn *search, const HieraFlow *flow, guint index)
{
    for (guint i = 0; i < flow->calls->len; i++) {
        const Caller caller = {g_array_index(flow->calls, HieraCall, i).target, index};
        guint callee = caller.callee ? hiera_functions_number(search->functions, caller.callee) : G_MAXUINT;
        if (callee == G_MAXUINT)
            continue;
        g_array_append_val(search->callers, caller);
        look_later(search, callee);
    }
}

/* Decode a function. @return  whether it has now turned out never to return */
static gboolean look_at(HieraNoReturn *search, guint index, gboolean first)
{
    HieraFunction *function = search->functions->functions->pdata[index];
    if (function->whole || (function->stays && !first))
        return FALSE;
    g_autoptr(HieraFlow) flow = decode(search, function);
    if (first)
        add_callers(search, flow, index);
    if (function->stays || flow->returns || flow->doubts->len > 0)
        return FALSE;
    if (flow->pointer_jumps->len > 0)
        hiera_flow_finish(flow);
    if (flow->doubts->len > 0)
        return FALSE;
    return function->stays = TRUE;
}

HieraNoReturn *hiera_no_return_new(HieraFunctions *functions, HieraDecoder *decoder)
{
    HieraNoReturn *search = g_new0(HieraNoReturn, 1);
    search->functions = functions;
    search->decoder = decoder;
    search->callers = g_array_new(FALSE, FALSE, sizeof(Caller));
    search->to_look = g_array_new(FALSE, FALSE, sizeof(guint));
    search->to_visit = g_array_new(FALSE, FALSE, sizeof(guint));
    search->is_seen = g_new0(gboolean, functions->functions->len);
    search->is_waiting = g_new0(gboolean, functions->functions->len);
    for (guint i = 0; i < functions->functions->len; i++) {
        HieraFunction *function = functions->functions->pdata[i];
        function->stays = is_reserved(function->name);
    }
    return search;
}

void hiera_no_return_free(HieraNoReturn *search)
{
    if (!search)
        return;
    g_array_unref(search->callers);
    g_array_unref(search->to_look);
    g_array_unref(search->to_visit);
    g_free(search->is_seen);
    g_free(search->is_waiting);
    g_free(search);
}

/* Analyse all functions in `to_look`. Functions that they call are in `to_look` too, or were analysed before. */
static void settle(HieraNoReturn *search)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (guint i = 0; i < search->to_look->len; i++) {
        guint index = g_array_index(search->to_look, guint, i);
        if (look_at(search, index, TRUE))
            g_array_append_val(found, ((HieraFunction *)search->functions->functions->pdata[index])->address);
    }
    g_array_sort(search->callers, compare);
    for (guint i = 0; i < found->len; i++)
        visit_callers(search, g_array_index(found, guint64, i));
    while (search->to_visit->len > 0) {
        guint index = g_array_index(search->to_visit, guint, search->to_visit->len - 1);
        g_array_set_size(search->to_visit, search->to_visit->len - 1);
        search->is_waiting[index] = FALSE;
        if (look_at(search, index, FALSE))
            visit_callers(search, ((HieraFunction *)search->functions->functions->pdata[index])->address);
    }
    g_array_set_size(search->to_look, 0);
    g_array_set_size(search->callers, 0);
}

void hiera_no_return_look(HieraNoReturn *search, const HieraFunction *function)
{
    guint number = hiera_functions_number(search->functions, function->address);
    if (number != G_MAXUINT)
        look_later(search, number);
    settle(search);
}

void hiera_no_return_look_at_rest(HieraNoReturn *search)
{
    for (guint i = 0; i < search->functions->functions->len; i++)
        look_later(search, i);
    settle(search);
}

/* Whether a function jumps into the middle of another one. A part that the compiler moved out of its function does so.
 */
static gboolean jumps_into_another(const HieraNoReturn *search, const HieraFunction *function)
{
    const HieraCodeRange *range = &g_array_index(function->ranges, HieraCodeRange, 0);
    HieraInstruction instruction;
    for (guint64 at = range->begin; at < range->end && hiera_decoder_decode(search->decoder, at, &instruction);
         at += instruction.length) {
        gboolean jumps = instruction.kind == HIERA_FLOW_JUMP || instruction.kind == HIERA_FLOW_BRANCH;
        const HieraFunction *other = jumps ? hiera_functions_around(search->functions, instruction.target) : NULL;
        if (other && other != function && other->address != instruction.target)
            return TRUE;
    }
    return FALSE;
}

gboolean hiera_no_return_may_be_part(const HieraNoReturn *search, const HieraFunction *function)
{
    return !function->named && !function->whole &&
           (!hiera_object_has_no_frame(search->functions->object, function->address) ||
            jumps_into_another(search, function));
}

void hiera_no_return_find(HieraFunctions *functions, HieraDecoder *decoder)
{
    HieraNoReturn *search = hiera_no_return_new(functions, decoder);
    hiera_no_return_look_at_rest(search);
    hiera_functions_drop_parts(functions);
    hiera_no_return_free(search);
}
