/* See call_before.h. Writes how many messages each channel had before the begin of the trace (latest/). */
#include "call_before.h"
#include "handle_format.h"
#include "latest/channels.h"
#include "latest/kept_calls.h"
#include "write/element.h"

/* Whether a persistent receive is active. It then counts as complete, because a trace that begins later does not have
 * the call that started it. */
static bool is_active(const HieraKeptCall *kept)
{
    return kept->receives && kept->is_persistent && kept->active > 0;
}

static bool is_wild(const HieraKeptCall *kept)
{
    return kept->peer < 0 || kept->tag < 0;
}

static void count_active(bool back)
{
    for (HieraKeptCall *kept = hiera_kept_next(NULL); kept; kept = hiera_kept_next(kept)) {
        HieraChannelSort sort = kept->is_partitioned ? HIERA_CHANNEL_RECEIVED_PARTS : HIERA_CHANNEL_RECEIVED;
        HieraChannel *channel =
            is_active(kept) && !is_wild(kept) ? hiera_channel_find(sort, kept->comm, kept->peer, kept->tag) : NULL;
        if (channel)
            channel->count = back ? channel->count - (uint64_t)kept->active : channel->count + (uint64_t)kept->active;
    }
}

/* Whether an active persistent receive on `comm` (`any`: on any) has a wildcard, so that its channel is unknown. */
static bool has_wild(uint32_t comm, bool any)
{
    for (const HieraKeptCall *kept = hiera_kept_next(NULL); kept; kept = hiera_kept_next(kept))
        if (is_active(kept) && is_wild(kept) && (any || kept->comm == comm))
            return true;
    return false;
}

bool hiera_call_channels_are_complete(void)
{
    return !hiera_channels_are_incomplete && !hiera_kept_is_incomplete && !has_wild(0, true);
}

static void declare(const HieraChannel *channel, void *stream)
{
    if (channel->sort <= HIERA_CHANNEL_INITS)
        hiera_format_declare_comm(stream, channel->object, true);
}

void hiera_call_declare_channels(HieraTraceFile *stream)
{
    hiera_channels_tidy();
    hiera_channels_visit(declare, stream);
}

static void put_object(HieraText *text, const HieraChannel *channel)
{
    switch (channel->sort) {
    case HIERA_CHANNEL_WINDOW:
        HIERA_TEXT_LITERAL(text, " win=\"");
        hiera_format_handle(text, HIERA_HANDLE_WIN, channel->object);
        break;
    case HIERA_CHANNEL_FILE:
        HIERA_TEXT_LITERAL(text, " fh=\"");
        hiera_format_handle(text, HIERA_HANDLE_FILE, channel->object);
        break;
    case HIERA_CHANNEL_STARTS:
        HIERA_TEXT_LITERAL(text, " request=\"");
        hiera_text_unsigned(text, channel->object);
        break;
    default:
        HIERA_TEXT_LITERAL(text, " comm=\"");
        hiera_format_handle(text, HIERA_HANDLE_COMM, channel->object);
        break;
    }
    hiera_text_char(text, '"');
}

static void put_peer(HieraText *text, const HieraChannel *channel)
{
    bool sent = channel->sort == HIERA_CHANNEL_SENT || channel->sort == HIERA_CHANNEL_SENT_PARTS;
    if (channel->sort > HIERA_CHANNEL_RECEIVED_PARTS)
        return;
    if (sent)
        HIERA_TEXT_LITERAL(text, " dest=\"");
    else
        HIERA_TEXT_LITERAL(text, " rem=\"");
    hiera_text_signed(text, channel->peer);
    HIERA_TEXT_LITERAL(text, "\" tag=\"");
    hiera_text_signed(text, channel->tag);
    hiera_text_char(text, '"');
}

static void put(const HieraChannel *channel, void *user)
{
    HieraTraceFile *stream = user;
    HieraText *text = stream->text;
    bool parts = channel->sort == HIERA_CHANNEL_SENT_PARTS || channel->sort == HIERA_CHANNEL_RECEIVED_PARTS;
    if (hiera_kept_is_incomplete || (channel->sort == HIERA_CHANNEL_RECEIVED && has_wild(channel->object, false)))
        return;
    HIERA_ELEMENT_OPEN(stream, "<hieraChannel");
    put_object(text, channel);
    put_peer(text, channel);
    if (parts)
        HIERA_TEXT_LITERAL(text, " kind=\"partitioned\"");
    if (channel->sort == HIERA_CHANNEL_INITS)
        HIERA_TEXT_LITERAL(text, " kind=\"init\"");
    HIERA_TEXT_LITERAL(text, " count=\"");
    if (channel->is_unsure)
        HIERA_TEXT_LITERAL(text, "unknown");
    else
        hiera_text_unsigned(text, channel->count);
    HIERA_TEXT_LITERAL(text, "\"/>");
}

void hiera_call_put_channels(HieraTraceFile *stream)
{
    count_active(false);
    hiera_channels_visit(put, stream);
    count_active(true);
}
