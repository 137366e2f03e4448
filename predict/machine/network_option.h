/* The words of --network: `latency=2us,bandwidth=12GB/s`, or `FILE,latency=2us` with one word on each line of FILE.
 * `ideal` may take the place of a file. */
#pragma once

#include "expressions/expression.h"
#include "simulator/machine.h"

/* The network that is used if no option changes it. */
#define NETWORK_DEFAULT                                                                                                \
    ((HieraNetwork){.latency_ps = 1000000,                                                                             \
                    .send_overhead_ps = 200000,                                                                        \
                    .receive_overhead_ps = 200000,                                                                     \
                    .gap_ps = 0,                                                                                       \
                    .ps_per_byte = 100,                                                                                \
                    .eager_bytes = 65536})

/* Set the parameters of a network that a text names.
 * @param option   name for errors, like "--network"
 * @param network  other parameters are unchanged
 * @param error    says which word is wrong, and what is possible instead */
gboolean network_option_parse(const char *option, const char *text, HieraNetwork *network, GError **error);

/* Whether the text begins with `ideal`. @param changed  receives whether further parameters follow */
gboolean network_option_is_ideal(const char *text, gboolean *changed);

/* Read a time (into ns) or a size (into bytes), with unit. @return FALSE: it is no such value, or negative */
gboolean network_option_read_value(const char *text, HieraValueType type, gdouble *value);
/* Read a bandwidth: 12GB/s, 100Mbit/s. @param value  receives picoseconds per byte; 0: "unlimited" */
gboolean network_option_read_bandwidth(const char *text, gdouble *value);
/* Append all parameters to a text, NAME=VALUE, one per line. */
void network_option_format(const HieraNetwork *network, GString *text);

/* Number of the parts of a message's time that can be scaled: latency, overheads, time per byte, … */
guint network_part_count(void);
const char *network_part_name(guint part);
/* Multiply one part of the time of messages by a factor. @return whether this part is greater than 0 */
gboolean network_part_scale(guint part, gdouble factor, HieraNetwork *network);

/* The parameter that --sweep varies, and its range. */
typedef struct {
    const char *name;     /* name of the parameter; NULL: nothing is varied */
    gboolean is_time;     /* whether `from` and `to` are picoseconds; FALSE: bytes per second */
    gdouble from, to;     /* range of the parameter: from < to */
    size_t first, second; /* offsets in HieraNetwork of the values to set; equal if the parameter sets one value */
} NetworkSweep;

/* Read the value of --sweep: `latency=1us..100us`. */
gboolean network_option_parse_sweep(const char *text, NetworkSweep *sweep, GError **error);

/* Set the varied parameter. @param value  in the unit of the sweep, not negative; a bandwidth must be greater than 0 */
void network_sweep_set(const NetworkSweep *sweep, gdouble value, HieraNetwork *network);
