/* Acts at once when a rule does not hold: prints, calls the program, or ends the job (`on_violation` of HIERA_MORE). */
#include "base/lock.h"
#include "base/message.h"
#include "base/settings.h"
#include "expect.h"
#include "hiera.h"
#include "job/job.h"
#include "memory/signal_safe_memory.h"
#include "record/assertion.h"
#include "write/level_ops.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hiera_assertion_is_judged_now;

void hiera_expect_load_violations(void)
{
    hiera_assertion_is_judged_now = hiera_settings.enabled && strcmp(hiera_settings.on_violation, "count") != 0;
}

/* Whether the assertion did not hold in this thread's last execution; then *instance describes that execution. */
static bool find_violation(const HieraAssertion *assertion, HieraInstance *instance)
{
    if (!hiera_thread || !hiera_lock_enter())
        return false;
    hiera_clock_anchor();
    hiera_expect_pass(hiera_thread, false);
    const HieraVerdicts *verdicts = hiera_expect_verdicts(hiera_thread, assertion->rule);
    bool is_one = verdicts && verdicts->last.number > 0 && verdicts->last.number == hiera_verdicts_count(verdicts);
    if (is_one)
        *instance = verdicts->last;
    hiera_lock_leave();
    return is_one;
}

/* Return the number; of a NaN, one without sign, since printf() would print the minus sign. */
static double plain(double number)
{
    return number != number ? __builtin_fabs(number) : number;
}

static void say_instance(const char *file, unsigned line, const char *text, const HieraInstance *instance)
{
    const HieraSides *sides = &instance->sides;
    const char *unit = sides->times ? " ns" : "";
    char thread[32] = "";
    if (instance->thread > 0)
        snprintf(thread, sizeof thread, ", thread %lld", (long long)instance->thread);
    if (sides->operator_)
        hiera_message("%s:%u: %s does not hold on rank %d%s, execution %llu: %.6g%s %s %.6g%s", file, line, text,
                      hiera_job.rank, thread, (unsigned long long)instance->number, plain(sides->left), unit,
                      sides->operator_, plain(sides->right), unit);
    else
        hiera_message("%s:%u: %s does not hold on rank %d%s, execution %llu", file, line, text, hiera_job.rank, thread,
                      (unsigned long long)instance->number);
}

/* Print a violation; only the assertion's first one in this process. */
static void say(const HieraAssertion *assertion, const HieraInstance *instance)
{
    if (!__atomic_exchange_n(&((HieraAssertion *)assertion)->is_said, true, __ATOMIC_RELAXED))
        say_instance(assertion->file, assertion->line, assertion->text, instance);
}

/* Only prints: while the records of a thread are being read, neither the program's function can be called nor the job
 * be ended. */
void hiera_expect_say_rules(const HieraMeter *meter)
{
    static bool *said; /* [i]: whether a violation of rule i has been printed */
    unsigned n;
    const HieraRule *rules = hiera_rules_peek(hiera_expect_rules(HIERA_RULES_FILE), &n);
    if (!said && !(said = hiera_memory_new(n * sizeof *said)))
        return;
    for (unsigned i = 0; i < n; i++) {
        const HieraVerdicts *verdicts = hiera_meter_peek_verdicts(meter, i);
        if (verdicts->n[HIERA_VERDICT_FAILED] == 0 || said[i])
            continue;
        said[i] = true;
        say_instance(rules[i].source, rules[i].line, rules[i].text, &verdicts->first);
    }
}

typedef void Call(const struct hiera_violation *violation);

static void tell_program(const HieraAssertion *assertion, const HieraInstance *instance, Call *call)
{
    const struct hiera_violation violation = {
        .text = assertion->text,
        .file = assertion->file,
        .line = assertion->line,
        .comparison = instance->sides.operator_ ? instance->sides.operator_ : "",
        .left = instance->sides.left,
        .right = instance->sides.right,
        .execution = instance->number,
    };
    call(&violation);
}

/* Print that hiera_on_violation() is missing, once in this process. */
static void complain_of_call(void)
{
    static bool is_said;
    if (!__atomic_exchange_n(&is_said, true, __ATOMIC_RELAXED))
        hiera_message(
            "HIERA_MORE=on_violation=call: the program has no function hiera_on_violation(): violations are said "
            "instead, as with say");
}

void hiera_assertion_judge(const HieraAssertion *assertion, Call *call)
{
    HieraInstance instance;
    int saved_errno = errno;
    bool calls = strcmp(hiera_settings.on_violation, "call") == 0;
    if (find_violation(assertion, &instance)) {
        if (calls && !call)
            call = (Call *)dlsym(RTLD_DEFAULT, "hiera_on_violation");
        if (calls && !call)
            complain_of_call();
        if (calls && call)
            tell_program(assertion, &instance, call);
        else
            say(assertion, &instance);
        if (strcmp(hiera_settings.on_violation, "end") == 0)
            hiera_level.end_job(EXIT_FAILURE);
    }
    errno = saved_errno;
}
