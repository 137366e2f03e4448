/* Makes the texts of the measure hang: what ranks do, and what they need. */
#include "hang_parts.h"
#include <string.h>

enum { RANKS_DESCRIBED = 3 }; /* number of ranks of a need whose state is described, one by one */

/* Append the name of an operation as MPI writes it: "receive" → "MPI_Recv". */
static void append_name(GString *text, const char *operation)
{
    if (strcmp(operation, "receive") == 0)
        operation = "recv";
    else if (strcmp(operation, "broadcast") == 0)
        operation = "bcast";
    g_string_append_printf(text, "MPI_%c%s", g_ascii_toupper(*operation), *operation ? operation + 1 : "");
}

char *hiera_hang_call(const HieraHang *hang, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(hang->trace, row);
    GString *text = g_string_new(NULL);
    append_name(text, site->operation);
    if (*site->short_file && site->line > 0)
        g_string_append_printf(text, " (%s:%u)", site->short_file, site->line);
    else if (*site->short_file)
        g_string_append_printf(text, " (%s)", site->short_file);
    return g_string_free(text, FALSE);
}

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    gint32 left = *(const gint32 *)a, right = *(const gint32 *)b;
    return (left > right) - (left < right);
}

char *hiera_hang_ranks(const GArray *ranks)
{
    g_autoptr(GArray) sorted = g_array_copy((GArray *)ranks);
    g_array_sort(sorted, compare_ranks);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0, next; i < sorted->len; i = next) {
        gint32 first = g_array_index(sorted, gint32, i), last = first;
        for (next = i + 1; next < sorted->len && g_array_index(sorted, gint32, next) <= last + 1; next++)
            last = g_array_index(sorted, gint32, next);
        hiera_ranks_append_range(text, first, last);
    }
    return g_strconcat(sorted->len == 1 ? "rank " : "ranks ", g_strchug(text->str), NULL);
}

char *hiera_hang_envelope(const HieraHang *hang, gint32 tag, guint32 comm)
{
    const char *id = hiera_match_comm_id(hang->match, comm);
    g_autofree char *on = *id ? g_strdup_printf(", on %s", id) : g_strdup("");
    if (tag == HIERA_ANY)
        return g_strdup_printf(", any tag%s", on);
    return tag == HIERA_ABSENT ? g_strdup(on) : g_strdup_printf(", tag %d%s", tag, on);
}

static char *describe_message(const HieraHang *hang, const HieraHangNeed *need)
{
    const HieraTrace *trace = hang->trace;
    guint32 comm = trace->comm[need->made_by];
    g_autofree char *ranks = hiera_hang_ranks(need->ranks);
    if (need->kind == HIERA_KIND_SEND) {
        g_autofree char *sent = hiera_hang_envelope(hang, trace->tag[need->made_by], comm);
        return g_strdup_printf("%s to receive its message%s", ranks, sent);
    }
    g_autofree char *received = hiera_hang_envelope(hang, hiera_hang_receive_tag(hang, need->made_by), comm);
    gboolean any = hiera_hang_source(hang, need->made_by) == HIERA_ANY;
    return g_strdup_printf("a message from %s%s", any ? "any rank" : ranks, received);
}

static char *describe_other(const HieraHang *hang, const HieraHangNeed *need)
{
    g_autofree char *ranks = hiera_hang_ranks(need->ranks);
    if (need->kind == HIERA_KIND_ACCESS || need->kind == HIERA_KIND_ACCESS_END)
        return g_strdup_printf("%s to call MPI_Win_post", ranks);
    if (need->kind == HIERA_KIND_COMPLETE) {
        g_autofree char *by = hiera_hang_call(hang, need->other);
        gboolean completed = hiera_trace_peek_site(hang->trace, need->other)->kind == HIERA_KIND_COMPLETE;
        return g_strdup_printf(completed ? "a request that %s of this rank had completed"
                                         : "a request that %s freed while it was active",
                               by);
    }
    if (need->kind == HIERA_KIND_EXPOSE_END)
        return g_strdup_printf("%s to call MPI_Win_complete", ranks);
    if (need->other == HIERA_NONE)
        return g_strdup_printf("%s to carry out accesses to its window", ranks);
    g_autofree char *lock = hiera_hang_call(hang, need->other);
    return g_strdup_printf("%s to release the lock of %s", ranks, lock);
}

char *hiera_hang_describe_need(const HieraHang *hang, const HieraHangNeed *need)
{
    if (need->kind == HIERA_KIND_SEND || need->kind == HIERA_KIND_RECEIVE || need->kind == HIERA_KIND_PROBE)
        return describe_message(hang, need);
    if (!hiera_hang_is_collective(need->kind))
        return describe_other(hang, need);
    g_autofree char *ranks = hiera_hang_ranks(need->ranks);
    g_autoptr(GString) name = g_string_new(NULL);
    const char *id = hiera_match_comm_id(hang->match, hang->trace->comm[need->made_by]);
    append_name(name, hiera_trace_peek_site(hang->trace, need->made_by)->operation);
    return g_strdup_printf("%s to call %s%s%s", ranks, name->str, *id ? " on " : "", id);
}

/* Return where the threads of a rank are that still runs, as "; its stack is …"; "": not known. To be freed. */
static char *describe_stack(const HieraHang *hang, guint32 processor)
{
    const char *stack = hang->trace->processors[processor].stack;
    return stack && *stack ? g_strdup_printf("; its stack is %s", stack) : g_strdup("");
}

/* Return what a rank does that still runs and is in no MPI call. @param call  its last one; NULL: it has made none */
static char *describe_computing(const HieraHangRank *rank, const char *call)
{
    char time[HIERA_NUMBER_BYTES];
    hiera_time_format(time, MAX(0, rank->end_ns - rank->since_ns));
    return g_strdup_printf("computes since %s; %s%s", time,
                           call ? "its last call was " : "it has not called MPI since ", call ? call : "MPI_Init");
}

char *hiera_hang_describe_rank(const HieraHang *hang, gint32 number)
{
    guint32 processor = hiera_trace_find_rank(hang->trace, number);
    if (processor == HIERA_NONE)
        return g_strdup("has no trace here");
    const HieraHangRank *rank = &hang->ranks[processor];
    g_autofree char *call = rank->row == HIERA_NONE ? NULL : hiera_hang_call(hang, rank->row);
    if (hiera_hang_is_stopped(hang, processor))
        return g_strdup("is stopped (SIGSTOP, or a debugger)");
    switch (rank->state) {
    case HIERA_HANG_ENDED:
        return g_strdup("has ended");
    case HIERA_HANG_FINALIZE:
        return g_strdup("is in MPI_Finalize");
    case HIERA_HANG_FAILED:
        return g_strdup_printf("was ended by %s", hang->trace->processors[processor].end);
    case HIERA_HANG_WAITS:
        return g_strdup_printf("%s in %s", hiera_hang_is_far(hang, processor) ? "was last seen" : "is", call);
    case HIERA_HANG_TESTS:
        return g_strdup_printf("calls %s again and again", call);
    case HIERA_HANG_COMPUTES:
        if (hang->trace->processors[processor].alive)
            return describe_computing(rank, call);
        return call ? g_strdup_printf("is in no MPI call since its %s", call)
                    : g_strdup("has not called MPI since MPI_Init");
    default:
        if (hiera_hang_is_far(hang, processor))
            return g_strdup_printf("was last seen after its %s", call ? call : "MPI_Init");
        if (hang->trace->processors[processor].alive)
            return g_strdup("still runs, and its trace does not say what it does now");
        if (hiera_processor_is_past(&hang->trace->processors[processor]))
            return g_strdup_printf("may be in a call that is not recorded%s%s", call ? ", after its " : "",
                                   call ? call : "");
        return g_strdup("has a trace that is cut short");
    }
}

/* Return what ranks are doing as text if it is the same for all; else NULL. */
static char *common_state(const HieraHang *hang, const GArray *ranks)
{
    g_autofree char *common = NULL;
    for (guint i = 0; i < ranks->len; i++) {
        g_autofree char *state = hiera_hang_describe_rank(hang, g_array_index(ranks, gint32, i));
        if (common && strcmp(common, state) != 0)
            return NULL;
        if (!common)
            common = g_steal_pointer(&state);
    }
    return g_steal_pointer(&common);
}

char *hiera_hang_describe_ranks(const HieraHang *hang, const GArray *ranks)
{
    g_autofree char *common = common_state(hang, ranks);
    GString *text = g_string_new(NULL);
    if (common && ranks->len > 1) {
        g_autofree char *names = hiera_hang_ranks(ranks);
        g_string_append_printf(text, "each of %s %s", names, common);
        return g_string_free(text, FALSE);
    }
    for (guint i = 0; i < ranks->len && i <= RANKS_DESCRIBED; i++) {
        gint32 rank = g_array_index(ranks, gint32, i);
        g_autofree char *state = hiera_hang_describe_rank(hang, rank);
        if (i < RANKS_DESCRIBED)
            g_string_append_printf(text, "%srank %d %s", text->len > 0 ? ", " : "", rank, state);
        else
            g_string_append(text, ", …");
    }
    return g_string_free(text, FALSE);
}

char *hiera_hang_describe_difference(const HieraHang *hang, guint32 row, guint32 other)
{
    const HieraTrace *trace = hang->trace;
    g_autofree char *here = hiera_hang_call(hang, row), *there = hiera_hang_call(hang, other);
    guint32 rank = trace->processors[hiera_trace_find_processor(trace, row)].rank;
    guint32 other_rank = trace->processors[hiera_trace_find_processor(trace, other)].rank;
    const char *name = hiera_trace_peek_site(trace, row)->operation;
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "collective %u on %s differs: rank %u calls %s",
                           hiera_match_position(hang->match, row), hiera_match_comm_id(hang->match, trace->comm[row]),
                           rank, here);
    gboolean same = strcmp(name, hiera_trace_peek_site(trace, other)->operation) == 0;
    gboolean roots = same && trace->peer[row] != trace->peer[other];
    if (roots)
        g_string_append_printf(text, " with root %d", trace->peer[row]);
    g_string_append_printf(text, ", rank %u calls %s", other_rank, there);
    if (roots)
        g_string_append_printf(text, " with root %d", trace->peer[other]);
    else if (same)
        g_string_append(text, " with another operator");
    return g_string_free(text, FALSE);
}

static char *describe_near(const HieraHang *hang, const HieraHangNear *near)
{
    const HieraTrace *trace = hang->trace;
    guint32 rank = trace->processors[hiera_trace_find_processor(trace, near->row)].rank;
    g_autofree char *call = hiera_hang_call(hang, near->row), *peer = NULL;
    g_autofree char *envelope = hiera_hang_envelope(hang, near->tag, trace->comm[near->row]);
    if (near->peer == HIERA_ANY)
        peer = g_strdup(" from any rank");
    else if (near->peer >= 0)
        peer = g_strdup_printf(" %s rank %d", near->sent ? "to" : "from", near->peer);
    return g_strdup_printf("nearly fits: %s of rank %u%s%s: %s", call, rank, peer ? peer : "", envelope, near->how);
}

char *hiera_hang_describe_why(const HieraHang *hang, guint32 processor, const HieraHangNeed *need)
{
    if (need->kind == HIERA_KIND_COMPLETE)
        return g_strdup("");
    if (need->never && need->other != HIERA_NONE)
        return hiera_hang_describe_difference(hang, need->act, need->other);
    if (need->other != HIERA_NONE && (need->kind == HIERA_KIND_RECEIVE || need->kind == HIERA_KIND_PROBE)) {
        g_autofree char *thief = hiera_hang_call(hang, need->other);
        return g_strdup_printf("its message was taken by the earlier %s of this rank, which was still open", thief);
    }
    HieraHangNear near = hiera_hang_find_near(hang, processor, need);
    return near.row == HIERA_NONE ? g_strdup("") : describe_near(hang, &near);
}

/* Return as text how a rank ended, or what it did last, if it waits for nothing; "" for other states. */
static char *describe_idle(const HieraHang *hang, guint32 processor)
{
    const HieraHangRank *rank = &hang->ranks[processor];
    if (rank->state == HIERA_HANG_FAILED) {
        g_autofree char *call = rank->row == HIERA_NONE ? NULL : hiera_hang_call(hang, rank->row);
        const char *how = rank->calls->len > 0 ? " in " : " after ";
        return g_strdup_printf("was ended by %s%s%s", hang->trace->processors[processor].end, call ? how : "",
                               call ? call : "");
    }
    gboolean is_past = hiera_processor_is_past(&hang->trace->processors[processor]);
    gboolean is_told = is_past || hiera_hang_is_far(hang, processor);
    if (rank->state != HIERA_HANG_COMPUTES && !(rank->state == HIERA_HANG_UNKNOWN && is_told) &&
        !hiera_hang_is_stopped(hang, processor))
        return g_strdup("");
    g_autofree char *state = hiera_hang_describe_rank(hang, (gint32)hang->trace->processors[processor].rank);
    g_autofree char *stack = describe_stack(hang, processor);
    return g_strconcat(state, stack, NULL);
}

char *hiera_hang_describe_reason(const HieraHang *hang, guint32 processor)
{
    const HieraHangRank *rank = &hang->ranks[processor];
    const HieraHangNeed *need = hiera_hang_first_need(hang, processor);
    need = need ? need : hiera_hang_open_need(hang, processor);
    if (!need || rank->state == HIERA_HANG_FAILED)
        return rank->state == HIERA_HANG_WAITS
                   ? g_strdup("what it waited for had come, and MPI had not yet ended the call")
                   : describe_idle(hang, processor);
    g_autofree char *wanted = hiera_hang_describe_need(hang, need),
                    *others = hiera_hang_describe_ranks(hang, need->ranks);
    g_autofree char *why = hiera_hang_describe_why(hang, processor, need);
    g_autofree char *made = need->made_by == rank->row ? NULL : hiera_hang_call(hang, need->made_by);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "waits for %s%s%s%s", made ? "its " : "", made ? made : "",
                           made ? ", which needs " : "", wanted);
    if (*why)
        g_string_append_printf(text, "; %s", why);
    if (*others)
        g_string_append_printf(text, "; %s", others);
    g_autofree char *stack = describe_stack(hang, processor);
    if (rank->has_free_thread) /* not in a deadlock: there the calls say it all */
        g_string_append(text, stack);
    return g_string_free(text, FALSE);
}
