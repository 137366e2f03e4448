/* The words of --network: `latency=2us,bandwidth=12GB/s`, or `FILE,latency=2us` with a word in each line of FILE. In
 * the place of a file may stand `ideal`. */
#ifndef HIERA_PREDICT_NETWORK_OPTION_H
#define HIERA_PREDICT_NETWORK_OPTION_H

#include "expressions/expression.h"
#include "simulator/machine.h"

/* What holds for what is not given. */
#define NETWORK_DEFAULT                                                                                                \
    ((HieraNetwork){.latency_ps = 1000000,                                                                             \
                    .send_overhead_ps = 200000,                                                                        \
                    .receive_overhead_ps = 200000,                                                                     \
                    .gap_ps = 0,                                                                                       \
                    .ps_per_byte = 100,                                                                                \
                    .eager_bytes = 65536})

/* Set the parameters of a network that a text names.
 * @param option   for errors, like "--network"
 * @param network  the others stay
 * @param error    says which word is wrong, and what may stand there */
gboolean network_option_parse(const char *option, const char *text, HieraNetwork *network, GError **error);

/* Whether a text begins with the ideal network. @param changed  becomes whether words behind it change that */
gboolean network_option_is_ideal(const char *text, gboolean *changed);

/* Read a number with its unit: nanoseconds, or bytes. @return FALSE if it is none of this type, or negative */
gboolean network_option_read_value(const char *text, HieraValueType type, gdouble *value);
/* Read bytes per second: 12GB/s. @param value  becomes picoseconds for each byte; 0 for "unlimited" */
gboolean network_option_read_bandwidth(const char *text, gdouble *value);
/* Append all words, a line each. */
void network_option_format(const HieraNetwork *network, GString *text);

/* Parts of what messages take, each of which a network may have less of: latency, overheads, … */
guint network_part_count(void);
const char *network_part_name(guint part);
/* Multiply a part. @return whether there is any of it */
gboolean network_part_scale(guint part, gdouble factor, HieraNetwork *network);

/* A parameter that goes from one value to another. */
typedef struct {
    const char *name;     /* NULL: there is none */
    gboolean is_time;     /* in picoseconds; else in bytes a second */
    gdouble from, to;     /* from < to */
    size_t first, second; /* places in HieraNetwork */
} NetworkSweep;

/* Read --sweep: `latency=1us..100us`. */
gboolean network_option_parse_sweep(const char *text, NetworkSweep *sweep, GError **error);

/* Set the parameter. @param value  in the unit of the sweep, not negative; of bandwidth more than 0 */
void network_sweep_set(const NetworkSweep *sweep, gdouble value, HieraNetwork *network);

#endif
