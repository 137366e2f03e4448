/* Sizes of collectives: the bytes that members give must agree with the bytes that members get. A member gives the
 * bytes of its send buffer, and gets the bytes of its receive buffer. Types are compared by check_types.c. */
#include "checks.h"
#include <string.h>

typedef enum {
    RULE_NONE,
    RULE_ALIKE,     /* each member gives as many bytes as the others */
    RULE_REDUCED,   /* each member gives as many bytes as the root gets */
    RULE_FROM_ROOT, /* each member gets as many bytes as the root gives */
    RULE_SPREAD,    /* all members together get as many bytes as the root gives */
    RULE_PARTS,     /* like RULE_SPREAD, and each member gets as much as the others */
    RULE_TO_ROOT,   /* the root gets as many bytes as all members together give */
    RULE_COLLECTED, /* like RULE_TO_ROOT, and each member gives as much as the others */
    RULE_GATHERED,  /* each member gets as many bytes as all members together give */
    RULE_EXCHANGED  /* all members together get as many bytes as all together give */
} Rule;

/* Rules by operation, without the parts i…, …_init and …_c of its name. `across` is the rule on an intercommunicator,
 * where one group gives and the other group gets. */
static const struct {
    const char *operation;
    Rule rule, across;
} rules[] = {
    {"broadcast", RULE_FROM_ROOT, RULE_FROM_ROOT},
    {"bcast", RULE_FROM_ROOT, RULE_FROM_ROOT},
    {"scatter", RULE_PARTS, RULE_PARTS},
    {"scatterv", RULE_SPREAD, RULE_SPREAD},
    {"gather", RULE_COLLECTED, RULE_COLLECTED},
    {"gatherv", RULE_TO_ROOT, RULE_TO_ROOT},
    {"reduce", RULE_ALIKE, RULE_REDUCED},
    {"allreduce", RULE_ALIKE, RULE_ALIKE},
    {"scan", RULE_ALIKE, RULE_NONE},
    {"exscan", RULE_ALIKE, RULE_NONE},
    {"reduce_scatter", RULE_ALIKE, RULE_ALIKE},
    {"reduce_scatter_block", RULE_ALIKE, RULE_ALIKE},
    {"alltoall", RULE_ALIKE, RULE_EXCHANGED},
    {"allgather", RULE_GATHERED, RULE_GATHERED},
    {"allgatherv", RULE_GATHERED, RULE_GATHERED},
    {"alltoallv", RULE_EXCHANGED, RULE_EXCHANGED},
    {"alltoallw", RULE_EXCHANGED, RULE_EXCHANGED},
    {"neighbor_alltoall", RULE_EXCHANGED, RULE_NONE},
    {"neighbor_alltoallv", RULE_EXCHANGED, RULE_NONE},
    {"neighbor_alltoallw", RULE_EXCHANGED, RULE_NONE},
};

enum { NAMED = 8 }; /* greatest number of members that a finding lists */

/* The members of an intracommunicator, or of one group of an intercommunicator. */
typedef struct {
    const guint32 *rows; /* rows of the members' calls in the trace */
    guint32 n;
    gint64 given, got; /* bytes that all members together give and get */
    gboolean in_place; /* whether a member gives or gets 0 bytes, perhaps because of MPI_IN_PLACE */
} Group;

typedef struct {
    const HieraCheck *check;
    const HieraCollective *collective;
    const char *of_group; /* text in findings: " of the other group" on an intercommunicator, else "" */
} Sums;

static gsize drop_suffix(const char *name, gsize length, const char *suffix)
{
    gsize n = strlen(suffix);
    return length > n && memcmp(name + length - n, suffix, n) == 0 ? length - n : length;
}

static Rule find_rule(const char *operation, gboolean across)
{
    const char *name = operation[0] == 'i' ? operation + 1 : operation;
    gsize length = drop_suffix(name, drop_suffix(name, strlen(name), "_c"), "_init");
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
        if (strlen(rules[i].operation) == length && memcmp(rules[i].operation, name, length) == 0)
            return across ? rules[i].across : rules[i].rule;
    }
    return RULE_NONE;
}

static void report(const Sums *sums, guint32 row, guint32 other, const char *format, ...) G_GNUC_PRINTF(4, 5);

/* Report a collective whose sizes break a rule: one finding for each call site.
 * @param other  call of the other side; HIERA_NONE: of all members */
static void report(const Sums *sums, guint32 row, guint32 other, const char *format, ...)
{
    const HieraCheck *check = sums->check;
    g_autofree char *subject = g_strdup_printf("collective %u", check->trace->site[row]);
    g_autofree char *operation = hiera_check_describe(check, row);
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *difference = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    hiera_check_add(check, HIERA_FINDING_CONSERVATION, row, other, subject, "%s in %s: %s", operation,
                    hiera_catalog_peek_communicator(check->trace->catalog, sums->collective->comm)->id, difference);
}

static gint64 given_by(const Sums *sums, guint32 row)
{
    return sums->check->trace->bytes[row];
}

static gint64 got_by(const Sums *sums, guint32 row)
{
    return hiera_trace_peek_sparse(sums->check->trace, row)->rbytes;
}

/* Add up the bytes of a group.
 * @param both  the rule needs the bytes that members get, too
 * @return  false if a size is not known or a sum is too large */
static gboolean add_up(const Sums *sums, Group *group, gboolean both)
{
    for (guint32 i = 0; i < group->n; i++) {
        gint64 given = given_by(sums, group->rows[i]), got = got_by(sums, group->rows[i]);
        if (given < 0 || (both && got < 0))
            return FALSE;
        if (given > G_MAXINT64 - group->given || MAX(got, 0) > G_MAXINT64 - group->got)
            return FALSE; /* give up: no memory has that many bytes */
        group->given += given;
        group->got += MAX(got, 0);
        group->in_place = group->in_place || given == 0 || got == 0;
    }
    return TRUE;
}

/* Return text with the bytes that each member gives or gets, as "rank 0: 4, rank 1: 8"; to be freed with g_free. */
static char *list_members(const Sums *sums, const Group *group, gboolean given)
{
    GString *text = g_string_new(NULL);
    for (guint32 i = 0; i < MIN(group->n, NAMED); i++)
        g_string_append_printf(text, "%srank %u: %" G_GINT64_FORMAT, i ? ", " : "",
                               hiera_check_rank(sums->check, group->rows[i]),
                               given ? given_by(sums, group->rows[i]) : got_by(sums, group->rows[i]));
    return g_string_free(g_string_append(text, group->n > NAMED ? ", …" : ""), FALSE);
}

static void check_alike(const Sums *sums, const Group *group)
{
    for (guint32 i = 1; i < group->n; i++) {
        guint32 row = group->rows[i], first = group->rows[0];
        if (given_by(sums, row) != given_by(sums, first))
            report(sums, row, first, "rank %u gives %" G_GINT64_FORMAT " bytes, rank %u %" G_GINT64_FORMAT " (%s:%u)",
                   hiera_check_rank(sums->check, row), given_by(sums, row), hiera_check_rank(sums->check, first),
                   given_by(sums, first), hiera_check_path(sums->check, first), hiera_check_line(sums->check, first));
    }
}

static void check_reduced(const Sums *sums, const Group *group, guint32 root)
{
    for (guint32 i = 0; i < group->n; i++) {
        guint32 row = group->rows[i];
        if (given_by(sums, row) != got_by(sums, root))
            report(sums, row, root,
                   "rank %u gives %" G_GINT64_FORMAT " bytes, the root, rank %u, gets %" G_GINT64_FORMAT,
                   hiera_check_rank(sums->check, row), given_by(sums, row), hiera_check_rank(sums->check, root),
                   got_by(sums, root));
    }
}

/* Report members that do not get the expected bytes; the root of a ONE_TO_ALL collective is exempt.
 * @param giver, gives  subject and verb of a sentence: giver of the bytes */
static void check_got(const Sums *sums, const Group *group, gint64 expected, const char *giver, const char *gives)
{
    for (guint32 i = 0; i < group->n; i++) {
        guint32 row = group->rows[i];
        if (got_by(sums, row) != expected &&
            (sums->collective->kind != HIERA_KIND_ONE_TO_ALL || row != sums->collective->root))
            report(sums, row, sums->collective->root,
                   "rank %u gets %" G_GINT64_FORMAT " bytes, %s%s %s %" G_GINT64_FORMAT,
                   hiera_check_rank(sums->check, row), got_by(sums, row), giver, sums->of_group, gives, expected);
    }
}

/* Report members whose part differs from the root's bytes divided by the number of members. The root's own part may
 * be 0 (MPI_IN_PLACE).
 * @param spreads  the root gives (scatter); else it gets (gather) */
static void check_parts(const Sums *sums, const Group *group, guint32 root, gboolean spreads)
{
    gint64 whole = spreads ? given_by(sums, root) : got_by(sums, root), part = whole / group->n;
    for (guint32 i = 0; i < group->n; i++) {
        guint32 row = group->rows[i];
        gint64 own = spreads ? got_by(sums, row) : given_by(sums, row);
        if (own != part && (row != root || own != 0))
            report(sums, row, root,
                   spreads ? "rank %u gets %" G_GINT64_FORMAT " bytes, the root, rank %u, gives each %" G_GINT64_FORMAT
                           : "rank %u gives %" G_GINT64_FORMAT " bytes, the root, rank %u, gets %" G_GINT64_FORMAT
                             " from each",
                   hiera_check_rank(sums->check, row), own, hiera_check_rank(sums->check, root), part);
    }
}

/* Whether the bytes of the parts do not add up to the whole. They may be less with MPI_IN_PLACE: such a part has 0. */
static gboolean sums_differ(gint64 whole, gint64 parts, gboolean in_place)
{
    return in_place ? parts > whole : parts != whole;
}

static void check_root(const Sums *sums, const Group *group, guint32 root, gboolean spreads)
{
    gint64 whole = spreads ? given_by(sums, root) : got_by(sums, root);
    gint64 parts = spreads ? group->got : group->given;
    gint64 own = spreads ? got_by(sums, root) : given_by(sums, root);
    gboolean in_place = own == 0 && sums->of_group[0] == '\0';
    if (!sums_differ(whole, parts, in_place))
        return;
    g_autofree char *members = list_members(sums, group, !spreads);
    report(sums, root, HIERA_NONE,
           spreads ? "the root gives %" G_GINT64_FORMAT " bytes, all ranks%s together get %" G_GINT64_FORMAT " (%s)"
                   : "the root gets %" G_GINT64_FORMAT " bytes, all ranks%s together give %" G_GINT64_FORMAT " (%s)",
           whole, sums->of_group, parts, members);
}

static void check_exchanged(const Sums *sums, const Group *givers, const Group *getters)
{
    if (givers->given == getters->got)
        return;
    g_autofree char *given = list_members(sums, givers, TRUE), *got = list_members(sums, getters, FALSE);
    report(sums, getters->rows[0], HIERA_NONE,
           "all ranks%s together give %" G_GINT64_FORMAT " bytes (%s), but the receivers get %" G_GINT64_FORMAT " (%s)",
           sums->of_group, givers->given, given, getters->got, got);
}

/* Check that the givers' and the getters' bytes fit. On an intracommunicator all members are in both groups. */
static void check_way(const Sums *sums, Rule rule, const Group *givers, const Group *getters)
{
    guint32 root = sums->collective->root;
    switch (rule) {
    case RULE_ALIKE:
        check_alike(sums, givers);
        break;
    case RULE_REDUCED:
        check_reduced(sums, givers, root);
        break;
    case RULE_FROM_ROOT:
        check_got(sums, getters, given_by(sums, root), "the root", "gives");
        break;
    case RULE_PARTS:
    case RULE_COLLECTED:
        check_parts(sums, rule == RULE_PARTS ? getters : givers, root, rule == RULE_PARTS);
        break;
    case RULE_SPREAD:
    case RULE_TO_ROOT:
        check_root(sums, rule == RULE_SPREAD ? getters : givers, root, rule == RULE_SPREAD);
        break;
    case RULE_GATHERED:
        if (!givers->in_place || givers != getters)
            check_got(sums, getters, givers->given, "all ranks", "together give");
        break;
    case RULE_EXCHANGED:
        check_exchanged(sums, givers, getters);
        break;
    case RULE_NONE:
        break;
    }
}

/* Check a collective on an intercommunicator. In a rooted collective one group gives and the other one gets; in
 * others both directions are checked. */
static void check_across(Sums *sums, Rule rule, const Group *groups)
{
    const HieraTrace *trace = sums->check->trace;
    HieraKind kind = sums->collective->kind;
    sums->of_group = " of the other group";
    if (kind == HIERA_KIND_ONE_TO_ALL || kind == HIERA_KIND_ALL_TO_ONE) {
        const Group *of_root = &groups[trace->comm[groups[1].rows[0]] == trace->comm[sums->collective->root]];
        const Group *other = of_root == groups ? &groups[1] : &groups[0];
        check_way(sums, rule, kind == HIERA_KIND_ONE_TO_ALL ? of_root : other,
                  kind == HIERA_KIND_ONE_TO_ALL ? other : of_root);
        return;
    }
    check_way(sums, rule, &groups[0], &groups[1]);
    check_way(sums, rule, &groups[1], &groups[0]);
}

/* Divide the members of a collective into the two groups of its intercommunicator.
 * @param rows    room for n rows, to which the groups will point
 * @param groups  receives the two groups */
static void divide(const HieraTrace *trace, const guint32 *members, guint32 n, guint32 *rows, Group *groups)
{
    groups[0] = (Group){.rows = rows};
    for (guint32 i = 0; i < n; i++)
        if (trace->comm[members[i]] == trace->comm[members[0]])
            rows[groups[0].n++] = members[i];
    groups[1] = (Group){.rows = rows + groups[0].n, .n = n - groups[0].n};
    for (guint32 i = 0, at = groups[0].n; i < n; i++)
        if (trace->comm[members[i]] != trace->comm[members[0]])
            rows[at++] = members[i];
}

static void check_collective(const HieraCheck *check, const HieraCollective *collective)
{
    const HieraTrace *trace = check->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, collective->made_by);
    gboolean across = hiera_catalog_peek_communicator(trace->catalog, collective->comm)->remote != NULL;
    Rule rule = find_rule(site->operation, across);
    Sums sums = {.check = check, .collective = collective, .of_group = ""};
    const guint32 *members = &g_array_index(check->match->members, guint32, collective->first);
    gboolean rooted = collective->kind == HIERA_KIND_ONE_TO_ALL || collective->kind == HIERA_KIND_ALL_TO_ONE;
    if (rule == RULE_NONE || !collective->whole || (rooted && collective->root == HIERA_NONE) ||
        !hiera_check_is_own(check, members[0]))
        return;
    hiera_check_stand_at(check, 0, members[0]);
    g_autofree guint32 *rows = across ? g_new(guint32, collective->n) : NULL;
    Group groups[2] = {{.rows = members, .n = collective->n}};
    if (across)
        divide(trace, members, collective->n, rows, groups);
    if (!add_up(&sums, &groups[0], rule != RULE_ALIKE) || !add_up(&sums, &groups[1], rule != RULE_ALIKE))
        return;
    if (!across)
        check_way(&sums, rule, &groups[0], &groups[0]);
    else if (rule == RULE_ALIKE)
        check_way(&sums, rule, &(Group){.rows = rows, .n = collective->n}, NULL);
    else if (groups[1].n > 0)
        check_across(&sums, rule, groups);
}

/* Check collectives by the row of their first member's call: an order that the number of processes does not change. */
void hiera_check_collectives(const HieraCheck *check)
{
    for (guint32 row = 0; row < check->trace->n_operations; row++) {
        guint32 number = hiera_match_collective(check->match, row);
        if (number == HIERA_NONE)
            continue;
        const HieraCollective *collective = &g_array_index(check->match->collectives, HieraCollective, number);
        if (g_array_index(check->match->members, guint32, collective->first) == row)
            check_collective(check, collective);
    }
}
