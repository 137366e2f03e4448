/* The words of --network: `latency=2us,bandwidth=12GB/s`, or `FILE,latency=2us` with one word on each line of FILE.
 * `ideal` may take the place of a file. */
#pragma once

#include "expressions/expression.h"
#include "simulator/machine.h"

/* The default network. */
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

/* Whether a text begins with the ideal network. @param changed  receives whether further words change it */
gboolean network_option_is_ideal(const char *text, gboolean *changed);

/* Read a number with its unit: nanoseconds, or bytes. @return FALSE if it is not of this type, or negative */
gboolean network_option_read_value(const char *text, HieraValueType type, gdouble *value);
/* Read bytes per second: 12GB/s. @param value  receives picoseconds per byte; 0 for "unlimited" */
gboolean network_option_read_bandwidth(const char *text, gdouble *value);
/* Append all parameters as words, one per line. */
void network_option_format(const HieraNetwork *network, GString *text);

/* Parts of the time of messages that can be scaled: latency, overheads, … */
guint network_part_count(void);
const char *network_part_name(guint part);
/* Multiply a part. @return whether it is greater than 0 */
gboolean network_part_scale(guint part, gdouble factor, HieraNetwork *network);

/* A parameter that is varied from one value to another. */
typedef struct {
    const char *name;     /* name of the parameter; NULL: none */
    gboolean is_time;     /* in picoseconds; otherwise in bytes per second */
    gdouble from, to;     /* from < to */
    size_t first, second; /* offsets in HieraNetwork */
} NetworkSweep;

/* Read --sweep: `latency=1us..100us`. */
gboolean network_option_parse_sweep(const char *text, NetworkSweep *sweep, GError **error);

/* Set the parameter. @param value  in the unit of the sweep, not negative; a bandwidth must be greater than 0 */
void network_sweep_set(const NetworkSweep *sweep, gdouble value, HieraNetwork *network);
