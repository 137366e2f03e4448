/* One screen that says what is wrong with a run: sizes, efficiencies, the worst waits, where the time goes, what is
 * unusual, and which measure shows more. This file defines the measure, and chooses the sentences that fit. */
#include "summary.h"
#include "measures.h"
#include "values/outermost.h"

static const HieraColumn columns[] = {HIERA_PROSE_COLUMNS};

enum { LINES_MAX = 30 };

typedef struct {
    HieraSummaryPart part;
    HieraSaying saying;
    const char *text, *more;
    gint64 bar;
    gboolean shown;
    guint32 row; /* row of the operation that the sentence is linked to; HIERA_NONE: none */
} Sentence;

/* --- sentences, and their texts --- */

void hiera_summary_say(HieraSummary *summary, HieraSummaryPart part, HieraSaying saying, const char *more,
                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *shorter = hiera_prose_shorten(text);
    Sentence sentence = {part, saying, hiera_table_keep(summary->table, shorter), more, -1, FALSE, HIERA_NONE};
    g_array_append_val(summary->sentences, sentence);
}

static Sentence *peek(const HieraSummary *summary, guint number)
{
    return &g_array_index(summary->sentences, Sentence, number);
}

void hiera_summary_point(HieraSummary *summary, guint sentence, guint32 row)
{
    peek(summary, sentence)->row = row;
}

void hiera_summary_draw_bar(HieraSummary *summary, gint64 bar)
{
    peek(summary, summary->sentences->len - 1)->bar = bar;
}

const char *hiera_summary_count(const HieraSummary *summary, gint64 n, const char *noun)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "%" G_GINT64_FORMAT, n);
    for (gsize at = text->len; at > 3;)
        g_string_insert_c(text, (gssize)(at -= 3), ',');
    g_string_append_printf(text, " %s%s", noun, n == 1 ? "" : "s");
    return hiera_table_keep(summary->table, text->str);
}

const char *hiera_summary_time(const HieraSummary *summary, gint64 ns)
{
    char time[HIERA_NUMBER_BYTES];
    hiera_time_format(time, ns);
    return hiera_table_keep(summary->table, time);
}

const char *hiera_summary_share(const HieraSummary *summary, gint64 ns)
{
    char share[HIERA_NUMBER_BYTES];
    hiera_percent_format(share, hiera_percent(ns, summary->run_ns));
    return hiera_table_keep(summary->table, share);
}

const char *hiera_summary_name(const HieraSummary *summary, guint32 node)
{
    const HieraCallNode *of = hiera_call_tree_peek(summary->paths.tree, node);
    const char *name = hiera_cause_name(&summary->paths, node, summary->table);
    if (!hiera_call_is_before(of->site))
        return name;
    gboolean inside = hiera_call_paths_site(&summary->paths, of->parent) != NULL;
    const char *around = inside ? hiera_cause_name(&summary->paths, of->parent, summary->table) : "";
    g_autofree char *text =
        g_strdup_printf("computation %s%s%s%s", inside ? "in " : "", around, inside ? " " : "", name);
    return hiera_table_keep(summary->table, text);
}

/* Return the name of a HIERA_CALL_OWN node, like "Hiera itself in step md.c:120"; the table owns the text. */
static const char *place_of_own(const HieraSummary *summary, guint32 node)
{
    guint32 around = hiera_call_tree_peek(summary->paths.tree, node)->parent;
    g_autofree char *text = hiera_call_paths_site(&summary->paths, around)
                                ? g_strdup_printf(HIERA_ITSELF " in %s", hiera_summary_place(summary, around))
                                : g_strdup(HIERA_ITSELF);
    return hiera_table_keep(summary->table, text);
}

const char *hiera_summary_place(const HieraSummary *summary, guint32 node)
{
    const HieraSite *site = hiera_call_paths_site(&summary->paths, node);
    if (hiera_call_paths_is_own(&summary->paths, node))
        return place_of_own(summary, node);
    if (!site)
        return hiera_scope_has_units(summary->scope) ? "outside of the chosen operations"
                                                     : "computation outside of all operations";
    g_autofree char *place = hiera_site_place(site),
                    *text = g_strconcat(hiera_summary_name(summary, node), *place ? " " : "", place, NULL);
    return hiera_table_keep(summary->table, text);
}

gboolean hiera_summary_selects(const HieraSummary *summary, guint32 row)
{
    if (!summary->scope->ranks)
        return TRUE;
    guint32 processor = hiera_trace_find_processor(summary->trace, row);
    return hiera_scope_accepts_rank(summary->scope, summary->trace->processors[processor].rank);
}

/* --- which sentences fit on the screen --- */

/* Return the number of lines that a part takes: its shown sentences, and the line below them with the options that show
 * more. */
static guint count_part(const HieraSummary *summary, HieraSummaryPart part)
{
    guint n = 0;
    g_autoptr(GPtrArray) mores = g_ptr_array_new();
    for (guint i = 0; i < summary->sentences->len; i++) {
        const Sentence *sentence = peek(summary, i);
        if (!sentence->shown || sentence->part != part)
            continue;
        n += hiera_prose_count_lines(sentence->text);
        hiera_prose_gather_more(mores, sentence->more);
    }
    g_autofree char *more = hiera_prose_join_more(mores);
    return *more ? n + hiera_prose_count_lines(more) : n;
}

/* Return the number of lines of the answer. Limits have one more line, at its end. */
static guint count_lines(const HieraSummary *summary)
{
    guint n = count_part(summary, HIERA_SUMMARY_LIMITS) > 0;
    for (HieraSummaryPart part = 0; part < HIERA_N_SUMMARY_PARTS; part++)
        n += count_part(summary, part);
    return n;
}

/* Choose the sentences to show, the most important first. If a part has no room for a sentence, its less important
 * sentences are not shown either: else the path with the third most time would be shown without the second. */
static void choose(const HieraSummary *summary)
{
    gboolean full[HIERA_N_SUMMARY_PARTS][HIERA_SAY_LAST + 1] = {{FALSE}}; /* by part and importance: TRUE: left out */
    for (HieraSaying saying = HIERA_SAY_ALWAYS; saying <= HIERA_SAY_LAST; saying++) {
        for (guint i = 0; i < summary->sentences->len; i++) {
            Sentence *sentence = peek(summary, i);
            gboolean *is_full = full[sentence->part];
            if (sentence->saying != saying || is_full[saying])
                continue;
            sentence->shown = TRUE;
            sentence->shown = count_lines(summary) <= LINES_MAX;
            for (guint less = saying + 1; less <= HIERA_SAY_LAST && !sentence->shown; less++)
                is_full[less] = TRUE;
        }
    }
}

static void show_part(const HieraSummary *summary, HieraSummaryPart part)
{
    static const char *const topics[] = {
#define X(identifier, topic) topic,
        HIERA_SUMMARY_PARTS(X)
#undef X
    };
    for (guint i = 0; i < summary->sentences->len; i++) {
        const Sentence *sentence = peek(summary, i);
        if (!sentence->shown || sentence->part != part)
            continue;
        hiera_table_add(summary->table,
                        (HieraCell[]){{.text = part == HIERA_SUMMARY_ENDING ? summary->ending : topics[part]},
                                      {.text = sentence->text},
                                      {.number = sentence->bar},
                                      {.text = sentence->more}});
        if (sentence->row != HIERA_NONE)
            hiera_table_point(summary->table, sentence->row);
    }
}

static void show(const HieraSummary *summary)
{
    gboolean swap = summary->worst_call > summary->worst_wait;
    choose(summary);
    for (HieraSummaryPart part = 0; part < HIERA_N_SUMMARY_PARTS; part++) {
        if (swap && part == HIERA_SUMMARY_WAITS)
            show_part(summary, HIERA_SUMMARY_CALLS);
        else if (swap && part == HIERA_SUMMARY_CALLS)
            show_part(summary, HIERA_SUMMARY_WAITS);
        else
            show_part(summary, part);
    }
}

/* --- the whole summary --- */

static void find_run(HieraSummary *summary)
{
    const HieraTrace *trace = summary->trace;
    summary->run_ns = hiera_run_sum(trace, summary->scope);
    summary->begin_ns = G_MAXINT64;
    summary->end_ns = G_MININT64;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (!hiera_scope_accepts_rank(summary->scope, trace->processors[i].rank))
            continue;
        summary->begin_ns = MIN(summary->begin_ns, trace->processors[i].init_ns);
        summary->end_ns = MAX(summary->end_ns, trace->processors[i].finalize_ns);
    }
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    g_autoptr(GArray) sentences = g_array_new(FALSE, FALSE, sizeof(Sentence));
    HieraSummary summary = {match, hiera_match_peek_trace(match), scope, .sentences = sentences, .table = table};
    find_run(&summary);
    if (hiera_trace_has_sums(summary.trace)) {
        hiera_summary_add_sums(&summary);
        show(&summary);
        return TRUE;
    }
    hiera_summary_add_ending(&summary);
    hiera_summary_add_run(&summary);
    hiera_summary_add_efficiency(&summary); /* before the delays are found: it needs much memory */
    hiera_summary_add_threads(&summary);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    summary.waits = waits;
    hiera_summary_find_nodes(&summary);
    hiera_summary_add_waits(&summary);
    hiera_summary_add_calls(&summary);
    hiera_summary_add_places(&summary);
    hiera_summary_add_inside(&summary);
    hiera_summary_add_outside(&summary);
    hiera_summary_add_iterations(&summary);
    hiera_summary_add_ranks(&summary);
    hiera_summary_add_limits(&summary);
    show(&summary);
    hiera_summary_clear_nodes(&summary);
    return TRUE;
}

const HieraMeasure hiera_measure_summary = {
    .name = "summary",
    .help = "one screen: what is slow, where, on which rank, because of whom",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_SUMS | HIERA_MEASURE_TOGETHER | HIERA_MEASURE_ENDED,
    .find = find,
};
