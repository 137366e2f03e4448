/* Effect of an instruction on registers and memory, in a form that can be executed for each process.
 *
 * A value is known or not: if an instruction has no step of its own, the values it writes become unknown. */
#pragma once

#include <glib.h>

/* Registers: 16 general ones, in the order of the machine, then the low 64 bits of 32 vector registers, then their next
 * 64 bits. Higher bits are not tracked. */
enum { HIERA_RAX, HIERA_RCX, HIERA_RDX, HIERA_RBX, HIERA_RSP, HIERA_RBP, HIERA_RSI, HIERA_RDI, HIERA_R8, HIERA_R9 };
enum { HIERA_XMM = 16, HIERA_XMM_HIGH = 48, HIERA_N_REGISTERS = 80, HIERA_NO_REGISTER = 255 };

typedef enum {
    HIERA_OPERAND_NONE,
    HIERA_OPERAND_REGISTER,
    HIERA_OPERAND_NUMBER,
    HIERA_OPERAND_MEMORY, /* memory at base + index * scale + number */
    HIERA_OPERAND_UNKNOWN
} HieraOperandKind;

/* An operand. */
typedef struct {
    guint8 kind;               /* HieraOperandKind */
    guint8 base, index, scale; /* REGISTER: number in `base`; MEMORY: HIERA_NO_REGISTER if there is none */
    guint8 width;              /* width in bytes */
    gint64 number;
} HieraStepOperand;

/* Kinds of steps: the effect on `to`, from `a` and `b`. Flags are those of x86. */
typedef enum {
    HIERA_STEP_FORGET, /* `to` becomes unknown */
    HIERA_STEP_FORGET_FLAGS,
    HIERA_STEP_MOVE,        /* to = a, extended with zeros */
    HIERA_STEP_MOVE_SIGNED, /* to = a, extended with its sign */
    HIERA_STEP_ADDRESS,     /* to = the address of a */
    HIERA_STEP_ADD,         /* to = a + b; this and the following kinds set the flags */
    HIERA_STEP_SUBTRACT,
    HIERA_STEP_ADD_CARRY, /* also adds the carry flag */
    HIERA_STEP_SUBTRACT_CARRY,
    HIERA_STEP_AND,
    HIERA_STEP_OR,
    HIERA_STEP_XOR,
    HIERA_STEP_COMPARE, /* sets flags as SUBTRACT, without `to` */
    HIERA_STEP_TEST,    /* sets flags as AND, without `to` */
    HIERA_STEP_NEGATE,
    HIERA_STEP_INCREMENT, /* adds 1 (b is 1) */
    HIERA_STEP_DECREMENT,
    HIERA_STEP_LEFT,
    HIERA_STEP_RIGHT,
    HIERA_STEP_RIGHT_SIGNED,
    HIERA_STEP_SHIFT_IN_LEFT, /* `to` is shifted by b; bits of a are shifted in */
    HIERA_STEP_SHIFT_IN_RIGHT,
    HIERA_STEP_NOT,
    HIERA_STEP_MULTIPLY,
    HIERA_STEP_MULTIPLY_WIDE,        /* rdx:rax = rax * a; unsigned */
    HIERA_STEP_MULTIPLY_WIDE_SIGNED, /* the same, signed */
    HIERA_STEP_DIVIDE,               /* rax, rdx = (rdx:rax) / a, remainder; unsigned */
    HIERA_STEP_DIVIDE_SIGNED,        /* the same, signed */
    HIERA_STEP_SPREAD_SIGN,          /* rdx = the sign of rax */
    HIERA_STEP_SET_IF,               /* to = whether `condition` holds */
    HIERA_STEP_MOVE_IF,              /* to = a if `condition` holds */
    HIERA_STEP_PUSH,
    HIERA_STEP_POP,
    HIERA_STEP_LEAVE,
    HIERA_STEP_FILL,      /* store rax at rdi, a.width bytes at a time; rcx times if `condition` */
    HIERA_STEP_COPY,      /* the same, copying from rsi */
    HIERA_STEP_FLOAT_ADD, /* on doubles; on floats if the width is 4 */
    HIERA_STEP_FLOAT_SUBTRACT,
    HIERA_STEP_FLOAT_MULTIPLY,
    HIERA_STEP_FLOAT_DIVIDE,
    HIERA_STEP_FLOAT_LEAST, /* minimum: b, unless a is less */
    HIERA_STEP_FLOAT_MOST,
    HIERA_STEP_FLOAT_ROOT, /* square root of a */
    HIERA_STEP_FLOAT_COMPARE,
    HIERA_STEP_FLOAT_MASK, /* to = all ones if `condition` (HieraFloatOrder) holds for a and b, else 0 */
    HIERA_STEP_TO_FLOAT,   /* converts from an integer */
    HIERA_STEP_FROM_FLOAT, /* converts to an integer, truncated */
    HIERA_STEP_FLOAT_RESIZE,
    HIERA_STEP_TO_FLOATS, /* converts two 4-byte integers in a, to `to` and its upper half */
    HIERA_STEP_LANES      /* on lanes: `condition` is one of HieraLanes, `lane` the width of a lane */
} HieraStepKind;

/* Float comparisons, in the order of the machine. With NaN, EQUAL, LESS and NOT_GREATER are false; NOT_EQUAL, NOT_LESS
 * and GREATER are true. */
typedef enum {
    HIERA_FLOAT_EQUAL,
    HIERA_FLOAT_LESS,
    HIERA_FLOAT_NOT_GREATER,
    HIERA_FLOAT_UNORDERED,
    HIERA_FLOAT_NOT_EQUAL,
    HIERA_FLOAT_NOT_LESS,
    HIERA_FLOAT_GREATER,
    HIERA_FLOAT_ORDERED
} HieraFloatOrder;

/* Operations on the lanes of vector registers. */
typedef enum {
    HIERA_LANES_ADD, /* to = a + b; likewise below */
    HIERA_LANES_SUBTRACT,
    HIERA_LANES_MULTIPLY,
    HIERA_LANES_AND_NOT, /* (not a) and b */
    HIERA_LANES_EQUAL,   /* sets all bits of a lane, or none */
    HIERA_LANES_GREATER,
    HIERA_LANES_LEAST,
    HIERA_LANES_MOST,
    HIERA_LANES_LEAST_SIGNED,
    HIERA_LANES_MOST_SIGNED,
    HIERA_LANES_MULTIPLY_WIDE, /* multiplies the lower 4 bytes of 8-byte lanes */
    HIERA_LANES_MULTIPLY_WIDE_SIGNED,
    HIERA_LANES_LEFT, /* shifts all lanes by the same b */
    HIERA_LANES_RIGHT,
    HIERA_LANES_RIGHT_SIGNED,
    HIERA_LANES_BYTES_LEFT, /* shifts the whole register by b bytes */
    HIERA_LANES_BYTES_RIGHT,
    HIERA_LANES_INTERLEAVE_LOW,
    HIERA_LANES_INTERLEAVE_HIGH,
    HIERA_LANES_SHUFFLE,     /* b gives the source of each lane */
    HIERA_LANES_SHUFFLE_TWO, /* to.number gives the sources; the upper half comes from b */
    HIERA_LANES_SHUFFLE_LOW, /* shuffles 2-byte lanes */
    HIERA_LANES_SHUFFLE_HIGH,
    HIERA_LANES_WIDEN, /* converts 4 to 8 bytes */
    HIERA_LANES_WIDEN_SIGNED,
    HIERA_LANES_REPEAT,  /* copies the first lane to all */
    HIERA_LANES_INSERT,  /* puts the first lane of b into a, at lane to.number */
    HIERA_LANES_EXTRACT, /* copies lane b to a general register */
    HIERA_LANES_MASK     /* collects the signs of all lanes in a general register */
} HieraLanes;

typedef struct {
    guint8 kind;      /* HieraStepKind */
    guint8 condition; /* HieraStepCondition, or HieraLanes */
    guint8 lane;      /* LANES: bytes of a lane */
    guint number;     /* number among the stores of the program, see hiera_execution_new; 0: no store */
    HieraStepOperand to, a, b;
} HieraStep;

/* Conditions of x86, in the order of the machine. */
typedef enum {
    HIERA_IF_OVERFLOW,
    HIERA_IF_NOT_OVERFLOW,
    HIERA_IF_BELOW,
    HIERA_IF_NOT_BELOW,
    HIERA_IF_EQUAL,
    HIERA_IF_NOT_EQUAL,
    HIERA_IF_NOT_ABOVE,
    HIERA_IF_ABOVE,
    HIERA_IF_SIGN,
    HIERA_IF_NOT_SIGN,
    HIERA_IF_PARITY,
    HIERA_IF_NOT_PARITY,
    HIERA_IF_LESS,
    HIERA_IF_NOT_LESS,
    HIERA_IF_NOT_GREATER,
    HIERA_IF_GREATER,
    HIERA_IF_UNKNOWN
} HieraStepCondition;
