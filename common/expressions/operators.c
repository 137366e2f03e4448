#include "operators.h"
#include <stdbool.h>
#include <string.h>

const HieraOperatorRow hiera_operators[HIERA_N_OPERATORS] = {
#define X(name, level, first, second, third) {HIERA_PRECEDENCE_##level, {first, second, third}},
    HIERA_OPERATORS(X)
#undef X
};

static bool is_spelt(const char *spelling, const char *text, size_t length)
{
    size_t n = strlen(spelling);
    bool is_word = spelling[0] >= 'a' && spelling[0] <= 'z';
    return n <= length && memcmp(spelling, text, n) == 0 && (n == length || !is_word);
}

HieraOperator hiera_operator_find(const char *text, size_t length, size_t *found)
{
    HieraOperator best = HIERA_N_OPERATORS;
    *found = 0;
    for (size_t i = 0; i < HIERA_N_OPERATORS * HIERA_OPERATOR_SPELLINGS; i++) {
        const char *spelling = hiera_operators[i / HIERA_OPERATOR_SPELLINGS].spellings[i % HIERA_OPERATOR_SPELLINGS];
        if (spelling && strlen(spelling) > *found && is_spelt(spelling, text, length)) {
            best = (HieraOperator)(i / HIERA_OPERATOR_SPELLINGS);
            *found = strlen(spelling);
        }
    }
    return best;
}

const char *hiera_operator_spelling(HieraOperator operator_)
{
    return hiera_operators[operator_].spellings[0];
}
