#include "network_option.h"
#include "expressions/units.h"
#include "hiera_trace.h"
#include <math.h>
#include <string.h>

#define WRONG(error, ...) (g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, __VA_ARGS__), FALSE)

typedef enum { TIME, BYTES, BANDWIDTH, PROGRESS, DIRECTIONS } Unit;

typedef struct {
    const char *name;
    Unit unit;
    size_t first, second; /* offsets in HieraNetwork of the values to set; equal if the parameter sets one value */
    gboolean sweeps;      /* whether --sweep can vary the parameter */
} Parameter;

/* Greatest value of a parameter: larger sizes or times would overflow in a simulation. */
#define LARGEST 1e15
/* Word for the network on which messages take no time. */
#define IDEAL         "ideal"
#define PLACE(member) offsetof(HieraNetwork, member)

static const Parameter parameters[] = {
    {"latency", TIME, PLACE(latency_ps), PLACE(latency_ps), TRUE},
    {"bandwidth", BANDWIDTH, PLACE(ps_per_byte), PLACE(ps_per_byte), TRUE},
    {"overhead", TIME, PLACE(send_overhead_ps), PLACE(receive_overhead_ps), TRUE},
    {"send-overhead", TIME, PLACE(send_overhead_ps), PLACE(send_overhead_ps), TRUE},
    {"receive-overhead", TIME, PLACE(receive_overhead_ps), PLACE(receive_overhead_ps), TRUE},
    {"request-overhead", TIME, PLACE(request_overhead_ps), PLACE(request_overhead_ps), FALSE},
    {"gap", TIME, PLACE(gap_ps), PLACE(gap_ps), TRUE},
    {"eager", BYTES, PLACE(eager_bytes), PLACE(eager_bytes), FALSE},
    {"acknowledgement", TIME, PLACE(acknowledgement_ps), PLACE(acknowledgement_ps), FALSE},
    {"copy", BANDWIDTH, PLACE(send_copy_ps_per_byte), PLACE(receive_copy_ps_per_byte), FALSE},
    {"send-copy", BANDWIDTH, PLACE(send_copy_ps_per_byte), PLACE(send_copy_ps_per_byte), FALSE},
    {"receive-copy", BANDWIDTH, PLACE(receive_copy_ps_per_byte), PLACE(receive_copy_ps_per_byte), FALSE},
    {"step-overhead", TIME, PLACE(step_overhead_ps), PLACE(step_overhead_ps), FALSE},
    {"reduce", BANDWIDTH, PLACE(reduce_ps_per_byte), PLACE(reduce_ps_per_byte), FALSE},
    {"own-copy", BANDWIDTH, PLACE(own_copy_ps_per_byte), PLACE(own_copy_ps_per_byte), FALSE},
    {"progress", PROGRESS, PLACE(progress_in_calls), PLACE(progress_in_calls), FALSE},
    {"duplex", DIRECTIONS, PLACE(duplex), PLACE(duplex), FALSE},
};
/* Parameters that depend on message size: NAME@SIZE=VALUE; offsets in HieraNetworkStep. */
static const Parameter step_parameters[] = {
    {"bandwidth", BANDWIDTH, offsetof(HieraNetworkStep, ps_per_byte), offsetof(HieraNetworkStep, ps_per_byte), FALSE},
    {"extra", TIME, offsetof(HieraNetworkStep, extra_ps), offsetof(HieraNetworkStep, extra_ps), FALSE},
    {"duplex", DIRECTIONS, offsetof(HieraNetworkStep, duplex), offsetof(HieraNetworkStep, duplex), FALSE},
};

static const Parameter *find_among(const Parameter *among, guint n, const char *name, size_t length)
{
    for (guint i = 0; i < n; i++) {
        if (strlen(among[i].name) == length && strncmp(among[i].name, name, length) == 0)
            return &among[i];
    }
    return NULL;
}

static const Parameter *find_parameter(const char *name, size_t length)
{
    return find_among(parameters, G_N_ELEMENTS(parameters), name, length);
}

gboolean network_option_read_value(const char *text, HieraValueType type, gdouble *value)
{
    size_t length = strlen(text), n_number = hiera_number_length(text, length);
    const HieraUnit *unit = hiera_unit_find(text + n_number, length - n_number);
    gboolean bare = n_number == length;
    if (n_number == 0 || (bare ? strcmp(text, "0") != 0 && type == HIERA_VALUE_DURATION : !unit || unit->type != type))
        return FALSE;
    *value = g_ascii_strtod(text, NULL) * (bare ? 1 : unit->factor);
    return isfinite(*value) && *value >= 0;
}

/* Read a bandwidth in bits per second (100Mbit/s). @param value  receives picoseconds per byte */
static gboolean read_bits(const char *text, gsize length, gdouble *value)
{
    static const char *const units[] = {"kbit/s", "Mbit/s", "Gbit/s"};
    gdouble factor = 1e3;
    for (guint i = 0; i < G_N_ELEMENTS(units); i++, factor *= 1e3) {
        char *end;
        gdouble bits = g_ascii_strtod(text, &end);
        if (end == text + length - strlen(units[i]) && strcmp(end, units[i]) == 0 && bits > 0 && isfinite(bits)) {
            *value = 8e12 / (bits * factor);
            return TRUE;
        }
    }
    return FALSE;
}

gboolean network_option_read_bandwidth(const char *text, gdouble *value)
{
    gsize length = strlen(text);
    if (strcmp(text, "unlimited") == 0) {
        *value = 0;
        return TRUE;
    }
    if (read_bits(text, length, value))
        return TRUE;
    if (length < 3 || strcmp(text + length - 2, "/s") != 0)
        return FALSE;
    g_autofree char *bytes = g_strndup(text, length - 2);
    gdouble per_second;
    if (!network_option_read_value(bytes, HIERA_VALUE_INTEGER, &per_second) || per_second <= 0)
        return FALSE;
    *value = 1e12 / per_second;
    return TRUE;
}

/* Read `duplex`: from 1 (both directions of a link share one bandwidth) to 2 (each direction has its own). */
static gboolean read_directions(const char *text, gdouble *value)
{
    char *end;
    *value = g_ascii_strtod(text, &end);
    return end > text && *end == '\0' && *value >= 1 && *value <= 2;
}

/* @param place  structure that has the parameter: a HieraNetwork, or one of its HieraNetworkStep */
static gboolean set_parameter(const Parameter *parameter, const char *text, gpointer place)
{
    char *at = place;
    gdouble value;
    if (parameter->unit == BANDWIDTH && !network_option_read_bandwidth(text, &value))
        return FALSE;
    if (parameter->unit == BANDWIDTH) {
        *(gdouble *)(void *)(at + parameter->first) = *(gdouble *)(void *)(at + parameter->second) = value;
        return TRUE;
    }
    if (parameter->unit == DIRECTIONS)
        return read_directions(text, (gdouble *)(void *)(at + parameter->first));
    if (parameter->unit == PROGRESS) {
        *(gboolean *)(void *)(at + parameter->first) = strcmp(text, "calls") == 0;
        return strcmp(text, "calls") == 0 || strcmp(text, "background") == 0;
    }
    if (parameter->unit == BYTES && strcmp(text, "unlimited") == 0)
        value = LARGEST;
    else if (!network_option_read_value(text, parameter->unit == TIME ? HIERA_VALUE_DURATION : HIERA_VALUE_INTEGER,
                                        &value))
        return FALSE;
    gdouble whole = parameter->unit == TIME ? value * HIERA_PS_PER_NS : value;
    if (whole > LARGEST)
        return FALSE;
    *(gint64 *)(void *)(at + parameter->first) = *(gint64 *)(void *)(at + parameter->second) = (gint64)llround(whole);
    return TRUE;
}

/* Set the bandwidth for each range of message sizes to that of the network. */
static void set_all_bandwidths(HieraNetwork *network)
{
    for (guint32 i = 0; i < network->n_steps; i++)
        network->steps[i].ps_per_byte = network->ps_per_byte;
}

static void set_all_duplex(HieraNetwork *network)
{
    for (guint32 i = 0; i < network->n_steps; i++)
        network->steps[i].duplex = network->duplex;
}

/* Find or make the step for messages of more than some bytes; a new one is a copy of the step below it. @return NULL if
 * there are too many */
static HieraNetworkStep *find_step(HieraNetwork *network, gint64 above_bytes)
{
    guint32 at = 0;
    while (at < network->n_steps && network->steps[at].above_bytes < above_bytes)
        at++;
    if (at < network->n_steps && network->steps[at].above_bytes == above_bytes)
        return &network->steps[at];
    if (network->n_steps == HIERA_NETWORK_STEPS)
        return NULL;
    memmove(&network->steps[at + 1], &network->steps[at], (network->n_steps++ - at) * sizeof *network->steps);
    network->steps[at] = at > 0 ? network->steps[at - 1]
                                : (HieraNetworkStep){.ps_per_byte = network->ps_per_byte, .duplex = network->duplex};
    network->steps[at].above_bytes = above_bytes;
    return &network->steps[at];
}

/* Find the structure that a word like `latency` or `extra@64KiB` sets a value of. @return NULL: none has this name */
static gpointer find_place(const char *name, size_t length, HieraNetwork *network, const Parameter **parameter)
{
    const char *at = memchr(name, '@', length);
    gdouble above_bytes;
    if (!at) {
        *parameter = find_parameter(name, length);
        return *parameter ? network : NULL;
    }
    g_autofree char *size = g_strndup(at + 1, length - (size_t)(at + 1 - name));
    *parameter = find_among(step_parameters, G_N_ELEMENTS(step_parameters), name, (size_t)(at - name));
    if (!*parameter || !network_option_read_value(size, HIERA_VALUE_INTEGER, &above_bytes) || above_bytes > LARGEST)
        return NULL;
    return find_step(network, (gint64)above_bytes);
}

static gboolean parse_word(const char *option, const char *word, HieraNetwork *network, GError **error)
{
    static const char *const examples[] = {
        "a time, for example 2us", "a number of bytes, for example 64KiB, or unlimited",
        "bytes per second, for example 12GB/s, or unlimited", "background or calls", "a number from 1 to 2"};
    const char *equals = strchr(word, '=');
    const Parameter *parameter = NULL;
    gpointer place = equals ? find_place(word, (size_t)(equals - word), network, &parameter) : NULL;
    if (!place)
        return WRONG(
            error,
            "%s does not know '%s'; write latency=, bandwidth=, overhead=, send-overhead=, receive-overhead=, "
            "request-overhead=, gap=, eager=, acknowledgement=, copy=, send-copy=, receive-copy=, step-overhead=, "
            "reduce=, own-copy=, progress=, duplex=, or up to 16 sizes of "
            "bandwidth@SIZE=, extra@SIZE= and duplex@SIZE=, separated by commas, or first a file of 'hiera-predict "
            "calibrate', or "
            "ideal",
            option, word);
    if (!set_parameter(parameter, equals + 1, place))
        return WRONG(error, "%s: %s '%s' is not %s", option, parameter->name, equals + 1, examples[parameter->unit]);
    if (parameter->unit == BANDWIDTH && place == (gpointer)network && parameter->first == PLACE(ps_per_byte))
        set_all_bandwidths(network);
    if (parameter->unit == DIRECTIONS && place == (gpointer)network)
        set_all_duplex(network);
    return TRUE;
}

/* --- reading the option --- */

/* Read a file of parameters, NAME=VALUE, one per line; # begins a comment. */
static gboolean parse_file(const char *option, const char *path, HieraNetwork *network, GError **error)
{
    g_autoptr(GError) unread = NULL;
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, &unread))
        return WRONG(error, "%s: a word without = is a file, and this one cannot be read: %s", option, unread->message);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        char *comment = strchr(lines[i], '#');
        if (comment)
            *comment = '\0';
        g_autofree char *at = g_strdup_printf("%s %s:%u", option, path, i + 1);
        if (*g_strstrip(lines[i]) && !parse_word(at, lines[i], network, error))
            return FALSE;
    }
    return TRUE;
}

gboolean network_option_is_ideal(const char *text, gboolean *changed)
{
    size_t length = strcspn(text, ",");
    *changed = text[length] != '\0';
    return length == strlen(IDEAL) && strncmp(text, IDEAL, length) == 0;
}

/* Read the option's first word if it has no `=`: path of a file of parameters, or `ideal`. */
static gboolean parse_base(const char *option, const char *word, HieraNetwork *network, GError **error)
{
    if (strcmp(word, IDEAL) != 0)
        return parse_file(option, word, network, error);
    *network = (HieraNetwork){.eager_bytes = (gint64)LARGEST};
    return TRUE;
}

gboolean network_option_parse(const char *option, const char *text, HieraNetwork *network, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    guint first = words[0] && *words[0] && !strchr(words[0], '=') ? 1 : 0;
    if (first > 0 && !parse_base(option, words[0], network, error))
        return FALSE;
    for (char **word = words + first; *word; word++) {
        if (!parse_word(option, *word, network, error))
            return FALSE;
    }
    return TRUE;
}

static void format_parameter(const Parameter *parameter, const char *place, const char *size, GString *text)
{
    const char *at = place + parameter->first;
    g_string_append_printf(text, "%s%s=", parameter->name, size);
    if (parameter->unit == TIME) {
        g_string_append_printf(text, "%.3fns\n", (gdouble) * (const gint64 *)(const void *)at / HIERA_PS_PER_NS);
    } else if (parameter->unit == BYTES) {
        gint64 bytes = *(const gint64 *)(const void *)at;
        if (bytes >= (gint64)LARGEST)
            g_string_append(text, "unlimited\n");
        else
            g_string_append_printf(text, "%" G_GINT64_FORMAT "B\n", bytes);
    } else if (parameter->unit == DIRECTIONS) {
        gdouble duplex = *(const gdouble *)(const void *)at;
        g_string_append_printf(text, "%.4g\n", duplex > 0 ? duplex : 2);
    } else if (parameter->unit == PROGRESS) {
        g_string_append(text, *(const gboolean *)(const void *)at ? "calls\n" : "background\n");
    } else {
        gdouble ps_per_byte = *(const gdouble *)(const void *)at;
        if (ps_per_byte > 0)
            g_string_append_printf(text, "%.6gGB/s\n", 1000 / ps_per_byte);
        else
            g_string_append(text, "unlimited\n");
    }
}

void network_option_format(const HieraNetwork *network, GString *text)
{
    for (guint i = 0; i < G_N_ELEMENTS(parameters); i++) {
        if (parameters[i].first == parameters[i].second)
            format_parameter(&parameters[i], (const char *)network, "", text);
    }
    for (guint32 step = 0; step < network->n_steps; step++) {
        g_autofree char *size = g_strdup_printf("@%" G_GINT64_FORMAT "B", network->steps[step].above_bytes);
        for (guint i = 0; i < G_N_ELEMENTS(step_parameters); i++)
            format_parameter(&step_parameters[i], (const char *)&network->steps[step], size, text);
    }
}

/* --- the range of --sweep --- */

static gboolean read_end(const Parameter *parameter, const char *text, gdouble *value)
{
    HieraNetwork network = {0};
    if (!set_parameter(parameter, text, &network))
        return FALSE;
    const char *at = (const char *)&network + parameter->first;
    gdouble ps_per_byte = *(const gdouble *)(const void *)at;
    if (parameter->unit == BANDWIDTH)
        *value = ps_per_byte > 0 ? 1e12 / ps_per_byte : 0;
    else
        *value = (gdouble) * (const gint64 *)(const void *)at;
    return *value < LARGEST && (parameter->unit == TIME || (parameter->unit == BANDWIDTH && *value > 0));
}

gboolean network_option_parse_sweep(const char *text, NetworkSweep *sweep, GError **error)
{
    const char *equals = strchr(text, '='), *dots = equals ? strstr(equals, "..") : NULL;
    const Parameter *parameter = equals ? find_parameter(text, (size_t)(equals - text)) : NULL;
    if (!parameter || !parameter->sweeps || !dots)
        return WRONG(error,
                     "--sweep '%s' is not like latency=1us..100us; it takes latency, bandwidth, overhead, "
                     "send-overhead, receive-overhead or gap",
                     text);
    g_autofree char *from = g_strndup(equals + 1, (gsize)(dots - equals - 1));
    *sweep = (NetworkSweep){.name = parameter->name,
                            .is_time = parameter->unit == TIME,
                            .first = parameter->first,
                            .second = parameter->second};
    if (!read_end(parameter, from, &sweep->from) || !read_end(parameter, dots + 2, &sweep->to))
        return WRONG(error, "--sweep '%s': write it with units, as %s", text,
                     sweep->is_time ? "latency=1us..100us" : "bandwidth=1GB/s..100GB/s");
    return sweep->from < sweep->to ||
           WRONG(error, "--sweep '%s': the first value must be less than the second one", text);
}

void network_sweep_set(const NetworkSweep *sweep, gdouble value, HieraNetwork *network)
{
    char *at = (char *)network;
    if (sweep->is_time)
        *(gint64 *)(void *)(at + sweep->first) = *(gint64 *)(void *)(at + sweep->second) = (gint64)llround(value);
    else
        *(gdouble *)(void *)(at + sweep->first) = 1e12 / value;
    if (!sweep->is_time)
        set_all_bandwidths(network);
}

/* --- scaling one part of the time of messages --- */

static const char *const part_names[] = {"latency",       "send-overhead",   "receive-overhead", "gap",
                                         "step-overhead", "acknowledgement", "request-overhead", "bytes",
                                         "send-copy",     "receive-copy",    "reduce",           "own-copy",
                                         "extra"};

guint network_part_count(void)
{
    return G_N_ELEMENTS(part_names);
}

const char *network_part_name(guint part)
{
    return part_names[part];
}

static gboolean scale_time(gint64 *time_ps, gdouble factor)
{
    gint64 before_ps = *time_ps;
    *time_ps = (gint64)llround((gdouble)before_ps * factor);
    return before_ps > 0;
}

static gboolean scale_number(gdouble *number, gdouble factor)
{
    *number *= factor;
    return *number > 0;
}

gboolean network_part_scale(guint part, gdouble factor, HieraNetwork *network)
{
    gint64 *const times[] = {
        &network->latency_ps,       &network->send_overhead_ps,   &network->receive_overhead_ps, &network->gap_ps,
        &network->step_overhead_ps, &network->acknowledgement_ps, &network->request_overhead_ps};
    gdouble *const numbers[] = {&network->ps_per_byte, &network->send_copy_ps_per_byte,
                                &network->receive_copy_ps_per_byte, &network->reduce_ps_per_byte,
                                &network->own_copy_ps_per_byte};
    guint number = part - G_N_ELEMENTS(times);
    if (part < G_N_ELEMENTS(times))
        return scale_time(times[part], factor);
    gboolean some = number < G_N_ELEMENTS(numbers) && scale_number(numbers[number], factor);
    for (guint32 i = 0; i < network->n_steps; i++) {
        if (number == 0)
            some |= scale_number(&network->steps[i].ps_per_byte, factor);
        else if (number == G_N_ELEMENTS(numbers))
            some |= scale_time(&network->steps[i].extra_ps, factor);
    }
    return some;
}
