/* HIERA_FILTER: which operations are recorded, and which are filtered (only counted).
 *
 * The setting is a list of rules, separated by commas; the last rule that matches an operation decides. A rule is
 * `[+]condition/condition...`. It matches an operation if all conditions are met. With `+` the rule keeps the
 * operation, without it the rule leaves it out. docs/settings.md lists the conditions.
 *
 * The rules are applied when a record is written, not when it is made: then all facts of the call are known, and a
 * program without rules has no cost. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The operation that a rule is applied to. */
typedef struct HieraSubject HieraSubject;
struct HieraSubject {
    /* Whether the operation has this name. `group`: the name of its group is also accepted. */
    bool (*is_named)(const HieraSubject *subject, const char *word, size_t length, bool group);
    const void *named; /* argument for is_named() */
    const char *level;
    const uint8_t *met;    /* results of hiera_rules_name(), by rule; NULL: not known yet */
    const char *file;      /* source file of a function; else NULL */
    const char *comm;      /* id of its communicator; NULL: it has none */
    const char *comm_name; /* name from MPI_Comm_set_name; NULL: it has none */
    int rank;              /* rank in MPI_COMM_WORLD */
    bool open;     /* true if the operation has not ended: `bytes` is unknown, and `time_ns` is its time so far */
    int64_t bytes; /* bytes moved; -1: it moves no data */
    int64_t time_ns;
};

/* Read HIERA_FILTER. `is_known` returns whether a word names an operation or a group. An invalid rule is ignored;
 * hiera_settings_complain() prints the error. */
void hiera_rules_load(bool (*is_known)(const char *word, size_t length));

size_t hiera_rules_count(void);

/* Test the conditions of a rule on names and levels. The result is the same for all calls of a function. */
bool hiera_rules_name(size_t rule, const HieraSubject *subject);

typedef enum HieraFilterVerdict {
    HIERA_FILTER_KEEP,
    HIERA_FILTER_HIDE,
    HIERA_FILTER_ASK /* the verdict depends on the call: see hiera_rules_hide() */
} HieraFilterVerdict;

/* Return the verdict for all calls of a function. `met`: the results of hiera_rules_name(), by rule. */
HieraFilterVerdict hiera_rules_foresee(const uint8_t *met);

/* Whether the operation must be filtered. False if that depends on facts that are not known yet. */
bool hiera_rules_hide(const HieraSubject *subject);

/* Whether `text` matches the pattern. `*` in it matches any bytes. */
bool hiera_rules_match(const char *pattern, size_t length, const char *text);

/* Whether any rule may leave out a region. */
bool hiera_rules_concern_regions(void);
