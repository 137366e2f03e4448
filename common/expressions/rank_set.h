/* Sets of ranks on the right side of `in`: `0-3`, `0-6:2 9`, `0-3,8`. */
#pragma once

#include "lexer.h"

typedef struct HieraRankRange {
    int64_t first, last, step;
} HieraRankRange;

typedef struct HieraRankSet {
    size_t n;
    HieraRankRange ranges[];
} HieraRankSet;

/* Read a set at the lexer's position and move the lexer behind it. The parts of a set are separated by blanks, or by a
 * comma without blanks.
 *
 * @return  NULL if the lexer has an error or memory is short. Free with free() */
HieraRankSet *hiera_rank_set_read(HieraLexer *lexer);
bool hiera_rank_set_has(const HieraRankSet *set, int64_t rank);
