/* See tree_format.h. Walks the tree without recursion: it may be as deep as it has nodes. */
#include "tree_format.h"

#include "record/region_counters.h"
#include "write/element.h"
#include "write/level_ops.h"
#include "write/region_format.h"
#include "write/totals_format.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

/* --- attributes of the element of a call-tree node --- */

static void put_number(HieraText *text, const char *begin, uint64_t value)
{
    hiera_text_bytes(text, begin, strlen(begin));
    hiera_text_unsigned(text, value);
    HIERA_TEXT_LITERAL(text, "\"");
}

static void put_time(HieraText *text, const char *begin, uint64_t ns)
{
    hiera_text_bytes(text, begin, strlen(begin));
    hiera_text_seconds(text, ns);
    HIERA_TEXT_LITERAL(text, "\"");
}

static void put_bytes(HieraText *text, int64_t sent, int64_t received)
{
    if (sent >= 0)
        put_number(text, " bytes=\"", (uint64_t)sent);
    if (received >= 0)
        put_number(text, " rbytes=\"", (uint64_t)received);
}

static bool has_ended(const HieraProfileNode *node)
{
    return node->calls > node->open;
}

static void put_first_and_last(HieraText *text, const HieraProfileNode *node)
{
    put_time(text, " start_time=\"", node->first_ns);
    if (has_ended(node))
        put_time(text, " finish_time=\"", node->last_ns > node->first_ns ? node->last_ns : node->first_ns);
    else
        HIERA_TEXT_LITERAL(text, " finish_time=\"\"");
}

static void put_open(HieraText *text, const HieraProfileNode *node)
{
    uint64_t since = has_ended(node) ? hiera_clock_ns(node->open_ticks) : node->first_ns;
    put_number(text, " open=\"", node->open);
    put_time(text, " open_since=\"", since > node->first_ns ? since : node->first_ns);
}

static void put_sums(HieraText *text, const HieraProfileNode *node)
{
    put_first_and_last(text, node);
    put_number(text, " calls=\"", node->calls);
    put_time(text, " time=\"", node->time_ns);
    if (has_ended(node)) {
        put_time(text, " min=\"", node->min_ns);
        put_time(text, " max=\"", node->max_ns);
    }
    if (node->open > 0)
        put_open(text, node);
    if (node->missed > 0)
        put_number(text, " missed=\"", node->missed);
    if (node->failed > 0)
        put_number(text, " failed=\"", node->failed);
    if (node->left > 0)
        put_number(text, " left=\"", node->left);
    put_bytes(text, node->sent, node->received);
}

/* --- content of a call-tree node's element, before the operations inside --- */

static void put_gaps(HieraText *text, const HieraGaps *gaps)
{
    put_time(text, " time=\"", gaps->time_ns);
    put_time(text, " min=\"", gaps->min_ns);
    put_time(text, " max=\"", gaps->max_ns);
}

/* Write the non-empty bins of a histogram as "bits:number bits:number"; `bits`: how many bits the values have. */
static void put_bins(HieraText *text, const HieraSpread *spread)
{
    bool any = false;
    HIERA_TEXT_LITERAL(text, " bins=\"");
    for (unsigned i = 0; i < spread->n; i++) {
        if (spread->bins[i] == 0)
            continue;
        if (any)
            hiera_text_char(text, ' ');
        any = true;
        hiera_text_unsigned(text, spread->first + i);
        hiera_text_char(text, ':');
        hiera_text_unsigned(text, spread->bins[i]);
    }
    HIERA_TEXT_LITERAL(text, "\"");
}

/* Write the histogram of what `of` says. `gaps`: also sum, minimum and maximum of these values; NULL: not. */
static void put_spread(HieraTraceFile *stream, const HieraSpread *spread, const char *of, const HieraGaps *gaps)
{
    if (spread->n == 0)
        return;
    HIERA_ELEMENT_OPEN(stream, "<hieraSpread of=\"");
    hiera_text_short(stream->text, of, strlen(of));
    HIERA_TEXT_LITERAL(stream->text, "\"");
    if (gaps)
        put_gaps(stream->text, gaps);
    put_bins(stream->text, spread);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

static void put_waited(HieraTraceFile *stream, const HieraWaitSum *waited, const char *for_what)
{
    HIERA_ELEMENT_OPEN(stream, "<hieraWait of=\"");
    hiera_text_bytes(stream->text, for_what, strlen(for_what));
    put_number(stream->text, "\" calls=\"", waited->calls);
    put_number(stream->text, " count=\"", waited->count);
    put_time(stream->text, " time=\"", waited->time_ns);
    put_time(stream->text, " min=\"", waited->min_ns);
    put_time(stream->text, " max=\"", waited->max_ns);
    put_bins(stream->text, &waited->times);
}

static void put_waits(HieraTraceFile *stream, const HieraProfileWaits *waits)
{
    put_waited(stream, &waits->members, "members");
    put_time(stream->text, " exchange=\"", waits->exchange_ns);
    HIERA_TEXT_LITERAL(stream->text, "/>");
    put_waited(stream, &waits->completion, "completion");
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

static void put_parts(HieraTraceFile *stream, const HieraProfileNode *node)
{
    for (const HieraProfilePart *part = node->first_part; part; part = part->next) {
        HIERA_ELEMENT_OPEN(stream, "<hieraPart");
        hiera_level.put_part(stream->text, part);
        put_number(stream->text, " calls=\"", part->calls);
        if (part->has_time)
            put_time(stream->text, " time=\"", part->time_ns);
        put_bytes(stream->text, part->sent, part->received);
        HIERA_TEXT_LITERAL(stream->text, "/>");
    }
}

static void put_counted(HieraTraceFile *stream, const HieraProfileNode *node)
{
    alignas(HieraCountersRecord) char bytes[HIERA_COUNTERS_ROOM];
    HieraCountersRecord *record = (HieraCountersRecord *)(void *)bytes;
    unsigned n = hiera_region_counters.n;
    for (unsigned i = 0; i < n; i++)
        record->values[i] = node->counted[n + i] != 0 ? node->counted[i] : NAN;
    hiera_region_put_counters(stream, record);
}

/* --- elements of call-tree nodes --- */

static bool is_oops(const HieraProfile *profile, const HieraProfileNode *node)
{
    return node->call == HIERA_RECORD_REGION &&
           strcmp(hiera_label(profile->labels, (uint32_t)node->what)->level, "oops") == 0;
}

static const void *function_of(const HieraProfileNode *node)
{
    return (const void *)(uintptr_t)node->what;
}

static void declare(HieraTraceFile *stream, const HieraProfileNode *node)
{
    if (node->call == HIERA_NODE_OTHER)
        return;
    hiera_element_declare_object(stream, node->site);
    if (node->call == HIERA_RECORD_FUNCTION)
        hiera_element_declare_object_of_function(stream, function_of(node));
}

static void declare_comms(HieraTraceFile *stream, const HieraProfileNode *node)
{
    for (const HieraProfilePart *part = node->first_part; part; part = part->next)
        if (part->key.comm != HIERA_SUM_NO_COMM)
            hiera_level.declare_comm(stream, part->key.comm, true);
}

static void put_name(HieraTraceFile *stream, const HieraProfile *profile, const HieraProfileNode *node)
{
    HieraText *text = stream->text;
    if (node->call >= HIERA_RECORD_CALLS && node->call != HIERA_NODE_OTHER) {
        hiera_level.put_call(text, node->call);
    } else if (node->call == HIERA_NODE_OTHER) {
        HIERA_TEXT_LITERAL(text, "<hieraRegion level=\"hiera\" operation=\"(other)\" file=\"unknown\" line=\"0\"");
        return;
    } else if (node->call == HIERA_RECORD_FUNCTION) {
        HIERA_TEXT_LITERAL(text, "<hieraRegion");
        hiera_region_put_name(text, "function", hiera_site_function_name(function_of(node))->name);
    } else {
        const HieraLabel *label = hiera_label(profile->labels, (uint32_t)node->what);
        if (is_oops(profile, node))
            HIERA_TEXT_LITERAL(text, "<hieraOOPS");
        else
            HIERA_TEXT_LITERAL(text, "<hieraRegion");
        hiera_region_put_name(text, label->level, hiera_label_name(label));
    }
    hiera_element_put_site(stream, node->site);
}

static const char *end_tag(const HieraProfile *profile, const HieraProfileNode *node)
{
    if (node->call >= HIERA_RECORD_CALLS && node->call != HIERA_NODE_OTHER)
        return "</hieraMPI>";
    return hiera_frame_end_tag(is_oops(profile, node) ? HIERA_FRAME_OOPS : HIERA_FRAME_REGION);
}

/* Write the element, without content, of functions that were only counted, or of time spent on full buffers. */
static void put_note(HieraTraceFile *stream, const HieraProfileNode *node)
{
    if (node->call == HIERA_RECORD_FLUSH) {
        HIERA_ELEMENT_OPEN(stream, "<hieraFlush");
        put_first_and_last(stream->text, node);
        put_number(stream->text, " count=\"", node->calls);
    } else {
        const char *name = node->what != 0 ? hiera_site_function_name(function_of(node))->name : "(other)";
        if (node->what != 0)
            hiera_element_declare_object_of_function(stream, function_of(node));
        HIERA_ELEMENT_OPEN(stream, "<hieraFiltered level=\"function\" operation=\"");
        hiera_text_escaped(stream->text, name, strlen(name));
        put_number(stream->text, "\" count=\"", node->calls);
    }
    put_time(stream->text, " time=\"", node->time_ns);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

static bool is_note(const HieraProfileNode *node)
{
    return node->call == HIERA_RECORD_FLUSH || node->call == HIERA_RECORD_COUNTED;
}

static void begin(HieraTraceFile *stream, const HieraProfile *profile, const HieraProfileNode *node)
{
    declare(stream, node);
    declare_comms(stream, node);
    HIERA_ELEMENT_OPEN(stream, "");
    put_name(stream, profile, node);
    put_sums(stream->text, node);
    HIERA_TEXT_LITERAL(stream->text, ">");
    stream->depth++;
    put_spread(stream, &node->times, "time", NULL);
    put_spread(stream, &node->sizes, "bytes", NULL);
    if (node->gaps)
        put_spread(stream, &node->gaps->spread, "gap", node->gaps);
    put_parts(stream, node);
    if (node->waits)
        put_waits(stream, node->waits);
}

static void end(HieraTraceFile *stream, const HieraProfile *profile, const HieraProfileNode *node)
{
    const char *tag = end_tag(profile, node);
    if (node->counted)
        put_counted(stream, node);
    stream->depth--;
    hiera_element_open(stream, tag, strlen(tag));
}

/* Begin a node's element. A node without calls, made for a call in progress that still goes on, is left out. */
static void put_node(HieraTraceFile *stream, const HieraProfile *profile, const HieraProfileNode *node)
{
    if (is_note(node))
        put_note(stream, node);
    else if (node->calls > 0)
        begin(stream, profile, node);
}

static void leave_node(HieraTraceFile *stream, const HieraProfile *profile, const HieraProfileNode *node)
{
    if (!is_note(node) && node->calls > 0)
        end(stream, profile, node);
}

void hiera_tree_name_sites(const HieraProfile *profile)
{
    for (uint32_t i = 0; i < profile->room_nodes; i++)
        if (profile->nodes[i] && profile->nodes[i]->site)
            hiera_site_resolve(profile->nodes[i]->site);
}

void hiera_tree_declare(HieraTraceFile *stream, const HieraProfile *profile)
{
    for (uint32_t i = 0; i < profile->room_nodes; i++)
        if (profile->nodes[i])
            declare_comms(stream, profile->nodes[i]);
}

/* Write all nodes below the node `of`, except those inside elements that are open in the file (switch_over.h). */
static void put_below(HieraTraceFile *stream, const HieraProfile *profile, const HieraProfileNode *of)
{
    const HieraProfileNode *node = of->first;
    while (node) {
        put_node(stream, profile, node);
        if (node->first && node->call != HIERA_NODE_FRAME) {
            node = node->first;
            continue;
        }
        leave_node(stream, profile, node);
        while (!node->next && node->parent != of) {
            node = node->parent;
            leave_node(stream, profile, node);
        }
        node = node->next;
    }
}

void hiera_tree_put_inside(HieraTraceFile *stream, const HieraProfile *profile, const HieraProfileNode *of)
{
    put_below(stream, profile, of);
    if (of->counted)
        put_counted(stream, of);
}

void hiera_tree_put(HieraTraceFile *stream, const HieraProfile *profile)
{
    put_below(stream, profile, &profile->root);
    hiera_totals_put_sums(stream, &profile->sums);
}
