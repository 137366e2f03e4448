/* The words of descriptions, the names of variables, and which MPI functions a name in a description means. */
#ifndef HIERA_PROBES_WORDS_H
#define HIERA_PROBES_WORDS_H

#include "probes.h"

typedef struct HieraProbeVariableRow {
    const char *name; /* without its sign */
    HieraValueType type;
    unsigned kinds; /* bits 1 << HieraProbeKind */
} HieraProbeVariableRow;

extern const HieraProbeVariableRow hiera_probe_variables[HIERA_N_PROBE_VARIABLES];

/* The variable of this name that probes of a kind have; HIERA_N_PROBE_VARIABLES if there is none. */
HieraProbeVariableId hiera_probe_variable_find(const char *name, size_t length, HieraProbeKind kind);

/* Whether calls of MPI have an argument of this name, which traces have and events do not. */
bool hiera_probe_is_argument(const char *name, size_t length);

typedef struct HieraProbeKindRow {
    const char *word;
    bool may_have_name, has_name, may_have_period, has_period;
} HieraProbeKindRow;

extern const HieraProbeKindRow hiera_probe_kinds[HIERA_N_PROBE_KINDS];

/* HIERA_N_PROBE_KINDS if no kind has this word. */
HieraProbeKind hiera_probe_kind_find(const char *word, size_t length);

/* HIERA_N_PROBE_EVENTS if the kind has no event of this word. */
HieraProbeEventKind hiera_probe_event_find(HieraProbeKind kind, const char *word, size_t length);
HieraProbeKind hiera_probe_event_probe(HieraProbeEventKind event);
const char *hiera_probe_event_word(HieraProbeEventKind event);

bool hiera_probe_has_wildcard(const char *pattern);
/* Does a pattern fit a name? `*` is any text, `?` any character. */
bool hiera_probe_pattern_fits(const char *pattern, const char *name);
/* Does the name in a description fit that of an event? As hiera_probe_clause_fits(). */
bool hiera_probe_name_fits(HieraProbeKind kind, const char *pattern, const char *name);
/* Does what stands in a description of calls (`send`, `MPI_Send`, `i*`, a group such as `p2p`) mean this operation? */
bool hiera_probe_call_fits(const char *pattern, const char *operation);
/* Is it the name of one MPI function, without wildcards? */
bool hiera_probe_call_is(const char *word, size_t length);
/* Is there an MPI function that it means? If not, `nearest` becomes the most similar word, or NULL. */
bool hiera_probe_call_is_known(const char *pattern, const char **nearest);

#endif
