/* See state.h. */
#include "state.h"
#include <string.h>

guint64 hiera_bits_of_double(gdouble number)
{
    guint64 bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

gdouble hiera_double_of_bits(guint64 bits)
{
    gdouble number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

guint64 hiera_cut(guint64 bits, guint width)
{
    return width >= 8 ? bits : bits & ((1ull << width * 8) - 1);
}

gint64 hiera_with_sign(guint64 bits, guint width)
{
    guint shift = width == 0 || width >= 8 ? 0 : 64 - width * 8;
    return (gint64)(bits << shift) >> shift;
}

gboolean hiera_state_address(const HieraProcessState *state, const HieraOperand *place, guint64 *address)
{
    static const HieraKnown nothing = {TRUE, 0};
    const HieraKnown *base = place->base == HIERA_NO_REGISTER ? &nothing : &state->registers[place->base],
                     *index = place->index == HIERA_NO_REGISTER ? &nothing : &state->registers[place->index];
    *address = base->bits + index->bits * place->scale + (guint64)place->number;
    return base->known && index->known;
}

HieraKnown hiera_state_read(HieraProcessState *state, const HieraOperand *place)
{
    HieraKnown value = {FALSE, 0};
    guint64 address;
    switch ((HieraOperandKind)place->kind) {
    case HIERA_OPERAND_REGISTER:
        value = state->registers[place->base];
        value.bits = hiera_cut(value.bits, place->width);
        break;
    case HIERA_OPERAND_NUMBER:
        value = (HieraKnown){TRUE, place->width > 0 ? hiera_cut((guint64)place->number, place->width)
                                                    : (guint64)place->number};
        break;
    case HIERA_OPERAND_MEMORY:
        value.known = place->width <= 8 && hiera_state_address(state, place, &address) &&
                      hiera_memory_read(state->memory, address, place->width, &value.bits);
        break;
    case HIERA_OPERAND_NONE:
    case HIERA_OPERAND_UNKNOWN:
        break;
    }
    return value;
}

void hiera_state_write(HieraProcessState *state, const HieraStep *step, const HieraOperand *place, HieraKnown value)
{
    guint64 address;
    if (place->kind == HIERA_OPERAND_REGISTER) {
        HieraKnown *to = &state->registers[place->base];
        if (place->base < HIERA_XMM && place->width < 4) { /* the upper part stays */
            guint64 mask = hiera_cut(~0ull, place->width);
            to->known &= value.known;
            to->bits = (to->bits & ~mask) | (value.bits & mask);
        } else {
            *to = (HieraKnown){value.known, hiera_cut(value.bits, place->width)};
        }
    } else if (place->kind == HIERA_OPERAND_MEMORY) {
        HieraLastStore *store = &state->stores[step->number];
        store->has_address = hiera_state_address(state, place, &address);
        store->address = address;
        store->value = value;
        store->width = place->width;
        if (store->has_address && place->width <= 8)
            hiera_memory_write(state->memory, address, place->width, value.known, value.bits);
        else if (store->has_address)
            hiera_memory_forget(state->memory, address, place->width);
    }
}
