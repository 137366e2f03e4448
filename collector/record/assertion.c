#include "assertion.h"

#include "base/variable.h"
#include "hiera.h"
#include "measured.h"
#include "region_names.h"
#include "region_steps.h"

#include <math.h>
#include <string.h>

/* --- values of an assertion's variables --- */

/* Return a value that the thread measured during an execution of an assertion; NaN if it is not known.
 * @param end  measured at the end of the execution; NULL: nothing was measured */
static double read_measured(const HieraThread *thread, const HieraOpen *open, const HieraUsage *end, unsigned what)
{
    uint64_t value;
    bool known = end && hiera_measured_since(thread, (uint32_t)(open - thread->open), end, (HieraMeasured)what, &value);
    return known ? hiera_variable_of_unsigned(value) : (double)NAN;
}

/* Add a record with the assertion and the values of its variables.
 *
 * @param addresses  of the values that the program gives
 * @param n_given    number of these addresses
 * @param type       type of all the values; HIERA_TYPE_NONE: each has the type that the assertion knows */
static void put_values(HieraThread *thread, const HieraOpen *open, const volatile void *const *addresses,
                       unsigned n_given, unsigned type)
{
    const HieraAssertion *assertion = open->name->assertion;
    HieraUsage reading, *end = open->start != 0 ? &reading : NULL;
    if (assertion->is_wrong) /* the assertion's text cannot be evaluated: no rule needs the values */
        return;
    if (HIERA_UNLIKELY(end != NULL))
        hiera_measure_end(thread, assertion->asks, end);
    size_t bytes = sizeof(HieraValuesRecord) + assertion->n * sizeof(double);
    if (!hiera_record_room(thread, bytes))
        return;
    HieraValuesRecord *record = (HieraValuesRecord *)(void *)thread->next;
    record->bytes = (uint32_t)bytes;
    record->call = HIERA_RECORD_VALUES;
    record->assertion = assertion;
    for (unsigned i = 0; i < assertion->n; i++) {
        unsigned of = type != HIERA_TYPE_NONE ? type : assertion->types[i];
        if (assertion->measured[i] < HIERA_N_MEASURED) {
            record->values[i] = read_measured(thread, open, end, assertion->measured[i]);
            continue;
        }
        const volatile void *address = assertion->which[i] < n_given ? addresses[assertion->which[i]] : NULL;
        record->values[i] = !address                ? (double)NAN
                            : assertion->is_comm[i] ? hiera_assertion_processes(address, of)
                                                    : hiera_variable_read(address, of);
    }
    hiera_record_take(thread, bytes);
}

/* --- begins of assertions --- */

/* Return the name of the assertion's region, made at its first use; NULL: no memory. */
static HieraName *find_name(HieraThread *thread, const HieraAssertionAsked *asked)
{
    HieraName *name = hiera_name_find_text(thread, asked->site, "assert", asked->text);
    if (HIERA_LIKELY(name && name->assertion && name->assertion->place == asked->place))
        return name;
    if (name) {
        name->assertion = hiera_assertion_find(asked);
        bool is_recorded = name->assertion && !name->assertion->is_wrong;
        name->unusual = (uint8_t)((name->unusual & ~HIERA_NAME_FILTERED) | (is_recorded ? 0 : HIERA_NAME_FILTERED));
    }
    return name && name->assertion ? name : NULL;
}

static inline const HieraAssertion *open(const HieraAssertionAsked *asked, uintptr_t frame, uintptr_t scope)
{
    HieraThread *thread = hiera_thread_current();
    HieraName *name = NULL;
    bool measures = false;
    if (HIERA_UNLIKELY(!thread)) {
        hiera_region_lose_unattached(scope);
        return NULL;
    }
    if (!hiera_region_enter(thread, frame)) {
        hiera_region_lose_inside(thread);
        return NULL;
    }
    if (HIERA_LIKELY(hiera_region_make_room(thread, 0, frame, scope)))
        name = find_name(thread, asked);
    if (HIERA_UNLIKELY(name && name->assertion->asks != 0))
        measures = hiera_measure_begin(thread, name->assertion->asks, thread->n_open);
    if (HIERA_LIKELY(name != NULL)) {
        hiera_region_open(thread, name, 0, scope);
        thread->open[thread->n_open - 1].start = measures;
    } else {
        hiera_region_lose_open(thread, scope);
    }
    hiera_region_leave(thread);
    return name ? name->assertion : NULL;
}

void hiera_assert_open(const volatile void *const *values)
{
    const struct hiera_assertion *place = (const struct hiera_assertion *)values[0];
    open(&(HieraAssertionAsked){.place = place,
                                .site = HIERA_SITE,
                                .text = place->text,
                                .file = place->file,
                                .line = place->line,
                                .spelled = place->spelled,
                                .n = place->n_variables,
                                .types = place->types + 1},
         HIERA_FRAME, (uintptr_t)values);
}

/* --- ends of assertions --- */

/* Find the open region of the assertion that ends now; NULL if there is none. Regions that are still open inside it are
 * ended first, so that the values are recorded in the assertion's own region. @param id  number of the assertion; 0:
 * any */
static const HieraOpen *find_open(HieraThread *thread, uintptr_t scope, int id)
{
    for (uint32_t i = thread->n_open; i-- > 0;) {
        const HieraOpen *open = &thread->open[i];
        const HieraAssertion *assertion = open->name ? open->name->assertion : NULL;
        if (!assertion || open->scope != scope || open->has_ended || (id != 0 && assertion->id != id))
            continue;
        if (HIERA_UNLIKELY(i + 1 < thread->n_open))
            hiera_open_leave_inside(thread, open);
        return open;
    }
    return NULL;
}

void hiera_assert_close(const volatile void *const *values)
{
    HieraThread *thread = hiera_region_enter_end(HIERA_OPEN_SCOPE, HIERA_FRAME, HIERA_SITE);
    if (HIERA_UNLIKELY(!thread))
        return;
    const struct hiera_assertion *place = (const struct hiera_assertion *)values[0];
    const HieraOpen *open = find_open(thread, (uintptr_t)values, 0);
    const HieraAssertion *assertion = open ? open->name->assertion : NULL;
    if (HIERA_LIKELY(open != NULL))
        put_values(thread, open, values + 1, place->n_variables, HIERA_TYPE_NONE);
    hiera_open_end_scope(thread, (uintptr_t)values, HIERA_FRAME, HIERA_SITE);
    hiera_region_leave(thread);
    if (HIERA_UNLIKELY(hiera_assertion_is_judged_now && assertion && !assertion->is_wrong))
        hiera_assertion_judge(assertion, place->on_violation);
}

/* --- assertions in languages other than C --- */

int hiera_assert_begin(const void *call_site, const char *text, const char *file, unsigned line)
{
    const void *site = call_site ? call_site : HIERA_SITE;
    const HieraAssertion *assertion =
        open(&(HieraAssertionAsked){.place = site, .site = site, .text = text ? text : "", .file = file, .line = line},
             HIERA_FRAME, 0);
    return assertion ? assertion->id : 0;
}

void hiera_assert_end(int id, unsigned type, const void *values, unsigned n)
{
    static const size_t sizes[] = {[HIERA_TYPE_FORTRAN_INT] = sizeof(int),
                                   [HIERA_TYPE_LLONG] = sizeof(long long),
                                   [HIERA_TYPE_FLOAT] = sizeof(float),
                                   [HIERA_TYPE_DOUBLE] = sizeof(double)};
    const volatile void *addresses[HIERA_ASSERTION_VARIABLES];
    HieraThread *thread = hiera_region_enter_end(HIERA_OPEN_PLAIN, HIERA_FRAME, HIERA_SITE);
    if (!thread)
        return;
    const HieraOpen *open = id != 0 ? find_open(thread, 0, id) : NULL;
    const HieraAssertion *assertion = open ? open->name->assertion : NULL;
    n = n <= HIERA_ASSERTION_VARIABLES ? n : HIERA_ASSERTION_VARIABLES;
    for (unsigned i = 0; i < n; i++)
        addresses[i] = (const char *)values + i * sizes[type];
    if (assertion) {
        put_values(thread, open, addresses, n, type);
        hiera_open_end_named(thread, (HieraBytes){assertion->text, strlen(assertion->text)}, HIERA_FRAME, HIERA_SITE);
    } else if (!hiera_open_end_lost(&thread->unkept, HIERA_OPEN_PLAIN)) {
        hiera_balance_note(thread, HIERA_IMBALANCE_ALONE, NULL, HIERA_SITE);
    }
    hiera_region_leave(thread);
    if (HIERA_UNLIKELY(hiera_assertion_is_judged_now && assertion && !assertion->is_wrong))
        hiera_assertion_judge(assertion, NULL);
}
