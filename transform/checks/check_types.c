/* Datatypes: what is received has the types of what was sent, and each reduction an operator that MPI defines for its
 * type. Lengths are compared by check_messages.c and check_collectives.c, but those of two members by lists of counts.
 *
 * A type whose signature is not known, and data in place, fit to everything. */
#include "call_data.h"
#include "checks.h"

/* Order of the findings of several processes (hiera_check_stand). */
enum { PHASE_MESSAGES, PHASE_COLLECTIVES, PHASE_CALLS };

typedef struct {
    const HieraCheck *check;
    HieraDataOfCalls *calls;
} Types;

/* One side of a transfer. */
typedef struct {
    guint32 row;
    const HieraDatatype *type;
    gint64 bytes; /* that it gives or gets, for words; -1: not known */
} Side;

/* --- words --- */

/* Return "4 MPI_INT", or "1 P0_dtype1 (int32 float64)"; to be freed with g_free. */
static char *describe(const Side *side)
{
    const HieraDatatype *type = side->type;
    gboolean known = type->size > 0 && side->bytes >= 0 && side->bytes % type->size == 0;
    g_autofree char *count = known ? g_strdup_printf("%" G_GINT64_FORMAT " ", side->bytes / type->size) : g_strdup("");
    gboolean own = !g_str_has_prefix(type->name, "MPI_") && type->runs;
    return own ? g_strdup_printf("%s%s (%s)", count, type->name, type->signature)
               : g_strdup_printf("%s%s", count, type->name);
}

/* Return the call site, if it is another one, and the line of the other side of a transfer; to be freed with g_free. */
static char *describe_place(const HieraCheck *check, guint32 row, guint32 other)
{
    g_autofree char *call = hiera_check_describe(check, row);
    gboolean same = check->trace->site[row] == check->trace->site[other];
    return g_strdup_printf("%s%s%s:%u", same ? "" : call, same ? "" : ", ", hiera_check_path(check, row),
                           hiera_check_line(check, row));
}

/* Return what a reader cannot see from the names of the types; to be freed with g_free. */
static char *describe_difference(const HieraTypeDifference *difference, HieraFindingCode code)
{
    if (code == HIERA_FINDING_TYPES_LOOSE)
        return g_strdup("; MPI wants equal types: this works only where both have one representation");
    if (difference->at == 0 || difference->words[0][0] == '\0')
        return g_strdup("");
    return g_strdup_printf("; behind %" G_GINT64_FORMAT " bytes %s is taken for %s", difference->at,
                           difference->words[0], difference->words[1]);
}

/* Report two sides whose types differ within `bytes`; one finding for each pair of call sites.
 * @param verbs  what the two do: "sends" and "receives", "gives" and "gets"; NULL: the target of a one-sided call */
static void compare(const Types *types, const Side *from, const Side *to, gint64 bytes, const char *const verbs[2])
{
    const HieraCheck *check = types->check;
    const HieraTypeDifference *difference = hiera_call_data_compare(types->calls, from->type, to->type);
    if (difference->at >= bytes && difference->loose >= bytes)
        return;
    HieraFindingCode code = difference->at < bytes ? HIERA_FINDING_TYPES : HIERA_FINDING_TYPES_LOOSE;
    g_autofree char *subject = g_strdup_printf("%u %u", check->trace->site[from->row], check->trace->site[to->row]);
    if (hiera_findings_repeat(check->findings, code, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, to->row), *there = describe_place(check, from->row, to->row);
    g_autofree char *given = describe(from), *got = describe(to), *more = describe_difference(difference, code);
    if (!verbs[1])
        hiera_check_add(check, code, to->row, from->row, subject, "%s: rank %u %s %s where the target has %s%s", here,
                        hiera_check_rank(check, to->row), verbs[0], given, got, more);
    else
        hiera_check_add(check, code, to->row, from->row, subject, "%s: rank %u %s %s (%s), rank %u %s %s%s", here,
                        hiera_check_rank(check, from->row), verbs[0], given, there, hiera_check_rank(check, to->row),
                        verbs[1], got, more);
}

/* --- messages --- */

static const HieraDatatype *one_of(const HieraCallData *data, gboolean sends)
{
    if (!data)
        return NULL;
    return data->both ? data->both : sends ? data->send : data->receive;
}

/* Whether a call made the persistent request of a message. */
static gboolean made(const HieraMatch *match, const HieraMessage *message, gint32 tag, guint32 maker, gboolean sends)
{
    const HieraTrace *trace = match->trace;
    HieraKind does = hiera_trace_peek_site(trace, maker)->starts;
    guint32 other = trace->processors[hiera_trace_find_processor(trace, sends ? message->to : message->from)].rank;
    gint32 peer = sends ? trace->peer[maker] : trace->source[maker];
    return does == (sends ? HIERA_KIND_SEND : HIERA_KIND_RECEIVE) &&
           hiera_match_context(match, trace->comm[maker]) == hiera_match_context(match, message->comm) &&
           (trace->tag[maker] == tag || (!sends && trace->tag[maker] < 0)) &&
           (peer < 0 || hiera_match_world_rank(match, trace->comm[maker], peer) == (gint32)other);
}

/* Return the type of a side of a message; NULL: not known, or a call started several requests that could be its. */
static const HieraDatatype *type_of(const Types *types, guint number, gboolean sends)
{
    const HieraMatch *match = types->check->match;
    const HieraMessage *message = &g_array_index(match->messages, HieraMessage, number);
    guint32 row = sends ? message->from : message->to, maker;
    const HieraDatatype *type = NULL;
    if (hiera_match_maker(match, row, 0) == HIERA_NONE)
        return one_of(hiera_call_data_peek(types->calls, row), sends);
    gint32 tag = hiera_match_message_tag(match, number);
    for (guint n = 0; (maker = hiera_match_maker(match, row, n)) != HIERA_NONE; n++) {
        if (!made(match, message, tag, maker, sends))
            continue;
        const HieraDatatype *found = one_of(hiera_call_data_peek(types->calls, maker), sends);
        if (!found || (type && type != found))
            return NULL;
        type = found;
    }
    return type;
}

static gint64 received_bytes(const HieraTrace *trace, guint32 row, gint64 sent)
{
    gint64 bytes = hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_SEND_RECEIVE
                       ? hiera_trace_peek_sparse(trace, row)->rbytes
                       : trace->bytes[row];
    return bytes > 0 ? bytes : sent;
}

static void check_message(const Types *types, guint number)
{
    static const char *const verbs[] = {"sends", "receives"};
    const HieraMatch *match = types->check->match;
    const HieraMessage *message = &g_array_index(match->messages, HieraMessage, number);
    gint64 bytes = hiera_match_message_bytes(match, number);
    const Side from = {message->from, type_of(types, number, TRUE), bytes};
    const Side to = {message->to, type_of(types, number, FALSE), received_bytes(match->trace, message->to, bytes)};
    hiera_check_stand_at(types->check, PHASE_MESSAGES, message->to);
    compare(types, &from, &to, MIN(from.bytes, to.bytes), verbs);
}

static gint compare_receivers(gconstpointer a, gconstpointer b, gpointer messages)
{
    const HieraMessage *left = &g_array_index((GArray *)messages, HieraMessage, *(const guint *)a);
    const HieraMessage *right = &g_array_index((GArray *)messages, HieraMessage, *(const guint *)b);
    if (left->to != right->to)
        return left->to < right->to ? -1 : 1;
    return (left->from > right->from) - (left->from < right->from);
}

/* Messages are in the order of their channels; findings are in that of their receivers. */
static void check_messages(const Types *types)
{
    const HieraMatch *match = types->check->match;
    g_autoptr(GArray) differ = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < match->messages->len; i++) {
        const HieraMessage *message = &g_array_index(match->messages, HieraMessage, i);
        if (message->doubt || !hiera_check_is_own(types->check, message->to))
            continue;
        const HieraTypeDifference *difference =
            hiera_call_data_compare(types->calls, type_of(types, i, TRUE), type_of(types, i, FALSE));
        if (MIN(difference->at, difference->loose) < G_MAXINT64)
            g_array_append_val(differ, i);
    }
    g_array_sort_with_data(differ, compare_receivers, match->messages);
    for (guint i = 0; i < differ->len; i++)
        check_message(types, g_array_index(differ, guint, i));
}

/* --- collectives --- */

static const char *const exchange[] = {"gives", "gets"};

/* The members of a collective, by rank in its communicator. */
typedef struct {
    const HieraCollective *collective;
    const guint32 *rows;
    const HieraCallData **calls; /* NULL: not known */
    guint32 n, root;             /* root: index in `rows`; n: none */
} Members;

static gint64 given(const Types *types, const Members *members, guint32 i)
{
    return types->check->trace->bytes[members->rows[i]];
}

static gint64 got(const Types *types, const Members *members, guint32 i)
{
    return hiera_trace_peek_sparse(types->check->trace, members->rows[i])->rbytes;
}

static const HieraDatatype *entry(const HieraDatatype *type, const GPtrArray *list, guint32 i)
{
    return type || !list || i >= list->len ? type : g_ptr_array_index(list, i);
}

/* Return the bytes of an entry of a list of counts, which has one for each member; -1: not known. */
static gint64 bytes_of(const Members *members, const GArray *counts, guint32 i, const HieraDatatype *type)
{
    gint64 count = counts && counts->len == members->n ? g_array_index(counts, gint64, i) : -1, bytes;
    return !type || type->size < 0 || count < 0 || __builtin_mul_overflow(count, type->size, &bytes) ? -1 : bytes;
}

/* Return what member i gives to member j, and what j gets from i. */
static Side giver(const Members *members, guint32 i, guint32 j)
{
    const HieraCallData *data = members->calls[i];
    const HieraDatatype *type = data ? entry(data->send, data->send_types, j) : NULL;
    return (Side){members->rows[i], type, data ? bytes_of(members, data->send_counts, j, type) : -1};
}

static Side getter(const Members *members, guint32 j, guint32 i)
{
    const HieraCallData *data = members->calls[j];
    const HieraDatatype *type = data ? entry(data->receive, data->receive_types, i) : NULL;
    return (Side){members->rows[j], type, data ? bytes_of(members, data->receive_counts, i, type) : -1};
}

/* Calls with one datatype: reductions, and broadcasts, whose root comes first. */
static void check_alike(const Types *types, const Members *members)
{
    static const char *const reduces[] = {"gives", "gives"};
    gboolean is_reduction = members->calls[0] && members->calls[0]->op;
    guint32 first = members->root < members->n ? members->root : 0;
    for (guint32 i = 0; i < members->n; i++) {
        const HieraDatatype *one = one_of(members->calls[first], TRUE), *other = one_of(members->calls[i], TRUE);
        gint64 bytes = MAX(given(types, members, first), got(types, members, first));
        gint64 own = MAX(given(types, members, i), got(types, members, i));
        const Side from = {members->rows[first], one, bytes}, to = {members->rows[i], other, own};
        compare(types, &from, &to, MIN(bytes, own), is_reduction ? reduces : exchange);
    }
}

/* Report the first two members of which one gives another size than the other one gets. */
static void check_length(const Types *types, const Side *from, const Side *to)
{
    const HieraCheck *check = types->check;
    if (!from->type || !to->type || from->bytes < 0 || to->bytes < 0 || from->bytes == to->bytes)
        return;
    g_autofree char *subject = g_strdup_printf("%u %u", check->trace->site[from->row], check->trace->site[to->row]);
    if (hiera_findings_repeat(check->findings, HIERA_FINDING_CONSERVATION, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, to->row), *there = describe_place(check, from->row, to->row);
    g_autofree char *sent = describe(from), *received = describe(to);
    hiera_check_add(check, HIERA_FINDING_CONSERVATION, to->row, from->row, subject,
                    "%s: rank %u gives rank %u %s (%s), which gets %s", here, hiera_check_rank(check, from->row),
                    hiera_check_rank(check, to->row), sent, there, received);
}

/* Whether all members together get what they give: if not, check_collectives.c says so. */
static gboolean sums_agree(const Types *types, const Members *members)
{
    gint64 gives = 0, gets = 0;
    for (guint32 i = 0; i < members->n; i++) {
        gives = hiera_plus(gives, given(types, members, i));
        gets = hiera_plus(gets, got(types, members, i));
    }
    return gives == gets;
}

/* Check what members and the root give each other. */
static void check_rooted(const Types *types, const Members *members, gboolean spreads)
{
    gboolean lengths = sums_agree(types, members);
    for (guint32 i = 0; members->root < members->n && i < members->n; i++) {
        Side from = spreads ? giver(members, members->root, i) : giver(members, i, members->root);
        Side to = spreads ? getter(members, i, members->root) : getter(members, members->root, i);
        if (spreads)
            to.bytes = got(types, members, i);
        else
            from.bytes = given(types, members, i);
        compare(types, &from, &to, spreads ? to.bytes : from.bytes, exchange);
        if (lengths)
            check_length(types, &from, &to);
    }
}

/* Check what member i gives and member j gets. Without lists of counts it is at least an n-th of what the members
 * give and get to all. */
static void check_pair(const Types *types, const Members *members, guint32 i, guint32 j, gboolean lengths)
{
    Side from = giver(members, i, j), to = getter(members, j, i);
    const HieraCallData *data = members->calls[i], *other = members->calls[j];
    if (!from.type || !to.type)
        return;
    gint64 bytes = MIN(given(types, members, i), got(types, members, j)) / members->n;
    if (data->send_counts || data->send_types)
        bytes = MIN(from.bytes, to.bytes);
    else if (other->receive_counts)
        bytes = from.bytes = given(types, members, i);
    compare(types, &from, &to, bytes, exchange);
    if (lengths)
        check_length(types, &from, &to);
}

static gboolean has_lists(const Members *members)
{
    for (guint32 i = 0; i < members->n; i++)
        if (members->calls[i] && (members->calls[i]->send_counts || members->calls[i]->send_types))
            return TRUE;
    return FALSE;
}

/* Whether a list of counts was too long to be kept: then nobody knows what two members give each other. */
static gboolean lacks_counts(const Members *members)
{
    for (guint32 i = 0; i < members->n; i++)
        if (members->calls[i] && members->calls[i]->send_counts && members->calls[i]->send_counts->len != members->n)
            return TRUE;
    return FALSE;
}

/* Each gives to all. If all have one type for all, those of the first tell about the others. */
static void check_all(const Types *types, const Members *members)
{
    if (lacks_counts(members))
        return;
    gboolean lists = has_lists(members), lengths = lists ? sums_agree(types, members) : FALSE;
    for (guint32 i = 0; i < members->n; i++)
        for (guint32 j = 0; j < members->n; j++)
            if (lists || i == 0 || j == 0)
                check_pair(types, members, i, j, lengths);
}

typedef struct {
    const Types *types;
    const Members *members;
} Visit;

static void visit_neighbor(guint32 from, guint32 to, gpointer user)
{
    const Visit *visit = user;
    const HieraCallData *data = visit->members->calls[from], *other = visit->members->calls[to];
    if (data && other && data->send && other->receive && !data->send_counts && !other->receive_counts)
        check_pair(visit->types, visit->members, from, to, FALSE);
}

/* Return the data of a member's call; NULL: not known, or it started several requests that could be this collective. */
static const HieraCallData *data_of(const Types *types, const HieraCollective *collective, guint32 row)
{
    const HieraMatch *match = types->check->match;
    const HieraCallData *data = NULL;
    guint32 maker;
    if (hiera_match_maker(match, row, 0) == HIERA_NONE)
        return hiera_call_data_peek(types->calls, row);
    for (guint n = 0; (maker = hiera_match_maker(match, row, n)) != HIERA_NONE; n++) {
        if (hiera_trace_peek_site(match->trace, maker)->starts != collective->kind ||
            hiera_match_context(match, match->trace->comm[maker]) != hiera_match_context(match, collective->comm))
            continue;
        const HieraCallData *found = hiera_call_data_peek(types->calls, maker);
        if (data && data != found)
            return NULL;
        data = found;
    }
    return data;
}

static void check_members(const Types *types, guint32 number, const Members *members)
{
    Visit visit = {types, members};
    HieraKind kind = members->collective->kind;
    gboolean alike = FALSE, across = hiera_match_is_inter(types->check->match, members->collective->comm);
    for (guint32 i = 0; i < members->n; i++)
        alike = alike || (members->calls[i] && members->calls[i]->both);
    if (alike)
        check_alike(types, members);
    else if (kind == HIERA_KIND_ONE_TO_ALL || kind == HIERA_KIND_ALL_TO_ONE)
        check_rooted(types, members, kind == HIERA_KIND_ONE_TO_ALL);
    else if (kind == HIERA_KIND_ALL_TO_ALL && !across)
        check_all(types, members);
    else if (kind == HIERA_KIND_NEIGHBOR)
        hiera_match_visit_neighbors(types->check->match, number, visit_neighbor, &visit);
}

static void check_collective(const Types *types, guint32 number)
{
    const HieraMatch *match = types->check->match;
    const HieraCollective *collective = &g_array_index(match->collectives, HieraCollective, number);
    Members members = {.collective = collective, .n = collective->n, .root = collective->n};
    members.rows = &g_array_index(match->members, guint32, collective->first);
    if (!collective->whole || !hiera_check_is_own(types->check, members.rows[0]) ||
        hiera_catalog_peek_communicator(match->trace->catalog, collective->comm)->object)
        return;
    g_autofree const HieraCallData **calls = g_new(const HieraCallData *, members.n);
    gboolean any = FALSE;
    for (guint32 i = 0; i < members.n; i++) {
        calls[i] = data_of(types, collective, members.rows[i]);
        any = any || calls[i];
        if (members.rows[i] == collective->root)
            members.root = i;
    }
    members.calls = calls;
    hiera_check_stand_at(types->check, PHASE_COLLECTIVES, members.rows[0]);
    if (any)
        check_members(types, number, &members);
}

static void check_collectives(const Types *types)
{
    const HieraMatch *match = types->check->match;
    for (guint32 row = 0; row < match->trace->n_operations; row++) {
        guint32 number = hiera_match_collective(match, row);
        if (number == HIERA_NONE)
            continue;
        const HieraCollective *collective = &g_array_index(match->collectives, HieraCollective, number);
        if (g_array_index(match->members, guint32, collective->first) == row)
            check_collective(types, number);
    }
}

/* --- calls that are wrong alone --- */

static void check_operator(const Types *types, guint32 row, const HieraCallData *data)
{
    const HieraCheck *check = types->check;
    const HieraDatatype *type = data->both ? data->both : data->receive;
    if (!data->op || !type || check->trace->bytes[row] == 0 || hiera_datatype_has_operator(type, data->op))
        return;
    g_autofree char *subject = g_strdup_printf("operator %u", check->trace->site[row]);
    if (hiera_findings_repeat(check->findings, HIERA_FINDING_TYPES, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, row);
    hiera_check_add(check, HIERA_FINDING_TYPES, row, HIERA_NONE, subject, "%s: %s is not defined for %s", here,
                    data->op, type->name);
}

/* Say that nothing compares a datatype: one finding for each signature. */
static void check_signature(const Types *types, guint32 row, const HieraDatatype *type)
{
    const HieraCheck *check = types->check;
    if (!type || !hiera_datatype_is_unreadable(type) ||
        hiera_findings_repeat(check->findings, HIERA_FINDING_SIGNATURE, type->signature))
        return;
    g_autofree char *here = hiera_check_describe(check, row);
    hiera_check_add(check, HIERA_FINDING_SIGNATURE, row, HIERA_NONE, type->signature,
                    "%s: the signature of %s cannot be read, so calls with it are not compared: %.40s%s", here,
                    type->name, type->signature, strlen(type->signature) > 40 ? "…" : "");
}

static void check_call(const Types *types, guint32 row)
{
    static const char *const put[] = {"puts", NULL}, *const get[] = {"gets", NULL};
    const HieraTrace *trace = types->check->trace;
    const HieraCallData *data = hiera_call_data_peek(types->calls, row);
    HieraKind kind = hiera_trace_peek_site(trace, row)->kind;
    if (!data || !hiera_check_is_own(types->check, row))
        return;
    hiera_check_stand_at(types->check, PHASE_CALLS, row);
    check_operator(types, row, data);
    check_signature(types, row, data->both);
    check_signature(types, row, data->send);
    check_signature(types, row, data->receive);
    const Side origin = {row, data->send, trace->bytes[row]}, target = {row, data->receive, trace->bytes[row]};
    if (kind == HIERA_KIND_GET)
        compare(types, &origin, &target, trace->bytes[row], get);
    else if (kind == HIERA_KIND_PUT || (kind == HIERA_KIND_UPDATE && g_strcmp0(data->op, "MPI_NO_OP") != 0))
        compare(types, &origin, &target, trace->bytes[row], put);
}

void hiera_check_types(const HieraCheck *check)
{
    g_autoptr(HieraDataOfCalls) calls = hiera_data_of_calls_new(check->trace);
    const Types types = {check, calls};
    if (!hiera_data_of_calls_are_kept(calls))
        return;
    check_messages(&types);
    check_collectives(&types);
    for (guint i = 0; i < check->trace->attribute->len; i++) {
        const HieraAttributeValue *value = &g_array_index(check->trace->attribute, HieraAttributeValue, i);
        guint64 row = check->trace->processors[value->processor].first + value->index;
        if (value->text && row < check->trace->n_operations)
            check_call(&types, (guint32)row);
    }
}
