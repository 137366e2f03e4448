/* Costs of instructions in cycles, by class. */
#pragma once

#include "image/code/decoder.h"

/* Classes of instructions, and the cycles of each: X(identifier, name, cycles).
 *
 * The cycles are what an instruction of the class adds to the time of a loop among other instructions, on CPUs since
 * 2015 (Intel Skylake to Golden Cove, AMD Zen 1 to 4, Arm Neoverse): between the inverse of its throughput and its
 * latency. Taken from A. Fog, "Instruction tables" (agner.org/optimize), and uops.info. All accesses hit the caches.
 * This is a model and no measurement: it is right up to a factor that depends on the CPU and the program, and that
 * --calibrate-by finds from a run. */
#define HIERA_COSTS(X)                                                                                                 \
    X(NOTHING, "nothing", 0)                                                                                           \
    X(MOVE, "move", 0.25)       /* moves between registers */                                                          \
    X(INTEGER, "integer", 0.33) /* addition, logic, comparison, address */                                             \
    X(SHIFT, "shift", 0.5)                                                                                             \
    X(MULTIPLY, "multiply", 1.5)                                                                                       \
    X(DIVIDE, "divide", 12)                                                                                            \
    X(FLOAT, "float", 2) /* addition, multiplication, fused both, comparison: of one number or of a vector */          \
    X(FLOAT_DIVIDE, "float divide", 8)                                                                                 \
    X(ROOT, "square root", 10)                                                                                         \
    X(CONVERT, "convert", 2)                                                                                           \
    X(VECTOR, "vector", 0.5) /* moves and integer operations on vector registers */                                    \
    X(LOAD, "load", 1)       /* per memory operand read; added to the cost of the instruction's class */               \
    X(STORE, "store", 1)     /* per memory operand written; added to the cost of the instruction's class */            \
    X(BRANCH, "branch", 0.7)                                                                                           \
    X(JUMP, "jump", 0.7)                                                                                               \
    X(CALL, "call", 2)                                                                                                 \
    X(RETURN, "return", 2)                                                                                             \
    X(ATOMIC, "atomic", 18)  /* instructions with a lock prefix */                                                     \
    X(STRING, "string", 30)  /* string instructions: repeated moves */                                                 \
    X(SYSTEM, "system", 100) /* system calls, fences, reading of clocks */
typedef enum {
#define X(identifier, name, cycles) HIERA_COST_##identifier,
    HIERA_COSTS(X)
#undef X
        HIERA_N_COSTS
} HieraCost;

/* Return the cycles of an instruction. It must be the one that the decoder has decoded last. */
gdouble hiera_cost_of(const HieraDecoder *decoder, const HieraInstruction *instruction);
/* Return the number of memory accesses of the instruction that was decoded last. */
guint hiera_accesses_of(const HieraDecoder *decoder);
