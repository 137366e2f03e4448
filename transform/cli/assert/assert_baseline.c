/* --baseline: the value of baseline() in a rule is the mean over the evaluations of that rule on a kept run. */
#include "assert_runs.h"
#include "assertions/assertions.h"
#include "base/misuse.h"
#include "cli/options/report.h"
#include "cli/run/run.h"
#include "measures.h"
#include "parallel/parallel.h"
#include "trace/pack_process.h"

typedef struct {
    const Options *options;
    GMutex lock;
    GPtrArray *samples; /* by index in hiera_rules_peek_outside(): GArray of double, one value per evaluation */
} Kept;

/* Forget the values, because the kept run is read again: otherwise they would count twice. */
static void forget(void *user)
{
    const Kept *kept = user;
    for (guint i = 0; i < kept->samples->len; i++)
        g_array_set_size(g_ptr_array_index(kept->samples, i), 0);
}

/* Called for each evaluation of a rule on the kept run: append the value that the rule's baseline() asks for. */
static void see(void *user, const HieraRule *rule, const HieraEvaluation *evaluation)
{
    Kept *kept = user;
    guint n_outside, n_rules;
    double value;
    const HieraRules *rules = kept->options->rules;
    const HieraOutside *outside = hiera_rules_peek_outside(rules, &n_outside);
    guint number = (guint)(rule - hiera_rules_peek(rules, &n_rules));
    for (guint i = 0; i < n_outside; i++) {
        if (outside[i].rule != number || outside[i].measure || !hiera_rules_ask_baseline(rules, i, evaluation, &value))
            continue;
        g_mutex_lock(&kept->lock);
        g_array_append_val((GArray *)g_ptr_array_index(kept->samples, i), value);
        g_mutex_unlock(&kept->lock);
    }
}

/* --- values of several processes go to process 0 --- */

static void send_samples(const Kept *kept)
{
    HieraPacker *packer = hiera_packer_to(0);
    for (guint i = 0; i < kept->samples->len; i++)
        hiera_pack_array(packer, g_ptr_array_index(kept->samples, i));
    hiera_packer_end(packer);
}

static void receive_samples(const Kept *kept, guint process)
{
    HieraUnpacker *unpacker = hiera_unpacker_from(process, NULL); /* NULL: the data contain no texts */
    for (guint i = 0; i < kept->samples->len; i++)
        hiera_unpack_array(unpacker, g_ptr_array_index(kept->samples, i));
    hiera_unpacker_free(unpacker);
}

/* Send the values of all processes to process 0. Each process has evaluated the rules for its own ranks. */
static void gather(const Kept *kept)
{
    hiera_parallel_agree(TRUE); /* without a trace, all processes but 0 end in this call */
    if (!hiera_parallel_leads())
        send_samples(kept);
    for (guint i = 1; hiera_parallel_leads() && i < hiera_parallel_size(); i++)
        receive_samples(kept, i);
}

/* --- mean of the values --- */

static int compare_numbers(gconstpointer a, gconstpointer b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Return the mean. The values are added in ascending order, so that it does not depend on the order of threads. */
static double mean_of(GArray *samples)
{
    double sum = 0;
    g_array_sort(samples, compare_numbers);
    for (guint i = 0; i < samples->len; i++)
        sum += g_array_index(samples, double, i);
    return sum / samples->len;
}

static void answer(const Kept *kept)
{
    guint n_outside, n_rules;
    HieraRules *rules = kept->options->rules;
    const HieraOutside *outside = hiera_rules_peek_outside(rules, &n_outside);
    for (guint i = 0; i < n_outside; i++) {
        GArray *samples = g_ptr_array_index(kept->samples, i);
        if (outside[i].measure)
            continue;
        if (samples->len > 0) {
            hiera_rules_answer(rules, i, mean_of(samples));
            continue;
        }
        const HieraRule *rule = &hiera_rules_peek(rules, &n_rules)[outside[i].rule];
        g_autofree char *message = g_strdup_printf("%s:%u: %s does not tell what baseline(…) asks for", rule->source,
                                                   rule->line, kept->options->baseline);
        report_message(message);
    }
}

static void note_read(const GPtrArray *tables, const HieraCatalog *catalog, gpointer is_read)
{
    (void)tables, (void)catalog;
    *(gboolean *)is_read = TRUE;
}

gboolean assert_runs_compare(const Options *options, GError **error)
{
    guint n_outside;
    gboolean is_read = FALSE;
    Kept kept = {.options = options, .samples = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref)};
    g_autoptr(GPtrArray) measures = g_ptr_array_new();
    g_ptr_array_add(measures, (gpointer)&hiera_measure_assertions);
    Options asks = options_of_measures(options, measures);
    asks.arguments = (char *[]){options->baseline, NULL};
    hiera_rules_peek_outside(options->rules, &n_outside);
    for (guint i = 0; i < n_outside; i++)
        g_ptr_array_add(kept.samples, g_array_new(FALSE, FALSE, sizeof(double)));
    g_mutex_init(&kept.lock);
    hiera_rules_watch(options->rules, &(HieraRuleWatch){forget, see, &kept});
    gboolean good = run_tables(&asks, TRUE, note_read, &is_read, error);
    hiera_rules_watch(options->rules, NULL);
    g_mutex_clear(&kept.lock);
    if (good && hiera_parallel_leads() && !is_read)
        good = misuse(error, "--baseline %s: no trace could be read there", options->baseline);
    if (good)
        gather(&kept);
    if (good && hiera_parallel_leads())
        answer(&kept);
    g_ptr_array_unref(kept.samples);
    return good;
}
