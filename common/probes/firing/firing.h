/* Who fires: the states of a rank, one for each thread, and what the expressions of a clause see. */
#ifndef HIERA_PROBES_FIRING_H
#define HIERA_PROBES_FIRING_H

#include "probes/keyed.h"
#include "probes/script.h"
#include "probes/spin_lock.h"

/* A value that stays. Its text is a copy. */
typedef struct HieraSlot {
    HieraValue value; /* MISSING: it was never set */
    char *text;
    size_t room; /* a power of two */
} HieraSlot;

/* What a script keeps of a name: a slot, a dictionary of slots, or cells of an aggregation. */
typedef struct HieraNameState {
    HieraSlot slot;
    HieraKeyed keyed; /* if the name has keys, or is an aggregation */
} HieraNameState;

enum {
    HIERA_FIRING_TEXT = 8192,                  /* bytes of a text that is kept, or of a line */
    HIERA_FIRING_ROOM = 2 * HIERA_FIRING_TEXT, /* of all texts that one action makes */
};

/* What the threads of a rank share. */
typedef struct HieraProbeRank {
    const HieraProbeScript *script;
    HieraProbeHost host;
    size_t budget;
    bool *stopped;      /* by clause: it cannot go on */
    bool *asked_totals; /* by number of global_print(): it was reached */
    HieraSpinLock lock; /* of the variables `:name`, the locks, and their memory */
    HieraProbeStore store;
    HieraNameState *kept; /* by name: of variables `:name` */
    HieraKeyed locks;     /* of local_lock(): whether it is taken */
    HieraSpinLock lock_of_states;
    HieraProbeState *states; /* of all threads, the first one last */
} HieraProbeRank;

/* A lock that a firing holds. */
typedef struct HieraHeld {
    bool of_job;
    unsigned n_keys;
    size_t n_words;
    uint64_t words[HIERA_KEYED_WORDS]; /* its keys */
} HieraHeld;
enum { HIERA_MOST_HELD = 8 };

/* What belongs to a thread alone: no lock is needed. Others read its aggregations. */
struct HieraProbeState {
    HieraProbeRank *rank;
    HieraProbeState *next; /* of the rank */
    bool idle;             /* its thread has ended; the next one goes on with it */
    uint64_t lost;
    HieraProbeStore store;
    HieraNameState *kept; /* by name: of variables `&name` and aggregations */
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
    unsigned unset;  /* a variable without a value that was asked for; HIERA_NO_TARGET: none */
    unsigned silent; /* a variable `#name` of which nobody told anything; HIERA_NO_TARGET: none */
    bool gone;       /* and that will stay so */
    bool left;       /* the actions that follow are not run */
} HieraFiring;

/* Of HieraExpressionHost; the context is a HieraFiring. */
HieraValue hiera_firing_get(unsigned id, void *firing);
HieraValue hiera_firing_get_keyed(unsigned id, const HieraValue *keys, unsigned n, void *firing);
char *hiera_firing_room(size_t length, void *firing);
/* Count what found no room. */
void hiera_firing_lose(HieraFiring *firing);

/* The clause does nothing on this rank from now on; the message says why. (fire.c) */
void hiera_firing_stop(HieraFiring *firing, HieraSpan where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- locks (locks.c); what cannot be stops the clause --- */

void hiera_lock_take(HieraFiring *firing, const HieraAction *action, const HieraValue *keys);
void hiera_lock_release(HieraFiring *firing, const HieraAction *action, const HieraValue *keys);
/* At the end of the clause. */
void hiera_lock_release_all(HieraProbeState *state);

/* --- variables of all ranks (globals.c) --- */

HieraValue hiera_global_get(HieraFiring *firing, unsigned name, const HieraValue *keys, unsigned n);
void hiera_global_set(HieraFiring *firing, const HieraAction *action, const HieraValue *keys, HieraValue value);
/* The clause goes off amid what it does: what it changes is incomplete. */
void hiera_global_spoil(const HieraFiring *firing);

/* --- variables (variables.c) --- */

/* The value that a key has before it is set: 0, or an empty text. */
HieraValue hiera_variable_nothing(HieraValueType type);
/* Read a variable of the script. A text is a copy in the room of the firing. */
HieraValue hiera_variable_get(HieraFiring *firing, unsigned name);
HieraValue hiera_variable_get_keyed(HieraFiring *firing, unsigned name, const HieraValue *keys, unsigned n);
/* Set it, or change it with an operator (`+` of `+=`); no other thread sees anything in between. */
void hiera_variable_set(HieraFiring *firing, const HieraAction *action, const HieraValue *keys, HieraValue value);
/* A variable of one event begins without a value. */
void hiera_variable_forget(HieraProbeState *state, unsigned name);

/* --- states (state.c) --- */

/* Add what all threads of a rank have aggregated into a name. @return false if there is no memory */
bool hiera_state_gather(const HieraProbeState *state, unsigned name, HieraKeyed *to);

/* global_print() before the end: what the others have published, too. @return false if something is left out (totals.c)
 */
bool hiera_totals_print_now(const HieraProbeState *state, const HieraAction *action);

/* Write an aggregation, sorted by its keys, below a head. (print.c) */
void hiera_print_totals(const HieraScriptName *name, const HieraKeyed *keyed, const char *head,
                        const HieraProbeHost *host);

#endif
