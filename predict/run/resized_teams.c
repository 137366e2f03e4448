/* Teams of another number of threads: each part between two barriers is laid out and cut anew; see thread_acts.h. */
#include "thread_acts.h"
#include <string.h>

/* The acts of a thread in a part of a team: those from `first` until before `behind`. */
typedef struct {
    const GArray *acts;
    guint first, behind;
    gdouble work_ns;     /* what can be divided */
    gdouble from, width; /* its place; all threads together have 1 */
} Piece;

typedef struct {
    ActsFound *found;
    const HieraTrace *trace;
    const GPtrArray *recorded; /* GArray of Act, by thread */
    guint *at;                 /* by recorded thread: its next act */
    GPtrArray *made;           /* the same, by new thread */
} Resizing;

static const Act *peek_act(const GArray *acts, guint i)
{
    return &g_array_index(acts, Act, i);
}

static GArray *peek_made(const Resizing *of, guint thread)
{
    return g_ptr_array_index(of->made, thread);
}

static void put(const Resizing *of, guint thread, Act act)
{
    g_array_append_val(peek_made(of, thread), act);
}

/* --- what can be divided --- */

/* Return the schedule of a loop; "": it is not known. */
static const char *find_schedule(const Resizing *of, guint32 row)
{
    const HieraAttributeValue *value =
        of->found->args == HIERA_NONE ? NULL : hiera_trace_find_attribute(of->trace, row, of->found->args);
    const char *found = value && value->text ? strstr(value->text, "schedule=") : NULL;
    return found ? found + strlen("schedule=") : "";
}

static gboolean is_dynamic_construct(const Resizing *of, const HieraSite *site, guint32 row)
{
    const char *schedule = g_str_equal(site->operation, "loop") ? find_schedule(of, row) : "";
    return g_str_equal(site->operation, "sections") || g_str_equal(site->operation, "task") ||
           g_str_has_prefix(schedule, "dynamic") || g_str_has_prefix(schedule, "guided");
}

/* Whether an act is computation that threads share. @param dynamic  receives whether they do so as they have time */
static gboolean is_shared(const Resizing *of, const Act *act, gboolean *dynamic)
{
    *dynamic = FALSE;
    if (act->kind != ACT_SPAN || act->span.doing != HIERA_DOES_COMPUTE)
        return FALSE;
    for (guint32 row = act->span.row; row != HIERA_NONE; row = of->trace->parent[row]) {
        const HieraSite *site = hiera_trace_peek_site(of->trace, row);
        if (!g_str_equal(site->level, "openmp"))
            continue;
        if (g_str_equal(site->operation, "parallel") || g_str_equal(site->operation, "implicit task"))
            break;
        if (g_str_equal(site->operation, "critical") || g_str_equal(site->operation, "single") ||
            g_str_equal(site->operation, "ordered"))
            return FALSE;
        *dynamic |= is_dynamic_construct(of, site, row);
    }
    return TRUE;
}

/* The same for the next act of a piece: nothing is shared between the wait for a lock and its end.
 * @param held  whether the thread has a lock */
static gboolean is_divided(const Resizing *of, const Act *act, gboolean *held, gboolean *dynamic)
{
    gboolean divided = is_shared(of, act, dynamic) && !*held;
    *held = act->kind == ACT_ACQUIRE || (*held && act->kind != ACT_RELEASE);
    return divided;
}

/* --- a part of a team --- */

/* Give the pieces their places. */
static void lay_out(const Resizing *of, Piece *pieces, guint n)
{
    gdouble work_ns = 0, dynamic_ns = 0, from = 0;
    for (guint i = 0; i < n; i++) {
        gboolean held = FALSE;
        pieces[i].work_ns = 0;
        for (guint k = pieces[i].first; k < pieces[i].behind; k++) {
            gboolean dynamic;
            const Act *act = peek_act(pieces[i].acts, k);
            if (!is_divided(of, act, &held, &dynamic))
                continue;
            pieces[i].work_ns += (gdouble)act_span_ns(act);
            dynamic_ns += dynamic ? (gdouble)act_span_ns(act) : 0;
        }
        work_ns += pieces[i].work_ns;
    }
    gboolean even = 2 * dynamic_ns > work_ns && n != of->made->len;
    for (guint i = 0; i < n; i++) {
        pieces[i].from = from;
        pieces[i].width = even ? pieces[i].work_ns / work_ns : 1.0 / n;
        from += pieces[i].width;
    }
}

/* Return the new thread at a place. */
static guint thread_at(const Resizing *of, gdouble place)
{
    const gdouble rounding = 1e-9;
    return (guint)CLAMP((gint64)(place * of->made->len + rounding), 0, (gint64)of->made->len - 1);
}

/* Give the threads between two places their parts of a computation. */
static void divide(const Resizing *of, const Act *act, gdouble from, gdouble to)
{
    gdouble n = of->made->len, length_ns = (gdouble)act_span_ns(act);
    gint64 begin_ns = act->span.begin_ns;
    for (guint thread = thread_at(of, from); begin_ns < act->span.end_ns; thread++) {
        gdouble until = thread + 1 < of->made->len ? (thread + 1) / n : 2;
        Act part = *act;
        part.span.begin_ns = begin_ns;
        if (until < to)
            part.span.end_ns = act->span.begin_ns + (gint64)(length_ns * (until - from) / (to - from) + 0.5);
        part.span.end_ns = CLAMP(part.span.end_ns, begin_ns, act->span.end_ns);
        begin_ns = part.span.end_ns;
        if (act_span_ns(&part) > 0)
            put(of, thread, part);
    }
}

/* Whether an act is a gate of a region of one thread in the team: it has no place any more. */
static gboolean is_dropped(const Act *act)
{
    return act->kind == ACT_BEGIN || act->kind == ACT_ENTER || act->kind == ACT_BARRIER || act->kind == ACT_END;
}

/* What is not divided goes to the thread that gets the middle of the computation before it, as if all pieces were of
 * the same width; so does all that is between the wait for a critical section and its end. @param index  of the piece,
 * of n */
static void cut(const Resizing *of, const Piece *piece, guint index, guint n)
{
    gdouble done = 0, middle = 0;
    gboolean held = FALSE;
    for (guint k = piece->first; k < piece->behind; k++) {
        const Act *act = peek_act(piece->acts, k);
        gboolean dynamic;
        if (is_divided(of, act, &held, &dynamic)) {
            gdouble before = done;
            done += (gdouble)act_span_ns(act) / piece->work_ns;
            middle = (before + done) / 2;
            divide(of, act, piece->from + before * piece->width, piece->from + done * piece->width);
        } else if (act->kind == ACT_SPAN && hiera_span_is_call(&act->span)) {
            put(of, 0, *act);
        } else if (!is_dropped(act) && (act->kind != ACT_PAUSE || of->made->len > 1)) {
            put(of, thread_at(of, (index + middle) / n), *act);
        }
    }
}

/* --- a team --- */

/* Whether an act is a gate of a team. */
static gboolean is_of(const Act *act, ActKind kind, guint32 team)
{
    return act->kind == kind && act->team == team;
}

/* Take the next part of a thread: up to a barrier, or the end. @return that act */
static const Act *take_piece(const Resizing *of, guint thread, guint32 team, Piece *piece)
{
    const GArray *acts = g_ptr_array_index(of->recorded, thread);
    guint *at = &of->at[thread];
    *piece = (Piece){.acts = acts, .first = *at};
    while (*at < acts->len && !is_of(peek_act(acts, *at), ACT_BARRIER, team) &&
           !is_of(peek_act(acts, *at), ACT_END, team))
        ++*at;
    piece->behind = *at;
    return *at < acts->len ? peek_act(acts, *at) : NULL;
}

/* All new threads come to a barrier or the end. @param times  what each takes to go on: n acts of recorded threads */
static void meet(const Resizing *of, guint32 team, ActKind kind, const Act *const *times, guint n)
{
    guint32 gate = of->found->n_gates++;
    for (guint thread = 0; thread < of->made->len; thread++) {
        Act act = {.kind = kind, .team = team, .gate = gate, .adds = 1};
        const Act *like = times[MIN(thread, n - 1)];
        if (kind == ACT_BARRIER || thread == 0) {
            act.needs = of->made->len;
            act.after_ns = like ? like->after_ns : 0;
        }
        put(of, thread, act);
    }
}

/* Take the parts of a team one after the other. @param members  recorded threads */
static void take_parts(const Resizing *of, guint32 team, const guint *members, guint n)
{
    g_autofree Piece *pieces = g_new(Piece, n);
    g_autofree const Act **ends = g_new(const Act *, n);
    gboolean ended = FALSE;
    while (!ended) {
        ended = TRUE;
        for (guint i = 0; i < n; i++) {
            ends[i] = take_piece(of, members[i], team, &pieces[i]);
            ended &= !ends[i] || ends[i]->kind == ACT_END;
        }
        lay_out(of, pieces, n);
        for (guint i = 0; i < n; i++) {
            cut(of, &pieces[i], i, n);
            of->at[members[i]] += ends[i] && (ended || ends[i]->kind == ACT_BARRIER);
        }
        meet(of, team, ended ? ACT_END : ACT_BARRIER, ends, n);
    }
}

/* Begin a team of the main thread. */
static void take_team(const Resizing *of, const Act *begin)
{
    g_autofree guint *members = g_new(guint, of->recorded->len);
    guint32 gate = of->found->n_gates++;
    gint64 after_ns = 0;
    guint n = 0;
    members[n++] = 0;
    for (guint thread = 1; thread < of->recorded->len; thread++) {
        const GArray *acts = g_ptr_array_index(of->recorded, thread);
        while (of->at[thread] < acts->len && peek_act(acts, of->at[thread])->kind != ACT_ENTER)
            of->at[thread]++;
        if (of->at[thread] >= acts->len || !is_of(peek_act(acts, of->at[thread]), ACT_ENTER, begin->team))
            continue;
        after_ns = peek_act(acts, of->at[thread])->after_ns;
        of->at[thread]++;
        members[n++] = thread;
    }
    put(of, 0, (Act){.kind = ACT_BEGIN, .team = begin->team, .gate = gate, .adds = 1});
    for (guint thread = 1; thread < of->made->len; thread++)
        put(of, thread, (Act){.kind = ACT_ENTER, .team = begin->team, .gate = gate, .needs = 1, .after_ns = after_ns});
    of->found->n_regions++;
    take_parts(of, begin->team, members, n);
}

/* --- a rank --- */

/* Count what of a thread cannot be divided: regions of several threads in others, locks in others, and what of a lock
 * is on the other side of a barrier or of the end of a region. */
static gint64 count_kept(const GArray *acts, gboolean is_main, gboolean alone)
{
    gint64 n = 0, open = 0;
    gboolean held = FALSE;
    for (guint i = 0; i < acts->len; i++) {
        const Act *act = peek_act(acts, i);
        gboolean is_lock = act->kind == ACT_ACQUIRE || act->kind == ACT_RELEASE;
        n += act->kind == ACT_BEGIN && (!is_main || (open > 0 && !alone));
        n += is_dropped(act) && held;
        n += is_lock && (held != (act->kind == ACT_RELEASE) || (!is_main && open == 0));
        open += (act->kind == (is_main ? ACT_BEGIN : ACT_ENTER)) - (act->kind == ACT_END);
        held = act->kind == ACT_ACQUIRE || (held && act->kind != ACT_RELEASE);
    }
    return n;
}

static gint64 count_nested(const GPtrArray *acts)
{
    gint64 n = 0;
    for (guint thread = 0; thread < acts->len; thread++)
        n += count_kept(g_ptr_array_index(acts, thread), thread == 0, acts->len == 1);
    return n;
}

/* Whether there is memory for the gates of all threads. */
static gboolean is_room(ActsFound *found, const GArray *main)
{
    enum { MOST_GATES = 20000000 };
    for (guint i = 0; i < main->len; i++)
        found->n_made += peek_act(main, i)->kind == ACT_SPAN ? 1 : found->n_threads;
    return found->n_made <= MOST_GATES;
}

/* Critical sections are entered in the order in which threads come. */
static void free_locks(const Resizing *of)
{
    for (guint thread = 0; thread < of->made->len; thread++) {
        GArray *acts = peek_made(of, thread);
        for (guint i = 0; i < acts->len; i++) {
            Act *act = &g_array_index(acts, Act, i);
            if (act->kind == ACT_OPEN)
                act->adds = 1;
            if (act->kind == ACT_ACQUIRE)
                act->needs = act->takes = 1;
        }
    }
}

void resized_teams_make(ActsFound *found, const HieraTrace *trace, GPtrArray **acts)
{
    gint64 nested = count_nested(*acts);
    const GArray *main = g_ptr_array_index(*acts, 0);
    g_autofree guint *at = g_new0(guint, (*acts)->len);
    found->n_nested += nested;
    found->n_large += nested == 0 && !is_room(found, main);
    if (nested > 0 || found->n_large > 0)
        return;
    Resizing of = {found, trace, *acts, at, g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref)};
    for (guint i = 0; i < found->n_threads; i++)
        g_ptr_array_add(of.made, g_array_new(FALSE, FALSE, sizeof(Act)));
    while (at[0] < main->len) {
        const Act *act = peek_act(main, at[0]++);
        if (act->kind == ACT_BEGIN)
            take_team(&of, act);
        else
            put(&of, 0, *act);
    }
    free_locks(&of);
    g_ptr_array_unref(*acts);
    *acts = of.made;
}
