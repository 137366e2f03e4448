/* See unkept_regions.h. Counts of open regions that have no entry in the stack of open regions, for lack of memory. */
#include "unkept_regions.h"

#include "own_stack.h"

void hiera_open_lose(HieraUnkept *unkept, HieraOpenKind kind, uintptr_t scope)
{
    if (kind != HIERA_OPEN_PLAIN && unkept->scopes + unkept->functions == 0) {
        unkept->floor = scope;
        unkept->plain_before = unkept->plain;
    }
    unkept->n++;
    unkept->plain += kind == HIERA_OPEN_PLAIN;
    unkept->scopes += kind == HIERA_OPEN_SCOPE;
    unkept->functions += kind == HIERA_OPEN_FUNCTION;
}

bool hiera_open_end_lost(HieraUnkept *unkept, HieraOpenKind kind)
{
    uint32_t *of_kind = kind == HIERA_OPEN_PLAIN   ? &unkept->plain
                        : kind == HIERA_OPEN_SCOPE ? &unkept->scopes
                                                   : &unkept->functions;
    if (*of_kind == 0)
        return false;
    --*of_kind;
    unkept->n--;
    return true;
}

/* Forget scopes and functions whose stack frames are gone, with the plain regions inside them: longjmp has left them.
 */
static void forget_left(HieraThread *thread, uintptr_t frame)
{
    HieraUnkept *unkept = &thread->unkept;
    if (unkept->scopes + unkept->functions == 0 || unkept->floor >= frame)
        return;
    if (!hiera_stack_has(thread, unkept->floor) || !hiera_stack_has(thread, frame))
        return;
    unkept->scopes = unkept->functions = 0;
    if (unkept->plain > unkept->plain_before)
        unkept->plain = unkept->plain_before;
    unkept->n = unkept->plain;
}

bool hiera_open_has_kept_all(HieraThread *thread, uintptr_t frame)
{
    forget_left(thread, frame);
    return thread->unkept.n == 0;
}

bool hiera_unkept_end_one(HieraThread *thread, HieraOpenKind kind, uintptr_t frame)
{
    forget_left(thread, frame);
    return hiera_open_end_lost(&thread->unkept, kind);
}
