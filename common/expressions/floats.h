/* Protects the floating-point environment of the program during an evaluation: save it, set the default one, restore.
 *
 * On x86-64 all arithmetic uses only SSE registers, except fmod(), for which old C libraries use the x87 unit; saving
 * and restoring its environment takes some 200 ns. The SSE control register is read twice, and written only if the
 * program or the evaluation has changed it. */
#pragma once

#include <fenv.h>
#include <stdbool.h>

typedef struct HieraFloats {
    fenv_t all;
    unsigned sse;
} HieraFloats;

#ifdef __x86_64__
#define HIERA_SSE_DEFAULT 0x1f80u /* of the register MXCSR: all exceptions masked, round to nearest */
#define HIERA_SSE_STATUS  0x3fu   /* exception flags of the register MXCSR */
#endif

/* Save the environment and set the default. @param has_fmod  whether fmod() is called before hiera_floats_leave() */
static inline void hiera_floats_enter(HieraFloats *floats, bool has_fmod)
{
#ifdef HIERA_SSE_DEFAULT
    if (!has_fmod) {
        floats->sse = __builtin_ia32_stmxcsr();
        if ((floats->sse & ~HIERA_SSE_STATUS) != HIERA_SSE_DEFAULT)
            __builtin_ia32_ldmxcsr(HIERA_SSE_DEFAULT);
        return;
    }
#endif
    (void)has_fmod;
    fegetenv(&floats->all);
    fesetenv(FE_DFL_ENV);
}

static inline void hiera_floats_leave(const HieraFloats *floats, bool has_fmod)
{
#ifdef HIERA_SSE_DEFAULT
    if (!has_fmod) {
        if (__builtin_ia32_stmxcsr() != floats->sse)
            __builtin_ia32_ldmxcsr(floats->sse);
        return;
    }
#endif
    (void)has_fmod;
    fesetenv(&floats->all);
}
