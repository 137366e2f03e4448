/* See shared_sections.h. */
#include "shared_sections.h"
#include "serial_sections.h"

/* One process, known by its first processor. */
typedef struct {
    guint32 first;
    GArray *spans; /* HieraBusy */
    guint at;
} Process;

typedef struct {
    guint32 first;
    HieraBusy span;
} Alone;

typedef struct {
    guint32 first;
    const GArray *spans; /* of this process */
    GArray *processes;   /* Process, of the one that leads */
    GArray *alone;       /* Alone: when one process alone computes */
} Sharing;

static void tell_span(const HieraBusy *span, gint64 *before_ns, HieraPacker *to)
{
    hiera_pack_number(to, span->begin_ns - *before_ns);
    hiera_pack_number(to, span->end_ns - span->begin_ns);
    *before_ns = span->end_ns;
}

static HieraBusy hear_span(gint64 *before_ns, HieraUnpacker *from)
{
    HieraBusy span = {.begin_ns = *before_ns + hiera_unpack_number(from)};
    *before_ns = span.end_ns = span.begin_ns + hiera_unpack_number(from);
    return span;
}

static void tell_busy(HieraPacker *to, gpointer user)
{
    const Sharing *sharing = user;
    gint64 before_ns = 0;
    hiera_pack_number(to, sharing->first);
    hiera_pack_number(to, sharing->spans->len);
    for (guint i = 0; i < sharing->spans->len; i++)
        tell_span(&g_array_index(sharing->spans, HieraBusy, i), &before_ns, to);
}

static void hear_busy(HieraUnpacker *from, gpointer user)
{
    Process process = {(guint32)hiera_unpack_number(from), g_array_new(FALSE, FALSE, sizeof(HieraBusy)), 0};
    gint64 before_ns = 0;
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        const HieraBusy span = hear_span(&before_ns, from);
        g_array_append_val(process.spans, span);
    }
    g_array_append_val(((Sharing *)user)->processes, process);
}

static gint64 next_busy(guint32 number, gint64 *end_ns, gpointer user)
{
    Process *process = &g_array_index(((Sharing *)user)->processes, Process, number);
    if (process->at == process->spans->len)
        return HIERA_TIME_OPEN;
    const HieraBusy *span = &g_array_index(process->spans, HieraBusy, process->at++);
    *end_ns = span->end_ns;
    return span->begin_ns;
}

static void add_alone(guint32 number, gint64 begin_ns, gint64 end_ns, gpointer user)
{
    const Sharing *sharing = user;
    Alone alone = {g_array_index(sharing->processes, Process, number).first, {begin_ns, end_ns}};
    g_array_append_val(sharing->alone, alone);
}

static void tell_alone(HieraPacker *to, gpointer user)
{
    const GArray *all = ((Sharing *)user)->alone;
    gint64 before_ns = 0;
    hiera_pack_number(to, all->len);
    for (guint i = 0; i < all->len; i++) {
        hiera_pack_number(to, g_array_index(all, Alone, i).first);
        tell_span(&g_array_index(all, Alone, i).span, &before_ns, to);
    }
}

static void hear_alone(HieraUnpacker *from, gpointer user)
{
    gint64 before_ns = 0;
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        Alone alone = {.first = (guint32)hiera_unpack_number(from)};
        alone.span = hear_span(&before_ns, from);
        g_array_append_val(((Sharing *)user)->alone, alone);
    }
}

static void process_clear(gpointer process)
{
    g_array_unref(((Process *)process)->spans);
}

void hiera_sections_share(const HieraScope *scope, const HieraTrace *trace, guint32 first, GArray *spans)
{
    g_autoptr(GArray) processes = g_array_new(FALSE, FALSE, sizeof(Process)),
                      alone = g_array_new(FALSE, FALSE, sizeof(Alone));
    Sharing sharing = {first, spans, processes, alone};
    g_array_set_clear_func(processes, process_clear);
    hiera_scope_gather(scope, trace, tell_busy, hear_busy, &sharing);
    if (hiera_scope_leads(scope))
        hiera_serial_sections_find(&(HieraComputations){processes->len, next_busy, add_alone, &sharing, FALSE, NULL});
    hiera_scope_tell(scope, trace, tell_alone, hear_alone, &sharing);
    g_array_set_size(spans, 0);
    for (guint i = 0; i < alone->len; i++) {
        const Alone *span = &g_array_index(alone, Alone, i);
        if (span->first == first)
            g_array_append_val(spans, span->span);
    }
}
