#include "rank_set.h"
#include <stdlib.h>

static char byte_at(const HieraLexer *lexer, size_t at)
{
    return at < lexer->length ? lexer->text[at] : '\0';
}

static bool digit_at(const HieraLexer *lexer, size_t at)
{
    return byte_at(lexer, at) >= '0' && byte_at(lexer, at) <= '9';
}

static int64_t read_rank(HieraLexer *lexer)
{
    size_t begin = lexer->at;
    int64_t rank = 0;
    for (; digit_at(lexer, lexer->at); lexer->at++) {
        if (rank > INT32_MAX)
            hiera_lexer_fail(lexer, begin, lexer->at + 1, "the rank is too large");
        else
            rank = rank * 10 + (lexer->text[lexer->at] - '0');
    }
    return rank;
}

/* Skip the character `sign` if a digit follows. Returns whether it was skipped. */
static bool skip_sign(HieraLexer *lexer, char sign)
{
    bool is_there = byte_at(lexer, lexer->at) == sign && digit_at(lexer, lexer->at + 1);
    lexer->at += is_there;
    return is_there;
}

static HieraRankRange read_range(HieraLexer *lexer)
{
    size_t begin = lexer->at;
    HieraRankRange range = {.step = 1};
    range.first = range.last = read_rank(lexer);
    if (skip_sign(lexer, '-'))
        range.last = read_rank(lexer);
    if (range.last > range.first && skip_sign(lexer, ':'))
        range.step = read_rank(lexer);
    if (range.last < range.first)
        hiera_lexer_fail(lexer, begin, lexer->at, "the range is the wrong way round; write %lld-%lld",
                         (long long)range.last, (long long)range.first);
    if (range.step == 0)
        hiera_lexer_fail(lexer, begin, lexer->at, "the step of a range cannot be 0");
    if (hiera_is_word(byte_at(lexer, lexer->at)))
        hiera_lexer_fail(lexer, begin, lexer->at + 1, "behind 'in' stands a set of ranks such as 0-3 or 0-6:2 9");
    return range;
}

static size_t count_ranges(HieraLexer lexer)
{
    size_t n = 0;
    do {
        read_range(&lexer);
        n++;
    } while (!lexer.failed && (skip_sign(&lexer, ',') || (hiera_lexer_peek(&lexer) && digit_at(&lexer, lexer.at))));
    return n;
}

HieraRankSet *hiera_rank_set_read(HieraLexer *lexer)
{
    HieraExpressionError unused;
    HieraLexer ahead = *lexer;
    ahead.error = &unused;
    size_t n = count_ranges(ahead);
    HieraRankSet *set = malloc(sizeof *set + n * sizeof set->ranges[0]);
    if (!set)
        return NULL;
    set->n = n;
    for (size_t i = 0; i < n; i++) {
        if (!skip_sign(lexer, ','))
            hiera_lexer_peek(lexer);
        set->ranges[i] = read_range(lexer);
    }
    if (!lexer->failed)
        return set;
    free(set);
    return NULL;
}

bool hiera_rank_set_has(const HieraRankSet *set, int64_t rank)
{
    for (size_t i = 0; i < set->n; i++) {
        const HieraRankRange *range = &set->ranges[i];
        if (rank >= range->first && rank <= range->last && (rank - range->first) % range->step == 0)
            return true;
    }
    return false;
}
