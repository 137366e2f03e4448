/* Which registers and flags a function still needs: code that is added may change the others. */
#pragma once

#include "image/flow/flow.h"

/* Bit of the flags in a set of registers; bit i is general register i. */
#define HIERA_LIVE_FLAGS ((guint32)1 << 16)

/* What is needed before an instruction is (needed behind it without `writes`) and `reads`. */
typedef struct {
    guint32 reads, writes;
} HieraUse;
/* What an instruction of no call and no jump does. What is not certain it reads, and does not write. */
HieraUse hiera_live_use(const cs_insn *raw);

typedef struct {
    guint32 *blocks;        /* by block: what may be read before it is written, from its begin on */
    gboolean *flags_behind; /* by instruction: it is a call, and behind it flags may be read that were set before */
} HieraLive;

/* Find what is needed. What is not certain is. Free it with hiera_live_clear. */
HieraLive hiera_live_of(const HieraFlow *flow);
void hiera_live_clear(HieraLive *live);
