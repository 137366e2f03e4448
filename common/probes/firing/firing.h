/* The state of a script at run time: for a rank, and for each of its threads; the context of the expressions of a
 * clause. */
#pragma once

#include "probes/keyed.h"
#include "probes/script.h"
#include "probes/spin_lock.h"

/* The value of a variable, or of one of its keys, with a copy of the text. */
typedef struct HieraSlot {
    HieraValue value; /* MISSING: never set */
    char *text;
    size_t room; /* capacity of `text`, a power of two */
} HieraSlot;

/* The data of a name of a script: a slot, a dictionary of slots, or cells of an aggregation. */
typedef struct HieraNameState {
    HieraSlot slot;
    HieraKeyed keyed; /* used if the name has keys, or is an aggregation */
} HieraNameState;

enum {
    HIERA_FIRING_TEXT = 8192,                  /* most bytes of the text in a slot, or of a line */
    HIERA_FIRING_ROOM = 2 * HIERA_FIRING_TEXT, /* bytes for all texts that one action makes */
};

/* Data that the threads of a rank share. */
typedef struct HieraProbeRank {
    const HieraProbeScript *script;
    HieraProbeHost host;
    size_t budget;
    bool *stopped;      /* by clause: true if the clause has been stopped */
    bool *asked_totals; /* by global_print() of the script: true if it was reached */
    HieraSpinLock lock; /* protects variables `:name`, the script's locks, and their memory */
    HieraProbeStore store;
    HieraNameState *kept; /* by name: data of the variables `:name` */
    HieraKeyed locks;     /* locks of local_lock(), by its arguments; the value is 1 while a lock is taken */
    HieraSpinLock lock_of_states;
    HieraProbeState *states; /* list of the states of all threads; the first thread comes last */
} HieraProbeRank;

/* A lock of the script that a running clause holds. */
typedef struct HieraHeld {
    bool of_job;
    unsigned n_keys;
    size_t n_words;
    uint64_t words[HIERA_KEYED_WORDS]; /* the lock's keys, by hiera_keys_encode() */
} HieraHeld;
enum { HIERA_MOST_HELD = 8 };

/* Data of one thread of a rank, used without a lock. Other threads only read its aggregations. */
struct HieraProbeState {
    HieraProbeRank *rank;
    HieraProbeState *next; /* next in the rank's list of states */
    bool idle;             /* whether the thread has ended, so that the next new thread will use this state */
    uint64_t lost;
    HieraProbeStore store;
    HieraNameState *kept; /* by name: data of the variables `&name` and of the aggregations */
    HieraHeld held[HIERA_MOST_HELD];
    unsigned n_held;
    size_t n_text;
    char text[HIERA_FIRING_ROOM];
    char line[HIERA_FIRING_TEXT + 1];
};

typedef struct HieraFiring {
    HieraProbeState *state;
    const HieraProbeEvent *event;
    unsigned clause;
    unsigned unset;  /* a variable without a value that was read; HIERA_NO_TARGET: none */
    unsigned silent; /* a variable `#name` for which no answer came; HIERA_NO_TARGET: none */
    bool gone;       /* true if that answer will never come: the connection has ended */
    bool left;       /* true if the remaining actions are skipped */
} HieraFiring;

/* Callbacks for HieraExpressionHost; the context is a HieraFiring. */
HieraValue hiera_firing_get(unsigned id, void *firing);
HieraValue hiera_firing_get_keyed(unsigned id, const HieraValue *keys, unsigned n, void *firing);
char *hiera_firing_room(size_t length, void *firing);
/* Count a key or text for which memory was short. */
void hiera_firing_lose(HieraFiring *firing);

/* Stop the clause on this rank: it does nothing from now on. The message gives the reason. (fire.c) */
void hiera_firing_stop(HieraFiring *firing, HieraSpan where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- locks (locks.c); if one cannot be taken, the clause is stopped --- */

void hiera_lock_take(HieraFiring *firing, const HieraAction *action, const HieraValue *keys);
void hiera_lock_release(HieraFiring *firing, const HieraAction *action, const HieraValue *keys);
/* Release all locks that the clause still holds at its end. */
void hiera_lock_release_all(HieraProbeState *state);

/* --- variables of all ranks (globals.c) --- */

HieraValue hiera_global_get(HieraFiring *firing, unsigned name, const HieraValue *keys, unsigned n);
void hiera_global_set(HieraFiring *firing, const HieraAction *action, const HieraValue *keys, HieraValue value);
/* Mark the variables `#name` that the clause changes as incomplete, because it is stopped amid its actions. */
void hiera_global_spoil(const HieraFiring *firing);

/* --- variables of a rank or thread (variables.c) --- */

/* Return the value for a key that was never set: 0, or an empty text. */
HieraValue hiera_variable_nothing(HieraValueType type);
/* Read a variable of the script. A text of `:name` or `#name` is copied into the buffer of the state. */
HieraValue hiera_variable_get(HieraFiring *firing, unsigned name);
HieraValue hiera_variable_get_keyed(HieraFiring *firing, unsigned name, const HieraValue *keys, unsigned n);
/* Set a variable, or change its value with an operator (`+` of `+=`), atomically for other threads. */
void hiera_variable_set(HieraFiring *firing, const HieraAction *action, const HieraValue *keys, HieraValue value);
/* Unset a variable `&name`; done before the clause runs for an event. */
void hiera_variable_forget(HieraProbeState *state, unsigned name);

/* --- states of threads, and printing (state.c) --- */

/* Merge the aggregations of all threads of a rank under a name. @return  false if there is no memory */
bool hiera_state_gather(const HieraProbeState *state, unsigned name, HieraKeyed *to);

/* Run global_print() before the end, with the data that other ranks have published. @return  false if data of some
 * rank is left out (totals.c) */
bool hiera_totals_print_now(const HieraProbeState *state, const HieraAction *action);

/* Write an aggregation, sorted by its keys, below a headline. (print.c) */
void hiera_print_totals(const HieraScriptName *name, const HieraKeyed *keyed, const char *head,
                        const HieraProbeHost *host);
