/* Variables of scripts: `&name` of a thread, which needs no lock, and `:name`, which the threads of a rank share.
 * Variables of all ranks are in globals.c. */
#include "expressions/arithmetic.h"
#include "firing.h"
#include <string.h>

static bool is_shared(const HieraScriptName *name)
{
    return *name->name == ':';
}

static bool is_global(const HieraFiring *firing, unsigned name)
{
    return *firing->state->rank->script->names[name].name == '#';
}

/* Find the data of a name, in the thread's state or shared by the rank; `store` becomes the memory of its texts. */
static HieraNameState *find_kept(HieraProbeState *state, unsigned name, HieraProbeStore **store)
{
    bool shared = is_shared(&state->rank->script->names[name]);
    *store = shared ? &state->rank->store : &state->store;
    return shared ? &state->rank->kept[name] : &state->kept[name];
}

static bool lock(HieraFiring *firing, unsigned name)
{
    HieraProbeRank *rank = firing->state->rank;
    if (!is_shared(&rank->script->names[name]) || hiera_spin_lock_take(&rank->lock))
        return true;
    hiera_firing_lose(firing);
    return false;
}

static void unlock(HieraFiring *firing, unsigned name)
{
    if (is_shared(&firing->state->rank->script->names[name]))
        hiera_spin_lock_release(&firing->state->rank->lock);
}

/* --- values in slots --- */

static void put_scalar(HieraSlot *slot, HieraValue value)
{
    __atomic_store_n(&slot->value.integer, value.integer, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->value.type, value.type, __ATOMIC_RELEASE);
}

/* Return the value of a slot without a lock; of a text, only the type. Once set, the type does not change. */
static HieraValue peek_scalar(const HieraSlot *slot)
{
    HieraValue value = {.type = __atomic_load_n(&slot->value.type, __ATOMIC_ACQUIRE)};
    if (value.type != HIERA_VALUE_MISSING && value.type != HIERA_VALUE_TEXT)
        value.integer = __atomic_load_n(&slot->value.integer, __ATOMIC_RELAXED);
    return value;
}

static bool put_text(HieraSlot *slot, HieraValue value, HieraProbeStore *store)
{
    if (value.length > slot->room || !slot->text) {
        size_t room = hiera_probe_store_round(value.length);
        char *text = hiera_probe_store_take(store, room);
        if (!text)
            return false;
        memcpy(text, value.text, value.length);
        hiera_probe_store_return(store, slot->text, slot->room);
        slot->text = text;
        slot->room = room;
    } else {
        memmove(slot->text, value.text, value.length);
    }
    slot->value.text = slot->text;
    slot->value.length = value.length;
    __atomic_store_n(&slot->value.type, HIERA_VALUE_TEXT, __ATOMIC_RELEASE);
    return true;
}

/* Copy the text of a slot into the buffer of the thread's state. */
static HieraValue copy_text(HieraFiring *firing, HieraValue text)
{
    char *room = hiera_firing_room(text.length, firing);
    if (!room)
        return hiera_value_missing();
    memcpy(room, text.text, text.length);
    return hiera_value_text(room, text.length);
}

/* --- reading variables --- */

HieraValue hiera_variable_nothing(HieraValueType type)
{
    switch (type) {
    case HIERA_VALUE_NUMBER:
        return hiera_value_number(0);
    case HIERA_VALUE_DURATION:
        return hiera_value_duration(0);
    case HIERA_VALUE_TEXT:
        return hiera_value_text("", 0);
    case HIERA_VALUE_TRUTH:
        return (HieraValue){.type = HIERA_VALUE_TRUTH, .integer = 0};
    default:
        return hiera_value_integer(0);
    }
}

HieraValue hiera_variable_get(HieraFiring *firing, unsigned name)
{
    HieraProbeStore *store;
    if (is_global(firing, name))
        return hiera_global_get(firing, name, NULL, 0);
    const HieraNameState *kept = find_kept(firing->state, name, &store);
    HieraValue value = peek_scalar(&kept->slot);
    if (value.type == HIERA_VALUE_MISSING)
        firing->unset = name;
    if (value.type != HIERA_VALUE_TEXT)
        return value;
    if (!is_shared(&firing->state->rank->script->names[name]))
        return kept->slot.value;
    if (!lock(firing, name))
        return hiera_value_missing();
    value = copy_text(firing, kept->slot.value);
    unlock(firing, name);
    return value;
}

HieraValue hiera_variable_get_keyed(HieraFiring *firing, unsigned name, const HieraValue *keys, unsigned n)
{
    HieraProbeStore *store;
    if (is_global(firing, name))
        return hiera_global_get(firing, name, keys, n);
    HieraNameState *kept = find_kept(firing->state, name, &store);
    if (!lock(firing, name))
        return hiera_value_missing();
    const HieraSlot *slot = hiera_keyed_find(&kept->keyed, keys, n, false);
    HieraValueType type = firing->state->rank->script->names[name].type;
    HieraValue value = slot && slot->value.type != HIERA_VALUE_MISSING ? slot->value : hiera_variable_nothing(type);
    if (value.type == HIERA_VALUE_TEXT)
        value = copy_text(firing, value);
    unlock(firing, name);
    return value;
}

/* --- setting variables --- */

static HieraOperator operator_of(char sign)
{
    switch (sign) {
    case '+':
        return HIERA_OPERATOR_ADD;
    case '-':
        return HIERA_OPERATOR_SUBTRACT;
    case '*':
        return HIERA_OPERATOR_MULTIPLY;
    case '/':
        return HIERA_OPERATOR_DIVIDE;
    default:
        return HIERA_OPERATOR_REMAINDER;
    }
}

static HieraValue join_texts(HieraValue left, HieraValue right, char *room, size_t room_bytes)
{
    size_t length = (size_t)left.length + right.length;
    if (length > room_bytes)
        return hiera_value_missing();
    memmove(room, left.text, left.length);
    memcpy(room + left.length, right.text, right.length);
    return hiera_value_text(room, length);
}

HieraValue hiera_probe_apply(HieraValueType type, char operator_, HieraValue old, HieraValue by, char *room,
                             size_t room_bytes)
{
    if (operator_ == '\0' || by.type == HIERA_VALUE_MISSING)
        return by;
    if (old.type == HIERA_VALUE_MISSING)
        old = hiera_variable_nothing(type);
    if (old.type == HIERA_VALUE_TEXT && by.type == HIERA_VALUE_TEXT)
        return join_texts(old, by, room, room_bytes);
    if (old.type == HIERA_VALUE_TEXT || by.type == HIERA_VALUE_TEXT || old.type == HIERA_VALUE_TRUTH ||
        by.type == HIERA_VALUE_TRUTH)
        return hiera_value_missing(); /* possible only if another script has set the old value */
    return hiera_arithmetic_convert(hiera_arithmetic_binary(operator_of(operator_), old, by, false), type, false);
}

/* Set a slot; the caller holds the lock. @return  false if a text is too long, or memory is short */
static bool set_slot(HieraFiring *firing, const HieraAction *action, HieraSlot *slot, HieraValue by,
                     HieraProbeStore *store)
{
    HieraProbeState *state = firing->state;
    if (action->operator_ && slot->value.type == HIERA_VALUE_MISSING && action->n_keys == 0) {
        firing->unset = action->target;
        return true;
    }
    char *room = state->text + state->n_text; /* the rest of the buffer is free */
    size_t left = HIERA_FIRING_ROOM - state->n_text;
    HieraValue value = hiera_probe_apply(state->rank->script->names[action->target].type, action->operator_,
                                         slot->value, by, room, left < HIERA_FIRING_TEXT ? left : HIERA_FIRING_TEXT);
    if (value.type == HIERA_VALUE_MISSING)
        return by.type != HIERA_VALUE_TEXT; /* no result, as of a division by zero: the variable keeps its value */
    if (value.type == HIERA_VALUE_TEXT)
        return value.length <= HIERA_FIRING_TEXT && put_text(slot, value, store);
    put_scalar(slot, value);
    return true;
}

void hiera_variable_set(HieraFiring *firing, const HieraAction *action, const HieraValue *keys, HieraValue value)
{
    HieraProbeStore *store;
    if (is_global(firing, action->target)) {
        hiera_global_set(firing, action, keys, value);
        return;
    }
    HieraNameState *kept = find_kept(firing->state, action->target, &store);
    HieraSlot *slot = &kept->slot;
    if (!lock(firing, action->target))
        return;
    if (action->n_keys > 0)
        slot = hiera_keyed_find(&kept->keyed, keys, action->n_keys, true);
    bool good = slot && set_slot(firing, action, slot, value, store);
    unlock(firing, action->target);
    if (!good)
        hiera_firing_lose(firing);
}

void hiera_variable_forget(HieraProbeState *state, unsigned name)
{
    state->kept[name].slot.value.type = HIERA_VALUE_MISSING;
}
