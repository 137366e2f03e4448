/* Effect of an instruction on registers and memory, in a form that can be executed for each process.
 *
 * A value is known or not: if an instruction has no step of its own, the values it writes become unknown. */
#pragma once

#include <glib.h>

/* Registers: 16 general ones, in the order of the machine, then the low 64 bits of 32 vector registers, then their next
 * 64 bits; these change by the same amount in loops whose iterations are skipped. Then the third and the fourth 64
 * bits, which are not known behind such a loop. Higher bits are not tracked. */
enum { HIERA_RAX, HIERA_RCX, HIERA_RDX, HIERA_RBX, HIERA_RSP, HIERA_RBP, HIERA_RSI, HIERA_RDI, HIERA_R8, HIERA_R9 };
enum { HIERA_XMM = 16, HIERA_XMM_HIGH = 48, HIERA_N_REGISTERS = 80, HIERA_YMM = 80 };
enum { HIERA_N_ALL_REGISTERS = 144, HIERA_NO_REGISTER = 255 };

/* Where the register fs points to: to the data of the thread. */
#define HIERA_THREAD G_GUINT64_CONSTANT(0x7ffc00000000)

typedef enum {
    HIERA_OPERAND_NONE,
    HIERA_OPERAND_REGISTER,
    HIERA_OPERAND_NUMBER,
    HIERA_OPERAND_MEMORY, /* memory at the address base + index * scale + number */
    HIERA_OPERAND_UNKNOWN
} HieraOperandKind;

/* An operand of a step. */
typedef struct {
    guint8 kind;               /* HieraOperandKind */
    guint8 base, index, scale; /* base: number of the register; for MEMORY, base and index may be HIERA_NO_REGISTER;
                                  for REGISTER, index is 1 for the second byte (ah), else 0 */
    guint8 width;              /* width of the operand in bytes */
    gint64 number;
} HieraStepOperand;

/* Kinds of steps: what a step writes to `to`, from its operands `a` and `b`, and to the flags of x86. */
typedef enum {
    HIERA_STEP_FORGET, /* the value of `to` becomes unknown */
    HIERA_STEP_FORGET_FLAGS,
    HIERA_STEP_MOVE,        /* to = a, extended with zeros */
    HIERA_STEP_MOVE_SIGNED, /* to = a, extended with a's sign */
    HIERA_STEP_ADDRESS,     /* to = the address of the memory operand a */
    HIERA_STEP_ADD,         /* to = a + b; this and the following kinds set the flags */
    HIERA_STEP_SUBTRACT,
    HIERA_STEP_ADD_CARRY, /* to = a + b + carry flag */
    HIERA_STEP_SUBTRACT_CARRY,
    HIERA_STEP_AND,
    HIERA_STEP_OR,
    HIERA_STEP_XOR,
    HIERA_STEP_COMPARE, /* as SUBTRACT, but sets only the flags */
    HIERA_STEP_TEST,    /* as AND, but sets only the flags */
    HIERA_STEP_NEGATE,
    HIERA_STEP_INCREMENT, /* to = a + 1 */
    HIERA_STEP_DECREMENT,
    HIERA_STEP_LEFT, /* shifts and rotations: if `condition` is 1, the flags stay as they are */
    HIERA_STEP_RIGHT,
    HIERA_STEP_RIGHT_SIGNED,
    HIERA_STEP_ROTATE_LEFT,
    HIERA_STEP_ROTATE_RIGHT,
    HIERA_STEP_SHIFT_IN_LEFT, /* `to` is shifted left by b bits, and filled with the upper bits of a */
    HIERA_STEP_SHIFT_IN_RIGHT,
    HIERA_STEP_NOT,
    HIERA_STEP_MULTIPLY,
    HIERA_STEP_MULTIPLY_WIDE,        /* rdx:rax = rax * a, unsigned */
    HIERA_STEP_MULTIPLY_WIDE_SIGNED, /* rdx:rax = rax * a, signed */
    HIERA_STEP_MULTIPLY_INTO_TWO,    /* to:a = rdx * b, unsigned, without flags (mulx) */
    HIERA_STEP_DIVIDE,               /* rax = rdx:rax / a, rdx = remainder, unsigned */
    HIERA_STEP_DIVIDE_SIGNED,        /* rax = rdx:rax / a, rdx = remainder, signed */
    HIERA_STEP_SPREAD_SIGN,          /* rdx = all ones if rax is negative, else 0 */
    HIERA_STEP_SET_IF,               /* to = 1 if `condition` holds, else 0 */
    HIERA_STEP_MOVE_IF,              /* to = a if `condition` holds, else unchanged */
    HIERA_STEP_BITS,                 /* `condition` is one of HieraBits */
    HIERA_STEP_EXCHANGE,             /* to and a exchange their values */
    HIERA_STEP_EXCHANGE_ADD,         /* to = to + a, a = the old value of to */
    HIERA_STEP_EXCHANGE_IF_SAME,     /* to = a if to and rax are equal, else rax = to */
    HIERA_STEP_SET_CARRY,            /* carry flag = `condition`; 2: the other value */
    HIERA_STEP_PUSH,
    HIERA_STEP_POP,
    HIERA_STEP_LEAVE,
    HIERA_STEP_FILL,      /* store rax at rdi, a.width bytes of it; if `condition` is 1 (rep), rcx times */
    HIERA_STEP_COPY,      /* as FILL, but copy from rsi */
    HIERA_STEP_FLOAT_ADD, /* to = a + b, as doubles; as floats if the width is 4 */
    HIERA_STEP_FLOAT_SUBTRACT,
    HIERA_STEP_FLOAT_MULTIPLY,
    HIERA_STEP_FLOAT_DIVIDE,
    HIERA_STEP_FLOAT_LEAST, /* to = a if a < b, else b */
    HIERA_STEP_FLOAT_MOST,
    HIERA_STEP_FLOAT_ROOT, /* to = square root of a */
    HIERA_STEP_FLOAT_COMPARE,
    HIERA_STEP_FLOAT_MASK, /* to = all ones if `condition` (HieraFloatOrder) holds for a and b, else 0 */
    HIERA_STEP_TO_FLOAT,   /* to = the integer a as a float */
    HIERA_STEP_FROM_FLOAT, /* to = the float a as an integer, truncated */
    HIERA_STEP_FLOAT_RESIZE,
    HIERA_STEP_FLOAT_MOVE,     /* to = a */
    HIERA_STEP_TO_FLOATS,      /* `to` and its upper half = the two 4-byte integers in a, as doubles */
    HIERA_STEP_LOSE,           /* a value is stored nobody knows where */
    HIERA_STEP_FORGET_VECTORS, /* all vector registers become unknown */
    HIERA_STEP_CLEAR_UPPER,    /* the third and fourth 64 bits of `to`, or without it of 16 registers, = 0 */
    HIERA_STEP_LANES           /* operation on lanes: `condition` is one of HieraLanes, `lane` the bytes of a lane */
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

/* Operations on bits of integers. */
typedef enum {
    HIERA_BITS_TEST, /* carry flag = bit b of a; the next three also write `to`: with the bit set, cleared, inverted */
    HIERA_BITS_SET,
    HIERA_BITS_CLEAR,
    HIERA_BITS_INVERT,
    HIERA_BITS_FIRST, /* to = number of the lowest bit of a that is set (bsf) */
    HIERA_BITS_LAST,  /* to = number of the highest one (bsr) */
    HIERA_BITS_BELOW, /* to = number of zeros below the lowest bit that is set (tzcnt) */
    HIERA_BITS_ABOVE, /* to = number of zeros above the highest one (lzcnt) */
    HIERA_BITS_COUNT,
    HIERA_BITS_SWAP,           /* to = the bytes of a, last one first; without flags, as the next three */
    HIERA_BITS_DEPOSIT,        /* to = the lowest bits of a, where b has bits (pdep) */
    HIERA_BITS_GATHER,         /* to = the bits of a where b has bits (pext) */
    HIERA_BITS_AND_NOT,        /* to = (not a) and b */
    HIERA_BITS_WITHOUT_LOWEST, /* to = a without its lowest bit (blsr) */
    HIERA_BITS_LOWEST,         /* to = the lowest bit of a (blsi) */
    HIERA_BITS_UP_TO_LOWEST,   /* to = ones up to the lowest bit of a (blsmsk) */
    HIERA_BITS_FIELD,          /* to = bits of a: from the number in b's first byte, as many as in its second one */
    HIERA_BITS_WITHOUT_HIGH    /* to = a without bits from the number in b's first byte on (bzhi) */
} HieraBits;

/* Operations on vector registers, lane by lane (elements of 1 to 8 bytes). */
typedef enum {
    HIERA_LANES_ADD, /* to = a + b in each lane; the next ones likewise */
    HIERA_LANES_SUBTRACT,
    HIERA_LANES_MULTIPLY,
    HIERA_LANES_AND_NOT, /* to = (not a) and b */
    HIERA_LANES_EQUAL,   /* all bits of a lane are set if a = b there, else none */
    HIERA_LANES_GREATER,
    HIERA_LANES_LEAST,
    HIERA_LANES_MOST,
    HIERA_LANES_LEAST_SIGNED,
    HIERA_LANES_MOST_SIGNED,
    HIERA_LANES_MULTIPLY_WIDE, /* 8-byte lanes = product of the lower 4 bytes of both lanes */
    HIERA_LANES_MULTIPLY_WIDE_SIGNED,
    HIERA_LANES_LEFT, /* shift each lane of a by b bits, the same for all */
    HIERA_LANES_RIGHT,
    HIERA_LANES_RIGHT_SIGNED,
    HIERA_LANES_BYTES_LEFT, /* shift all 16 bytes of a by b bytes */
    HIERA_LANES_BYTES_RIGHT,
    HIERA_LANES_INTERLEAVE_LOW,
    HIERA_LANES_INTERLEAVE_HIGH,
    HIERA_LANES_SHUFFLE,     /* to = lanes of a, in the order that the number b gives */
    HIERA_LANES_SHUFFLE_TWO, /* to.number gives the source of each lane: of a for the lower half, of b for the upper
                                half */
    HIERA_LANES_SHUFFLE_LOW, /* as SHUFFLE, for the lower four 2-byte lanes */
    HIERA_LANES_SHUFFLE_HIGH,
    HIERA_LANES_WIDEN, /* extend the lower two 4-byte lanes to 8 bytes, with zeros */
    HIERA_LANES_WIDEN_SIGNED,
    HIERA_LANES_REPEAT,  /* copy the first lane of a to all lanes */
    HIERA_LANES_INSERT,  /* copy the first lane of b into a, at lane to.number */
    HIERA_LANES_EXTRACT, /* copy lane b of a to a general register */
    HIERA_LANES_MASK     /* collect the sign bits of all lanes in a general register */
} HieraLanes;

typedef struct {
    guint8 kind;      /* HieraStepKind */
    guint8 condition; /* HieraStepCondition; for LANES: HieraLanes; for FLOAT_MASK: HieraFloatOrder */
    guint8 lane;      /* for LANES: bytes of a lane; for FLOAT_…: 1 if only the lowest lane of a vector register is
                         computed; the others are those of a, or of b if the result depends on a alone */
    guint number;     /* of a step that may store: its number among all such steps of the program, from 1; others: 0 */
    HieraStepOperand to, a, b;
} HieraStep;

/* Conditions of x86 for branches, in the order of their machine code. */
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
