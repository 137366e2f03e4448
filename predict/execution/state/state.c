#include "state.h"

gboolean hiera_state_address(const HieraProcessState *state, const HieraStepOperand *place, guint64 *address)
{
    static const HieraKnown nothing = {TRUE, 0};
    const HieraKnown *base = place->base == HIERA_NO_REGISTER ? &nothing : &state->registers[place->base],
                     *index = place->index == HIERA_NO_REGISTER ? &nothing : &state->registers[place->index];
    *address = base->bits + index->bits * place->scale + (guint64)place->number;
    return base->known && index->known;
}

HieraKnown hiera_state_read(HieraProcessState *state, const HieraStepOperand *place)
{
    const HieraKnown *from;
    guint64 address, bits = 0;
    switch ((HieraOperandKind)place->kind) {
    case HIERA_OPERAND_REGISTER: /* speed: from->known and from->bits are read one by one, as they were written */
        from = &state->registers[place->base];
        return (HieraKnown){from->known || (place->width > 0 && place->width + place->index <= from->n_low),
                            hiera_cut(from->bits >> place->index * 8, place->width)};
    case HIERA_OPERAND_NUMBER:
        return (HieraKnown){TRUE, place->width > 0 ? hiera_cut((guint64)place->number, place->width)
                                                   : (guint64)place->number};
    case HIERA_OPERAND_MEMORY:
        if (place->width <= 8 && hiera_state_address(state, place, &address) &&
            hiera_known_memory_read(state->memory, address, place->width, &bits))
            return (HieraKnown){TRUE, bits};
        break;
    case HIERA_OPERAND_NONE:
    case HIERA_OPERAND_UNKNOWN:
        break;
    }
    return (HieraKnown){FALSE, 0};
}

void hiera_state_write(HieraProcessState *state, const HieraStep *step, const HieraStepOperand *place, HieraKnown value)
{
    guint64 address;
    if (place->kind == HIERA_OPERAND_REGISTER) {
        HieraKnown *to = &state->registers[place->base];
        if (place->base < HIERA_XMM && place->width < 4) { /* the upper bytes of the register stay as they are */
            guint shift = place->index * 8u;
            guint64 mask = hiera_cut(~0ull, place->width) << shift;
            guint8 n_low = to->known ? 8 : to->n_low;
            if (value.known)
                to->n_low = place->index <= n_low ? MAX(n_low, place->width + place->index) : n_low;
            else
                to->n_low = MIN(n_low, place->index);
            to->known &= value.known;
            to->n_low = to->known ? 0 : MIN(to->n_low, 2);
            to->bits = (to->bits & ~mask) | ((value.bits << shift) & mask);
        } else {
            *to = (HieraKnown){value.known, hiera_cut(value.bits, place->width)};
        }
    } else if (place->kind == HIERA_OPERAND_MEMORY) {
        HieraLastStore *store = &state->stores[step->number];
        store->has_address = hiera_state_address(state, place, &address);
        state->has_lost_store |= !store->has_address;
        store->address = address;
        store->value = value;
        store->width = place->width;
        if (store->has_address && place->width <= 8)
            hiera_known_memory_write(state->memory, address, place->width, value.known, value.bits);
        else if (store->has_address)
            hiera_known_memory_forget(state->memory, address, place->width);
    }
}
