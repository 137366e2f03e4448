/* One firing of a clause: what its expressions see. */
#ifndef HIERA_PROBES_FIRING_H
#define HIERA_PROBES_FIRING_H

#include "keyed.h"
#include "script.h"

/* A value that stays. Its text is a copy. */
typedef struct HieraSlot {
    HieraValue value; /* MISSING: it was never set */
    char *text;
    size_t room;
} HieraSlot;

/* What a script keeps of a name: a slot, a dictionary of slots, or cells of an aggregation. */
typedef struct HieraKept {
    HieraSlot slot;
    HieraKeyed keyed; /* if the name has keys, or is an aggregation */
} HieraKept;

enum { HIERA_FIRING_TEXT = 8192 }; /* bytes of texts that one action may make */

struct HieraProbeState {
    const HieraProbeScript *script;
    HieraProbeHost host;
    HieraKept *kept;    /* by name */
    bool *stopped;      /* by clause: it cannot go on */
    bool *asked_totals; /* by name: global_print() was reached */
    size_t budget;
    uint64_t lost;
    char text[HIERA_FIRING_TEXT];
    size_t n_text;
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

/* Write an aggregation, sorted by its keys, below a head. (print.c) */
void hiera_print_totals(const HieraScriptName *name, const HieraKeyed *keyed, const char *head,
                        const HieraProbeHost *host);

#endif
