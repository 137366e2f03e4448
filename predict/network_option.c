/* See network_option.h. */
#include "network_option.h"
#include "expressions/units.h"
#include "hiera_trace.h"
#include <math.h>
#include <string.h>

#define WRONG(error, ...) (g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, __VA_ARGS__), FALSE)

typedef enum { TIME, BYTES, BANDWIDTH } Unit;

typedef struct {
    const char *name;
    Unit unit;
    size_t first, second; /* places in HieraNetwork; of an overhead both */
} Parameter;

static const Parameter parameters[] = {
    {"latency", TIME, offsetof(HieraNetwork, latency_ps), offsetof(HieraNetwork, latency_ps)},
    {"bandwidth", BANDWIDTH, offsetof(HieraNetwork, ps_per_byte), offsetof(HieraNetwork, ps_per_byte)},
    {"overhead", TIME, offsetof(HieraNetwork, send_overhead_ps), offsetof(HieraNetwork, receive_overhead_ps)},
    {"send-overhead", TIME, offsetof(HieraNetwork, send_overhead_ps), offsetof(HieraNetwork, send_overhead_ps)},
    {"receive-overhead", TIME, offsetof(HieraNetwork, receive_overhead_ps),
     offsetof(HieraNetwork, receive_overhead_ps)},
    {"gap", TIME, offsetof(HieraNetwork, gap_ps), offsetof(HieraNetwork, gap_ps)},
    {"eager", BYTES, offsetof(HieraNetwork, eager_bytes), offsetof(HieraNetwork, eager_bytes)},
};

static const Parameter *find_parameter(const char *name, size_t length)
{
    for (guint i = 0; i < G_N_ELEMENTS(parameters); i++) {
        if (strlen(parameters[i].name) == length && strncmp(parameters[i].name, name, length) == 0)
            return &parameters[i];
    }
    return NULL;
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

/* Read bits per second: 100Mbit/s, as networks are sold. */
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

/* Read bytes per second: 12GB/s. @param value  becomes picoseconds for each byte; 0 for "unlimited" */
static gboolean read_bandwidth(const char *text, gdouble *value)
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

/* More would not be a message, or time, that a simulation could have. */
#define LARGEST 1e15

static gboolean set_parameter(const Parameter *parameter, const char *text, HieraNetwork *network)
{
    char *at = (char *)network;
    gdouble value;
    if (parameter->unit == BANDWIDTH)
        return read_bandwidth(text, (gdouble *)(void *)(at + parameter->first));
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

static gboolean parse_word(const char *option, const char *word, HieraNetwork *network, GError **error)
{
    static const char *const examples[] = {"a time, for example 2us",
                                           "a number of bytes, for example 64KiB, or unlimited",
                                           "bytes per second, for example 12GB/s, or unlimited"};
    const char *equals = strchr(word, '=');
    const Parameter *parameter = equals ? find_parameter(word, (size_t)(equals - word)) : NULL;
    if (!parameter)
        return WRONG(error,
                     "%s does not know '%s'; write latency=, bandwidth=, overhead=, send-overhead=, receive-overhead=, "
                     "gap= or eager=, separated by commas",
                     option, word);
    if (!set_parameter(parameter, equals + 1, network))
        return WRONG(error, "%s: %s '%s' is not %s", option, parameter->name, equals + 1, examples[parameter->unit]);
    return TRUE;
}

gboolean network_option_parse(const char *option, const char *text, HieraNetwork *network, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    for (char **word = words; *word; word++) {
        if (!parse_word(option, *word, network, error))
            return FALSE;
    }
    return TRUE;
}

/* --- a range --- */

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
    if (!parameter || parameter->unit == BYTES || !dots)
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
}
