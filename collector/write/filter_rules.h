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

/* The operation that a rule is applied to, with all facts that conditions test. */
typedef struct HieraSubject HieraSubject;
struct HieraSubject {
    /* Whether the operation has the name `word`. `group`: `word` may also be the name of the operation's group. */
    bool (*is_named)(const HieraSubject *subject, const char *word, size_t length, bool group);
    const void *named; /* the operation's name or record, as is_named() needs it */
    const char *level;
    const uint8_t *met;    /* by rule: result of hiera_rules_name() for the operation; NULL: not known yet */
    const char *file;      /* source file of the operation if it is a function; else NULL */
    const char *comm;      /* id of the operation's communicator; NULL: it has none */
    const char *comm_name; /* name of the communicator from MPI_Comm_set_name; NULL: none */
    int rank;              /* rank of this process in MPI_COMM_WORLD */
    bool open;     /* true if the operation has not ended: `bytes` is not known, and `time_ns` is the time until now */
    int64_t bytes; /* number of bytes that the operation moves; -1: it moves no data */
    int64_t time_ns;
};

/* Read HIERA_FILTER. `is_known` returns whether a word names an operation or a group. An invalid rule is ignored;
 * hiera_settings_complain() prints the error. */
void hiera_rules_load(bool (*is_known)(const char *word, size_t length));

size_t hiera_rules_count(void);

/* Whether the operation meets the rule's conditions on names and levels; the same for all calls of a function. */
bool hiera_rules_name(size_t rule, const HieraSubject *subject);

typedef enum HieraFilterVerdict {
    HIERA_FILTER_KEEP,
    HIERA_FILTER_HIDE,
    HIERA_FILTER_ASK /* the verdict differs between calls of the function: ask hiera_rules_hide() */
} HieraFilterVerdict;

/* Return the verdict for all calls of a function. `met`: by rule, result of hiera_rules_name() for the function. */
HieraFilterVerdict hiera_rules_foresee(const uint8_t *met);

/* Whether the operation must be filtered; false if that depends on facts that are not known yet. */
bool hiera_rules_hide(const HieraSubject *subject);

/* Whether `text` matches the pattern of `length` bytes, in which `*` stands for any bytes. */
bool hiera_rules_match(const char *pattern, size_t length, const char *text);

/* Whether any rule may filter regions; otherwise no region has to be tested. */
bool hiera_rules_concern_regions(void);
