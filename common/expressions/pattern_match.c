/* The search for a pattern: see pattern.h. States that consume a character wait in a list for the next character; all
 * others are followed at once, with an explicit stack. */
#include "pattern.h"
#include <string.h>

uint32_t hiera_pattern_decode(const char *text, size_t length, size_t *n)
{
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned char first = (unsigned char)text[0];
    *n = 1;
    if (first < 0x80)
        return first;
    *n = hiera_character_length(text, length);
    if (*n == 1)
        return HIERA_STRAY_BYTE + first;
    uint32_t character = first & masks[*n];
    for (size_t i = 1; i < *n; i++)
        character = character << 6 | ((unsigned char)text[i] & 0x3f);
    return character;
}

typedef struct {
    uint8_t waiting[HIERA_PATTERN_STATES]; /* states that are reached and consume the next character */
    unsigned n;
    uint64_t seen[(HIERA_PATTERN_STATES + 63) / 64];
    bool matched;
} States;

static void clear(States *states)
{
    states->n = 0;
    states->matched = false;
    memset(states->seen, 0, sizeof states->seen);
}

/* Mark a state as reached. Returns whether the state was not marked before. */
static bool see(States *states, unsigned state)
{
    uint64_t bit = (uint64_t)1 << state % 64, *word = &states->seen[state / 64];
    bool is_new = !(*word & bit);
    *word |= bit;
    return is_new;
}

/* Add a state and all states that it leads to without consuming a character. Each state is pushed onto the stack once.
 */
static void add(const HieraPattern *pattern, States *states, uint8_t state, bool at_begin, bool at_end)
{
    uint8_t stack[HIERA_PATTERN_STATES];
    unsigned depth = 0;
    if (see(states, state))
        stack[depth++] = state;
    while (depth > 0) {
        const HieraState *from = &pattern->states[stack[--depth]];
        bool goes_on = from->kind == HIERA_STATE_SPLIT || from->kind == HIERA_STATE_PASS ||
                       (from->kind == HIERA_STATE_BEGIN && at_begin) || (from->kind == HIERA_STATE_FINISH && at_end);
        if (goes_on && see(states, from->out[0]))
            stack[depth++] = from->out[0];
        if (from->kind == HIERA_STATE_SPLIT && see(states, from->out[1]))
            stack[depth++] = from->out[1];
        if (from->kind == HIERA_STATE_MATCH)
            states->matched = true;
        if (from->kind <= HIERA_STATE_CLASS)
            states->waiting[states->n++] = (uint8_t)(from - pattern->states);
    }
}

bool hiera_pattern_in_class(const HieraPattern *pattern, const HieraCharClass *class_, uint32_t character)
{
    for (uint32_t i = 0; i < class_->n; i++) {
        const HieraCharRange *range = &pattern->ranges[class_->first + i];
        if (character >= range->first && character <= range->last)
            return !class_->is_negated;
    }
    return class_->is_negated;
}

static bool consumes(const HieraPattern *pattern, const HieraState *state, uint32_t character)
{
    if (state->kind == HIERA_STATE_CHARACTER)
        return state->argument == character;
    return state->kind == HIERA_STATE_ANY ||
           hiera_pattern_in_class(pattern, &pattern->classes[state->argument], character);
}

/* Return the next offset at or behind `at` where a match may begin. */
static size_t skip(const HieraPattern *pattern, const char *text, size_t length, size_t at)
{
    while (pattern->skips && at < length) {
        unsigned char byte = (unsigned char)text[at];
        if (pattern->first[byte / 8] & 1u << byte % 8)
            break;
        at++;
    }
    return at;
}

static bool search(const HieraPattern *pattern, const char *text, size_t length)
{
    States lists[2], *now = &lists[0], *next = &lists[1];
    clear(now);
    for (size_t at = 0;;) {
        at = now->n == 0 ? skip(pattern, text, length, at) : at;
        if (at == 0 || !pattern->is_anchored)
            add(pattern, now, pattern->start, at == 0, at == length);
        if (now->matched)
            return true;
        if (at >= length || (pattern->is_anchored && now->n == 0))
            return false;
        size_t n;
        uint32_t character = hiera_pattern_decode(text + at, length - at, &n);
        at += n;
        clear(next);
        for (unsigned i = 0; i < now->n; i++) {
            const HieraState *state = &pattern->states[now->waiting[i]];
            if (consumes(pattern, state, character))
                add(pattern, next, state->out[0], false, at == length);
        }
        States *last = now;
        now = next;
        next = last;
    }
}

bool hiera_pattern_matches(const HieraPattern *pattern, const char *text, size_t length)
{
    if (!pattern->is_literal)
        return search(pattern, text, length);
    return pattern->length == 0 || memmem(text, length, pattern->source, pattern->length) != NULL;
}
