/* See play.h. */
#include "play.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    char ***lines; /* by rank: its operations */
    guint *next;
    GString **ends;
    guint64 requests[16];
    guint32 peers[16];
    guint32 n_ranks, *groups[3]; /* ranks of communicators */
    gboolean ends_alone;
} Play;

HieraMachine play_machine(guint32 n_ranks)
{
    const HieraNetwork network = {.latency_ps = 100,
                                  .send_overhead_ps = 3,
                                  .receive_overhead_ps = 5,
                                  .gap_ps = 7,
                                  .ps_per_byte = 2,
                                  .eager_bytes = 50};
    return (HieraMachine){.n_ranks = n_ranks, .between = network, .inside = network};
}

static gint32 parse_rank(const char *word)
{
    return strcmp(word, "any") == 0 ? HIERA_SIM_ANY : atoi(word);
}

static void parse_word(HieraSimOperation *operation, const char *word)
{
    const char *value = strchr(word, '=');
    gint32 number = value ? parse_rank(value + 1) : 0;
    if (g_str_has_prefix(word, "tag="))
        operation->tag = number;
    else if (g_str_has_prefix(word, "comm="))
        operation->group = (guint32)number;
    else if (g_str_has_prefix(word, "root="))
        operation->peer = number;
    else if (g_str_has_prefix(word, "key="))
        operation->key = (guint64)number;
    else if (g_str_has_prefix(word, "as="))
        operation->request = (guint64)number;
    else if (g_str_has_prefix(word, "class="))
        operation->class = (guint32)number;
    else if (g_str_has_prefix(word, "adds="))
        operation->adds = (guint32)number;
    else if (g_str_has_prefix(word, "needs="))
        operation->needs = (guint32)number;
    else if (g_str_has_prefix(word, "takes="))
        operation->takes = (guint32)number;
    else if (g_str_has_prefix(word, "after="))
        operation->duration_ps = number;
    else if (strcmp(word, "shared") == 0)
        operation->shared = TRUE;
    else if (strcmp(word, "sync") == 0)
        operation->mode = HIERA_SIM_SYNCHRONOUS;
    else if (strcmp(word, "buffered") == 0)
        operation->mode = HIERA_SIM_BUFFERED;
    else if (strcmp(word, "ready") == 0)
        operation->mode = HIERA_SIM_READY;
    else
        ck_abort_msg("unknown word %s", word);
}

static void parse_wait(Play *play, HieraSimOperation *operation, char **words)
{
    operation->kind = HIERA_SIM_WAIT;
    operation->until = strcmp(words[0], "wait") == 0      ? HIERA_SIM_ALL
                       : strcmp(words[0], "waitany") == 0 ? HIERA_SIM_ONE
                                                          : HIERA_SIM_SOME;
    operation->requests = play->requests;
    for (guint i = 1; words[i]; i++)
        play->requests[operation->n_requests++] = (guint64)atoi(words[i]);
}

static HieraSimCollective find_collective(const char *name)
{
    static const char *const names[] = {
#define X(identifier, name) name,
        HIERA_SIM_COLLECTIVES(X)
#undef X
    };
    for (guint i = 0; i < HIERA_SIM_N_COLLECTIVES; i++) {
        if (strcmp(names[i], name) == 0)
            return (HieraSimCollective)i;
    }
    ck_abort_msg("unknown collective %s", name);
}

static HieraSimKind find_kind(const char *name)
{
    for (guint i = 0; i < HIERA_SIM_N_KINDS; i++) {
        if (g_str_has_prefix(hiera_sim_kind_name((HieraSimKind)i), strcmp(name, "recv") == 0 ? "rec" : name))
            return (HieraSimKind)i;
    }
    ck_abort_msg("unknown operation %s", name);
}

static void parse_peers(Play *play, HieraSimOperation *operation, char **words)
{
    operation->peers = play->peers;
    for (guint i = 1; words[i]; i++)
        play->peers[operation->n_peers++] = (guint32)atoi(words[i]);
}

static void parse(Play *play, HieraSimOperation *operation, char **words)
{
    guint n = 2;
    if (g_str_has_prefix(words[0], "wait")) {
        parse_wait(play, operation, words);
        return;
    }
    operation->kind = find_kind(words[0]);
    switch (operation->kind) {
    case HIERA_SIM_COMPUTE:
    case HIERA_SIM_DELAY:
        operation->duration_ps = atoi(words[1]);
        break;
    case HIERA_SIM_COLLECTIVE:
        operation->collective = find_collective(words[1]);
        operation->bytes = atoll(words[n++]);
        break;
    case HIERA_SIM_GATE:
        operation->gate = (guint32)atoi(words[1]);
        break;
    case HIERA_SIM_FENCE:
        n = 1;
        break;
    case HIERA_SIM_POST:
    case HIERA_SIM_START:
    case HIERA_SIM_COMPLETE:
    case HIERA_SIM_EXPOSED:
        parse_peers(play, operation, words);
        return;
    default:
        operation->peer = parse_rank(words[1]);
        if (operation->kind == HIERA_SIM_SEND || operation->kind == HIERA_SIM_PUT || operation->kind == HIERA_SIM_GET)
            operation->bytes = atoi(words[n++]);
    }
    for (; words[n]; n++)
        parse_word(operation, words[n]);
}

static gboolean next(gpointer context, guint32 rank, HieraSimOperation *operation)
{
    Play *play = context;
    const char *line = play->lines[rank][play->next[rank]];
    if (!line)
        return FALSE;
    g_autofree char *text = g_strstrip(g_strdup(line));
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    operation->token = ++play->next[rank];
    parse(play, operation, words);
    return TRUE;
}

static void done(gpointer context, guint32 rank, const HieraSimOperation *operation, const HieraSimTimes *times)
{
    (void)operation;
    const Play *play = context;
    GString *ends = play->ends[rank];
    g_string_append_printf(ends, "%s%" G_GINT64_FORMAT, ends->len > 0 ? " " : "", times->end_ps);
    if (times->waiting_ps > 0 && !play->ends_alone)
        g_string_append_printf(ends, "w%" G_GINT64_FORMAT, times->waiting_ps);
    for (guint32 i = 0; i < times->n_completed; i++)
        g_string_append_printf(ends, "%s%" G_GUINT64_FORMAT "%s", i == 0 ? "(" : " ", times->completed[i],
                               i + 1 == times->n_completed ? ")" : "");
}

static const guint32 *group(gpointer context, guint32 number, guint32 *n)
{
    const Play *play = context;
    *n = number == 2 ? (play->n_ranks + 1) / 2 : play->n_ranks;
    return number < G_N_ELEMENTS(play->groups) ? play->groups[number] : NULL;
}

static void make_groups(Play *play)
{
    for (guint i = 0; i < G_N_ELEMENTS(play->groups); i++)
        play->groups[i] = g_new(guint32, play->n_ranks);
    for (guint32 i = 0; i < play->n_ranks; i++) {
        play->groups[0][i] = i;
        play->groups[1][i] = play->n_ranks - 1 - i;
        play->groups[2][i] = 2 * i;
    }
}

typedef enum { ALL, ENDS, SUMS } Shown;

/* Return what a run took, or its error. */
static char *play_run(const HieraMachine *machine, const char *const *programs, Shown shown)
{
    guint32 n = machine->n_ranks;
    gboolean wildcards = FALSE;
    Play play = {g_new(char **, n), g_new0(guint, n), g_new(GString *, n), {0}, {0}, n, {NULL}, shown == ENDS};
    make_groups(&play);
    for (guint32 i = 0; i < n; i++) {
        play.lines[i] = g_strsplit(programs[i], ";", -1);
        play.ends[i] = g_string_new(NULL);
        wildcards |= strstr(programs[i], "recv any") != NULL || strstr(programs[i], "tag=any") != NULL;
    }
    const HieraSimFeeder feeder = {
        .next = next, .done = done, .group = group, .context = &play, .wildcards = wildcards};
    g_auto(HieraSimResult) result = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) text = g_string_new(NULL);
    if (!hiera_simulate(machine, &feeder, &result, &error)) {
        g_string_append(text, error->message);
        for (guint32 i = 0; i < result.n_stuck; i++)
            g_string_append_printf(text, "%s%u.%" G_GUINT64_FORMAT " -> %u", i == 0 ? ": " : ", ", result.stuck[i].rank,
                                   result.stuck[i].token, result.stuck[i].waits_for);
    }
    for (guint32 i = 0; i < n; i++) {
        if (!error && shown == SUMS)
            g_string_append_printf(text,
                                   "%s%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                                   i > 0 ? " | " : "", result.ranks[i].compute_ps, result.ranks[i].delay_ps,
                                   result.ranks[i].mpi_ps, result.ranks[i].waiting_ps);
        else if (!error)
            g_string_append_printf(text, "%s%s", i > 0 ? " | " : "", play.ends[i]->str);
        g_strfreev(play.lines[i]);
        g_string_free(play.ends[i], TRUE);
    }
    for (guint i = 0; i < G_N_ELEMENTS(play.groups); i++)
        g_free(play.groups[i]);
    g_free(play.lines);
    g_free(play.next);
    g_free(play.ends);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

void play_expect(const HieraMachine *machine, const char *const *programs, const char *expected)
{
    g_autofree char *text = play_run(machine, programs, ALL);
    ck_assert_str_eq(text, expected);
}

void play_expect_ends(const HieraMachine *machine, const char *const *programs, const char *expected)
{
    g_autofree char *text = play_run(machine, programs, ENDS);
    ck_assert_str_eq(text, expected);
}

void play_expect_sums(const HieraMachine *machine, const char *const *programs, const char *expected)
{
    g_autofree char *text = play_run(machine, programs, SUMS);
    ck_assert_str_eq(text, expected);
}
