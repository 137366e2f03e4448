/* Programs are executed, and walked through: the results must be the same, and so must be how often loops are repeated.
 *
 * unit-execution SUBJECT: an executable made of subject.c. unit-execution CASES vectors, or calls: one made of
 * vectors.c, or of texts.c. */
#include "execution/run.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static const char *subject;
static HieraExecution *opened; /* of the subject, made once: each test has a copy of it, as a child of fork */

typedef struct {
    int number;
    const char *n;
    gboolean may_be_unknown; /* what is calculated in iterations that are skipped is no polynomial */
} Case;

static const Case cases[] = {
    {0, "0", FALSE},      {0, "5", FALSE},      {0, "1000000", FALSE}, {1, "3", FALSE},     {1, "700", FALSE},
    {2, "1", FALSE},      {2, "12", FALSE},     {3, "9", FALSE},       {3, "10", FALSE},    {3, "11", FALSE},
    {4, "0", FALSE},      {4, "4", FALSE},      {4, "6", FALSE},       {5, "1", FALSE},     {5, "77", FALSE},
    {5, "123456", FALSE}, {6, "50", FALSE},     {6, "4990", TRUE},     {7, "27", FALSE},    {7, "97", FALSE},
    {8, "3", FALSE},      {8, "100", FALSE},    {9, "2", FALSE},       {9, "9000", FALSE},  {10, "40", FALSE},
    {10, "999", TRUE},    {11, "1000", FALSE},  {12, "7", FALSE},      {12, "600", FALSE},  {12, "100000", FALSE},
    {13, "0", FALSE},     {13, "50001", FALSE}, {14, "3", FALSE},      {15, "40", FALSE},   {15, "999", FALSE},
    {15, "4000", FALSE},  {16, "30", FALSE},    {16, "1000", TRUE},    {16, "12345", TRUE}, {16, "70007", TRUE},
    {17, "2", FALSE},     {17, "30", FALSE},    {18, "3", FALSE},      {18, "77", FALSE},   {19, "5", FALSE},
    {19, "61", FALSE},    {20, "3", FALSE},     {22, "50", FALSE},     {23, "3", FALSE},    {23, "400", FALSE},
    {24, "400", FALSE},   {26, "31", FALSE},
};

static void open_subject(void)
{
    g_autoptr(GError) error = NULL;
    opened = hiera_execution_new(subject, NULL, &error);
    ck_assert_msg(opened != NULL, "%s", error ? error->message : "");
}

static void close_subject(void)
{
    g_clear_pointer(&opened, hiera_execution_free);
}

/* What the program exits with; -1 if it cannot be executed on this processor. */
static int run(const Case *given)
{
    g_autofree char *number = g_strdup_printf("%d", given->number);
    char *words[] = {(char *)subject, number, (char *)given->n, NULL};
    int status = 0;
    ck_assert(g_spawn_sync(NULL, words, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, NULL));
    return status & 0x7f ? -1 : status >> 8;
}

typedef struct {
    gboolean known;
    int result;
    gdouble cycles;
    guint64 n_walked, n_ahead, n_drawn, n_called;
} Walked;

/* @param changed  options that differ; NULL: none. @param called  a function; NULL: none */
static Walked walk_once(const HieraExecution *execution, const Case *given, const HieraWalkOptions *changed,
                        const char *called)
{
    g_autofree char *number = g_strdup_printf("%d", given->number);
    char *arguments[] = {number, (char *)given->n, NULL};
    HieraWalkOptions options = {.loops = {HIERA_DRAW_FIXED, 3, 0, 10},
                                .branches = {HIERA_DRAW_FIXED, 0.5, 0},
                                .cycle_ps = 500,
                                .factor = 1,
                                .arguments = arguments,
                                .n_processes = 1,
                                .seed = 1};
    if (changed) {
        options.patience = changed->patience;
        options.branches = changed->branches;
    }
    HieraLoopFacts *facts = hiera_loop_facts_new(execution);
    HieraProcess *process = hiera_process_new(execution, &options, facts, 0);
    ck_assert_uint_eq(hiera_process_walk(process), HIERA_NO_VERTEX);
    ck_assert_ptr_null(process->stuck);
    ck_assert_int_eq(process->is_wanting, execution->wanted->len > 0);
    const HieraKnown *result = &process->state.registers[HIERA_RAX];
    Walked walked = {.known = result->known,
                     .result = (int)((guint32)result->bits & 0xff),
                     .cycles = process->cycles,
                     .n_walked = process->n_walked,
                     .n_ahead = process->n_ahead,
                     .n_drawn = process->n_drawn};
    for (guint i = 0; called && i < execution->graphs->len; i++)
        if (g_str_has_prefix(hiera_execution_graph(execution, i)->name, called))
            walked.n_called = process->counters[hiera_counter_of_graph(execution, i)];
    hiera_process_free(process);
    hiera_loop_facts_free(execution, facts);
    return walked;
}

/* Functions that pointers lead to are found on the way. */
static Walked walk_as(HieraExecution *execution, const Case *given, const HieraWalkOptions *changed, const char *called)
{
    Walked walked;
    do
        walked = walk_once(execution, given, changed, called);
    while (hiera_execution_extend(execution));
    return walked;
}

static Walked walk(HieraExecution *execution, const Case *given)
{
    return walk_as(execution, given, NULL, NULL);
}

START_TEST(results_are_those_of_the_program)
{
    const Case *given = &cases[_i];
    int expected = run(given);
    Walked walked = walk(opened, given);
    ck_assert_msg(walked.known || given->may_be_unknown, "case %d of %s: not known", given->number, given->n);
    ck_assert_msg(!walked.known || walked.result == expected, "case %d of %s: expected %d, walked %d", given->number,
                  given->n, expected, walked.result);
    ck_assert_uint_eq(walked.n_drawn, 0);
}
END_TEST

/* Long loops are not walked. */
START_TEST(long_loops_are_skipped)
{
    static const Case given[] = {{0, "20000000", FALSE},
                                 {1, "5000", FALSE},
                                 {9, "1000000", FALSE},
                                 {11, "100000", FALSE},
                                 {13, "20000000", FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(given); i++) {
        Walked walked = walk(opened, &given[i]);
        ck_assert_msg(walked.n_walked < 100000, "case %d: %" G_GUINT64_FORMAT " vertices walked", given[i].number,
                      walked.n_walked);
        ck_assert_msg(walked.known && walked.result == run(&given[i]), "case %d of %s: walked %d", given[i].number,
                      given[i].n, walked.result);
    }
}
END_TEST

/* Short ones are, where a process has been walked for long; they are repeated as often. */
START_TEST(short_loops_are_skipped_later)
{
    const Case given = {20, "7", FALSE};
    const HieraWalkOptions early = {.patience = 1}, never = {.patience = G_MAXUINT64};
    Walked all = walk_as(opened, &given, &never, NULL), few = walk_as(opened, &given, &early, NULL);
    ck_assert(all.known && few.known);
    ck_assert_int_eq(all.result, run(&given));
    ck_assert_int_eq(few.result, all.result);
    ck_assert_double_eq_tol(few.cycles, all.cycles, 1e-6 * all.cycles);
    ck_assert_msg(few.n_walked * 4 < all.n_walked, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " vertices walked",
                  few.n_walked, all.n_walked);
}
END_TEST

/* What is drawn in them happens as often in the mean, also if it is rare. */
START_TEST(short_loops_have_their_mean)
{
    static const gdouble probability[] = {0.5, 0.04}, tolerance[] = {0.1, 0.4};
    const Case given = {21, "20", FALSE};
    for (guint i = 0; i < G_N_ELEMENTS(probability); i++) {
        const HieraBranchDraw branches = {HIERA_DRAW_NORMAL, probability[i], 0};
        const HieraWalkOptions early = {.patience = 1, .branches = branches},
                               never = {.patience = G_MAXUINT64, .branches = branches};
        Walked all = walk_as(opened, &given, &never, "sometimes"), few = walk_as(opened, &given, &early, "sometimes");
        gdouble n = (gdouble)all.n_called;
        ck_assert(n > 400 && all.n_drawn > 16000);
        ck_assert_double_eq_tol((gdouble)few.n_called, n, tolerance[i] * n);
        ck_assert_double_eq_tol(few.cycles, all.cycles, 0.1 * all.cycles);
        ck_assert_msg(few.n_walked * 2 < all.n_walked, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " vertices walked",
                      few.n_walked, all.n_walked);
    }
}
END_TEST

/* A few iterations that grow do not tell what the others do. */
START_TEST(what_grows_for_a_while_has_its_mean)
{
    const Case given = {25, "100000", FALSE};
    const Walked walked = walk_as(opened, &given, NULL, "often");
    ck_assert_double_eq_tol((gdouble)walked.n_called, 350000, 3500);
}
END_TEST

/* Fewer vertices, the same results and costs. */
START_TEST(reductions_change_nothing)
{
    Walked unreduced[G_N_ELEMENTS(cases)];
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        unreduced[i] = walk(opened, &cases[i]);
    for (guint reductions = 1; reductions < 8; reductions++) {
        g_autoptr(HieraExecution) reduced = hiera_execution_new(subject, NULL, NULL);
        guint n_gone = hiera_execution_reduce(reduced, (HieraReductions)reductions);
        ck_assert((reductions & 3) == 0 || n_gone > 0);
        for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
            Walked before = unreduced[i], after = walk(reduced, &cases[i]);
            ck_assert_msg(after.known == before.known && (!after.known || after.result == before.result),
                          "case %d of %s, reductions %u: %d, not %d", cases[i].number, cases[i].n, reductions,
                          after.result, before.result);
            ck_assert_double_eq_tol(after.cycles, before.cycles, 1e-6 * before.cycles);
            ck_assert_uint_le(after.n_walked, before.n_walked);
        }
    }
}
END_TEST

/* --- draws --- */

START_TEST(draws_have_their_means)
{
    const guint64 seed = 7;
    HieraRandom random = hiera_random_new(&seed, 1);
    for (guint kind = 0; kind < HIERA_N_DRAWS; kind++) {
        const HieraLoopDraw loops = {(HieraDrawKind)kind, 40, 5, 100000}, capped = {(HieraDrawKind)kind, 40, 5, 40};
        const HieraBranchDraw branches = {(HieraDrawKind)kind, 0.25, 0.05};
        gdouble sum = 0, probability = 0;
        for (guint i = 0; i < 20000; i++) {
            sum += (gdouble)hiera_draw_loop(&loops, &random);
            probability += hiera_draw_probability(&branches, &random);
            ck_assert_uint_eq(hiera_draw_loop(&capped, &random), 40); /* the mean is the most: constant */
        }
        ck_assert_double_eq_tol(sum / 20000, 40, 1);
        ck_assert_double_eq_tol(probability / 20000, 0.25, 0.02);
    }
}
END_TEST

/* --- vectors, and functions of C --- */

static guint least_cases;

START_TEST(cases_have_the_results_of_the_processor)
{
    enum { NO_CASE = 255 };
    static const char *const numbers[] = {"1", "7", "35", "90"};
    guint n_wrong = 0, n_cases = 0;
    int expected = 0;
    for (int number = 0; expected >= 0 && expected != NO_CASE; number++) {
        for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
            const Case given = {number, numbers[i], FALSE};
            expected = run(&given);
            Walked walked = walk(opened, &given);
            gboolean good = expected < 0 || (walked.known && walked.result == expected);
            if (!good)
                g_printerr("case %d of %s: expected %d, walked %d, %s\n", number, numbers[i], expected, walked.result,
                           walked.known ? "known" : "not known");
            n_wrong += !good;
            n_cases++;
        }
    }
    ck_assert_uint_eq(n_wrong, 0);
    ck_assert(expected < 0 || n_cases > least_cases);
}
END_TEST

/* --- memory --- */

/* More pages than are kept: nothing that was written is told as it was before. What is forgotten makes room. */
START_TEST(memory_may_be_full)
{
    enum { PAGE = 4096, MANY = 10000 };
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraProgram) program = hiera_program_open(subject, NULL, &error);
    ck_assert(program != NULL);
    const HieraObject *object = program->objects->pdata[0];
    ck_assert(object->variables->len > 0);
    const HieraSymbol *variable = &g_array_index(object->variables, HieraSymbol, 0);
    HieraKnownMemory *memory = hiera_known_memory_new(program);
    guint64 big = hiera_known_memory_allocate(memory, (guint64)MANY * PAGE),
            behind = hiera_known_memory_allocate(memory, 8), bits, begin, end;
    guint n_known = 0;
    for (guint i = 0; i < MANY; i++)
        hiera_known_memory_write(memory, big + (guint64)i * PAGE, 8, TRUE, i);
    for (guint i = 0; i < MANY; i++) {
        gboolean known = hiera_known_memory_read(memory, big + (guint64)i * PAGE, 8, &bits);
        n_known += (guint)known;
        ck_assert(!known || bits == i);
    }
    ck_assert(n_known > 1000 && n_known < MANY);
    ck_assert(hiera_known_memory_read(memory, variable->address, 1, &bits)); /* as the file has it */
    hiera_known_memory_write(memory, variable->address, 1, TRUE, bits + 1);
    ck_assert(!hiera_known_memory_read(memory, variable->address, 1, &bits));
    hiera_known_memory_forget(memory, big, (guint64)MANY * PAGE);
    ck_assert(!hiera_known_memory_read(memory, big, 8, &bits));
    hiera_known_memory_write(memory, variable->address, 1, TRUE, 7);
    ck_assert(hiera_known_memory_read(memory, variable->address, 1, &bits) && bits == 7);
    ck_assert(hiera_known_memory_bounds(memory, big + 5, &begin, &end) && begin == big &&
              end == big + (guint64)MANY * PAGE);
    ck_assert(hiera_known_memory_bounds(memory, behind, &begin, &end) && begin == behind && end == behind + 8);
    ck_assert(!hiera_known_memory_bounds(memory, behind + 8, &begin, &end));
    ck_assert(hiera_known_memory_bounds(memory, variable->address, &begin, &end) &&
              end == variable->address + variable->size);
    hiera_known_memory_free(memory);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc < 2)
        return EXIT_FAILURE;
    subject = argv[1];
    Suite *suite = suite_create("execution");
    TCase *tests = tcase_create("programs");
    tcase_set_timeout(tests, 60);
    tcase_add_unchecked_fixture(tests, open_subject, close_subject);
    if (argc > 2) {
        least_cases = strcmp(argv[2], "vectors") == 0 ? 200 : 120;
        tcase_add_test(tests, cases_have_the_results_of_the_processor);
    } else {
        tcase_add_loop_test(tests, results_are_those_of_the_program, 0, G_N_ELEMENTS(cases));
        tcase_add_test(tests, long_loops_are_skipped);
        tcase_add_test(tests, short_loops_are_skipped_later);
        tcase_add_test(tests, short_loops_have_their_mean);
        tcase_add_test(tests, what_grows_for_a_while_has_its_mean);
        tcase_add_test(tests, reductions_change_nothing);
        tcase_add_test(tests, draws_have_their_means);
        tcase_add_test(tests, memory_may_be_full);
    }
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
