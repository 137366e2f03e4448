/* See event_values.h. A variable whose value the trace does not have is missing (hiera_value_missing). */
#include "event_values.h"
#include <string.h>

static HieraValue text_of(const char *text)
{
    return *text ? hiera_value_text(text, strlen(text)) : hiera_value_missing();
}

static HieraValue known(gint64 number, gboolean is)
{
    return is ? hiera_value_integer(number) : hiera_value_missing();
}

static gboolean is_message(const HieraEventFacts *facts)
{
    return facts->transfer != NULL;
}

static gboolean has_ended(const HieraEventFacts *facts)
{
    return facts->kind != HIERA_EVENT_CALL_BEGIN && facts->kind != HIERA_EVENT_REGION_START &&
           facts->kind != HIERA_EVENT_REGION_SUSPEND;
}

/* --- variables of messages --- */

static const HieraMessage *message_of(const HieraEventFacts *facts)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(facts->trace->match, &n);
    return facts->transfer->message == HIERA_NONE ? NULL : &messages[facts->transfer->message];
}

/* Return what the call that completed a receive recorded about the message; NULL: nothing. */
static const HieraRequest *status_of_receive(const HieraEventFacts *facts)
{
    const HieraTrace *trace = facts->trace->trace;
    const HieraRequest *own, *status;
    guint n = hiera_trace_peek_requests(trace, facts->transfer->row, &status);
    gboolean posted = hiera_trace_peek_requests(trace, facts->transfer->posted, &own) > 0;
    for (guint i = 0; posted && facts->kind == HIERA_EVENT_RECEIVE && i < n; i++) {
        if (status[i].number == own->number)
            return &status[i];
    }
    return NULL;
}

static gint32 source_of_lonely(const HieraEventFacts *facts)
{
    const HieraTrace *trace = facts->trace->trace;
    const HieraRequest *status = status_of_receive(facts);
    guint32 posted = facts->transfer->posted;
    gint32 source = trace->source[posted] < 0 && status ? status->source : trace->source[posted];
    return hiera_match_world_rank(facts->trace->match, trace->comm[posted], source);
}

/* Return the rank in MPI_COMM_WORLD of a message's sender or receiver. */
static HieraValue rank_of_message(const HieraEventFacts *facts, gboolean sender)
{
    const HieraTrace *trace = facts->trace->trace;
    const HieraMessage *message = message_of(facts);
    guint32 posted = facts->transfer->posted;
    gint32 rank;
    if (sender == (facts->kind == HIERA_EVENT_SEND))
        return hiera_value_integer(facts->processor->rank);
    if (message)
        rank = (gint32)trace->processors[hiera_trace_find_processor(trace, sender ? message->from : message->to)].rank;
    else if (sender)
        rank = source_of_lonely(facts);
    else
        rank = hiera_match_peer(facts->trace->match, posted);
    return known(rank, rank >= 0);
}

static HieraValue id_of_message(const HieraEventFacts *facts)
{
    const HieraMatch *match = facts->trace->match;
    const HieraMessage *message = message_of(facts);
    if (!message)
        return hiera_value_missing();
    guint32 number = facts->transfer->message;
    const HieraTrace *trace = facts->trace->trace;
    g_string_printf(facts->id, "%s/%u>%u/%d/%u", hiera_match_comm_id(match, message->comm),
                    trace->processors[hiera_trace_find_processor(trace, message->from)].rank,
                    trace->processors[hiera_trace_find_processor(trace, message->to)].rank,
                    hiera_match_message_tag(match, number), facts->trace->transfers.number[number]);
    return hiera_value_text(facts->id->str, facts->id->len);
}

/* Return the size of a message in bytes. A send-receive has two messages, so also two sizes and tags. */
static gint64 bytes_of_message(const HieraEventFacts *facts)
{
    const HieraTrace *trace = facts->trace->trace;
    guint32 posted = facts->transfer->posted;
    if (message_of(facts))
        return hiera_match_message_bytes(facts->trace->match, facts->transfer->message);
    const HieraRequest *status = status_of_receive(facts);
    if (status && status->bytes >= 0)
        return status->bytes;
    gboolean second =
        facts->kind == HIERA_EVENT_RECEIVE && hiera_trace_peek_site(trace, posted)->kind == HIERA_KIND_SEND_RECEIVE;
    return second ? hiera_trace_peek_sparse(trace, posted)->rbytes : trace->bytes[posted];
}

static gint32 tag_of_message(const HieraEventFacts *facts)
{
    const HieraTrace *trace = facts->trace->trace;
    guint32 posted = facts->transfer->posted;
    if (message_of(facts))
        return hiera_match_message_tag(facts->trace->match, facts->transfer->message);
    const HieraRequest *status = status_of_receive(facts);
    if (status && trace->tag[posted] < 0)
        return status->tag;
    gboolean second =
        facts->kind == HIERA_EVENT_RECEIVE && hiera_trace_peek_site(trace, posted)->kind == HIERA_KIND_SEND_RECEIVE;
    return second ? hiera_trace_peek_sparse(trace, posted)->rtag : trace->tag[posted];
}

static HieraValue value_of_message(HieraProbeVariableId variable, const HieraEventFacts *facts)
{
    const HieraTrace *trace = facts->trace->trace;
    const HieraMessage *message = message_of(facts);
    switch (variable) {
    case HIERA_PROBE_VARIABLE_BYTES:
        return known(bytes_of_message(facts), bytes_of_message(facts) >= 0);
    case HIERA_PROBE_VARIABLE_TAG:
        return known(tag_of_message(facts), tag_of_message(facts) >= 0);
    case HIERA_PROBE_VARIABLE_COMM:
        return text_of(
            hiera_match_comm_id(facts->trace->match, message ? message->comm : trace->comm[facts->transfer->posted]));
    case HIERA_PROBE_VARIABLE_SENT:
        return message ? hiera_value_duration(trace->start_ns[message->from]) : hiera_value_missing();
    case HIERA_PROBE_VARIABLE_SOURCE:
        return rank_of_message(facts, TRUE);
    case HIERA_PROBE_VARIABLE_TARGET:
        return rank_of_message(facts, FALSE);
    default: /* case MESSAGE_ID */
        return id_of_message(facts);
    }
}

/* --- variables of calls --- */

static gboolean is_of_window(HieraKind kind)
{
    return kind == HIERA_KIND_RMA || kind == HIERA_KIND_EXPOSE_END;
}

/* Return an argument of a call; arguments are known when the call ends. */
static HieraValue value_of_call(HieraProbeVariableId variable, const HieraEventFacts *facts)
{
    const HieraTrace *trace = facts->trace->trace;
    guint32 row = facts->row;
    if (!has_ended(facts))
        return hiera_value_missing();
    switch (variable) {
    case HIERA_PROBE_VARIABLE_BYTES:
        return known(trace->bytes[row], trace->bytes[row] >= 0);
    case HIERA_PROBE_VARIABLE_RECEIVED:
        return known(hiera_trace_peek_sparse(trace, row)->rbytes, hiera_trace_peek_sparse(trace, row)->rbytes >= 0);
    case HIERA_PROBE_VARIABLE_PEER:
        return known(trace->peer[row], trace->peer[row] != HIERA_ABSENT);
    case HIERA_PROBE_VARIABLE_SOURCE:
        return known(trace->source[row], trace->source[row] != HIERA_ABSENT);
    case HIERA_PROBE_VARIABLE_TAG: /* calls on windows have another argument in the column `tag` */
        return known(trace->tag[row], trace->tag[row] != HIERA_ABSENT && !is_of_window(facts->site->kind));
    case HIERA_PROBE_VARIABLE_COMM:
        return text_of(hiera_match_comm_id(facts->trace->match, trace->comm[row]));
    default: /* case FAILED */
        return hiera_value_truth(hiera_trace_is_failed(trace, row));
    }
}

/* --- variables that are times --- */

/* Return a time of an event: a message leaves when its call begins, and arrives when its call ends. */
static HieraValue value_of_time(HieraProbeVariableId variable, const HieraEventFacts *facts)
{
    gint64 start_ns = facts->trace->trace->start_ns[facts->call],
           finish_ns = facts->trace->trace->finish_ns[facts->call];
    gboolean at_start = !has_ended(facts) || facts->kind == HIERA_EVENT_SEND;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_TIME:
        return hiera_value_duration(at_start ? start_ns : finish_ns);
    case HIERA_PROBE_VARIABLE_START:
        return hiera_value_duration(start_ns);
    case HIERA_PROBE_VARIABLE_FINISH:
        return has_ended(facts) ? hiera_value_duration(finish_ns) : hiera_value_missing();
    default: /* case DURATION */
        return has_ended(facts) ? hiera_value_duration(finish_ns - start_ns) : hiera_value_missing();
    }
}

/* --- variables that say where an event happens --- */

static HieraValue word_of(HieraProbeEventKind kind)
{
    static const char *const words[] = {
#define X(identifier, kind, word) word,
        HIERA_PROBE_EVENTS(X)
#undef X
    };
    return text_of(words[kind]);
}

/* Return the name of the event's MPI function; for a suspended region, of the function in which it waits. */
static HieraValue call_of(const HieraEventFacts *facts)
{
    const HieraSite *site = hiera_trace_peek_site(facts->trace->trace, facts->call);
    return site->mpi ? text_of(hiera_probed_trace_name(facts->trace, site)) : hiera_value_missing();
}

static HieraValue value_of_place(HieraProbeVariableId variable, const HieraEventFacts *facts)
{
    switch (variable) {
    case HIERA_PROBE_VARIABLE_EVENT:
        return word_of(facts->kind);
    case HIERA_PROBE_VARIABLE_NAME:
        return text_of(facts->name);
    case HIERA_PROBE_VARIABLE_CALL:
        return call_of(facts);
    case HIERA_PROBE_VARIABLE_LEVEL:
        return text_of(facts->site->level);
    case HIERA_PROBE_VARIABLE_FILE:
        return text_of(facts->site->short_file);
    case HIERA_PROBE_VARIABLE_LINE:
        return known(facts->site->line, facts->site->line > 0);
    case HIERA_PROBE_VARIABLE_PATH:
        return hiera_value_text(facts->path.text, facts->path.length);
    case HIERA_PROBE_VARIABLE_STACK:
        return facts->stack.length > 0 ? hiera_value_text(facts->stack.text, facts->stack.length)
                                       : hiera_value_missing();
    case HIERA_PROBE_VARIABLE_HOST:
        return text_of(facts->processor->host);
    default:
        return hiera_value_missing();
    }
}

static HieraValue value_of_number(HieraProbeVariableId variable, const HieraEventFacts *facts)
{
    switch (variable) {
    case HIERA_PROBE_VARIABLE_RANK:
        return hiera_value_integer(facts->processor->rank);
    case HIERA_PROBE_VARIABLE_THREAD:
        return hiera_value_integer(facts->thread);
    case HIERA_PROBE_VARIABLE_DEPTH:
        return hiera_value_integer(facts->depth);
    case HIERA_PROBE_VARIABLE_REGION_ID:
        return known(facts->region, facts->region > 0);
    default: /* case PARENT */
        return known(facts->parent, facts->parent > 0);
    }
}

HieraValue hiera_event_value(HieraProbeVariableId variable, const void *data)
{
    const HieraEventFacts *facts = data;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_RANK:
    case HIERA_PROBE_VARIABLE_THREAD:
    case HIERA_PROBE_VARIABLE_DEPTH:
    case HIERA_PROBE_VARIABLE_REGION_ID:
    case HIERA_PROBE_VARIABLE_PARENT:
        return value_of_number(variable, facts);
    case HIERA_PROBE_VARIABLE_TIME:
    case HIERA_PROBE_VARIABLE_START:
    case HIERA_PROBE_VARIABLE_FINISH:
    case HIERA_PROBE_VARIABLE_DURATION:
        return value_of_time(variable, facts);
    case HIERA_PROBE_VARIABLE_BYTES:
    case HIERA_PROBE_VARIABLE_RECEIVED:
    case HIERA_PROBE_VARIABLE_PEER:
    case HIERA_PROBE_VARIABLE_SOURCE:
    case HIERA_PROBE_VARIABLE_TARGET:
    case HIERA_PROBE_VARIABLE_TAG:
    case HIERA_PROBE_VARIABLE_COMM:
    case HIERA_PROBE_VARIABLE_FAILED:
    case HIERA_PROBE_VARIABLE_SENT:
    case HIERA_PROBE_VARIABLE_MESSAGE_ID:
        return is_message(facts) ? value_of_message(variable, facts) : value_of_call(variable, facts);
    default:
        return value_of_place(variable, facts);
    }
}
