/* See loops.h. The elements of a body become a sequence of places, in which a call with other calls inside is a begin
 * and an end; a loop walks over it. */
#include "loops.h"
#include "base/parse_numbers.h"
#include "loop_bodies.h"
#include "loop_changes.h"
#include "loop_digits.h"
#include <string.h>

#define LEVELS_MOST 16 /* most loops nested in each other */
#define TIME_MOST   (G_MAXINT64 / 4)

/* The `hieraLoop` that is being read, or whose calls are being passed on. */
typedef struct {
    HieraLoopBody *body; /* body of the loop; NULL: no loop is open */
    guint from, to;      /* each iteration has the body's places from `from` up to the one before `to` */
    gint64 repeats, start, end;
    GString *times;
    GArray *varies;           /* guint64, rising: indices of calls from which on a place has another call */
    HieraLoopBody *variants;  /* the places' new calls, by index in `varies` */
    HieraLoopChanges changes; /* changes of numbers in the loop's calls */
    guint32 line;
    guint64 call; /* index of the loop's next call */
    guint vary;   /* index in `varies` of the next change of a place's call */
    HieraLoopDigits digits;
    gint64 before; /* time that the next call's start is relative to */
    gboolean has_before;
    const char *problem; /* error message about the loop; NULL: none */
} Loop;

typedef enum {
    NAME_USE,
    NAME_BODY,
    NAME_REPEATS,
    NAME_FROM,
    NAME_TO,
    NAME_TIMES,
    NAME_END,
    NAME_ID,
    NAME_VALUES,
    N_NAMES
} Name;

struct HieraReadLoops {
    HieraXml *xml;
    HieraLoopEvents events;
    gpointer user;
    const char *names[N_NAMES];
    HieraPlaceNames of_call, of_other; /* names of attributes: of a `p`; of the new call in a `hieraVary` */
    const char *of_vary[3];            /* attributes of a `hieraVary` that are not the new call's; ended by NULL */
    GHashTable *bodies;                /* id → HieraLoopBody that was declared last with this id */
    GPtrArray *all;          /* HieraLoopBody, also those whose id was declared again: other bodies may contain them */
    HieraLoopBody *building; /* the body whose element is open; NULL: none */
    char *id;                /* id of the body `building` */
    Loop loop;
    GArray *open;     /* gint, for each open element in a body or loop: index of its place; -1: it has none */
    GArray *finishes; /* gint64: end times of the loop's calls that are open, the innermost last */
    gboolean stopped;
};

HieraReadLoops *hiera_read_loops_new(HieraXml *xml, const HieraLoopEvents *events, gpointer user)
{
    static const HieraAttribute of_call[] = {HIERA_ATTRIBUTE_R, HIERA_ATTRIBUTE_T, HIERA_ATTRIBUTE_D};
    static const HieraAttribute others[] = {HIERA_ATTRIBUTE_BODY, HIERA_ATTRIBUTE_TURNS, HIERA_ATTRIBUTE_FROM,
                                            HIERA_ATTRIBUTE_TO,   HIERA_ATTRIBUTE_TIMES, HIERA_ATTRIBUTE_UNTIL,
                                            HIERA_ATTRIBUTE_ID,   HIERA_ATTRIBUTE_VALUES};
    HieraReadLoops *loops = g_new0(HieraReadLoops, 1);
    loops->xml = xml;
    loops->events = *events;
    loops->user = user;
    loops->names[NAME_USE] = hiera_xml_intern(xml, hiera_element_name(HIERA_ELEMENT_USE));
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        loops->names[NAME_BODY + i] = hiera_xml_intern(xml, hiera_attribute_name(others[i]));
    for (guint i = 0; i < G_N_ELEMENTS(of_call); i++)
        loops->of_call.own[i] = loops->of_other.own[i] = hiera_xml_intern(xml, hiera_attribute_name(of_call[i]));
    loops->of_vary[0] = hiera_xml_intern(xml, hiera_attribute_name(HIERA_ATTRIBUTE_AT));
    loops->of_vary[1] = hiera_xml_intern(xml, hiera_attribute_name(HIERA_ATTRIBUTE_BY));
    loops->of_call.skip = loops->of_vary + 2;
    loops->of_other.skip = loops->of_vary;
    loops->bodies = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    loops->all = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_loop_body_free);
    loops->open = g_array_new(FALSE, FALSE, sizeof(gint));
    loops->finishes = g_array_new(FALSE, FALSE, sizeof(gint64));
    loops->loop.times = g_string_new(NULL);
    hiera_loop_changes_init(&loops->loop.changes);
    loops->loop.varies = g_array_new(FALSE, FALSE, sizeof(guint64));
    loops->loop.variants = hiera_loop_body_new();
    return loops;
}

void hiera_read_loops_free(HieraReadLoops *loops)
{
    g_hash_table_unref(loops->bodies);
    g_ptr_array_unref(loops->all);
    g_array_unref(loops->open);
    g_array_unref(loops->finishes);
    g_string_free(loops->loop.times, TRUE);
    hiera_loop_changes_clear(&loops->loop.changes);
    g_array_unref(loops->loop.varies);
    hiera_loop_body_free(loops->loop.variants);
    g_free(loops->id);
    g_free(loops);
}

static void report(HieraReadLoops *loops, guint32 line, const char *problem)
{
    if (loops->events.problem)
        loops->events.problem(loops->user, line, problem);
}

/* --- reading attributes of loops --- */

static const HieraXmlAttribute *find(const char *name, const HieraXmlAttribute *attributes, guint n)
{
    for (guint i = 0; i < n; i++)
        if (attributes[i].name == name)
            return &attributes[i];
    return NULL;
}

/* Read an attribute that is a number of at least `low`. Return `missing` if there is no such attribute; -1 if it is not
 * valid. */
static gint64 read_number(const char *name, const HieraXmlAttribute *attributes, guint n, gint64 low, gint64 missing)
{
    const HieraXmlAttribute *attribute = find(name, attributes, n);
    gint64 value;
    if (!attribute)
        return missing;
    return hiera_number_parse_between(attribute->value, hiera_attribute_length(attribute), low, TIME_MOST, &value)
               ? value
               : -1;
}

static HieraLoopBody *find_body(const HieraReadLoops *loops, const HieraXmlAttribute *attributes, guint n)
{
    const HieraXmlAttribute *name = find(loops->names[NAME_BODY], attributes, n);
    g_autofree char *id = name ? g_strndup(name->value, hiera_attribute_length(name)) : g_strdup("");
    return g_hash_table_lookup(loops->bodies, id);
}

/* --- reading bodies of loops --- */

static void start_body(HieraReadLoops *loops, const HieraXmlAttribute *attributes, guint n)
{
    const HieraXmlAttribute *id = find(loops->names[NAME_ID], attributes, n);
    g_free(loops->id);
    loops->id = id ? g_strndup(id->value, hiera_attribute_length(id)) : g_strdup("");
    loops->building = hiera_loop_body_new();
    g_ptr_array_add(loops->all, loops->building);
}

/* Append the place of a `p` or `hieraLoop` to the open body. Return its index; -1 with a report: it is not valid. */
static gint start_place(HieraReadLoops *loops, HieraElement element, const HieraXmlAttribute *attributes, guint n)
{
    HieraLoopBody *inner = element == HIERA_ELEMENT_LOOP ? find_body(loops, attributes, n) : NULL;
    if (element != HIERA_ELEMENT_PLACE && (!inner || inner->level >= LEVELS_MOST)) {
        report(loops, hiera_xml_line(loops->xml),
               "a hieraBody with something else in it than p and hieraLoop of bodies before; "
               "it is skipped");
        return -1;
    }
    HieraLoopPlace *place = hiera_loop_body_add(loops->building, inner ? HIERA_PLACE_LOOP : HIERA_PLACE_BEGIN);
    place->body = inner;
    if (inner)
        loops->building->level = MAX(loops->building->level, inner->level + 1);
    else
        hiera_loop_place_set(place, &loops->of_call, attributes, n, NULL);
    return inner ? -1 : (gint)loops->building->places->len - 1;
}

static void end_place(HieraReadLoops *loops, gint place)
{
    if (place == (gint)loops->building->places->len - 1)
        hiera_loop_body_place(loops->building, (guint)place)->kind = HIERA_PLACE_CALL;
    else
        hiera_loop_body_add(loops->building, HIERA_PLACE_END);
}

static void end_body(HieraReadLoops *loops)
{
    if (loops->building->places->len == 0)
        report(loops, hiera_xml_line(loops->xml), "a hieraBody without calls; it is skipped");
    else
        g_hash_table_replace(loops->bodies, g_steal_pointer(&loops->id), loops->building);
    loops->building = NULL;
}

/* --- passing on the calls of a loop --- */

/* Pass the call at a place to the user, with its start and duration in ns. */
static void tell(HieraReadLoops *loops, HieraLoopPlace *place, gint64 start, gint64 span)
{
    char texts[2][24];
    const gint64 values[] = {start, span};
    for (guint i = 0; i < 2; i++) {
        gint length = g_snprintf(texts[i], sizeof texts[i], "%" G_GINT64_FORMAT, values[i]);
        place->attributes[HIERA_PLACE_T + i].value = texts[i];
        place->attributes[HIERA_PLACE_T + i].end = texts[i] + length;
    }
    loops->events.start(loops->user, loops->names[NAME_USE], place->attributes, place->n_attributes, &place->note);
    if (place->kind == HIERA_PLACE_CALL)
        loops->events.end(loops->user);
}

/* Apply what changes at the loop's next call: numbers in it, or the place gets another call. */
static void vary(HieraReadLoops *loops, HieraLoopPlace *place)
{
    Loop *loop = &loops->loop;
    if (loop->changes.call == loop->call)
        hiera_loop_changes_apply(&loop->changes, place, &loops->of_call);
    if (loop->vary < loop->varies->len && g_array_index(loop->varies, guint64, loop->vary) == loop->call)
        hiera_loop_place_vary(place, &loops->of_call, hiera_loop_body_place(loop->variants, loop->vary++));
}

/* Read the times of a call, and pass the call on. Times above TIME_MOST, more than any trace has, are refused. */
static gboolean read_call(HieraReadLoops *loops, HieraLoopPlace *place)
{
    Loop *loop = &loops->loop;
    gint64 gap = loop->has_before ? hiera_loop_digits_read(&loop->digits, &place->gap) : 0;
    gint64 span = hiera_loop_digits_read(&loop->digits, &place->span);
    if (loop->digits.broken) {
        loop->problem = "times of a hieraLoop that end too early, or are no times; its further calls are missing";
        return FALSE;
    }
    if (gap > TIME_MOST || gap < -loop->before || span < 0 || span > TIME_MOST ||
        loop->before + gap + span > TIME_MOST) {
        loop->problem = "a hieraLoop with a time before 0 or after centuries; its further calls are missing";
        return FALSE;
    }
    gint64 start = loop->before + gap, finish = start + span;
    hiera_loop_place_reach(place, &loops->of_call);
    vary(loops, place);
    if (loop->changes.problem) {
        loop->problem = loop->changes.problem;
        return FALSE;
    }
    tell(loops, place, start, span);
    hiera_loop_place_leave(place, &loops->of_call);
    loop->call++;
    loop->has_before = TRUE;
    loop->before = place->kind == HIERA_PLACE_BEGIN ? start : finish;
    if (place->kind == HIERA_PLACE_BEGIN)
        g_array_append_val(loops->finishes, finish);
    return !loops->stopped;
}

static void end_call(HieraReadLoops *loops)
{
    guint last = loops->finishes->len - 1;
    loops->loop.before = g_array_index(loops->finishes, gint64, last);
    g_array_set_size(loops->finishes, last);
    loops->events.end(loops->user);
}

/* Read and pass on iterations. Each one uses up some bits, so the number of bits limits the time that this takes. */
static gboolean read_repeats(HieraReadLoops *loops, HieraLoopBody *body, gint64 repeats, guint from, guint to)
{
    for (gint64 repeat = 0; repeat < repeats; repeat++) {
        for (guint i = from; i < to; i++) {
            HieraLoopPlace *place = hiera_loop_body_place(body, i);
            if (place->kind == HIERA_PLACE_END) {
                end_call(loops);
            } else if (place->kind == HIERA_PLACE_LOOP) {
                gint64 more = hiera_loop_digits_read(&loops->loop.digits, &place->gap);
                if (loops->loop.digits.broken || more < 0 || more > TIME_MOST)
                    loops->loop.problem =
                        "a hieraLoop without the turns of a loop inside; its further calls are missing";
                hiera_loop_body_begin_anew(place->body);
                if (loops->loop.problem || !read_repeats(loops, place->body, more + 1, 0, place->body->places->len))
                    return FALSE;
            } else if (!read_call(loops, place)) {
                return FALSE;
            }
        }
    }
    return TRUE;
}

static void tell_calls(HieraReadLoops *loops)
{
    Loop *loop = &loops->loop;
    loop->digits = (HieraLoopDigits){.at = loop->times->str, .end = loop->times->str + loop->times->len};
    loop->before = loop->start;
    loop->has_before = FALSE;
    loop->call = loop->vary = 0;
    hiera_loop_changes_begin(&loop->changes);
    loop->problem = loop->changes.problem;
    if (!loop->problem)
        read_repeats(loops, loop->body, loop->repeats, loop->from, loop->to);
    while (loops->finishes->len > 0)
        end_call(loops);
    if (!loop->problem && !loops->stopped && loop->changes.call != G_MAXUINT64)
        loop->problem = "a hieraVary with values for calls that its loop does not have; they are skipped";
    if (!loop->problem && !loops->stopped && !hiera_loop_digits_done(&loop->digits))
        loop->problem = "a hieraLoop with more times than calls; they are skipped";
    if (!loop->problem && !loops->stopped && loop->before != loop->end)
        loop->problem = "a hieraLoop whose times do not lead to its end: they are those of another body, or damaged";
    if (loop->problem)
        report(loops, loop->line, loop->problem);
}

/* --- reading loops --- */

/* Whether places contain the end of each call that begins in them, and the begin of each call that ends in them. */
static gboolean is_whole(const HieraLoopBody *body, guint from, guint to)
{
    gint depth = 0;
    for (guint i = from; i < to && depth >= 0; i++) {
        HieraPlaceKind kind = hiera_loop_body_place(body, i)->kind;
        depth += (kind == HIERA_PLACE_BEGIN) - (kind == HIERA_PLACE_END);
    }
    return depth == 0;
}

static void start_loop(HieraReadLoops *loops, const HieraXmlAttribute *attributes, guint n)
{
    Loop *loop = &loops->loop;
    const HieraXmlAttribute *times = find(loops->names[NAME_TIMES], attributes, n);
    loop->line = hiera_xml_line(loops->xml);
    loop->body = find_body(loops, attributes, n);
    loop->problem = NULL;
    g_array_set_size(loop->varies, 0);
    g_array_set_size(loop->variants->places, 0);
    g_string_truncate(loop->times, 0);
    hiera_loop_changes_reset(&loop->changes);
    if (times)
        g_string_append_len(loop->times, times->value, (gssize)hiera_attribute_length(times));
    gint64 places = loop->body ? loop->body->places->len : 0;
    gint64 from = read_number(loops->names[NAME_FROM], attributes, n, 0, 0);
    gint64 to = read_number(loops->names[NAME_TO], attributes, n, 1, places);
    loop->repeats = read_number(loops->names[NAME_REPEATS], attributes, n, 1, 1);
    loop->start = read_number(loops->of_call.own[HIERA_PLACE_T], attributes, n, 0, -1);
    loop->end = read_number(loops->names[NAME_END], attributes, n, 0, -1);
    if (!loop->body)
        loop->problem = "a hieraLoop of no hieraBody before it; it is skipped";
    else if (loop->repeats < 0 || loop->start < 0 || from < 0 || from >= to || to > places ||
             !is_whole(loop->body, (guint)from, (guint)to))
        loop->problem = "a hieraLoop without valid turns, start, or places of its body; it is skipped";
    loop->from = (guint)from;
    loop->to = (guint)to;
}

/* Parse at most HIERA_LOOP_STEPS numbers, separated by blanks, into `steps`. */
static gboolean read_steps(const HieraXmlAttribute *by, gint64 *steps)
{
    g_autofree char *text = g_strndup(by->value, hiera_attribute_length(by));
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (guint i = 0; words[i]; i++)
        if (i == HIERA_LOOP_STEPS ||
            !hiera_number_parse_between(words[i], strlen(words[i]), -TIME_MOST, TIME_MOST, &steps[i]))
            return FALSE;
    return TRUE;
}

static void add_variant(HieraReadLoops *loops, const HieraXmlAttribute *attributes, guint n)
{
    Loop *loop = &loops->loop;
    const HieraXmlAttribute *by = find(loops->of_vary[1], attributes, n);
    gint64 at = read_number(loops->of_vary[0], attributes, n, 0, -1), steps[HIERA_LOOP_STEPS] = {0};
    guint64 last = loop->varies->len > 0 ? g_array_index(loop->varies, guint64, loop->varies->len - 1) : 0;
    const HieraXmlAttribute *values = find(loops->names[NAME_VALUES], attributes, n);
    if (values && at >= 0) {
        hiera_loop_changes_set(&loop->changes, values, (guint64)at);
        return;
    }
    gboolean valid = !by || read_steps(by, steps);
    if (!valid || at < 0 || (loop->varies->len > 0 && (guint64)at <= last)) {
        report(loops, hiera_xml_line(loops->xml),
               "a hieraVary without a valid call, not after the one before it, or without valid steps; it is skipped");
        return;
    }
    guint64 call = (guint64)at;
    g_array_append_val(loop->varies, call);
    hiera_loop_place_set(hiera_loop_body_add(loop->variants, HIERA_PLACE_CALL), &loops->of_other, attributes, n, steps);
}

static void end_loop(HieraReadLoops *loops)
{
    Loop *loop = &loops->loop;
    if (loop->problem)
        report(loops, loop->line, loop->problem);
    else if (loop->body)
        tell_calls(loops);
    loop->body = NULL;
}

/* --- start and end tags of bodies and loops --- */

gboolean hiera_read_loops_start(HieraReadLoops *loops, HieraElement element, const HieraXmlAttribute *attributes,
                                guint n)
{
    gboolean is_ours = element == HIERA_ELEMENT_BODY || element == HIERA_ELEMENT_LOOP ||
                       element == HIERA_ELEMENT_PLACE || element == HIERA_ELEMENT_VARY;
    gint place = -1;
    if (loops->open->len == 0 && !is_ours)
        return FALSE;
    if (loops->building)
        place = start_place(loops, element, attributes, n);
    else if (loops->open->len == 0 && element == HIERA_ELEMENT_BODY)
        start_body(loops, attributes, n);
    else if (loops->open->len == 0 && element == HIERA_ELEMENT_LOOP)
        start_loop(loops, attributes, n);
    else if (loops->open->len == 1 && element == HIERA_ELEMENT_VARY)
        add_variant(loops, attributes, n);
    else
        report(loops, hiera_xml_line(loops->xml),
               "p or hieraVary outside of a hieraBody or hieraLoop, or another element inside; "
               "it is skipped");
    g_array_append_val(loops->open, place);
    return TRUE;
}

gboolean hiera_read_loops_end(HieraReadLoops *loops)
{
    if (loops->open->len == 0)
        return FALSE;
    guint last = loops->open->len - 1;
    gint place = g_array_index(loops->open, gint, last);
    g_array_set_size(loops->open, last);
    if (place >= 0)
        end_place(loops, place);
    else if (last == 0 && loops->building)
        end_body(loops);
    else if (last == 0)
        end_loop(loops);
    return TRUE;
}

void hiera_read_loops_stop(HieraReadLoops *loops)
{
    loops->stopped = TRUE;
}

guint32 hiera_read_loops_line(const HieraReadLoops *loops)
{
    return loops->loop.line;
}
