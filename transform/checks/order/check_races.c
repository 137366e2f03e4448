/* Races of messages: receives from any source that could have got the message of another sender. MPI allows that, and a
 * program may be right whichever comes first, so there is one note about all of them.
 *
 * A message could have come before another one if its sender had heard nothing of other ranks that is as new as the
 * receive of that one. Of the messages that a rank received later, the next ones are looked at. */
#include "checks/checks.h"
#include "matching/match_common.h"

enum { LOOKED_AT = 16 };

/* A receive from any source, and a message of another sender that it could have got. */
typedef struct {
    guint32 row, processor, site, line; /* of the receive; its row in a trace of all processes */
    guint32 got, other;                 /* world ranks of both senders */
    guint32 later;                      /* call site of the receive that got the other message */
    guint32 starves;                    /* whether this one asks for its sender, so that it would get no message */
} Race;

/* Of one process. */
typedef struct {
    gint64 n_wild, n; /* receives from any source; those with a race */
    Race first;
} Races;

typedef struct {
    const HieraCheck *check;
    const gint64 *heard; /* by row: when the rank had last heard of another one, at the start of the call */
    GArray *order;       /* guint32: messages to own ranks, in the order in which they were asked for */
} Search;

static const HieraMessage *message_at(const Search *search, guint i)
{
    return &g_array_index(search->check->match->messages, HieraMessage, g_array_index(search->order, guint32, i));
}

/* Whether a call may get news of other ranks, other than of requests that it completes. A send need not, since MPI may
 * buffer it, nor does a call that only begins something. */
static gboolean hears(const HieraTrace *trace, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    if (!site->mpi || site->kind == HIERA_KIND_LOCAL || site->kind == HIERA_KIND_START || site->kind == HIERA_KIND_IO)
        return FALSE;
    if (site->kind == HIERA_KIND_SEND)
        return g_str_has_prefix(site->operation, "ssend");
    return site->kind != HIERA_KIND_COMPLETE && !hiera_match_begins_request(trace, row);
}

/* Set how new the news are that members of a collective get: as the begin of the calls that they depend on. */
static void hear_members(const HieraCheck *check, const HieraCollective *collective, gint64 *news)
{
    const gint64 *start_ns = check->trace->start_ns;
    const guint32 *members = &g_array_index(check->match->members, guint32, collective->first);
    gint64 latest = G_MININT64;
    for (guint32 i = 0; i < collective->n; i++) {
        news[members[i]] = latest; /* that of lower ranks */
        latest = MAX(latest, start_ns[members[i]]);
    }
    for (guint32 i = 0; i < collective->n && collective->kind != HIERA_KIND_PREFIX; i++) {
        gboolean is_root = members[i] == collective->root;
        news[members[i]] = latest;
        if (collective->kind == HIERA_KIND_ONE_TO_ALL && collective->root != HIERA_NONE)
            news[members[i]] = is_root ? G_MININT64 : start_ns[collective->root];
        else if (collective->kind == HIERA_KIND_ALL_TO_ONE && !is_root)
            news[members[i]] = G_MININT64;
    }
}

/* Set how new the news are that calls get by messages and probes: as the begin of the call that sent them. */
static void hear_messages(const HieraCheck *check, gint64 *heard)
{
    const GArray *messages = check->match->messages;
    for (guint i = 0; i < messages->len; i++) {
        const HieraMessage *message = &g_array_index(messages, HieraMessage, i);
        gint64 ns = message->doubt ? G_MAXINT64 : check->trace->start_ns[message->from];
        if (message->ended_by != HIERA_NONE)
            heard[message->ended_by] = message->ended_by == message->to ? ns : MAX(ns, heard[message->ended_by]);
    }
    for (guint i = 0; i < check->match->probes->len; i++) {
        const HieraProbe *probe = &g_array_index(check->match->probes, HieraProbe, i);
        heard[probe->row] = check->trace->start_ns[g_array_index(messages, HieraMessage, probe->message).from];
    }
}

/* Likewise by collectives. News by requests of other kinds are not known. */
static void hear_others(const HieraCheck *check, gint64 *heard)
{
    const HieraMatch *match = check->match;
    for (guint32 i = 0; i < match->collectives->len; i++) {
        const HieraCollective *collective = &g_array_index(match->collectives, HieraCollective, i);
        if (collective->whole)
            hear_members(check, collective, heard);
    }
    for (guint i = 0; i < match->requests->len; i++) {
        const HieraPair *pair = &g_array_index(match->requests, HieraPair, i);
        guint32 collective = hiera_match_collective(match, pair->start);
        gint64 ns = G_MAXINT64;
        if (collective != HIERA_NONE && g_array_index(match->collectives, HieraCollective, collective).whole)
            ns = heard[pair->start];
        else if (hiera_trace_peek_site(match->trace, pair->start)->kind == HIERA_KIND_SEND ||
                 hiera_match_reason(match, pair->start) == HIERA_REASON_MATCHED)
            ns = G_MININT64;
        heard[pair->completion] = MAX(heard[pair->completion], ns);
    }
}

/* Return, by row, how new a rank's latest news of others are when it begins the call; G_MAXINT64: not known. */
static gint64 *find_heard(const HieraCheck *check)
{
    const HieraTrace *trace = check->trace;
    gint64 *heard = g_new0(gint64, (gsize)trace->n_operations + 1);
    for (guint32 row = 0; row < trace->n_operations; row++)
        heard[row] = hears(trace, row) ? G_MAXINT64 : G_MININT64;
    hear_messages(check, heard);
    hear_others(check, heard);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        gint64 last = processor->calls_in_threads ? G_MAXINT64 : G_MININT64;
        for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++) {
            gint64 news = MIN(heard[row], trace->finish_ns[row]);
            if (hiera_match_begins_request(trace, (guint32)row) &&
                hiera_trace_peek_site(trace, (guint32)row)->kind != HIERA_KIND_COMPLETE)
                news = G_MININT64; /* the call that completes it gets them */
            heard[row] = last;
            last = MAX(last, news);
        }
    }
    hiera_scope_share_values(check->scope, trace, heard, sizeof *heard);
    return heard;
}

/* Whether a message could have been there when another one, which was received, came. */
static gboolean could_come(const Search *search, const HieraMessage *received, const HieraMessage *other)
{
    const HieraTrace *trace = search->check->trace;
    gint64 unsure = hiera_clocks_differ_by(&trace->processors[hiera_trace_find_processor(trace, other->from)],
                                           &trace->processors[hiera_trace_find_processor(trace, received->to)]);
    gint64 heard = search->heard[other->from];
    return unsure != HIERA_CLOCK_ERROR_UNKNOWN && heard < G_MAXINT64 &&
           hiera_plus(heard, unsure) < hiera_match_end_ns(trace, received->ended_by);
}

/* Whether a later message of another sender fits a receive from any source. */
static gboolean fits(const Search *search, guint received, guint other)
{
    const HieraMatch *match = search->check->match;
    const HieraMessage *a = message_at(search, received), *b = message_at(search, other);
    return match->context[a->comm] == match->context[b->comm] && !b->doubt && b->to > a->to &&
           hiera_check_rank(search->check, a->from) != hiera_check_rank(search->check, b->from) &&
           (hiera_trace_asks_any_tag(match->trace, a->to) ||
            hiera_match_message_tag(match, g_array_index(search->order, guint32, received)) ==
                hiera_match_message_tag(match, g_array_index(search->order, guint32, other)));
}

/* Find the first message that a receive from any source could have got. @return  whether there is one */
static gboolean find_race(const Search *search, guint at, guint end, Race *race)
{
    const HieraCheck *check = search->check;
    const HieraMessage *received = message_at(search, at);
    for (guint i = at + 1; i < MIN(end, at + LOOKED_AT); i++) {
        const HieraMessage *other = message_at(search, i);
        if (!fits(search, at, i) || !could_come(search, received, other))
            continue;
        *race = (Race){hiera_scope_row_of_all(check->scope, check->trace, received->to),
                       hiera_trace_find_processor(check->trace, received->to),
                       check->trace->site[received->to],
                       hiera_check_line(check, received->to),
                       hiera_check_rank(check, received->from),
                       hiera_check_rank(check, other->from),
                       check->trace->site[other->to],
                       !hiera_check_asks_any_source(check, other->to)};
        return TRUE;
    }
    return FALSE;
}

/* Whether a race says more than another one, or comes first. */
static gboolean is_before(const Race *race, const Race *than)
{
    return race->starves != than->starves ? race->starves : race->row < than->row;
}

static void add(Races *races, const Races *more)
{
    if (more->n > 0 && (races->n == 0 || is_before(&more->first, &races->first)))
        races->first = more->first;
    races->n_wild += more->n_wild;
    races->n += more->n;
}

static gint compare(gconstpointer a, gconstpointer b, gpointer messages)
{
    guint32 left = g_array_index((GArray *)messages, HieraMessage, *(const guint32 *)a).to;
    guint32 right = g_array_index((GArray *)messages, HieraMessage, *(const guint32 *)b).to;
    return (left > right) - (left < right);
}

static void find_races(Search *search, Races *races)
{
    const HieraCheck *check = search->check;
    for (guint32 i = 0; i < check->match->messages->len; i++)
        if (hiera_check_is_own(check, g_array_index(check->match->messages, HieraMessage, i).to))
            g_array_append_val(search->order, i);
    g_array_sort_with_data(search->order, compare, check->match->messages);
    for (guint at = 0, end = 0; at < search->order->len; at++) {
        const HieraMessage *message = message_at(search, at);
        guint32 processor = hiera_trace_find_processor(check->trace, message->to);
        Races one = {1, 0, {0}};
        if (message->doubt || message->ended_by == HIERA_NONE || !hiera_check_asks_any_source(check, message->to))
            continue;
        for (end = MAX(end, at); end < search->order->len && end < at + LOOKED_AT; end++)
            if (hiera_trace_find_processor(check->trace, message_at(search, end)->to) != processor)
                break;
        one.n = find_race(search, at, end, &one.first);
        add(races, &one);
    }
}

static void report(const HieraCheck *check, const Races *races)
{
    const Race *race = &races->first;
    const HieraCatalog *catalog = check->trace->catalog;
    const HieraProcessor *processor = &check->trace->processors[race->processor];
    g_autofree char *call = hiera_check_describe_site(hiera_catalog_peek_site(catalog, race->site));
    g_autofree char *later = hiera_check_describe_site(hiera_catalog_peek_site(catalog, race->later));
    g_autofree char *then =
        race->starves
            ? g_strdup_printf("%s, which asks for rank %u, would then wait for ever, unless it asked for another",
                              later, race->other)
            : g_strdup_printf("%s got that later", later);
    const HieraSite *site = hiera_catalog_peek_site(catalog, race->site),
                    *next = hiera_catalog_peek_site(catalog, race->later);
    const HieraFindingAt at = {processor->path, race->line, {{site->file, site->line}, {next->file, next->line}}};
    hiera_findings_add_at(
        check->findings, HIERA_FINDING_RACE, &at, NULL,
        "%s of rank %u got a message of rank %u, and could have got one of rank %u: %s; %" G_GINT64_FORMAT
        " of %" G_GINT64_FORMAT
        " receives from any source could have got another message: what depends on their order may change "
        "from run to run",
        call, processor->rank, race->got, race->other, then, races->n, races->n_wild);
}

void hiera_check_races(const HieraCheck *check)
{
    gint64 n_wild = check->trace->any_source ? check->trace->any_source->len : 0;
    hiera_scope_add_up(check->scope, check->trace, &n_wild, 1);
    if (!hiera_scope_agree(check->scope, n_wild > 0))
        return;
    g_autofree gint64 *heard = find_heard(check);
    g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(guint32)), all = g_array_new(FALSE, TRUE, sizeof(Races));
    Search search = {check, heard, order};
    Races own = {0}, sum = {0};
    find_races(&search, &own);
    g_array_append_val(all, own);
    hiera_scope_gather_array(check->scope, check->trace, all);
    for (guint i = 0; i < all->len; i++)
        add(&sum, &g_array_index(all, Races, i));
    if (hiera_scope_leads(check->scope) && sum.n > 0)
        report(check, &sum);
}
