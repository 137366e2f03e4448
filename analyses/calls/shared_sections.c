#include "shared_sections.h"

/* A time when at least one rank of a process computes. */
typedef struct {
    gint64 begin_ns, end_ns;
} Busy;

/* One process of hiera-transform. `first`: its first processor, which identifies it. */
typedef struct {
    guint32 first;
    GArray *spans; /* Busy: times when any rank of the process computes */
    guint at;
} Process;

typedef struct {
    guint64 first; /* Process.first; 64 bits, because padding bytes of the struct would be sent */
    Busy span;
} Alone;

typedef struct {
    guint32 first;
    GArray *spans;     /* Busy: times when any rank of this process computes */
    GArray *sections;  /* HieraSection: times when one rank of this process computes, but no other one of it */
    GArray *processes; /* Process; only in process 0 */
    GArray *alone;     /* Alone: times when ranks of only one process compute */
} Sharing;

/* --- sections within this process --- */

typedef struct {
    gint64 (*next)(guint32 rank, gint64 *end_ns, gpointer user);
    gpointer user; /* user data of `next` */
    Sharing *sharing;
} Finding;

static gint64 next_own(guint32 rank, gint64 *end_ns, gpointer user)
{
    const Finding *finding = user;
    return finding->next(rank, end_ns, finding->user);
}

static void keep_section(guint32 rank, gint64 begin_ns, gint64 end_ns, gpointer user)
{
    HieraSection section = {rank, begin_ns, end_ns};
    g_array_append_val(((Finding *)user)->sharing->sections, section);
}

static void keep_busy(gint64 begin_ns, gint64 end_ns, gpointer user)
{
    Busy span = {begin_ns, end_ns};
    g_array_append_val(((Finding *)user)->sharing->spans, span);
}

/* --- sections over all processes --- */

static void pack_busy(HieraPacker *to, gpointer user)
{
    const Sharing *sharing = user;
    hiera_pack_number(to, sharing->first);
    hiera_pack_array(to, sharing->spans);
}

static void add_process(Sharing *sharing, guint32 first, GArray *spans)
{
    Process process = {first, spans, 0};
    g_array_append_val(sharing->processes, process);
}

static void unpack_busy(HieraUnpacker *from, gpointer user)
{
    guint32 first = (guint32)hiera_unpack_number(from);
    GArray *spans = g_array_new(FALSE, FALSE, sizeof(Busy));
    hiera_unpack_array(from, spans);
    add_process(user, first, spans);
}

static gint64 next_busy(guint32 number, gint64 *end_ns, gpointer user)
{
    Process *process = &g_array_index(((Sharing *)user)->processes, Process, number);
    if (process->at == process->spans->len)
        return HIERA_TIME_OPEN;
    const Busy *span = &g_array_index(process->spans, Busy, process->at++);
    *end_ns = span->end_ns;
    return span->begin_ns;
}

static void add_alone(guint32 number, gint64 begin_ns, gint64 end_ns, gpointer user)
{
    const Sharing *sharing = user;
    Alone alone = {g_array_index(sharing->processes, Process, number).first, {begin_ns, end_ns}};
    g_array_append_val(sharing->alone, alone);
}

static void pack_alone(HieraPacker *to, gpointer user)
{
    hiera_pack_array(to, ((Sharing *)user)->alone);
}

static void unpack_alone(HieraUnpacker *from, gpointer user)
{
    hiera_unpack_array(from, ((Sharing *)user)->alone);
}

static void process_clear(gpointer process)
{
    g_array_unref(((Process *)process)->spans);
}

/* Find, in process 0, the times when ranks of only one process compute, and send these times to all processes. */
static void share(const HieraScope *scope, const HieraTrace *trace, Sharing *sharing)
{
    sharing->processes = g_array_new(FALSE, FALSE, sizeof(Process));
    g_array_set_clear_func(sharing->processes, process_clear);
    add_process(sharing, sharing->first, g_array_ref(sharing->spans));
    hiera_scope_gather_others(scope, trace, pack_busy, unpack_busy, sharing);
    if (hiera_scope_leads(scope))
        hiera_serial_sections_find(
            &(HieraComputations){sharing->processes->len, next_busy, add_alone, sharing, FALSE, NULL});
    g_array_unref(sharing->processes);
    hiera_scope_tell(scope, trace, pack_alone, unpack_alone, sharing);
}

/* Return the parts of this process's sections that lie in times when no other process has a rank that computes. */
static GArray *cut_sections(const Sharing *sharing)
{
    GArray *left = g_array_new(FALSE, FALSE, sizeof(HieraSection));
    guint at = 0;
    for (guint i = 0; i < sharing->sections->len; i++) {
        const HieraSection *of = &g_array_index(sharing->sections, HieraSection, i);
        const Alone *alone = &g_array_index(sharing->alone, Alone, 0);
        while (at < sharing->alone->len && alone[at].span.end_ns <= of->begin_ns)
            at++;
        for (guint k = at; k < sharing->alone->len && alone[k].span.begin_ns < of->end_ns; k++) {
            HieraSection part = {of->rank, MAX(of->begin_ns, alone[k].span.begin_ns),
                                 MIN(of->end_ns, alone[k].span.end_ns)};
            if (alone[k].first == sharing->first)
                g_array_append_val(left, part);
        }
    }
    return left;
}

GArray *hiera_sections_find(const HieraScope *scope, const HieraTrace *trace, const GArray *own,
                            gint64 (*next)(guint32 rank, gint64 *end_ns, gpointer user), gpointer user)
{
    g_autoptr(GArray) spans = g_array_new(FALSE, FALSE, sizeof(Busy)),
                      sections = g_array_new(FALSE, FALSE, sizeof(HieraSection)),
                      alone = g_array_new(FALSE, FALSE, sizeof(Alone));
    Sharing sharing = {own->len > 0 ? g_array_index(own, guint32, 0) : HIERA_NONE, spans, sections, NULL, alone};
    Finding finding = {next, user, &sharing};
    gboolean others = scope->share.own && trace->n_processors > 1;
    hiera_serial_sections_find(
        &(HieraComputations){own->len, next_own, keep_section, &finding, others, others ? keep_busy : NULL});
    if (!others)
        return g_steal_pointer(&sections);
    share(scope, trace, &sharing);
    return cut_sections(&sharing);
}
