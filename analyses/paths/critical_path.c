/* The critical path: where the chain of operations that sets the run time spends it. */
#include "calls/path_rows.h"
#include "critical_walk.h"
#include "measures.h"
#include "values/shares.h"
#include "waiting/clock_doubts.h"

static const HieraColumn columns[] = {
    HIERA_PATH_COLUMNS,
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},
    {"saves", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
};

typedef struct {
    HieraPathRows rows;
    HieraCriticalPath path;
    guint32 at; /* the first segment of the processor that does not end before the current span; HIERA_NONE */
    gint64 run_ns;
} Search;

static const HieraPathSegment *peek_segment(const Search *search)
{
    return search->at == HIERA_NONE ? NULL : &g_array_index(search->path.segments, HieraPathSegment, search->at);
}

/* Add what of a span is on the path. */
static void add_span(const HieraTimeSpan *span, gpointer data)
{
    Search *search = data;
    for (const HieraPathSegment *segment; (segment = peek_segment(search)) && segment->begin_ns < span->end_ns;) {
        HieraTimeSpan part = *span;
        part.begin_ns = MAX(span->begin_ns, segment->begin_ns);
        part.end_ns = MIN(span->end_ns, segment->end_ns);
        if (part.begin_ns < part.end_ns)
            (void)hiera_path_rows_add(&search->rows, part.doing, &part);
        if (segment->end_ns > span->end_ns)
            return;
        search->at = segment->next;
    }
}

/* Add the parts of the path on a processor that lie outside of its run. */
static void add_skew(Search *search, const HieraProcessor *processor)
{
    for (const HieraPathSegment *segment; (segment = peek_segment(search)); search->at = segment->next) {
        HieraTimeSpan before = {segment->processor, HIERA_NONE,        HIERA_NONE,
                                HIERA_DOES_COMPUTE, segment->begin_ns, MIN(segment->end_ns, processor->init_ns)};
        HieraTimeSpan after = {segment->processor,
                               HIERA_NONE,
                               HIERA_NONE,
                               HIERA_DOES_COMPUTE,
                               MAX(segment->begin_ns, processor->finalize_ns),
                               segment->end_ns};
        (void)hiera_path_rows_add(&search->rows, HIERA_DOES_NOTHING, &before);
        (void)hiera_path_rows_add(&search->rows, HIERA_DOES_NOTHING, &after);
    }
}

static void begin(guint32 processor, gpointer data)
{
    Search *search = data;
    search->at = search->path.first[processor];
    add_skew(search, &search->rows.paths.trace->processors[processor]);
    search->at = search->path.first[processor];
}

static void fill_cells(const HieraPathRow *row, HieraCell *own, gpointer data)
{
    const Search *search = data;
    own[0].number = row->time_ns;
    own[1].number = hiera_percent(row->time_ns, search->run_ns);
    own[2].number = row->time_ns == HIERA_TOO_LARGE ? row->time_ns : row->time_ns / 100;
}

/* Fill the table with the rows of a search, whose path is known. */
static void tell_rows(Search *search, const HieraScope *scope, HieraTable *table)
{
    search->run_ns = hiera_scope_clip(scope, search->path.begin_ns, search->path.end_ns);
    hiera_path_rows_tell(&search->rows, table, fill_cells, search);
    hiera_path_rows_clear(&search->rows);
    hiera_critical_path_clear(&search->path);
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    Search search;
    hiera_critical_path_init(&search.path, trace, waits);
    hiera_path_rows_init(&search.rows, trace, scope, begin, add_span, &search);
    tell_rows(&search, scope, table);
    hiera_clock_doubts_limit(trace, waits, table);
    return TRUE;
}

/* --- several processes: each says where its processors wait, process 0 follows the path, and each finds what they do
 * on it --- */

/* A step, or a segment of the path, the latest first. Sums of doubts have no processor: unsure and all waiting. */
static const HieraColumn survey_columns[] = {{"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                             {"causer", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                             {"begin", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                             {"end", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}};
static const HieraColumn part_columns[] = {HIERA_PATH_PART_COLUMNS};

static void add_surveyed(HieraTable *table, guint32 processor, guint32 causer, gint64 begin_ns, gint64 end_ns)
{
    hiera_table_add(table,
                    (HieraCell[]){{.number = processor}, {.number = causer}, {.number = begin_ns}, {.number = end_ns}});
}

static void survey(const HieraMatch *match, const HieraScope *scope, HieraTable *table)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) waits = hiera_waits_find(match), steps = hiera_path_steps_find(trace, waits, scope);
    HieraDoubtSums sums = hiera_clock_doubts_sum(trace, waits, scope);
    for (guint i = 0; i < steps->len; i++) {
        const HieraPathStep *step = &g_array_index(steps, HieraPathStep, i);
        add_surveyed(table, step->processor, step->causer, step->begin_ns, step->end_ns);
    }
    add_surveyed(table, HIERA_NONE, HIERA_NONE, sums.unsure_ns, sums.waiting_ns);
}

/* Put the rows of surveys apart: into steps, and into the sums. */
static GArray *unpack_steps(const HieraTable *surveys, HieraDoubtSums *sums)
{
    GArray *steps = g_array_new(FALSE, FALSE, sizeof(HieraPathStep));
    for (guint i = 0; i < hiera_table_count(surveys); i++) {
        const HieraCell *cells = hiera_table_peek_row(surveys, i);
        HieraPathStep step = {(guint32)cells[0].number, (guint32)cells[1].number, cells[2].number, cells[3].number};
        if (step.processor != HIERA_NONE) {
            g_array_append_val(steps, step);
            continue;
        }
        sums->unsure_ns = hiera_plus(sums->unsure_ns, step.begin_ns);
        sums->waiting_ns = hiera_plus(sums->waiting_ns, step.end_ns);
    }
    return steps;
}

static void decide(const HieraMatch *match, const HieraTable *surveys, HieraTable *told)
{
    HieraCriticalPath path;
    HieraDoubtSums sums = {0, 0};
    g_autoptr(GArray) steps = unpack_steps(surveys, &sums);
    hiera_critical_path_follow(&path, hiera_match_peek_trace(match), steps);
    for (guint i = 0; i < path.segments->len; i++) {
        const HieraPathSegment *segment = &g_array_index(path.segments, HieraPathSegment, i);
        add_surveyed(told, segment->processor, HIERA_NONE, segment->begin_ns, segment->end_ns);
    }
    add_surveyed(told, HIERA_NONE, HIERA_NONE, sums.unsure_ns, sums.waiting_ns);
    hiera_critical_path_clear(&path);
}

/* Make the path of the segments that were told. */
static void unpack_path(HieraCriticalPath *path, const HieraTrace *trace, const HieraTable *told)
{
    HieraDoubtSums sums = {0, 0};
    g_autoptr(GArray) segments = unpack_steps(told, &sums);
    hiera_critical_path_begin(path, trace);
    for (guint i = 0; i < segments->len; i++) {
        const HieraPathStep *segment = &g_array_index(segments, HieraPathStep, i);
        hiera_critical_path_add(path, segment->processor, segment->begin_ns, segment->end_ns);
    }
}

static void find_part(const HieraMatch *match, const HieraScope *scope, const HieraTable *told, HieraTable *part)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    Search search;
    unpack_path(&search.path, trace, told);
    hiera_path_rows_init(&search.rows, trace, scope, begin, add_span, &search);
    hiera_path_rows_pack(&search.rows, part);
    hiera_path_rows_clear(&search.rows);
    hiera_critical_path_clear(&search.path);
}

static void join(const HieraMatch *match, const HieraScope *scope, const HieraTable *told, const HieraTable *parts,
                 HieraTable *table)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    Search search;
    HieraDoubtSums sums = {0, 0};
    g_autoptr(GArray) segments = unpack_steps(told, &sums);
    unpack_path(&search.path, trace, told);
    hiera_path_rows_unpack(&search.rows, trace, scope, parts, table);
    tell_rows(&search, scope, table);
    hiera_clock_doubts_limit_sums(trace, &sums, table);
}

const HieraMeasure hiera_measure_critical_path = {
    .name = "critical-path",
    .help = "the chain of operations that sets the run time",
    .by = HIERA_PATH_BY,
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED,
    .match = &(const HieraMatchOps){.find = find,
                                    .find_part = find_part,
                                    .part_columns = part_columns,
                                    .n_part_columns = G_N_ELEMENTS(part_columns),
                                    .join = join,
                                    .survey = survey,
                                    .decide = decide,
                                    .survey_columns = survey_columns,
                                    .n_survey_columns = G_N_ELEMENTS(survey_columns)},
};
