/* Variables that all ranks share; the host stores them. If an answer does not come in time, the clause is stopped. */
#include "firing.h"
#include <string.h>

/* Record the result of a call of the host. @return  whether the call succeeded */
static bool take_answer(HieraFiring *firing, unsigned name, HieraProbeAnswer answer)
{
    if (answer == HIERA_PROBE_TIMED_OUT || answer == HIERA_PROBE_GONE)
        firing->silent = name;
    else if (answer == HIERA_PROBE_NO_ROOM)
        hiera_firing_lose(firing);
    firing->gone = firing->gone || answer == HIERA_PROBE_GONE;
    return answer == HIERA_PROBE_DONE;
}

/* Encode keys as words. @return  false if the keys are too long, or the host has no shared variables */
static bool encode(HieraFiring *firing, const HieraValue *keys, unsigned n, uint64_t *words, size_t *n_words)
{
    *n_words = hiera_keys_encode(keys, n, words);
    if (*n_words > HIERA_KEYED_WORDS)
        hiera_firing_lose(firing);
    return *n_words <= HIERA_KEYED_WORDS && firing->state->rank->host.globals;
}

HieraValue hiera_global_get(HieraFiring *firing, unsigned name, const HieraValue *keys, unsigned n)
{
    HieraProbeState *state = firing->state;
    const HieraProbeHost *host = &state->rank->host;
    HieraValueType type = state->rank->script->names[name].type;
    uint64_t words[HIERA_KEYED_WORDS];
    HieraValue value = hiera_value_missing();
    size_t n_words, left = HIERA_FIRING_ROOM - state->n_text;
    if (!encode(firing, keys, n, words, &n_words))
        return value;
    HieraProbeAnswer answer =
        host->globals->get(host->user, name, words, n_words * sizeof *words, &value, state->text + state->n_text, left);
    if (answer == HIERA_PROBE_NEVER_SET && n > 0)
        return hiera_variable_nothing(type);
    if (answer == HIERA_PROBE_NEVER_SET)
        firing->unset = name;
    if (!take_answer(firing, name, answer) || value.type != type)
        return hiera_value_missing();
    if (value.type == HIERA_VALUE_TEXT)
        state->n_text += value.length <= left ? value.length : left;
    return value;
}

void hiera_global_set(HieraFiring *firing, const HieraAction *action, const HieraValue *keys, HieraValue value)
{
    const HieraProbeHost *host = &firing->state->rank->host;
    uint64_t words[HIERA_KEYED_WORDS];
    size_t n_words;
    if (encode(firing, keys, action->n_keys, words, &n_words))
        take_answer(firing, action->target,
                    host->globals->update(host->user, action->target, words, n_words * sizeof *words,
                                          firing->state->rank->script->names[action->target].type, action->operator_,
                                          value));
}

void hiera_global_spoil(const HieraFiring *firing)
{
    const HieraProbeRank *rank = firing->state->rank;
    const HieraClause *clause = &rank->script->clauses[firing->clause];
    for (unsigned i = 0; i < clause->n_actions; i++) {
        const HieraAction *action = &clause->actions[i];
        if (action->kind == HIERA_ACTION_SET && *rank->script->names[action->target].name == '#')
            rank->host.globals->spoil(rank->host.user, action->target);
    }
}
