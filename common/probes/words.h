/* The words of descriptions, the variables, and the MPI functions that a name in a description matches. */
#pragma once

#include "probes.h"

typedef struct HieraProbeVariableRow {
    const char *name; /* name without its sign */
    HieraValueType type;
    unsigned kinds; /* kinds of probes that have the variable: bit set, 1 << HieraProbeKind */
} HieraProbeVariableRow;

extern const HieraProbeVariableRow hiera_probe_variables[HIERA_N_PROBE_VARIABLES];

/* The variable with this name for probes of a kind; HIERA_N_PROBE_VARIABLES if there is none. */
HieraProbeVariableId hiera_probe_variable_find(const char *name, size_t length, HieraProbeKind kind);

/* Whether traces have this argument of MPI calls (events of probes do not: messages say so). */
bool hiera_probe_is_argument(const char *name, size_t length);

typedef struct HieraProbeKindRow {
    const char *word;
    bool may_have_name, has_name, may_have_period, has_period;
} HieraProbeKindRow;

extern const HieraProbeKindRow hiera_probe_kinds[HIERA_N_PROBE_KINDS];

/* The kind with this word; HIERA_N_PROBE_KINDS if there is none. */
HieraProbeKind hiera_probe_kind_find(const char *word, size_t length);

/* The event with this word; HIERA_N_PROBE_EVENTS if the kind has none. The other functions return an event's kind and
 * word. */
HieraProbeEventKind hiera_probe_event_find(HieraProbeKind kind, const char *word, size_t length);
HieraProbeKind hiera_probe_event_probe(HieraProbeEventKind event);
const char *hiera_probe_event_word(HieraProbeEventKind event);

bool hiera_probe_has_wildcard(const char *pattern);
/* Whether a pattern matches a name. `*` stands for any text, `?` for any character. */
bool hiera_probe_pattern_fits(const char *pattern, const char *name);
/* Whether the name in a description matches the name of an event, as for hiera_probe_clause_fits(). */
bool hiera_probe_name_fits(HieraProbeKind kind, const char *pattern, const char *name);
/* Whether the name in a description of calls (`send`, `MPI_Send`, `i*`, a group such as `p2p`) matches this operation.
 */
bool hiera_probe_call_fits(const char *pattern, const char *operation);
/* Whether the word is the name of one MPI function, without wildcards. */
bool hiera_probe_call_is(const char *word, size_t length);
/* Whether the pattern matches any MPI function. If not, `nearest` becomes the most similar word, or NULL. */
bool hiera_probe_call_is_known(const char *pattern, const char **nearest);
