/* Who fires: the states of a rank, one for each thread, and what the expressions of a clause see. */
#ifndef HIERA_PROBES_FIRING_H
#define HIERA_PROBES_FIRING_H

#include "keyed.h"
#include "script.h"
#include "spin_lock.h"

/* A value that stays. Its text is a copy. */
typedef struct HieraSlot {
    HieraValue value; /* MISSING: it was never set */
    char *text;
    size_t room; /* a power of two */
} HieraSlot;

/* What a script keeps of a name: a slot, a dictionary of slots, or cells of an aggregation. */
typedef struct HieraKept {
    HieraSlot slot;
    HieraKeyed keyed; /* if the name has keys, or is an aggregation */
} HieraKept;

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
    HieraSpinLock lock; /* of the variables `:name`, and their memory */
    HieraStore store;
    HieraKept *kept; /* by name: of variables `:name` */
    HieraSpinLock lock_of_states;
    HieraProbeState *states; /* of all threads, the first one last */
} HieraProbeRank;

/* What belongs to a thread alone: no lock is needed. Others read its aggregations. */
struct HieraProbeState {
    HieraProbeRank *rank;
    HieraProbeState *next; /* of the rank */
    bool idle;             /* its thread has ended; the next one goes on with it */
    uint64_t lost;
    HieraStore store;
    HieraKept *kept; /* by name: of variables `&name` and aggregations */
    size_t n_text;
    char text[HIERA_FIRING_ROOM];
    char line[HIERA_FIRING_TEXT + 1];
};

typedef struct HieraFiring {
    HieraProbeState *state;
    const HieraProbeEvent *event;
    unsigned clause;
    unsigned unset; /* a variable without a value that was asked for; HIERA_NO_TARGET: none */
} HieraFiring;

/* Of HieraExpressionHost; the context is a HieraFiring. */
HieraValue hiera_firing_get(unsigned id, void *firing);
HieraValue hiera_firing_get_keyed(unsigned id, const HieraValue *keys, unsigned n, void *firing);
char *hiera_firing_room(size_t length, void *firing);
/* Count what found no room. */
void hiera_firing_lose(HieraFiring *firing);

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

/* Write an aggregation, sorted by its keys, below a head. (print.c) */
void hiera_print_totals(const HieraScriptName *name, const HieraKeyed *keyed, const char *head,
                        const HieraProbeHost *host);

#endif
