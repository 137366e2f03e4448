/* The page's block `head`: JSON about the whole run, its lanes and levels of detail. */
#include "head.h"
#include "alike/grids.h"
#include "base/block.h"
#include "base/json.h"
#include "base/together.h"
#include "hiera_summed.h"
#include "values/unrecorded.h"
#include "waiting/waiting.h"

/* In the following functions each process counts what belongs to its ranks; hiera_page_add_up adds up the counts. */

/* Whether an operation is counted on the page: it must begin in the part of the run that the page shows. */
static gboolean counts(const HieraScene *scene, guint32 row)
{
    return hiera_scope_accepts_time(scene->scope, scene->trace->start_ns[row]) && hiera_scene_shows(scene, row);
}

static gint64 count_operations(const HieraScene *scene)
{
    gint64 n = 0;
    for (guint i = 0; i < scene->lanes->len; i++) {
        const HieraLane *lane = &g_array_index(scene->lanes, HieraLane, i);
        for (guint32 row = lane->first; row < lane->first + lane->n_rows; row++)
            n += hiera_scope_accepts_time(scene->scope, scene->trace->start_ns[row]) && hiera_scene_has(scene, row);
    }
    return hiera_page_add_up(scene->scope, scene->trace, n);
}

/* Return the number of calls in summed operations of the shown ranks, of all times, as call times are not known. */
static gint64 count_summed(const HieraScene *scene)
{
    const HieraTrace *trace = scene->trace;
    gint64 calls = 0;
    for (guint i = 0; i < trace->summed->len; i++) {
        const HieraSummedOf *of = &g_array_index(trace->summed, HieraSummedOf, i);
        if (hiera_scope_accepts_rank(scene->scope, trace->processors[of->processor].rank) &&
            hiera_scope_is_own(scene->scope, of->processor))
            calls = hiera_plus(calls, of->summed->calls);
    }
    return hiera_page_add_up(scene->scope, scene->trace, calls);
}

/* Return the number of messages sent in the shown part of the run, over all processes. */
static gint64 count_messages(const HieraScene *scene)
{
    guint n;
    gint64 count = 0;
    const HieraMessage *messages = hiera_match_peek_messages(scene->match, &n);
    for (guint i = 0; i < n; i++)
        count += hiera_scene_owns(scene, messages[i].from) && counts(scene, messages[i].from);
    return hiera_page_add_up(scene->scope, scene->trace, count);
}

/* Return the number of collectives of which a member has begun in the shown part of the run, over all processes. */
static gint64 count_collectives(const HieraScene *scene)
{
    guint n, n_members;
    gint64 count = 0;
    hiera_match_peek_collectives(scene->match, &n);
    for (guint i = 0; i < n; i++) {
        const guint32 *rows = hiera_match_peek_members(scene->match, i, &n_members);
        guint k = hiera_scene_owns(scene, rows[0]) ? 0 : n_members;
        while (k < n_members && !counts(scene, rows[k]))
            k++;
        count += k < n_members;
    }
    return hiera_page_add_up(scene->scope, scene->trace, count);
}

static void add_run(GString *json, const HieraPage *page, const HieraScene *scene)
{
    const HieraTrace *trace = scene->trace;
    const char *past = hiera_trace_peek_past(trace);
    gint64 summed = count_summed(scene);
    HieraUnrecorded unrecorded = hiera_unrecorded_find(trace, scene->scope);
    g_autofree char *threads = hiera_unrecorded_say(&unrecorded), *queued = hiera_queued_say(trace, scene->scope, NULL);
    hiera_json_member_text(json, "application", trace->processors[0].application);
    hiera_json_member_text(json, "job", trace->processors[0].job);
    hiera_json_member_text(json, "command", page->command);
    hiera_json_member_text(json, "part", page->part);
    hiera_json_member_text(json, "past", past ? past : "");
    hiera_json_member_text(json, "threads", threads ? threads : "");
    hiera_json_member_text(json, "queued", queued ? queued : "");
    hiera_json_member_large(json, "begin", scene->begin_ns);
    hiera_json_member_large(json, "end", scene->end_ns);
    hiera_json_member(json, "size", trace->processors[0].size);
    hiera_json_member(json, "operations", hiera_plus(count_operations(scene), summed));
    hiera_json_member(json, "summed", summed);
    hiera_json_member(json, "messages", count_messages(scene));
    hiera_json_member(json, "collectives", count_collectives(scene));
}

static void add_lane(GString *json, const HieraScene *scene, const HieraLane *lane)
{
    const HieraProcessor *processor = &scene->trace->processors[lane->processor];
    hiera_json_next(json);
    g_string_append_c(json, '{');
    hiera_json_member(json, "rank", processor->rank);
    hiera_json_member(json, "thread", lane->thread);
    hiera_json_member_text(json, "host", processor->host);
    hiera_json_member_large(json, "init", processor->init_ns);
    hiera_json_member_large(json, "finalize", processor->finalize_ns);
    hiera_json_member(json, "operations", lane->n_rows);
    hiera_json_member(json, "depths", lane->n_depths);
    hiera_json_member(json, "group", scene->trace->processors[scene->group[lane->processor]].rank);
    hiera_json_member(json, "cut", processor->cut);
    hiera_json_member_text(json, "end", processor->end);
    g_string_append_c(json, '}');
}

static const char *const kinds[] = {
#define X(identifier, name, collective) name,
    HIERA_KINDS(X)
#undef X
};

static void add_site(GString *json, const HieraSite *site)
{
    hiera_json_next(json);
    g_string_append_c(json, '{');
    hiera_json_member_text(json, "level", site->level);
    hiera_json_member_text(json, "class", site->class_name);
    hiera_json_member_text(json, "name", site->operation);
    hiera_json_member_text(json, "file", site->short_file ? site->short_file : site->file);
    hiera_json_member(json, "line", site->line);
    hiera_json_member_text(json, "kind", kinds[site->kind]);
    g_string_append_c(json, '}');
}

/* Add the first Cartesian topology with a known size: `"grid": {"size": […], "ranks": […]}`, world ranks in row-major
 * order. */
static void add_grid(GString *json, const HieraScene *scene)
{
    const HieraMatch *match = scene->match;
    HieraScope all = HIERA_SCOPE_ALL;
    all.share.own = scene->scope->share.own;
    g_autoptr(GArray) calls = hiera_grid_calls_find(scene->trace, &all), grids = hiera_grids_find(match, calls);
    for (guint i = 0; i < grids->len; i++) {
        const HieraGrid *grid = &g_array_index(grids, HieraGrid, i);
        gint32 world;
        if (grid->n_dimensions == 0)
            continue;
        hiera_json_open(json, "grid", '{');
        hiera_json_open(json, "size", '[');
        for (guint k = 0; k < grid->n_dimensions; k++)
            g_string_append_printf(json, "%s%" G_GINT64_FORMAT, k ? "," : "", grid->size[k]);
        g_string_append_c(json, ']');
        hiera_json_open(json, "ranks", '[');
        for (gint64 k = 0; (world = hiera_match_member(match, grid->comm, k)) != HIERA_ABSENT; k++)
            g_string_append_printf(json, "%s%d", k ? "," : "", world);
        g_string_append(json, "]}");
        return;
    }
}

static void add_detail(GString *json, const HieraDetail *detail)
{
    hiera_json_next(json);
    g_string_append_c(json, '{');
    hiera_json_member_large(json, "width", detail->width_ns);
    hiera_json_member_large(json, "tile", detail->tile_ns);
    hiera_json_member(json, "tiles", detail->n_tiles);
    hiera_json_member(json, "merged", (gint64)detail->n_merged);
    g_string_append_c(json, '}');
}

static void add_findings(GString *json, const HieraFindings *findings)
{
    for (guint i = 0; i < hiera_findings_count(findings); i++) {
        const HieraFinding *finding = hiera_findings_peek(findings, i);
        g_autofree char *place = finding->line ? g_strdup_printf("%s:%u: ", finding->file, finding->line)
                                               : g_strdup_printf("%s%s", finding->file, finding->file[0] ? ": " : "");
        g_autofree char *text = g_strconcat(place, finding->message, NULL);
        hiera_json_next(json);
        hiera_json_text(json, text);
    }
}

void hiera_head_write(const HieraPage *page, const HieraScene *scene, const GArray *details, FILE *stream)
{
    g_autoptr(GString) json = g_string_new("{");
    hiera_json_open(json, "run", '{');
    add_run(json, page, scene);
    g_string_append_c(json, '}');
    hiera_json_member(json, "served", page->served);
    hiera_json_member(json, "renew", page->renew_s);
    hiera_json_open(json, "lanes", '[');
    for (guint i = 0; i < scene->all->len; i++)
        add_lane(json, scene, &g_array_index(scene->all, HieraLane, i));
    g_string_append_c(json, ']');
    hiera_json_open(json, "classes", '[');
    for (guint i = 0; i < HIERA_N_WAITS; i++) {
        hiera_json_next(json);
        hiera_json_text(json, hiera_wait_name(i));
    }
    g_string_append_c(json, ']');
    hiera_json_open(json, "sites", '[');
    for (guint32 i = 0; i < scene->order.n; i++)
        add_site(json, scene->order.sites[i]);
    g_string_append_c(json, ']');
    add_grid(json, scene);
    hiera_json_open(json, "details", '[');
    for (guint i = 0; i < details->len; i++)
        add_detail(json, &g_array_index(details, HieraDetail, i));
    g_string_append_c(json, ']');
    hiera_json_open(json, "findings", '[');
    add_findings(json, page->findings);
    g_string_append(json, "]}");
    hiera_block_write((const guint8 *)json->str, json->len, stream, "head");
}
