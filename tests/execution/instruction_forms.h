/* clang-format off */
/* Forms of instructions, as machine code between two labels, and what they need. rsi and rdi point into memory, r8 is 0 to 3. */
#pragma once

#include <glib.h>

typedef struct {
    const guint8 *begin, *end;
    const char *text;
    guint64 is_exact; /* whether all is known that it does, if all is that it sees */
    guint64 level;    /* 0: each processor has it; 1: those with SSE4.2; 2: with AVX2 and BMI2; 3: with AVX-512 */
} Form;

extern const Form forms_begin[] __attribute__((visibility("hidden"))), forms_end[] __attribute__((visibility("hidden")));

#define FORM_OF(exact, level, text)                                                                                    \
    "1: " text "\n2: jmp native_back\n"                                                                                \
    ".pushsection .rodata\n3: .asciz \"" text "\"\n.popsection\n"                                                     \
    ".pushsection .data.rel.ro.forms, \"aw\"\n.quad 1b, 2b, 3b, " #exact ", " #level "\n.popsection\n"
#define EXACT(text) FORM_OF(1, 0, text)
#define LOOSE(text) FORM_OF(0, 0, text)
#define WIDE(text) FORM_OF(0, 3, text)

/* An operation with two integer operands, in all widths, with registers, numbers and memory. */
#define TWO(op)                                                                                                        \
    EXACT(op "b %cl, %dl") EXACT(op "w %cx, %dx") EXACT(op "l %ecx, %edx") EXACT(op "q %rcx, %rdx")                    \
    EXACT(op "b %ch, %dl") EXACT(op "b %al, %bh") EXACT(op "b $-3, %al") EXACT(op "w $-3, %ax")                        \
    EXACT(op "l $100000, %eax") EXACT(op "q $-100000, %rax") EXACT(op "l %ecx, (%rsi)") EXACT(op "q %rcx, 8(%rdi)")    \
    EXACT(op "b 5(%rsi, %r8, 4), %cl") EXACT(op "w 2(%rsi), %cx") EXACT(op "l 4(%rsi), %ecx") EXACT(op "q (%rdi), %rcx") \
    EXACT(op "b %cl, 3(%rsi)") EXACT(op "l $7, 3(%rsi)") EXACT(op "l %eax, %eax")

#define ONE(op)                                                                                                        \
    EXACT(op "b %cl") EXACT(op "b %ah") EXACT(op "w %cx") EXACT(op "l %ecx") EXACT(op "q %rcx") EXACT(op "b 1(%rsi)")   \
    EXACT(op "w (%rsi)") EXACT(op "l (%rsi)") EXACT(op "q (%rsi)")

#define SHIFT(op)                                                                                                      \
    EXACT(op "b %cl, %dl") EXACT(op "w %cl, %dx") EXACT(op "l %cl, %edx") EXACT(op "q %cl, %rdx") EXACT(op "b $3, %dl") \
    EXACT(op "w $1, %dx") EXACT(op "l $1, %edx") EXACT(op "l $31, %edx") EXACT(op "q $33, %rdx") EXACT(op "b %cl, %dh") \
    EXACT(op "l %cl, (%rsi)") EXACT(op "q $1, (%rsi)") EXACT(op "b $1, %al") EXACT(op "q %rdx") EXACT(op "l $0, %edx")

#define SHIFT_IN(op)                                                                                                   \
    LOOSE(op "w $3, %ax, %dx") EXACT(op "l $3, %eax, %edx") EXACT(op "q $33, %rax, %rdx") EXACT(op "l %cl, %eax, %edx") \
    EXACT(op "q %cl, %rax, %rdx") EXACT(op "q $1, %rax, (%rsi)")

#define BIT_NUMBER(op)                                                                                                 \
    EXACT(op "w %cx, %dx") EXACT(op "l %ecx, %edx") EXACT(op "q %rcx, %rdx") EXACT(op "l $5, %edx") EXACT(op "q $63, %rdx") \
    EXACT(op "l $31, (%rsi)") EXACT(op "q $3, 8(%rsi)")

#define FROM_ONE(op, exact, level)                                                                                     \
    FORM_OF(exact, level, op "l %ecx, %edx") FORM_OF(exact, level, op "q %rcx, %rdx") FORM_OF(exact, level, op "l (%rsi), %edx")      \
    FORM_OF(exact, level, op "q (%rsi), %rdx") FORM_OF(exact, level, op "l %eax, %eax")

#define BMI_TWO(op) /* the second operand is the first one of the machine's name */                                    \
    FORM_OF(1, 2, op "l %ecx, %edx, %eax") FORM_OF(1, 2, op "q %rcx, %rdx, %rax") FORM_OF(1, 2, op "q %rcx, %rcx, %rcx")

#define CONDITIONS(X) X("o") X("no") X("b") X("ae") X("e") X("ne") X("be") X("a") X("s") X("ns") X("p") X("np") X("l") X("ge") X("le") X("g")
#define SET_AND_MOVE(c)                                                                                                \
    EXACT("set" c " %cl") EXACT("set" c " %dh") EXACT("set" c " (%rsi)") EXACT("cmov" c " %ecx, %edx") EXACT("cmov" c " %rcx, %rdx") \
    EXACT("cmov" c " %cx, %dx") EXACT("cmov" c "l (%rsi), %eax")

/* An operation on 16 bytes of vector registers, and its VEX form. */
#define SSE(op)  EXACT(op " %xmm1, %xmm2") EXACT(op " %xmm3, %xmm3")
#define YMM(op) FORM_OF(1, 2, "v" op " %ymm1, %ymm2, %ymm3") FORM_OF(1, 2, "v" op " %ymm1, %ymm2, %ymm1") FORM_OF(1, 2, "v" op " (%rsi), %ymm2, %ymm2")
#define VEX(op)  YMM(op) FORM_OF(1, 2, "v" op " %xmm1, %xmm2, %xmm3") FORM_OF(1, 2, "v" op " %xmm1, %xmm2, %xmm1")
#define LANES(op) SSE(op) VEX(op)
#define SSE4(op) FORM_OF(1, 1, op " %xmm1, %xmm2") VEX(op)
#define SCALAR(op) EXACT(op "sd %xmm1, %xmm2") EXACT(op "ss %xmm1, %xmm2") EXACT(op "sd 8(%rsi), %xmm2") EXACT(op "ss 8(%rsi), %xmm2") \
    FORM_OF(0, 2, "v" op "sd %xmm1, %xmm2, %xmm3") FORM_OF(0, 2, "v" op "ss %xmm1, %xmm2, %xmm3")
