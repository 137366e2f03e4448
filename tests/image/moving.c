/* See moving.h. */
#include "moving.h"

#include "collector/base/settings.h"
#include "collector/loops/timing.h"
#include "image/flow/no_return.h"
#include "image/move/plan_builder.h"

#include <check.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

HieraSettings hiera_settings;

MovingSubject moving_plan(const char *path, uintptr_t base, const char *const *names, size_t n)
{
    GError *error = NULL;
    HieraObject *object = hiera_object_open(path, &error);
    ck_assert_msg(object != NULL, "%s", error ? error->message : "");
    HieraFunctions *functions = hiera_functions_new(object, &error);
    HieraDecoder *decoder = hiera_decoder_new(object, &error);
    HieraPlaces *places = hiera_places_new(path);
    hiera_no_return_find(functions, decoder);
    HieraPlanBuilder *builder = hiera_plan_builder_new(functions, decoder, places);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(hiera_functions_named(functions, names[i]) != NULL, "no %s", names[i]);
    for (size_t i = 0; i < n; i++)
        hiera_plan_builder_add(builder, hiera_functions_named(functions, names[i]), G_MAXUINT);
    MovingSubject subject = {hiera_plan_builder_end(builder), base};
    hiera_places_free(places);
    hiera_decoder_free(decoder);
    hiera_functions_free(functions);
    hiera_object_free(object);
    return subject;
}

HieraMoved moving_place(const MovingSubject *subject)
{
    HieraMoved moved;
    const HieraPlan *plan = (const HieraPlan *)subject->plan->data;
    const HieraPlanRefused *refused = hiera_plan_part(plan, plan->refused);
    const HieraMovedContext context = {1, 1, hiera_timing_event(), hiera_timing_unwind(), hiera_timing_locals()};
    ck_assert(hiera_plan_check(plan, subject->plan->len));
    for (uint32_t i = 0; i < plan->refused.n; i++)
        ck_abort_msg("%s is left alone: %s", hiera_plan_text(plan, refused[i].name),
                     hiera_plan_text(plan, refused[i].reason));
    if (hiera_timed_costs.slack == 0)
        hiera_timing_calibrate();
    hiera_timing_take(plan, 1, 1);
    const char *reason = hiera_moved_place(&moved, plan, subject->base, &context);
    ck_assert_msg(!reason, "%s", reason);
    return moved;
}

bool moving_may_try_again(const char *reason)
{
    static const char *const passing[] = {
        "a thread is about to execute it", "a thread does not stop", "without ptrace: where a thread is, is not known",
        "without ptrace: a thread blocks SIGTRAP", "without ptrace: a thread begins a process (vfork)"};
    for (size_t i = 0; i < G_N_ELEMENTS(passing); i++)
        if (strcmp(reason, passing[i]) == 0)
            return true;
    return false;
}

guint moving_rounds(guint n)
{
    return hiera_moved_by == HIERA_MOVED_BY_BREAKPOINTS ? n / 5 : n;
}

void moving_while_threads_run(HieraMoved *moved, guint n, void *(*run)(void *argument), volatile bool *is_over)
{
    const guint rounds = moving_rounds(n);
    pthread_t threads[MOVING_THREADS];
    guint n_failed = 0;
    *is_over = false;
    for (uintptr_t i = 0; i < MOVING_THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (guint i = 0; i < rounds; i++) {
        const char *reason = hiera_moved_redirect_running(moved, NULL);
        if (reason) {
            ck_assert_msg(moving_may_try_again(reason), "%s", reason);
            n_failed++;
            continue;
        }
        usleep(500);
        while ((reason = hiera_moved_undo_running(moved, NULL)) != NULL)
            ck_assert_msg(moving_may_try_again(reason), "%s", reason);
    }
    *is_over = true;
    for (int i = 0; i < MOVING_THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        ck_assert_ptr_null(result);
    }
    ck_assert_uint_lt(n_failed, rounds / 2);
}

uint32_t moving_number(const HieraPlan *plan, const char *name)
{
    const HieraPlanFunction *functions = hiera_plan_part(plan, plan->functions);
    for (uint32_t i = 0; i < plan->functions.n; i++)
        if (strcmp(hiera_plan_text(plan, functions[i].name), name) == 0)
            return i + 1;
    ck_abort_msg("no %s", name);
}
