/* Bytes of collectives: what one member gives and the others get has to agree. The trace holds sizes, not types: what
 * differs in its types alone is not seen. */
#include "checks.h"
#include <string.h>

typedef enum {
    RULE_NONE,
    RULE_ALIKE,     /* each gives as much as the others */
    RULE_FROM_ROOT, /* each gets what the root gives */
    RULE_SPREAD,    /* all together get what the root gives */
    RULE_TO_ROOT,   /* the root gets what all together give */
    RULE_GATHERED,  /* each gets what all together give */
    RULE_EXCHANGED  /* all together get what all together give */
} Rule;

/* By name, without what says how it is called: i…, …_init, …_c. */
static const struct {
    const char *operation;
    Rule rule;
} rules[] = {
    {"broadcast", RULE_FROM_ROOT}, {"bcast", RULE_FROM_ROOT},      {"scatter", RULE_SPREAD},
    {"scatterv", RULE_SPREAD},     {"gather", RULE_TO_ROOT},       {"gatherv", RULE_TO_ROOT},
    {"reduce", RULE_ALIKE},        {"allreduce", RULE_ALIKE},      {"scan", RULE_ALIKE},
    {"exscan", RULE_ALIKE},        {"reduce_scatter", RULE_ALIKE}, {"reduce_scatter_block", RULE_ALIKE},
    {"alltoall", RULE_ALIKE},      {"allgather", RULE_GATHERED},   {"allgatherv", RULE_GATHERED},
    {"alltoallv", RULE_EXCHANGED}, {"alltoallw", RULE_EXCHANGED},
};

/* What the members of one collective give and get. */
typedef struct {
    const HieraCheck *check;
    const HieraCollective *collective;
    const guint32 *members;
    gint64 given, got; /* by all together */
    gboolean in_place; /* a member gives or gets nothing: perhaps its part never left its memory */
} Sums;

static gsize drop_suffix(const char *name, gsize length, const char *suffix)
{
    gsize n = strlen(suffix);
    return length > n && memcmp(name + length - n, suffix, n) == 0 ? length - n : length;
}

static Rule find_rule(const char *operation)
{
    const char *name = operation[0] == 'i' ? operation + 1 : operation;
    gsize length = drop_suffix(name, drop_suffix(name, strlen(name), "_c"), "_init");
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
        if (strlen(rules[i].operation) == length && memcmp(rules[i].operation, name, length) == 0)
            return rules[i].rule;
    }
    return RULE_NONE;
}

static void report(const Sums *sums, guint32 row, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Once for each call site. */
static void report(const Sums *sums, guint32 row, const char *format, ...)
{
    const HieraCheck *check = sums->check;
    g_autofree char *subject = g_strdup_printf("collective %u", check->trace->site[row]);
    g_autofree char *operation = hiera_check_describe(check, row);
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    hiera_findings_add(check->findings, HIERA_FINDING_CONSERVATION, hiera_check_path(check, row),
                       hiera_check_line(check, row), subject, "%s in %s: %s", operation,
                       hiera_catalog_peek_communicator(check->trace->catalog, sums->collective->comm)->id, what);
}

/* FALSE if the trace does not tell all; reduce_scatter does not tell what a member gets. */
static gboolean add_up(Sums *sums, gboolean both)
{
    const HieraTrace *trace = sums->check->trace;
    for (guint32 i = 0; i < sums->collective->n; i++) {
        gint64 given = trace->bytes[sums->members[i]], got = hiera_trace_peek_rare(trace, sums->members[i])->rbytes;
        if (given < 0 || (both && got < 0))
            return FALSE;
        sums->given += given;
        sums->got += got;
        sums->in_place = sums->in_place || given == 0 || got == 0;
    }
    return TRUE;
}

static void check_alike(const Sums *sums)
{
    const gint64 *bytes = sums->check->trace->bytes;
    for (guint32 i = 1; i < sums->collective->n; i++) {
        guint32 row = sums->members[i], first = sums->members[0];
        if (bytes[row] != bytes[first])
            report(sums, row, "rank %u gives %" G_GINT64_FORMAT " bytes, rank %u %" G_GINT64_FORMAT " (%s:%u)",
                   hiera_check_rank(sums->check, row), bytes[row], hiera_check_rank(sums->check, first), bytes[first],
                   hiera_check_path(sums->check, first), hiera_check_line(sums->check, first));
    }
}

static void check_got(const Sums *sums, gint64 expected, const char *giver)
{
    for (guint32 i = 0; i < sums->collective->n; i++) {
        guint32 row = sums->members[i];
        gint64 got = hiera_trace_peek_rare(sums->check->trace, row)->rbytes;
        if (got != expected && (sums->collective->kind != HIERA_KIND_ONE_TO_ALL || row != sums->collective->root))
            report(sums, row, "rank %u gets %" G_GINT64_FORMAT " bytes, %s %" G_GINT64_FORMAT,
                   hiera_check_rank(sums->check, row), got, giver, expected);
    }
}

/* A part that stays in place is not counted: then it may only be missing. */
static gboolean sums_differ(gint64 whole, gint64 parts, gboolean in_place)
{
    return in_place ? parts > whole : parts != whole;
}

static void check_root(const Sums *sums, gboolean spreads)
{
    guint32 root = sums->collective->root;
    const HieraTrace *trace = sums->check->trace;
    gint64 whole = spreads ? trace->bytes[root] : hiera_trace_peek_rare(trace, root)->rbytes;
    gint64 parts = spreads ? sums->got : sums->given;
    gint64 own = spreads ? hiera_trace_peek_rare(trace, root)->rbytes : trace->bytes[root];
    if (sums_differ(whole, parts, own == 0))
        report(sums, root,
               spreads ? "the root gives %" G_GINT64_FORMAT " bytes, all together get %" G_GINT64_FORMAT
                       : "the root gets %" G_GINT64_FORMAT " bytes, all together give %" G_GINT64_FORMAT,
               whole, parts);
}

static void check_exchanged(const Sums *sums)
{
    if (sums->given != sums->got)
        report(sums, sums->members[0], "all together give %" G_GINT64_FORMAT " bytes and get %" G_GINT64_FORMAT,
               sums->given, sums->got);
}

static void check_collective(const HieraCheck *check, const HieraCollective *collective)
{
    const HieraSite *site = hiera_trace_peek_site(check->trace, collective->made_by);
    Rule rule = find_rule(site->operation);
    Sums sums = {.check = check,
                 .collective = collective,
                 .members = &g_array_index(check->match->members, guint32, collective->first)};
    gboolean rooted = rule == RULE_FROM_ROOT || rule == RULE_SPREAD || rule == RULE_TO_ROOT;
    if (!collective->whole || (rooted && collective->root == HIERA_NONE) || !add_up(&sums, rule != RULE_ALIKE))
        return;
    switch (rule) {
    case RULE_ALIKE:
        check_alike(&sums);
        break;
    case RULE_FROM_ROOT:
        check_got(&sums, check->trace->bytes[collective->root], "the root gives");
        break;
    case RULE_SPREAD:
    case RULE_TO_ROOT:
        check_root(&sums, rule == RULE_SPREAD);
        break;
    case RULE_GATHERED:
        if (!sums.in_place)
            check_got(&sums, sums.given, "all together give");
        break;
    case RULE_EXCHANGED:
        check_exchanged(&sums);
        break;
    case RULE_NONE:
        break;
    }
}

void hiera_check_collectives(const HieraCheck *check)
{
    for (guint i = 0; i < check->match->collectives->len; i++)
        check_collective(check, &g_array_index(check->match->collectives, HieraCollective, i));
}
