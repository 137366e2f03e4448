/* A thread whose stack has overflowed has no room on it for a handler. So each recorded thread gets an alternate signal
 * stack, unless the program sets one, before or later. See signal_stack.h. */
#include "signal_stack.h"

#include "base/settings.h"

#include <signal.h>

void hiera_signal_stack_give(void *memory, size_t bytes)
{
    stack_t stack;
    if (!hiera_settings.signals || sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
        return;
    stack = (stack_t){.ss_sp = memory, .ss_size = bytes};
    sigaltstack(&stack, NULL);
}

void hiera_signal_stack_take(const void *memory)
{
    stack_t stack;
    if (hiera_settings.signals && sigaltstack(NULL, &stack) == 0 && stack.ss_sp == memory) {
        stack.ss_flags = SS_DISABLE;
        sigaltstack(&stack, NULL);
    }
}
