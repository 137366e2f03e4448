/* Iterations and executions of loops are those of the program, however they are counted, functions compute the same,
 * and no iteration takes more instructions where the loop counts by itself: each function is executed step by step, and
 * what is counted there at the begins of loops is held against what copies count, also where only one of many
 * executions is timed; and once more where executions may be hidden, whose iterations are estimated. Handlers of
 * signals, which may change all numbers of the thread, change nothing but counts, and get out of a copy where they
 * unwind. test_counts LIBRARY…
 */
#include "collector/base/settings.h"
#include "collector/loops/moved.h"
#include "collector/loops/timing_table.h"
#include "image/flow/no_return.h"
#include "image/move/induction.h"
#include "image/move/plan_builder.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>

HieraSettings hiera_settings;

typedef struct {
    const char *name;
    guint64 (*function)(guint64 n);
    const char *refused;   /* with what the reason begins for which it is not moved; NULL: it is moved */
    guint32 is_one_by_one; /* no loop of it counts by itself */
} Counted;

enum { LOOPS = 64, TURNS = 400 };
static const guint64 arguments[] = {0, 3, 38};

typedef struct {
    guint64 executions, iterations;
} Counts;

/* A function's loops, as addresses in memory. */
typedef struct {
    HieraFlow *flow;
    guint64 base;
} Subject;

static gboolean is_in(const Subject *subject, const HieraLoop *loop, guint64 address)
{
    guint block = hiera_flow_block(subject->flow, address - subject->base);
    for (guint i = 0; i < loop->nodes->len && block != HIERA_NO_NODE; i++)
        if (g_array_index(loop->nodes, guint, i) == block)
            return TRUE;
    return FALSE;
}

static gboolean is_entry(const Subject *subject, const HieraLoop *loop, guint64 address)
{
    for (guint i = 0; i < loop->entries->len; i++) {
        guint block = g_array_index(loop->entries, guint, i);
        if (g_array_index(subject->flow->blocks, HieraBlock, block).begin + subject->base == address)
            return TRUE;
    }
    return FALSE;
}

static gboolean is_header(const Subject *subject, const HieraLoop *loop, guint64 address)
{
    return g_array_index(subject->flow->blocks, HieraBlock, loop->header).begin + subject->base == address;
}

/* Note that the function comes from an instruction to the next one. */
static void note(const Subject *subject, guint64 from, guint64 at, Counts *counts)
{
    for (guint i = 0; i < subject->flow->loops->len; i++) {
        const HieraLoop *loop = subject->flow->loops->pdata[i];
        gboolean is_begun = is_entry(subject, loop, at) && !is_in(subject, loop, from);
        counts[i].executions += is_begun;
        counts[i].iterations += is_begun || is_header(subject, loop, at);
    }
}

/* Where each activation of the function was, by the stack pointer: it may call itself. */
typedef struct {
    guint64 stack, at;
} Place;

static struct {
    const Subject *subject;
    GArray *places; /* Place */
    Counts *counts;
    guint64 n;              /* number of instructions */
    const HieraMoved *area; /* of the function, if it is moved */
    GHashTable *frames;     /* what the frame pointer was in the original */
    guint64 n_strange;      /* number of instructions of the copy where it was something else: who unwinds needs it */
    gboolean spoils;        /* the numbers of the thread change at each instruction */
    gboolean unwinds;       /* from each instruction of the function, its copy, and the routine for events */
    guint64 n_ways, n_lost; /* how often; how often that did not get to the main program */
    guint64 lost;           /* an address from where it did not */
} stepping;

int main(int argc, char **argv);

static _Unwind_Reason_Code pass(struct _Unwind_Context *context, void *has_main)
{
    *(gboolean *)has_main |= _Unwind_GetRegionStart(context) == (uintptr_t)main;
    return _URC_NO_REASON;
}

/* The routine for events calls one that is not stepped through: that takes long. */
static void call(greg_t *registers)
{
    hiera_timing_tell((uint32_t)registers[REG_RDI], (uintptr_t)registers[REG_RSI]);
    registers[REG_RIP] = *(const greg_t *)registers[REG_RSP];
    registers[REG_RSP] += (greg_t)sizeof(greg_t);
}

/* Unwind as a handler of signals may do that samples where the program is, or ends the thread. */
static void unwind(gboolean is_original, guint64 at)
{
    guint64 inside = at - (guint64)(uintptr_t)stepping.area->area;
    guint64 event = at - (guint64)(uintptr_t)hiera_timing_event();
    enum { EVENT = 64 };
    gboolean has_main = FALSE;
    if (!is_original && inside >= stepping.area->plan->area.n && event >= EVENT)
        return;
    stepping.n_ways++;
    _Unwind_Backtrace(pass, &has_main);
    stepping.n_lost += !has_main;
    stepping.lost = has_main ? stepping.lost : is_original ? at : inside;
}

static void note_frame(gboolean is_original, const greg_t *registers)
{
    const HieraMoved *moved = stepping.area;
    gpointer frame = (gpointer)registers[REG_RBP];
    guint64 offset = (guint64)registers[REG_RIP] - (guint64)(uintptr_t)(moved ? moved->area : NULL);
    if (is_original)
        g_hash_table_add(stepping.frames, frame);
    else if (moved && offset < moved->area_bytes)
        stepping.n_strange += !g_hash_table_contains(stepping.frames, frame);
}

/* After each instruction. */
static void step(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (stepping.unwinds && registers[REG_RIP] == (greg_t)(uintptr_t)hiera_timing_tell)
        call(registers);
    guint64 at = (guint64)registers[REG_RIP], stack = (guint64)registers[REG_RSP];
    const Subject *subject = stepping.subject;
    GArray *places = stepping.places;
    guint64 entry = subject->flow->function->address;
    (void)number, (void)info;
    gboolean is_original = hiera_flow_block(subject->flow, at - subject->base) != HIERA_NO_NODE;
    stepping.n++;
    if (stepping.spoils)
        memset(hiera_timed_locals.starts, 0x5a, sizeof hiera_timed_locals.starts);
    if (stepping.frames)
        note_frame(is_original, registers);
    if (stepping.unwinds)
        unwind(is_original, at);
    if (!is_original)
        return;
    while (places->len > 0 && g_array_index(places, Place, places->len - 1).stack < stack)
        g_array_set_size(places, places->len - 1); /* it has returned */
    if (at - subject->base == entry || places->len == 0) {
        const Place begun = {stack, 0};
        g_array_append_val(places, begun);
    }
    Place *place = &g_array_index(places, Place, places->len - 1);
    note(subject, place->at, at, stepping.counts);
    place->at = at;
}

static void switch_steps(gboolean on)
{
    if (on)
        __asm__ volatile("pushfq\n orq $0x100, (%%rsp)\n popfq" : : : "memory", "cc");
    else
        __asm__ volatile("pushfq\n andq $~0x100, (%%rsp)\n popfq" : : : "memory", "cc");
}

static guint64 count_by_steps(const Subject *subject, const Counted *counted, guint64 n, Counts *counts)
{
    struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
    stepping.subject = subject;
    stepping.places = g_array_sized_new(FALSE, FALSE, sizeof(Place), 4096);
    stepping.counts = counts;
    stepping.n = 0;
    sigaction(SIGTRAP, &action, NULL);
    switch_steps(TRUE);
    guint64 result = counted->function(n);
    switch_steps(FALSE);
    g_array_unref(stepping.places);
    return result;
}

/* Whether the next call of a function that is moved goes through its copy, or the original. */
static void set_gate(gboolean is_open)
{
    hiera_timed_locals.gates[1] = hiera_timed_thread->activations[1].gap = is_open ? 0 : INT32_MAX;
}

static guint64 run(const Counted *counted, guint64 n, int turns, gboolean is_open)
{
    guint64 sum = 0;
    for (int i = 0; i < turns; i++) {
        set_gate(is_open);
        sum = sum * 5 + counted->function(n);
    }
    set_gate(TRUE);
    return sum;
}

static Counts counted_of(guint32 loop)
{
    HieraTimedTotal total = hiera_timing_loop(loop + 1, 1);
    return (Counts){total.executions, total.iterations + total.executions};
}

/* Iterations are exact, unless executions were hidden: then nearly so, if there were many. */
static gboolean is_near(guint32 loop, guint64 executions, guint64 found, guint64 wanted)
{
    enum { MANY = 10000, PART = 3 };
    if (hiera_timing_loop(loop + 1, 1).estimated == 0)
        return found == wanted;
    return executions < MANY || (found > wanted - wanted / PART && found < wanted + wanted / PART);
}

static void expect(const Counted *counted, guint loop, guint64 n, const char *what, guint64 found, guint64 wanted,
                   int *failed)
{
    if (found == wanted)
        return;
    printf("%s(%lu), loop %u: %s %lu, expected %lu\n", counted->name, (unsigned long)n, loop, what,
           (unsigned long)found, (unsigned long)wanted);
    *failed = 1;
}

/* The loops have numbers that those of another function had. */
static void forget_all(void)
{
    memset(&hiera_timed_locals, 0, sizeof hiera_timed_locals);
    memset(hiera_timed_thread->owners, 0, sizeof hiera_timed_thread->owners);
    memset(hiera_timed_thread->paces, 0, sizeof hiera_timed_thread->paces);
    memset(hiera_timed_thread->loops, 0, sizeof hiera_timed_thread->loops);
}

/* Move a function, and hold its counts of one argument against those of the steps, also where executions are hidden. */
static int compare(const Subject *subject, const Counted *counted, guint64 n, HieraMoved *moved)
{
    Counts steps[LOOPS] = {{0}};
    int failed = 0;
    count_by_steps(subject, counted, n, steps);
    guint64 once = run(counted, n, 1, FALSE), again = run(counted, n, 1, FALSE);
    for (int hides = 0; hides < 2; hides++) {
        /* functions with numbers in memory compute another one each time, but count the same */
        guint64 first = run(counted, n, TURNS, TRUE), second = run(counted, n, TURNS, TRUE);
        const char *reason = hiera_moved_redirect(moved);
        guint64 original = run(counted, n, 1, FALSE);
        forget_all();
        hiera_timing_take(moved->plan, 1, 1);
        for (guint i = 0; i < moved->plan->loops.n && !hides; i++)
            hiera_timed_loops[i + 1].is_doubled = false;
        guint64 result = run(counted, n, TURNS, TRUE);
        reason = reason ? reason : hiera_moved_undo(moved);
        if (first == second)
            expect(counted, 0, n, "result", result, first, &failed);
        if (once == again)
            expect(counted, 0, n, "result of the original", original, once, &failed);
        for (guint i = 0; i < subject->flow->loops->len; i++) {
            Counts now = counted_of(i);
            expect(counted, i, n, "executions", now.executions, TURNS * steps[i].executions, &failed);
            if (!is_near(i, now.executions, now.iterations, TURNS * steps[i].iterations))
                expect(counted, i, n, "iterations", now.iterations, TURNS * steps[i].iterations, &failed);
        }
        if (reason)
            printf("%s: %s\n", counted->name, reason);
        failed |= reason != NULL;
    }
    return failed;
}

/* Number of instructions that a function takes more when it is moved. */
static guint64 added(const Subject *subject, const Counted *counted, guint64 n, HieraMoved *moved)
{
    Counts none[LOOPS];
    count_by_steps(subject, counted, n, none);
    guint64 before = stepping.n;
    const char *reason = hiera_moved_redirect(moved);
    stepping.area = moved;
    count_by_steps(subject, counted, n, none);
    stepping.area = NULL;
    reason = reason ? reason : hiera_moved_undo(moved);
    return reason ? G_MAXUINT64 : stepping.n - before;
}

/* Nothing is added to the iterations of a loop that counts by itself, whatever its begin and end take. The frame
 * pointer is one at each instruction. */
static int expect_no_cost(const Subject *subject, const Counted *counted, HieraMoved *moved)
{
    enum { FEW = 30, MANY = 3030 }; /* an execution that is long asks a clock: about 1000 instructions, once */
    stepping.frames = g_hash_table_new(NULL, NULL);
    stepping.n_strange = 0;
    guint64 few = G_MAXUINT32, many = G_MAXUINT64;
    for (int i = 0; i < 3 && many >= few + (MANY - FEW) / 2; i++) { /* executions that are timed have events */
        few = MIN(few, added(subject, counted, FEW, moved));
        many = MIN(many, added(subject, counted, MANY, moved));
    }
    g_clear_pointer(&stepping.frames, g_hash_table_unref);
    gboolean is_cheap = many < few + (MANY - FEW) / 2;
    if (!is_cheap)
        printf("%s: %lu instructions more with %d iterations, %lu with %d\n", counted->name, (unsigned long)few, FEW,
               (unsigned long)many, MANY);
    if (stepping.n_strange > 0)
        printf("%s: the frame pointer is not one at %lu instructions\n", counted->name,
               (unsigned long)stepping.n_strange);
    return !is_cheap || stepping.n_strange > 0;
}

/* A moved function computes the same when handlers of signals change the numbers of the thread. */
static int expect_no_harm(const Subject *subject, const Counted *counted, guint64 n, HieraMoved *moved)
{
    Counts none[LOOPS];
    int failed = 0;
    guint64 first = counted->function(n), second = counted->function(n);
    const char *reason = hiera_moved_redirect(moved);
    stepping.spoils = TRUE;
    guint64 result = count_by_steps(subject, counted, n, none);
    stepping.spoils = FALSE;
    reason = reason ? reason : hiera_moved_undo(moved);
    if (first == second)
        expect(counted, 0, n, "result with signals", result, first, &failed);
    return failed || reason;
}

/* Who unwinds from any instruction of a moved function, on each of its ways, gets to the main program. */
static int expect_ways_out(const Subject *subject, const Counted *counted, guint64 n, HieraMoved *moved)
{
    Counts none[LOOPS];
    if (!hiera_object_frame(subject->flow->functions->object, subject->flow->function->address))
        return 0;
    stepping.n_ways = stepping.n_lost = 0;
    stepping.area = moved;
    stepping.unwinds = TRUE;
    const char *reason = hiera_moved_redirect(moved);
    for (int i = 0; i < 3; i++) { /* in the original, with events of all, and where most is only counted */
        set_gate(i > 0);
        if (i == 1)
            forget_all();
        if (i == 2)
            run(counted, n, TURNS, TRUE);
        count_by_steps(subject, counted, n, none);
    }
    stepping.unwinds = FALSE;
    stepping.area = NULL;
    set_gate(TRUE);
    reason = reason ? reason : hiera_moved_undo(moved);
    if (stepping.n_lost > 0)
        printf("%s: unwinding ends early at %lu of %lu instructions, one at 0x%lx of the area\n", counted->name,
               (unsigned long)stepping.n_lost, (unsigned long)stepping.n_ways, (unsigned long)stepping.lost);
    return stepping.n_lost > 0 || reason;
}

static int try(const HieraFunctions *functions, HieraDecoder *decoder, const Counted *counted, guint *n_derived)
{
    const HieraFunction *function = hiera_functions_named(functions, counted->name);
    HieraPlanBuilder *builder = hiera_plan_builder_new(functions, decoder, NULL);
    hiera_plan_builder_add(builder, function, G_MAXUINT);
    g_autoptr(GByteArray) bytes = hiera_plan_builder_end(builder);
    const HieraPlan *plan = (const HieraPlan *)(const void *)bytes->data;
    const HieraPlanRefused *refused = hiera_plan_part(plan, plan->refused);
    const HieraMovedContext context = {1, 1, hiera_timing_event(), hiera_timing_unwind(), hiera_timing_locals()};
    Subject subject = {hiera_flow_decode(functions, function, decoder),
                       (guint64)(uintptr_t)counted->function - function->address};
    hiera_flow_finish(subject.flow);
    HieraMoved moved;
    const char *reason = plan->refused.n > 0 ? hiera_plan_text(plan, refused->reason) : NULL;
    g_autofree HieraInduction *inductions = hiera_inductions_of(subject.flow);
    guint n_found = 0;
    gboolean has_spare = FALSE;
    for (guint i = 0; i < subject.flow->loops->len; i++) {
        n_found += inductions[i].is_found;
        has_spare |= inductions[i].is_spare;
    }
    *n_derived += n_found;
    if (!reason)
        reason = hiera_moved_place(&moved, plan, (uintptr_t)(subject.base + hiera_object_first_page(functions->object)),
                                   &context);
    gboolean is_right = counted->refused ? reason && g_str_has_prefix(reason, counted->refused) : !reason;
    int failed = !is_right;
    if (counted->is_one_by_one)
        expect(counted, 0, 0, "loops that count by themselves", n_found, 0, &failed);
    for (guint i = 0; i < G_N_ELEMENTS(arguments) && !reason; i++)
        failed |= compare(&subject, counted, arguments[i], &moved);
    if (!reason)
        failed |= expect_ways_out(&subject, counted, arguments[1], &moved);
    if (!reason && has_spare)
        failed |= expect_no_harm(&subject, counted, arguments[1], &moved);
    if (!reason && (strcmp(counted->name, "count_up") == 0 || strcmp(counted->name, "count_framed") == 0))
        failed |= expect_no_cost(&subject, counted, &moved);
    if (!is_right)
        printf("%s: %s\n", counted->name, reason ? reason : "it is moved");
    if (!reason)
        hiera_moved_free(&moved);
    hiera_flow_free(subject.flow);
    return failed;
}

static int try_all(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    const Counted *(*all)(void) = library ? (const Counted *(*)(void))(uintptr_t)dlsym(library, "count_all") : NULL;
    HieraObject *object = hiera_object_open(path, NULL);
    if (!all || !object) {
        printf("%s cannot be loaded\n", path);
        return 1;
    }
    HieraFunctions *functions = hiera_functions_new(object, NULL);
    HieraDecoder *decoder = hiera_decoder_new(object, NULL);
    hiera_no_return_find(functions, decoder);
    int failed = 0;
    guint n_derived = 0;
    for (const Counted *counted = all(); counted->name; counted++)
        failed |= try(functions, decoder, counted, &n_derived);
    printf("%s: %u loops are counted by a number of their own\n", path, n_derived);
    hiera_decoder_free(decoder);
    hiera_functions_free(functions);
    hiera_object_free(object);
    return failed || n_derived < 10;
}

int main(int argc, char **argv)
{
    int failed = 0;
    hiera_timing_calibrate();
    for (int i = 1; i < argc; i++)
        failed |= try_all(argv[i]);
    return failed;
}
