/* See probing.h. */
#include "probing.h"
#include "base/safe_text.h"
#include "counter_list.h"
#include "probes/ready.h"
#include "rank_events.h"
#include <string.h>

#define MEMORY ((gsize)1 << 30) /* for keys and texts of one rank */
#define KINDS                                                                                                          \
    (1u << HIERA_PROBE_BEGIN | 1u << HIERA_PROBE_END | 1u << HIERA_PROBE_CALL | 1u << HIERA_PROBE_REGION | 1u << HIERA_PROBE_MESSAGE |   \
     1u << HIERA_PROBE_COUNTER_LIST)

/* --- scripts --- */

/* Text of a file or of a ready script. */
static char *read_named(const char *given, gsize *length, GError **error)
{
    char advice[HIERA_PROBE_REPORT], *text = NULL;
    g_autofree char *name = hiera_text_of_bytes(given);
    g_autoptr(GError) wrong = NULL;
    if (g_file_get_contents(given, &text, length, &wrong))
        return text;
    const char *ready = hiera_ready_find(given);
    gboolean is_there = !g_error_matches(wrong, G_FILE_ERROR, G_FILE_ERROR_NOENT);
    if (ready && !is_there) {
        *length = strlen(ready);
        return g_strdup(ready);
    }
    hiera_ready_advise(name, advice, sizeof advice);
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "--probe %s: %s", name, is_there ? wrong->message : advice);
    return NULL;
}

HieraProbeScript *hiera_probing_read(const char *given, GError **error)
{
    char report[HIERA_PROBE_REPORT];
    gboolean is_script = strchr(given, '{') != NULL;
    gsize length = strlen(given);
    g_autofree char *text = NULL, *source = hiera_text_of_bytes(given);
    if (!is_script && !(text = read_named(given, &length, error)))
        return NULL;
    gboolean lines = !is_script || strchr(given, '\n');
    HieraProbeScript *script =
        hiera_probe_script_parse(is_script ? "--probe" : source, lines, text ? text : given, length, report);
    gboolean is_ready = !is_script && hiera_ready_find(given) && strcmp(text, hiera_ready_find(given)) == 0;
    /* Clauses of ready scripts that only a run has events of do nothing. */
    if (script && (is_ready || hiera_probe_script_suits(script, "a trace", KINDS, report)))
        return script;
    g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, report);
    hiera_probe_script_free(script);
    return NULL;
}

/* --- ranks --- */

typedef struct {
    FILE *stream;
    void (*tell)(const char *message);
} Output;

static void write_text(void *user, const char *text, size_t length)
{
    fwrite(text, 1, length, ((Output *)user)->stream);
}

static void complain(void *user, const char *message)
{
    ((Output *)user)->tell(message);
}

static gboolean has_hidden_calls(const HieraTrace *trace, guint32 processor)
{
    const HieraProcessor *of = &trace->processors[processor];
    if (of->lost_calls > 0 || of->paused_calls > 0)
        return TRUE;
    for (guint i = 0; i < trace->filtered->len; i++) {
        if (g_array_index(trace->filtered, HieraFilteredOf, i).processor == processor)
            return TRUE;
    }
    return FALSE;
}

static gboolean probe_rank(HieraProbedTrace *probed, const HieraProcessor *processor, const HieraProbeHost *host,
                           HieraProbeTotals *totals, HieraProbed *result)
{
    HieraProbeState *state = hiera_probe_state_new(probed->script, host);
    if (!state)
        return FALSE;
    hiera_probe_run_begin(state, processor->init_ns);
    hiera_rank_events_tell(probed, processor, state);
    hiera_counter_list_tell(probed, processor, state);
    hiera_probe_run_end(state, processor->finalize_ns);
    hiera_probe_totals_add(totals, state);
    result->lost += hiera_probe_state_count_lost(state);
    result->stopped += hiera_probe_state_count_stopped(state);
    hiera_probe_state_free(state);
    return TRUE;
}

static gboolean probe_ranks(HieraProbedTrace *probed, HieraProbeHost *host, HieraProbeTotals *totals,
                            HieraProbed *result)
{
    const HieraTrace *trace = probed->trace;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        if (!hiera_scope_accepts_rank(probed->scope, processor->rank))
            continue;
        host->rank = processor->rank;
        host->size = processor->size > 0 ? processor->size : trace->n_processors;
        host->name = processor->host;
        result->hidden = result->hidden || has_hidden_calls(trace, i);
        if (!probe_rank(probed, processor, host, totals, result))
            return FALSE;
    }
    return TRUE;
}

gboolean hiera_probing_run(const HieraMatch *match, const HieraScope *scope, const HieraProbeScript *script,
                           FILE *stream, void (*tell)(const char *message), HieraProbed *probed, GError **error)
{
    Output output = {stream, tell};
    HieraProbeHost host = {.write = write_text, .complain = complain, .user = &output, .memory = MEMORY};
    HieraProbedTrace of;
    *probed = (HieraProbed){0};
    hiera_probed_trace_init(&of, match, scope, script);
    HieraProbeTotals *totals = hiera_probe_totals_new(script, &host);
    gboolean good = totals && probe_ranks(&of, &host, totals, probed);
    if (good)
        hiera_probe_totals_print(totals, &host);
    else
        g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_MEMORY, "there is no memory for the script of --probe");
    hiera_probe_totals_free(totals);
    hiera_probed_trace_clear(&of);
    return good;
}
