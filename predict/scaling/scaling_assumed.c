#include "scaling_assumed.h"
#include "machine/network_option.h"
#include <math.h>
#include <string.h>

#define WRONG(error, ...) (g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, __VA_ARGS__), FALSE)

enum { MOST_MESSAGES = 1000000000, MOST_TOGETHER = 1000000 };

/* --- reading the options --- */

static gboolean parse_kind(const char *text, ScalingKind *kind, GError **error)
{
    *kind = strcmp(text, "strong") == 0 ? SCALING_STRONG : SCALING_WEAK;
    return *kind == SCALING_STRONG || strcmp(text, "weak") == 0 ||
           WRONG(error, "--scaling '%s' is neither strong nor weak", text);
}

static gboolean parse_works(const char *text, GArray *works, GError **error)
{
    g_auto(GStrv) words = g_strsplit(*text ? text : ",", ",", -1);
    for (char **word = words; *word; word++) {
        char *end;
        gdouble work = g_ascii_strtod(*word, &end);
        if (end == *word || *end || !isfinite(work) || work <= 0)
            return WRONG(error, "--work '%s': write for each run how large its problem is, like 1,2", text);
        g_array_append_val(works, work);
    }
    return TRUE;
}

static gboolean parse_exchange(const char *text, ScalingExchange *exchange, GError **error)
{
    static const char *const names[] = {"neighbours", "times", "bytes"};
    gdouble values[] = {-1, 1, -1};
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    for (char **word = words; *word; word++) {
        char *equals = strchr(*word, '=');
        gboolean good = FALSE;
        for (guint i = 0; equals && i < G_N_ELEMENTS(names) && !good; i++) {
            good = strncmp(*word, names[i], (gsize)(equals - *word)) == 0 &&
                   strlen(names[i]) == (gsize)(equals - *word) &&
                   network_option_read_value(equals + 1, HIERA_VALUE_INTEGER, &values[i]) && values[i] <= MOST_MESSAGES;
        }
        if (!good)
            return WRONG(error, "--exchange '%s': write neighbours=2,bytes=8kB,times=100", text);
    }
    if (values[0] < 0 || values[2] < 0)
        return WRONG(error, "--exchange '%s' needs neighbours= and bytes=", text);
    *exchange = (ScalingExchange){(guint64)values[0], (guint64)values[1], values[2]};
    return TRUE;
}

static gboolean parse_together(const char *text, guint64 *together, GError **error)
{
    return g_ascii_string_to_unsigned(text, 10, 1, MOST_TOGETHER, together, NULL) ||
           WRONG(error, "--together '%s' is no number of runs", text);
}

gboolean scaling_assumed_parse(ScalingAssumed *assumed, const ScalingWords *words, GError **error)
{
    if (!words->scaling && (words->work || words->together || words->exchange))
        return WRONG(error, "--work, --together and --exchange go with --scaling");
    if (words->scaling && !parse_kind(words->scaling, &assumed->kind, error))
        return FALSE;
    if (words->work && assumed->kind == SCALING_WEAK)
        return WRONG(error, "--work says how much the ranks share, and goes with --scaling strong alone");
    assumed->works = words->work ? g_array_new(FALSE, FALSE, sizeof(gdouble)) : NULL;
    assumed->together = 1;
    assumed->has_exchange = words->exchange != NULL;
    return (!words->work || parse_works(words->work, assumed->works, error)) &&
           (!words->together || parse_together(words->together, &assumed->together, error)) &&
           (!words->exchange || parse_exchange(words->exchange, &assumed->exchange, error));
}

void scaling_assumed_clear(ScalingAssumed *assumed)
{
    if (assumed->works)
        g_array_unref(assumed->works);
    assumed->works = NULL;
}

/* --- applying the assumptions to runs --- */

static gboolean set_shares(const GArray *works, GArray *runs, GError **error)
{
    gdouble most = 0;
    if (works->len != runs->len)
        return WRONG(error, "--work has %u numbers for %u runs", works->len, runs->len);
    for (guint i = 0; i < works->len; i++)
        most = MAX(most, g_array_index(works, gdouble, i));
    for (guint i = 0; i < works->len; i++) {
        PartRun *run = &g_array_index(runs, PartRun, i);
        run->shares = run->ranks * most / g_array_index(works, gdouble, i);
    }
    return TRUE;
}

static const PartRun *peek_run(const ScalingParts *parts, guint index)
{
    return &g_array_index(parts->runs, PartRun, index);
}

static gboolean have_same_stages(const ScalingParts *parts, guint first, guint n, GPtrArray *notes)
{
    for (guint i = first + 1; i < first + n; i++) {
        if (peek_run(parts, i)->stages->len == peek_run(parts, first)->stages->len)
            continue;
        g_ptr_array_add(notes, g_strdup_printf("%s: other collectives than %s, at the same time; how long they would "
                                               "wait for each other is not known, and left out",
                                               peek_run(parts, i)->name, peek_run(parts, first)->name));
        return FALSE;
    }
    return TRUE;
}

/* Waiting that separate runs lack: in a joint run, each rank would wait in each collective for the last one, which is
 * not always the same.
 * @return additional time of the slowest */
static gdouble waiting_of(const ScalingParts *parts, guint first, guint n, guint slowest)
{
    gdouble all = 0;
    for (guint stage = 0; stage < peek_run(parts, first)->stages->len; stage++) {
        gdouble longest = 0;
        for (guint i = first; i < first + n; i++)
            longest = MAX(longest, g_array_index(peek_run(parts, i)->stages, gdouble, stage));
        all += longest;
    }
    return MAX(all - peek_run(parts, slowest)->computed_ns, 0);
}

/* Of runs that ran at the same time, keep the one with the longest computation as the slowest rank of a joint run.
 * @return time that rank would wait for the others */
static gdouble keep_slowest(ScalingParts *parts, guint first, guint n, GPtrArray *notes)
{
    guint slowest = first;
    for (guint i = first; i < first + n; i++)
        slowest = peek_run(parts, i)->computed_ns > peek_run(parts, slowest)->computed_ns ? i : slowest;
    gdouble waiting = have_same_stages(parts, first, n, notes) ? waiting_of(parts, first, n, slowest) : 0;
    for (guint i = first + n; i-- > first;) {
        if (i != slowest)
            scaling_parts_remove(parts, i);
    }
    return waiting;
}

static gboolean take_together(guint64 together, ScalingParts *parts, GPtrArray *notes, GError **error)
{
    if (parts->runs->len % together != 0)
        return WRONG(error, "--together %" G_GUINT64_FORMAT ": %u runs are not so many, or a multiple", together,
                     parts->runs->len);
    if (together == 1)
        return TRUE;
    g_autoptr(GArray) waiting = g_array_new(FALSE, FALSE, sizeof(gdouble));
    for (guint first = 0; first < parts->runs->len; first++) {
        gdouble ns = keep_slowest(parts, first, (guint)together, notes);
        g_array_append_val(waiting, ns);
    }
    scaling_parts_add_waiting(parts, "of --together", waiting);
    return TRUE;
}

gboolean scaling_assumed_apply(const ScalingAssumed *assumed, ScalingParts *parts, GPtrArray *notes, GError **error)
{
    const ScalingExchange *exchange = &assumed->exchange;
    if (assumed->kind == SCALING_FITTED)
        return TRUE;
    if ((assumed->works && !set_shares(assumed->works, parts->runs, error)) ||
        !take_together(assumed->together, parts, notes, error))
        return FALSE;
    if (assumed->has_exchange)
        scaling_parts_add_messages(parts, "of --exchange", (gdouble)exchange->neighbours,
                                   (gdouble)exchange->neighbours * (gdouble)exchange->times, exchange->bytes);
    return TRUE;
}

/* --- assumed laws --- */

/* Form of the law for the size of a collective: each member has a share of the data, or a share for each other member.
 */
static LawForm form_of_bytes(HieraSimCollective collective, gboolean strong)
{
    switch (collective) {
    case HIERA_SIM_GATHER:
    case HIERA_SIM_SCATTER:
    case HIERA_SIM_ALLGATHER:
    case HIERA_SIM_REDUCE_SCATTER:
        return strong ? LAW_SHARED : LAW_CONSTANT;
    case HIERA_SIM_ALLTOALL:
        return strong ? LAW_SHARED_TWICE : LAW_SHARED;
    default:
        return LAW_CONSTANT;
    }
}

static LawForm form_of(const ScalingAssumed *assumed, const Part *part, guint quantity, gboolean of_all)
{
    gboolean strong = assumed->kind == SCALING_STRONG;
    if (part->kind == PART_COMPUTATION || part->kind == PART_WAITING)
        return strong ? LAW_SHARED : LAW_CONSTANT;
    if (part->kind == PART_COLLECTIVES && quantity == COLLECTIVES_BYTES)
        return form_of_bytes(part->collective, strong);
    return part->kind == PART_COLLECTIVES && quantity == COLLECTIVES_MEMBERS && of_all ? LAW_PROPORTIONAL
                                                                                       : LAW_CONSTANT;
}

void scaling_assumed_fit(const ScalingAssumed *assumed, const ScalingParts *parts, const Part *part, guint quantity,
                         PartOf whose, LawFit *fit)
{
    g_autoptr(GArray) largest = g_array_new(FALSE, FALSE, sizeof(LawPoint)),
                      all = g_array_new(FALSE, FALSE, sizeof(LawPoint));
    gboolean of_all = TRUE, several = FALSE;
    for (guint i = 0; i < part->runs->len; i++) {
        const PartRun *run = &g_array_index(parts->runs, PartRun, i);
        const LawPoint point = {run->shares, g_array_index(part->runs, PartValues, i).value[quantity][whose]};
        if (isnan(point.value))
            continue;
        g_array_append_val(all, point);
        several |= run->shares > run->ranks;
        if (run->shares <= run->ranks)
            g_array_append_val(largest, point);
        of_all &= point.value == run->ranks;
    }
    LawForm form = form_of(assumed, part, quantity, of_all);
    if (several && part_peek_quantity(part->kind, quantity)->unit == UNIT_NS)
        law_fit(fit, (const LawPoint *)(const void *)all->data, all->len);
    else
        law_assume(fit, form, (const LawPoint *)(const void *)largest->data, largest->len);
}

static void add_note(GPtrArray *notes, const char *text)
{
    g_ptr_array_add(notes, g_strdup_printf("assumed: %s", text));
}

/* Return how many runs have the largest problem. */
static guint count_largest(const GArray *runs)
{
    guint n = 0;
    for (guint i = 0; i < runs->len; i++)
        n += g_array_index(runs, PartRun, i).shares <= g_array_index(runs, PartRun, i).ranks;
    return n;
}

void scaling_assumed_note(const ScalingAssumed *assumed, const GArray *runs, GPtrArray *notes)
{
    static const char *const all[] = {
        "a rank makes as many calls as before; collectives of all ranks are of all again, others have as many members",
        "the number of steps or iterations does not depend on the number of ranks"};
    gboolean strong = assumed->kind == SCALING_STRONG;
    if (!strong)
        add_note(notes, "each rank has as much of the problem as before, and computes and waits as long; its vectors "
                        "and blocks stay, those of alltoalls fall as 1 / p");
    else if (!assumed->works)
        add_note(notes, "the ranks share the same problem: computation and waiting fall as 1 / p; the upper end of "
                        "their range is that nothing is shared");
    else
        add_note(notes, "the ranks share the largest problem, and one that has a part of it computes as long as one "
                        "that has a problem of that size alone (--work); times are fitted over it");
    if (strong)
        add_note(notes, "vectors of broadcasts and reductions stay as long, blocks of gathers and scatters fall as "
                        "1 / p, those of alltoalls as 1 / p^2");
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        add_note(notes, all[i]);
    if (assumed->together > 1)
        g_ptr_array_add(notes, g_strdup_printf("assumed: of each %" G_GUINT64_FORMAT " runs that ran at once, the one "
                                               "that computes longest is the slowest rank; it waits in each collective "
                                               "for the one that takes longest before it",
                                               assumed->together));
    if (count_largest(runs) == 1 && !assumed->works)
        g_ptr_array_add(notes, g_strdup("a single run does not tell how much others like it differ: low is no bound; "
                                        "name three runs or more, and low is the shortest"));
    add_note(notes, assumed->has_exchange ? "messages of --exchange"
                                          : "no messages but those that were recorded; say --exchange");
}
