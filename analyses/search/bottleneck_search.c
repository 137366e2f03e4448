/* Tests each hypothesis for smaller and smaller parts of the run; see bottleneck_search.h. */
#include "bottleneck_search.h"
#include "bottleneck_values.h"
#include "values/shares.h"
#include <string.h>

typedef struct {
    const HieraMatch *match;
    const HieraCallPaths *paths;
    const HieraEvidences *evidences;
    HieraLosses losses;
    HieraHypothesis hypothesis;
    gint64 threshold;
    HieraTable *table;
    HieraTestedVisit visit;
    gpointer user;
} Search;

/* A part of the run for which the hypothesis is tested: evidence, ranks and times. */
typedef struct {
    const GArray *evidence; /* HieraEvidence in this part */
    const char *where;
    guint32 node;
    HieraFocus focus;
} Part;

/* Return a key by which evidence is grouped (node, communicator); HIERA_NONE: it is in no group. */
typedef guint32 (*KeyOf)(const Search *search, const HieraEvidence *evidence, const Part *part);

static void tell(const Search *search, const Part *part, const char *where, HieraLoss loss, HieraTestVerdict verdict)
{
    HieraTestedHypothesis tested = {.hypothesis = search->hypothesis,
                                    .where = where,
                                    .from_ns = hiera_focus_from(&search->losses, &part->focus),
                                    .to_ns = hiera_focus_to(&search->losses, &part->focus),
                                    .time_ns = loss.time_ns,
                                    .value = loss.value,
                                    .verdict = verdict};
    search->visit(&tested, search->user);
}

/* Return `where` of a part with one more step; the table owns the text. */
static const char *extend(const Search *search, const Part *part, const char *step)
{
    const char separator[] = {HIERA_PATH_SEPARATOR, '\0'};
    g_autofree char *where = g_strconcat(part->where, separator, step, NULL);
    return hiera_table_keep(search->table, where);
}

/* Return copies of those elements of a part's evidence that have a key; to be freed with g_array_unref. */
static GArray *select_evidence(const Search *search, const Part *part, KeyOf key_of, guint32 key)
{
    GArray *selected = g_array_new(FALSE, FALSE, sizeof(HieraEvidence));
    for (guint i = 0; i < part->evidence->len; i++) {
        const HieraEvidence *evidence = &g_array_index(part->evidence, HieraEvidence, i);
        if (key_of(search, evidence, part) == key)
            g_array_append_val(selected, *evidence);
    }
    return selected;
}

static gint compare_keys(gconstpointer left, gconstpointer right, gpointer user)
{
    (void)user;
    guint32 a = *(const guint32 *)left, b = *(const guint32 *)right;
    return (a > b) - (a < b);
}

/* Return the different keys of a part's evidence (guint32), sorted; to be freed with g_array_unref. */
static GArray *list_keys(const Search *search, const Part *part, KeyOf key_of, GCompareDataFunc compare)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    GArray *keys = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < part->evidence->len; i++) {
        guint32 key = key_of(search, &g_array_index(part->evidence, HieraEvidence, i), part);
        if (key != HIERA_NONE && g_hash_table_add(seen, GUINT_TO_POINTER(key)))
            g_array_append_val(keys, key);
    }
    g_array_sort_with_data(keys, compare, (gpointer)search);
    return keys;
}

/* --- refinement by time --- */

/* Groups of the parts of time, in the order of output: hypothesis true, false, outside of iterations, no time. */
enum { TIME_TRUE, TIME_FALSE, TIME_OUTSIDE, TIME_NONE };

/* Decide for each part of the run whether the hypothesis is true there.
 * @return TRUE if it is true for some parts and false for others; parts without time, and time outside of iterations
 *         without loss, are ignored */
static gboolean split_time(const Search *search, const Part *part, guint8 *of_part)
{
    const HieraTimeParts *parts = &search->evidences->parts;
    guint n_true = 0, n = 0;
    for (guint i = 0; i < parts->n; i++) {
        guint8 own[HIERA_TIME_PARTS_MAX] = {0};
        Part inner = *part;
        own[i] = inner.focus.part_group = 1;
        inner.focus.of_part = own;
        gboolean lasts = FALSE;
        for (guint32 k = 0; k < parts->trace->n_processors && !lasts; k++)
            lasts = parts->length_ns[(gsize)k * parts->n + i] > 0;
        HieraLoss loss = hiera_losses_find(&search->losses, part->evidence, &inner.focus);
        gboolean is_true = loss.value >= search->threshold, outside = hiera_time_parts_is_outside(parts, i);
        lasts = lasts && (!outside || loss.time_ns > 0);
        of_part[i] = is_true ? TIME_TRUE : TIME_FALSE;
        if (!lasts)
            of_part[i] = TIME_NONE;
        else if (outside)
            of_part[i] = TIME_OUTSIDE;
        n += lasts;
        n_true += lasts && is_true;
    }
    return n_true > 0 && n_true < n;
}

/* Report the iterations or quarters for which the hypothesis is true. If it is true for all or for none, report
 * nothing. */
static void refine_time(const Search *search, const Part *part)
{
    const HieraTimeParts *parts = &search->evidences->parts;
    guint8 of_part[HIERA_TIME_PARTS_MAX];
    if (!split_time(search, part, of_part))
        return;
    for (guint group = TIME_TRUE; group < TIME_NONE; group++) {
        if (!memchr(of_part, group, parts->n))
            continue;
        Part inner = *part;
        inner.focus.of_part = of_part;
        inner.focus.part_group = group;
        g_autofree char *step = hiera_time_parts_name(parts, of_part, group);
        HieraLoss loss = hiera_losses_find(&search->losses, inner.evidence, &inner.focus);
        gboolean is_true = group == TIME_OUTSIDE ? loss.value >= search->threshold : group == TIME_TRUE;
        tell(search, &inner, extend(search, part, step), loss, is_true ? HIERA_TEST_TRUE : HIERA_TEST_FALSE);
    }
}

/* --- refinement by communicator --- */

static guint32 comm_of(const Search *search, const HieraEvidence *evidence, const Part *part)
{
    (void)search, (void)part;
    return evidence->comm;
}

/* Sort communicators by name, because their numbers depend on the order in which traces were read. */
static gint compare_comms(gconstpointer left, gconstpointer right, gpointer user)
{
    const HieraMatch *match = ((const Search *)user)->match;
    int order =
        strcmp(hiera_match_comm_id(match, *(const guint32 *)left), hiera_match_comm_id(match, *(const guint32 *)right));
    return order != 0 ? order : compare_keys(left, right, NULL);
}

static void refine_comm(const Search *search, const Part *part)
{
    g_autoptr(GArray) keys = list_keys(search, part, comm_of, compare_comms);
    gboolean found = FALSE;
    for (guint i = 0; keys->len > 1 && i < keys->len; i++) {
        guint32 comm = g_array_index(keys, guint32, i);
        g_autoptr(GArray) evidence = select_evidence(search, part, comm_of, comm);
        Part inner = *part;
        inner.evidence = evidence;
        inner.where = extend(search, part, hiera_match_comm_id(search->match, comm));
        HieraLoss loss = hiera_losses_find(&search->losses, evidence, &inner.focus);
        gboolean true_here = loss.value >= search->threshold;
        tell(search, &inner, inner.where, loss, true_here ? HIERA_TEST_TRUE : HIERA_TEST_FALSE);
        if (true_here)
            refine_time(search, &inner);
        found = found || true_here;
    }
    if (!found)
        refine_time(search, part);
}

/* --- refinement by ranks --- */

/* Divide the ranks into those for which the hypothesis is true and those for which it is false.
 * @return the number of the former */
static guint split_ranks(const Search *search, const Part *part, GArray *shares[2], guint8 *of_rank)
{
    g_autofree gint64 *values = hiera_losses_by_rank(&search->losses, part->evidence, &part->focus);
    const guint32 n = hiera_match_peek_trace(search->match)->n_processors;
    guint n_true = 0;
    for (guint32 i = 0; i < n; i++) {
        gboolean is_true = values[i] >= search->threshold;
        of_rank[i] = is_true ? 0 : 1;
        if (values[i] >= 0)
            hiera_shares_add(shares[of_rank[i]], i, 1);
        else
            of_rank[i] = 2;
        n_true += is_true;
    }
    return n_true;
}

static void refine_ranks(const Search *search, const Part *part)
{
    const HieraTrace *trace = hiera_match_peek_trace(search->match);
    g_autofree guint8 *of_rank = g_new(guint8, (gsize)trace->n_processors + 1);
    g_autoptr(GArray) yes = g_array_new(FALSE, FALSE, sizeof(HieraShare)),
                      no = g_array_new(FALSE, FALSE, sizeof(HieraShare));
    GArray *shares[2] = {yes, no};
    guint n_true = split_ranks(search, part, shares, of_rank);
    if (n_true == 0 || no->len == 0) {
        refine_comm(search, part);
        return;
    }
    for (guint8 i = 0; i < 2; i++) {
        Part inner = *part;
        const char *names = hiera_shares_name_ranks(shares[i], trace, 0, search->table);
        g_autofree char *step = g_strdup_printf(shares[i]->len == 1 ? "rank %s" : "ranks %s", names);
        inner.focus.of_rank = of_rank;
        inner.focus.group = i;
        inner.where = extend(search, part, step);
        HieraLoss loss = hiera_losses_find(&search->losses, part->evidence, &inner.focus);
        tell(search, &inner, inner.where, loss, i == 0 ? HIERA_TEST_TRUE : HIERA_TEST_FALSE);
        g_autoptr(GArray) evidence = hiera_focus_select(&inner.focus, part->evidence);
        if (search->hypothesis != HIERA_HYPOTHESIS_IMBALANCE) /* imbalance needs the mean of all ranks */
            inner.evidence = evidence;
        if (i == 0)
            refine_comm(search, &inner);
    }
}

/* --- refinement by call path --- */

/* Return the child of the part's node that is on the path to the node of evidence; HIERA_NONE: the node itself. */
static guint32 child_of(const Search *search, const HieraEvidence *evidence, const Part *part)
{
    guint32 at = evidence->node, below = HIERA_NONE;
    while (at != part->node && at != HIERA_NONE) {
        below = at;
        at = hiera_call_tree_peek(search->paths->tree, at)->parent;
    }
    return below;
}

/* Report a row with the number of call paths for which the hypothesis is false, or was not evaluated. */
static void tell_others(const Search *search, const Part *part, guint n, HieraLoss greatest, HieraTestVerdict verdict)
{
    g_autofree char *step =
        g_strdup_printf("%u %s%s", n, verdict == HIERA_TEST_FALSE ? "other " : "", n == 1 ? "call path" : "call paths");
    if (n > 0)
        tell(search, part, extend(search, part, step), greatest, verdict);
}

static void refine_path(const Search *search, const Part *part)
{
    g_autoptr(GArray) keys = list_keys(search, part, child_of, compare_keys);
    HieraLoss greatest = {0};
    guint n_false = 0;
    for (guint i = 0; i < keys->len; i++) {
        Part inner = *part;
        inner.node = g_array_index(keys, guint32, i);
        g_autoptr(GArray) evidence = select_evidence(search, part, child_of, inner.node);
        inner.evidence = evidence;
        HieraLoss loss = hiera_losses_find(&search->losses, evidence, &inner.focus);
        if (loss.value < search->threshold) {
            greatest = loss.value > greatest.value ? loss : greatest;
            n_false++;
            continue;
        }
        inner.where =
            hiera_call_path(search->paths->tree, search->paths->trace->catalog, inner.node, TRUE, search->table);
        tell(search, &inner, inner.where, loss, HIERA_TEST_TRUE);
        refine_path(search, &inner);
    }
    tell_others(search, part, n_false, greatest, HIERA_TEST_FALSE);
    if (n_false == keys->len)
        refine_ranks(search, part);
}

/* --- search for a hypothesis: all refinements --- */

/* Judge the loss of the whole run. Unknown: time not in the trace, or errors of clocks, could change the verdict. */
static HieraTestVerdict judge(const Search *search, const HieraLoss *loss)
{
    gint64 unseen = hiera_losses_value(&search->losses, search->evidences->unseen_ns[search->hypothesis]),
           unsure = hiera_losses_value(&search->losses, search->evidences->unsure_ns[search->hypothesis]);
    if (loss->value == HIERA_TOO_LARGE)
        return HIERA_TEST_UNKNOWN;
    if (hiera_plus(loss->value, unseen) < search->threshold)
        return HIERA_TEST_FALSE;
    return unsure != HIERA_TOO_LARGE && loss->value - unsure >= search->threshold ? HIERA_TEST_TRUE
                                                                                  : HIERA_TEST_UNKNOWN;
}

static void test(const Search *search)
{
    const HieraFocus whole = {0};
    Part part = {search->evidences->of[search->hypothesis].list,
                 hiera_call_path(search->paths->tree, search->paths->trace->catalog, 0, TRUE, search->table), 0, whole};
    HieraLoss loss = hiera_losses_find(&search->losses, part.evidence, &whole);
    HieraTestVerdict verdict = judge(search, &loss);
    tell(search, &part, part.where, loss, verdict);
    if (verdict == HIERA_TEST_TRUE)
        refine_path(search, &part);
    else {
        g_autoptr(GArray) keys = list_keys(search, &part, child_of, compare_keys);
        tell_others(search, &part, keys->len, (HieraLoss){0}, HIERA_TEST_UNTESTED);
    }
}

void hiera_bottlenecks_search(const HieraMatch *match, const HieraCallPaths *paths, const HieraScope *scope,
                              const HieraEvidences *evidences, const gint64 *thresholds, HieraTable *table,
                              HieraTestedVisit visit, gpointer user)
{
    for (guint i = 0; i < HIERA_N_HYPOTHESES; i++) {
        if (i == HIERA_HYPOTHESIS_THREADS && evidences->of[i].list->len == 0)
            continue; /* no threads were recorded: nothing is known of them */
        const Search search = {match,
                               paths,
                               evidences,
                               {hiera_match_peek_trace(match), evidences, scope, (HieraHypothesis)i},
                               (HieraHypothesis)i,
                               thresholds[i],
                               table,
                               visit,
                               user};
        test(&search);
    }
}
