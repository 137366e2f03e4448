/* HIERA_FILTER: which operations are recorded, and which are hidden: only counted.
 *
 * A comma-separated list of rules; the last one that an operation meets decides. A rule is `[+]condition/condition...`,
 * met where all its conditions are; with `+` it keeps, without it hides. docs/settings.md has the conditions.
 *
 * The rules are asked when a record is written, not when it is made: by then everything about the call is known, and a
 * program without rules pays nothing for them. */
#ifndef HIERA_FILTER_RULES_H
#define HIERA_FILTER_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a rule is asked about. */
typedef struct HieraSubject HieraSubject;
struct HieraSubject {
    /* Is it called that? `group`: a name of a group will do. */
    bool (*is_named)(const HieraSubject *subject, const char *word, size_t length, bool group);
    const void *named; /* for is_named() */
    const char *level;
    const uint8_t *met;    /* by rule: what hiera_rules_name() said of it; NULL: ask */
    const char *file;      /* of a function: where it stands; else NULL */
    const char *comm;      /* id of its communicator, NULL without one */
    const char *comm_name; /* that the program gave it, NULL without one */
    int rank;              /* in MPI_COMM_WORLD */
    bool open;             /* it has not ended: its bytes are not known, its time is so far */
    int64_t bytes;         /* -1: it moves none */
    int64_t time_ns;
};

/* Read HIERA_FILTER. Which words are names of operations or groups is asked of `is_known`. What is wrong with a rule is
 * left to hiera_settings_complain(), and the rule is ignored. */
void hiera_rules_load(bool (*is_known)(const char *word, size_t length));

size_t hiera_rules_count(void);

/* Are those conditions of a rule met that ask for names and levels? They have the same answer at every call. */
bool hiera_rules_name(size_t rule, const HieraSubject *subject);

typedef enum HieraVerdict {
    HIERA_VERDICT_KEEP,
    HIERA_VERDICT_HIDE,
    HIERA_VERDICT_ASK /* it is not the same for all calls: hiera_rules_hide() */
} HieraVerdict;

/* What the rules say of all calls that have these answers of hiera_rules_name(), by rule. */
HieraVerdict hiera_rules_foresee(const uint8_t *met);

/* Is it to be hidden? Where that depends on what is not known yet, it is not. */
bool hiera_rules_hide(const HieraSubject *subject);

/* Is `text` what the pattern says? `*` in it stands for any bytes. */
bool hiera_rules_match(const char *pattern, size_t length, const char *text);

/* Can a region meet any rule that hides? */
bool hiera_rules_concern_regions(void);

#endif
