/* See hiera_retime.h. The calls of a trace are its rows, in the same order, so counting calls gives the row with the
 * new times. Other times are placed between those of the rows of the main thread around them. */
#include "base/parse_numbers.h"
#include "convert.h"
#include "element_attributes.h"
#include "full_elements.h"
#include "hiera_retime.h"
#include <string.h>

#define TIME_BYTES    32
#define NS_PER_SECOND G_GINT64_CONSTANT(1000000000)

typedef struct {
    const HieraTrace *trace;
    const HieraNewTimes *times;
    const char *const *names;
    const HieraProcessor *of; /* processor whose trace is being written */
    guint32 row;              /* row of the next call that is read */
    guint32 behind_main;      /* one behind the last row of the main thread */
    gint64 correction_ns;     /* clock correction of the file's times in ns, at the last element with a time */
    char texts[HIERA_N_ATTRIBUTES][TIME_BYTES];
} Retiming;

/* --- from recorded times to predicted times --- */

/* A point in time that is known in both: in the recorded trace and in the predicted one. */
typedef struct {
    gint64 old_ns, new_ns;
} Place;

static gint64 place_between(Place before, Place after, gint64 ns)
{
    gint64 length_ns = after.old_ns - before.old_ns;
    if (length_ns <= 0)
        return before.new_ns;
    gdouble part = (gdouble)(ns - before.old_ns) / (gdouble)length_ns;
    return before.new_ns + (gint64)(part * (gdouble)(after.new_ns - before.new_ns));
}

static Place start_of(const Retiming *re, guint32 row)
{
    return (Place){re->trace->start_ns[row], re->times->start_ns[row]};
}

static Place finish_of(const Retiming *re, guint32 row)
{
    return (Place){re->trace->finish_ns[row], re->times->finish_ns[row]};
}

/* Return the first row of the main thread that starts after a recorded time; `behind_main` if there is none. */
static guint32 find_row_behind(const Retiming *re, gint64 ns)
{
    guint32 low = (guint32)re->of->first, high = re->behind_main;
    while (low < high) {
        guint32 middle = low + (high - low) / 2;
        if (re->trace->start_ns[middle] <= ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Return the new time for a recorded time, interpolated between the starts and ends of operations around it. */
static gint64 move(const Retiming *re, gint64 ns)
{
    guint32 index = (guint32)(re->of - re->trace->processors);
    Place before = {re->of->init_ns, re->times->init_ns[index]};
    Place after = {re->of->finalize_ns, re->times->finalize_ns[index]};
    if (ns <= before.old_ns)
        return MAX(before.new_ns - (before.old_ns - ns), 0);
    if (ns >= after.old_ns)
        return hiera_plus(after.new_ns, ns - after.old_ns);
    guint32 behind = find_row_behind(re, ns);
    if (behind > re->of->first) {
        guint32 row = behind - 1;
        before = start_of(re, row);
        while (row != HIERA_NONE && re->trace->finish_ns[row] <= ns) {
            before = finish_of(re, row);
            row = re->trace->parent[row];
        }
        after = row != HIERA_NONE ? finish_of(re, row) : after;
    }
    if (behind < re->behind_main && re->trace->start_ns[behind] < after.old_ns)
        after = start_of(re, behind);
    return place_between(before, after, ns);
}

/* --- changing attributes of an element --- */

static HieraXmlAttribute *find(const Retiming *re, const GArray *attributes, HieraAttribute name)
{
    return (HieraXmlAttribute *)hiera_attribute_find((const HieraXmlAttribute *)(const void *)attributes->data,
                                                     attributes->len, re->names[name]);
}

static void put(Retiming *re, const GArray *attributes, HieraAttribute name, gint64 ns)
{
    HieraXmlAttribute *time = find(re, attributes, name);
    if (!time || hiera_attribute_length(time) == 0)
        return;
    time->value = re->texts[name];
    time->end = time->value + g_snprintf(re->texts[name], TIME_BYTES, "%" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT,
                                         ns / NS_PER_SECOND, ns % NS_PER_SECOND);
}

static gboolean read_time(const Retiming *re, const GArray *attributes, HieraAttribute name, gint64 *ns)
{
    const HieraXmlAttribute *time = find(re, attributes, name);
    return time && hiera_seconds_parse(time->value, hiera_attribute_length(time), ns);
}

/* Change a time attribute that is not the start or finish of a row. */
static void put_moved(Retiming *re, const GArray *attributes, HieraAttribute name)
{
    gint64 ns;
    if (read_time(re, attributes, name, &ns))
        put(re, attributes, name, move(re, hiera_plus(ns, re->correction_ns)));
}

static void drop(const Retiming *re, GArray *attributes, HieraAttribute name)
{
    const HieraXmlAttribute *found = find(re, attributes, name);
    if (found)
        g_array_remove_index(attributes, (guint)(found - (const HieraXmlAttribute *)(const void *)attributes->data));
}

/* --- changing elements of the trace --- */

static void change_processor(Retiming *re, GArray *attributes)
{
    static const HieraAttribute of_process[] = {HIERA_ATTRIBUTE_PID,          HIERA_ATTRIBUTE_PROCESS,
                                                HIERA_ATTRIBUTE_CLOCK,        HIERA_ATTRIBUTE_CLOCK_ERROR,
                                                HIERA_ATTRIBUTE_CLOCK_OFFSET, HIERA_ATTRIBUTE_CLOCK_DRIFT,
                                                HIERA_ATTRIBUTE_PREDICTED};
    guint32 index = (guint32)(re->of - re->trace->processors);
    HieraXmlAttribute note = {.name = re->names[HIERA_ATTRIBUTE_PREDICTED], .value = re->times->note};
    gint64 init_ns; /* attribute `since` (in a trace of only the last part of a run), else attribute `init` */
    note.end = note.value + strlen(note.value);
    if (read_time(re, attributes, HIERA_ATTRIBUTE_SINCE, &init_ns) ||
        read_time(re, attributes, HIERA_ATTRIBUTE_INIT, &init_ns))
        re->correction_ns = re->of->init_ns - init_ns;
    if (re->times->hosts) {
        const HieraXmlAttribute host = {.name = re->names[HIERA_ATTRIBUTE_HOST],
                                        .value = re->times->hosts[index],
                                        .end = re->times->hosts[index] + strlen(re->times->hosts[index])};
        drop(re, attributes, HIERA_ATTRIBUTE_HOST);
        g_array_append_val(attributes, host);
    }
    put_moved(re, attributes, HIERA_ATTRIBUTE_SINCE);
    put_moved(re, attributes, HIERA_ATTRIBUTE_INIT);
    put(re, attributes, HIERA_ATTRIBUTE_FINALIZE, re->times->finalize_ns[index]);
    for (guint i = 0; i < G_N_ELEMENTS(of_process); i++)
        drop(re, attributes, of_process[i]);
    g_array_append_val(attributes, note);
}

static void change_call(Retiming *re, const GArray *attributes)
{
    guint32 row = re->row;
    gint64 start_ns;
    if (row >= re->of->first + re->of->n_operations)
        return;
    re->row++;
    if (read_time(re, attributes, HIERA_ATTRIBUTE_START_TIME, &start_ns))
        re->correction_ns = re->trace->start_ns[row] - start_ns;
    put(re, attributes, HIERA_ATTRIBUTE_START_TIME, re->times->start_ns[row]);
    put(re, attributes, HIERA_ATTRIBUTE_FINISH_TIME, re->times->finish_ns[row]);
}

static void change(gpointer user, HieraElement element, GArray *attributes)
{
    Retiming *re = user;
    if (element == HIERA_ELEMENT_PROCESSOR) {
        change_processor(re, attributes);
    } else if (hiera_element_is_call(element)) {
        change_call(re, attributes);
    } else if (element == HIERA_ELEMENT_FLUSH || element == HIERA_ELEMENT_PAUSE) {
        put_moved(re, attributes, HIERA_ATTRIBUTE_START_TIME);
        put_moved(re, attributes, HIERA_ATTRIBUTE_FINISH_TIME);
    } else if (element == HIERA_ELEMENT_END || element == HIERA_ELEMENT_BEFORE || element == HIERA_ELEMENT_SEAM) {
        put_moved(re, attributes, HIERA_ATTRIBUTE_TIME);
    }
}

static void begin_processor(Retiming *re, guint32 index)
{
    re->of = &re->trace->processors[index];
    re->row = re->behind_main = (guint32)re->of->first;
    while (re->behind_main < re->of->first + re->of->n_operations && re->trace->thread[re->behind_main] == 0)
        re->behind_main++;
    re->correction_ns = 0;
}

static void begin(gpointer user, guint index, const char *const *names)
{
    Retiming *re = user;
    re->names = names;
    begin_processor(re, index);
}

/* Set the missing times of an operation, inside of the operation around it. */
static void move_row(const Retiming *re, guint32 row, gint64 *start_ns, gint64 *finish_ns)
{
    guint32 around = re->trace->parent[row];
    gint64 low_ns = around == HIERA_NONE ? G_MININT64 : start_ns[around];
    gint64 high_ns = around == HIERA_NONE ? G_MAXINT64 : finish_ns[around];
    if (start_ns[row] < 0)
        start_ns[row] = CLAMP(move(re, re->trace->start_ns[row]), low_ns, high_ns);
    if (finish_ns[row] < 0)
        finish_ns[row] = CLAMP(move(re, re->trace->finish_ns[row]), start_ns[row], MAX(high_ns, start_ns[row]));
}

void hiera_threads_retime(const HieraTrace *trace, const HieraNewTimes *times, gint64 *start_ns, gint64 *finish_ns)
{
    Retiming re = {.trace = trace, .times = times};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        begin_processor(&re, i);
        for (guint32 row = re.behind_main; row < re.of->first + re.of->n_operations; row++)
            move_row(&re, row, start_ns, finish_ns);
    }
}

void hiera_own_times_retime(const HieraTrace *trace, const HieraNewTimes *times, GArray *own_times)
{
    Retiming re = {.trace = trace, .times = times};
    for (guint i = 0; i < own_times->len; i++) {
        HieraOwnTime *own = &g_array_index(own_times, HieraOwnTime, i);
        if (re.of != &trace->processors[own->processor])
            begin_processor(&re, own->processor);
        own->start_ns = move(&re, own->start_ns);
        own->finish_ns = move(&re, own->finish_ns);
    }
}

gboolean hiera_traces_retime(const HieraTrace *trace, const HieraNewTimes *times, const char *folder, GError **error)
{
    Retiming re = {.trace = trace, .times = times};
    const HieraConvertChanges changes = {begin, change, &re};
    HieraEncoding encoding = trace->processors->compact ? HIERA_ENCODING_COMPACT : HIERA_ENCODING_FULL;
    return hiera_convert_all(trace->processors, trace->n_processors, encoding, &changes, folder, error);
}
