#include "probing.h"
#include "base/safe_text.h"
#include "counter_list.h"
#include "probed_rank.h"
#include "probes/ready.h"
#include "rank_events.h"
#include "trace/pack_process.h"
#include <string.h>

#define MEMORY ((gsize)1 << 30) /* limit in bytes for a script's keys and texts on one rank */
#define KINDS                                                                                                          \
    (1u << HIERA_PROBE_BEGIN | 1u << HIERA_PROBE_END | 1u << HIERA_PROBE_CALL | 1u << HIERA_PROBE_REGION |             \
     1u << HIERA_PROBE_MESSAGE | 1u << HIERA_PROBE_COUNTER_LIST)

/* --- reading probe scripts --- */

/* Return the script in the file with this name, or the built-in script with this name. */
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
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "--probe %s: %s", name,
                is_there ? wrong->message : advice);
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
    /* A built-in script may have clauses for events that only a running program has; on traces they are ignored. */
    if (script && (is_ready || hiera_probe_script_suits(script, "a trace", KINDS, report)))
        return script;
    g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, report);
    hiera_probe_script_free(script);
    return NULL;
}

/* --- running a script on one rank --- */

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

static void keep_text(void *user, const char *text, size_t length)
{
    g_string_append_len(((HieraProbedRank *)user)->text, text, (gssize)length);
}

static void keep_complaint(void *user, const char *message)
{
    g_ptr_array_add(((HieraProbedRank *)user)->complaints, g_strdup(message));
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

/* State of a script while it runs on all ranks. */
typedef struct {
    HieraProbedTrace trace;
    HieraProbeHost host;
    HieraProbeTotals *totals;
    HieraProbingOutcome *result;
    gboolean whole; /* whether memory was sufficient */
} Probing;

/* Run the script on the events of a rank. @return to be freed with hiera_probe_state_free(); NULL: not enough memory */
static HieraProbeState *probe_rank(Probing *probing, guint32 index)
{
    const HieraTrace *trace = probing->trace.trace;
    const HieraProcessor *processor = &trace->processors[index];
    probing->host.rank = processor->rank;
    probing->host.size = processor->size > 0 ? processor->size : trace->n_processors;
    probing->host.name = processor->host;
    HieraProbeState *state = hiera_probe_state_new(probing->trace.script, &probing->host);
    if (!state)
        return NULL;
    hiera_probe_run_begin(state, processor->init_ns);
    hiera_rank_events_tell(&probing->trace, processor, state);
    hiera_counter_list_tell(&probing->trace, processor, state);
    hiera_probe_run_end(state, processor->finalize_ns);
    return state;
}

static void add_own(Probing *probing, guint32 index)
{
    HieraProbeState *state = probe_rank(probing, index);
    probing->whole = probing->whole && state;
    if (!state)
        return;
    hiera_probe_totals_add(probing->totals, state);
    probing->result->lost += hiera_probe_state_count_lost(state);
    probing->result->stopped += hiera_probe_state_count_stopped(state);
    probing->result->hidden = probing->result->hidden || has_hidden_calls(probing->trace.trace, index);
    hiera_probe_state_free(state);
}

/* --- results of ranks whose traces other processes have --- */

static HieraProbedRank *keep_rank(Probing *probing, guint32 index)
{
    HieraProbedRank *rank = hiera_probed_rank_new();
    probing->host.user = rank;
    HieraProbeState *state = probe_rank(probing, index);
    rank->whole = state != NULL;
    if (!state)
        return rank;
    hiera_probed_rank_save(rank, state);
    rank->lost = hiera_probe_state_count_lost(state);
    rank->stopped = hiera_probe_state_count_stopped(state);
    rank->hidden = has_hidden_calls(probing->trace.trace, index);
    hiera_probe_state_free(state);
    return rank;
}

static gboolean is_asked(const Probing *probing, guint32 index)
{
    return hiera_scope_accepts_rank(probing->trace.scope, probing->trace.trace->processors[index].rank);
}

/* Run the script on all ranks of this process, then send the results: process 0 may not receive before. */
static void follow(Probing *probing)
{
    g_autoptr(GPtrArray) ranks = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_probed_rank_free);
    probing->host.write = keep_text;
    probing->host.complain = keep_complaint;
    for (guint32 i = 0; i < probing->trace.trace->n_processors; i++) {
        if (is_asked(probing, i) && hiera_scope_is_own(probing->trace.scope, i))
            g_ptr_array_add(ranks, keep_rank(probing, i));
    }
    HieraPacker *packer = hiera_packer_to(0);
    for (guint i = 0; i < ranks->len; i++)
        hiera_probed_rank_pack(g_ptr_array_index(ranks, i), packer);
    hiera_packer_end(packer);
}

static void add_received(Probing *probing, HieraUnpacker *from)
{
    HieraProbedRank *rank = hiera_probed_rank_unpack(from);
    const HieraProbeHost *host = &probing->host;
    host->write(host->user, rank->text->str, rank->text->len);
    for (guint i = 0; i < rank->complaints->len; i++)
        host->complain(host->user, g_ptr_array_index(rank->complaints, i));
    probing->whole =
        probing->whole && rank->whole && hiera_probe_totals_load(probing->totals, rank->saved->str, rank->saved->len);
    probing->result->lost += rank->lost;
    probing->result->stopped += rank->stopped;
    probing->result->hidden = probing->result->hidden || rank->hidden;
    hiera_probed_rank_free(rank);
}

/* --- results of all ranks --- */

/* In process 0: take the results in order of the ranks, each from the process that has the rank. */
static void lead(Probing *probing)
{
    const HieraTrace *trace = probing->trace.trace;
    const HieraScope *scope = probing->trace.scope;
    guint n = hiera_scope_count_processes(scope);
    g_autofree HieraUnpacker **others = g_new0(HieraUnpacker *, n);
    char report[HIERA_PROBE_REPORT];
    gint64 size =
        trace->n_processors > 0 && trace->processors[0].size > 0 ? trace->processors[0].size : trace->n_processors;
    if (size > 0 && hiera_probe_script_lacks_ranks(probing->trace.script, size, report))
        complain(probing->host.user, report);
    for (guint i = 1; i < n; i++)
        others[i] = hiera_unpacker_from(i, trace->catalog);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (!is_asked(probing, i))
            continue;
        if (hiera_scope_is_own(scope, i))
            add_own(probing, i);
        else
            add_received(probing, others[scope->share.process[i]]);
    }
    for (guint i = 1; i < n; i++)
        hiera_unpacker_free(others[i]);
}

gboolean hiera_probing_run(const HieraMatch *match, const HieraScope *scope, const HieraProbeScript *script,
                           FILE *stream, void (*tell)(const char *message), HieraProbingOutcome *probed, GError **error)
{
    Output output = {stream, tell};
    Probing probing = {.host = {.write = write_text, .complain = complain, .user = &output, .memory = MEMORY},
                       .result = probed,
                       .whole = TRUE};
    *probed = (HieraProbingOutcome){0};
    hiera_probed_trace_init(&probing.trace, match, scope, script);
    probing.totals = hiera_probe_totals_new(script, &probing.host);
    gboolean agreed = hiera_scope_agree(scope, probing.totals != NULL);
    if (agreed && hiera_scope_leads(scope))
        lead(&probing);
    else if (agreed)
        follow(&probing);
    if (agreed && probing.whole && hiera_scope_leads(scope))
        hiera_probe_totals_print(probing.totals, &probing.host);
    else if (!agreed || !probing.whole)
        g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_MEMORY,
                            "there is no memory for the script of --probe");
    hiera_probe_totals_free(probing.totals);
    hiera_probed_trace_clear(&probing.trace);
    return agreed && probing.whole;
}
