/* What an instruction does to registers and memory, in a form that can be executed for one process after the other.
 *
 * Values are known or not: where an instruction has no step of its own, what it writes is not known any more. */
#ifndef HIERA_EXECUTION_STEP_H
#define HIERA_EXECUTION_STEP_H

#include <glib.h>

/* Registers: 16 for numbers, in the order of the machine, then the low 64 bits of 32 vector registers, then the next 64
 * bits of these. What is above that is not followed. */
enum { HIERA_RAX, HIERA_RCX, HIERA_RDX, HIERA_RBX, HIERA_RSP, HIERA_RBP, HIERA_RSI, HIERA_RDI, HIERA_R8, HIERA_R9 };
enum { HIERA_XMM = 16, HIERA_XMM_HIGH = 48, HIERA_N_REGISTERS = 80, HIERA_NO_REGISTER = 255 };

typedef enum {
    HIERA_OPERAND_NONE,
    HIERA_OPERAND_REGISTER,
    HIERA_OPERAND_NUMBER,
    HIERA_OPERAND_MEMORY, /* at base + index * scale + number */
    HIERA_OPERAND_UNKNOWN
} HieraOperandKind;

/* An operand. */
typedef struct {
    guint8 kind;               /* HieraOperandKind */
    guint8 base, index, scale; /* REGISTER: base; of MEMORY HIERA_NO_REGISTER if there is none */
    guint8 width;              /* bytes */
    gint64 number;
} HieraStepOperand;

/* Steps: what stands in `to`, `a`, `b`. Flags are those of x86. */
typedef enum {
    HIERA_STEP_FORGET, /* `to` is not known any more */
    HIERA_STEP_FORGET_FLAGS,
    HIERA_STEP_MOVE,        /* to = a, with zeros above */
    HIERA_STEP_MOVE_SIGNED, /* to = a, with its sign above */
    HIERA_STEP_ADDRESS,     /* to = the address of a */
    HIERA_STEP_ADD,         /* to = a + b, and so on; these set the flags */
    HIERA_STEP_SUBTRACT,
    HIERA_STEP_ADD_CARRY, /* and the carry flag */
    HIERA_STEP_SUBTRACT_CARRY,
    HIERA_STEP_AND,
    HIERA_STEP_OR,
    HIERA_STEP_XOR,
    HIERA_STEP_COMPARE, /* as SUBTRACT, without `to` */
    HIERA_STEP_TEST,    /* as AND, without `to` */
    HIERA_STEP_NEGATE,
    HIERA_STEP_INCREMENT, /* b is 1 */
    HIERA_STEP_DECREMENT,
    HIERA_STEP_LEFT,
    HIERA_STEP_RIGHT,
    HIERA_STEP_RIGHT_SIGNED,
    HIERA_STEP_SHIFT_IN_LEFT, /* to is shifted, with bits of a that come in; by b */
    HIERA_STEP_SHIFT_IN_RIGHT,
    HIERA_STEP_NOT,
    HIERA_STEP_MULTIPLY,
    HIERA_STEP_MULTIPLY_WIDE,        /* rdx:rax = rax a; unsigned */
    HIERA_STEP_MULTIPLY_WIDE_SIGNED, /* likewise */
    HIERA_STEP_DIVIDE,               /* rax, rdx = (rdx:rax) / a, remainder; unsigned */
    HIERA_STEP_DIVIDE_SIGNED,        /* likewise */
    HIERA_STEP_SPREAD_SIGN,          /* rdx = the sign of rax */
    HIERA_STEP_SET_IF,               /* to = whether `condition` holds */
    HIERA_STEP_MOVE_IF,              /* to = a if `condition` holds */
    HIERA_STEP_PUSH,
    HIERA_STEP_POP,
    HIERA_STEP_LEAVE,
    HIERA_STEP_FILL,      /* at rdi, with rax, a.width bytes at a time; rcx times if `condition` */
    HIERA_STEP_COPY,      /* likewise, from rsi */
    HIERA_STEP_FLOAT_ADD, /* of doubles; of floats if the width is 4 */
    HIERA_STEP_FLOAT_SUBTRACT,
    HIERA_STEP_FLOAT_MULTIPLY,
    HIERA_STEP_FLOAT_DIVIDE,
    HIERA_STEP_FLOAT_LEAST, /* b, unless a is less */
    HIERA_STEP_FLOAT_MOST,
    HIERA_STEP_FLOAT_ROOT, /* of a */
    HIERA_STEP_FLOAT_COMPARE,
    HIERA_STEP_FLOAT_MASK, /* to = all bits if a and b are as `condition` says (HieraFloatOrder), else none */
    HIERA_STEP_TO_FLOAT,   /* from an integer */
    HIERA_STEP_FROM_FLOAT, /* to an integer, truncated */
    HIERA_STEP_FLOAT_RESIZE,
    HIERA_STEP_TO_FLOATS, /* `to` and its upper half = the two integers of 4 bytes in a */
    HIERA_STEP_LANES      /* `condition` is one of HieraLanes, `lane` its width */
} HieraStepKind;

/* In the order of the machine; from NOT_EQUAL on, what is no number is as it says. */
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

/* What is done with the lanes of vector registers. */
typedef enum {
    HIERA_LANES_ADD, /* to = a + b, and so on */
    HIERA_LANES_SUBTRACT,
    HIERA_LANES_MULTIPLY,
    HIERA_LANES_AND_NOT, /* not a, and b */
    HIERA_LANES_EQUAL,   /* all bits, or none */
    HIERA_LANES_GREATER,
    HIERA_LANES_LEAST,
    HIERA_LANES_MOST,
    HIERA_LANES_LEAST_SIGNED,
    HIERA_LANES_MOST_SIGNED,
    HIERA_LANES_MULTIPLY_WIDE, /* the lower 4 bytes of lanes of 8 */
    HIERA_LANES_MULTIPLY_WIDE_SIGNED,
    HIERA_LANES_LEFT, /* by b, which is for all lanes */
    HIERA_LANES_RIGHT,
    HIERA_LANES_RIGHT_SIGNED,
    HIERA_LANES_BYTES_LEFT, /* all bytes, by b */
    HIERA_LANES_BYTES_RIGHT,
    HIERA_LANES_INTERLEAVE_LOW,
    HIERA_LANES_INTERLEAVE_HIGH,
    HIERA_LANES_SHUFFLE,     /* b says where each lane comes from */
    HIERA_LANES_SHUFFLE_TWO, /* to.number does; the upper half comes from b */
    HIERA_LANES_SHUFFLE_LOW, /* of lanes of 2 bytes */
    HIERA_LANES_SHUFFLE_HIGH,
    HIERA_LANES_WIDEN, /* from 4 to 8 bytes */
    HIERA_LANES_WIDEN_SIGNED,
    HIERA_LANES_REPEAT,  /* the first lane */
    HIERA_LANES_INSERT,  /* the first lane of b into a, at to.number */
    HIERA_LANES_EXTRACT, /* lane b, to a register for numbers */
    HIERA_LANES_MASK     /* signs of all lanes, likewise */
} HieraLanes;

typedef struct {
    guint8 kind;      /* HieraStepKind */
    guint8 condition; /* HieraStepCondition, or HieraLanes */
    guint8 lane;      /* bytes of a lane; of LANES */
    guint number;     /* of the stores of a program; see hiera_execution_new */
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

#endif
