/* The way into a door: code at which a call arrives that may be meant for one of several functions. A C function
 * decides by the caller, and the call goes on there with all argument registers as the caller has set them. */
#pragma once

/* HIERA_DOOR_ENTRY(name, decide): the code `name`, to be jumped to with a word in r11 or x16; `decide` gets this word
 * and the return address of the caller, and returns the function. */
#if defined(__x86_64__)
#define HIERA_DOOR_ENTRY(name, decide)                                                                                 \
    __asm__(".pushsection .text\n"                                                                                     \
            ".globl " name "\n .hidden " name "\n .type " name ", @function\n"                                         \
            "" name ":\n .cfi_startproc\n"                                                                             \
            "push %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp, -16\n mov %rsp, %rbp\n .cfi_def_cfa_register rbp\n" \
            "sub $192, %rsp\n and $-16, %rsp\n"                                                                        \
            "mov %rdi, (%rsp)\n mov %rsi, 8(%rsp)\n mov %rdx, 16(%rsp)\n mov %rcx, 24(%rsp)\n"                         \
            "mov %r8, 32(%rsp)\n mov %r9, 40(%rsp)\n mov %rax, 48(%rsp)\n mov %r10, 56(%rsp)\n"                        \
            "movaps %xmm0, 64(%rsp)\n movaps %xmm1, 80(%rsp)\n movaps %xmm2, 96(%rsp)\n movaps %xmm3, 112(%rsp)\n"     \
            "movaps %xmm4, 128(%rsp)\n movaps %xmm5, 144(%rsp)\n movaps %xmm6, 160(%rsp)\n movaps %xmm7, 176(%rsp)\n"  \
            "mov %r11, %rdi\n mov 8(%rbp), %rsi\n call " decide "\n mov %rax, %r11\n"                                  \
            "mov (%rsp), %rdi\n mov 8(%rsp), %rsi\n mov 16(%rsp), %rdx\n mov 24(%rsp), %rcx\n"                         \
            "mov 32(%rsp), %r8\n mov 40(%rsp), %r9\n mov 48(%rsp), %rax\n mov 56(%rsp), %r10\n"                        \
            "movaps 64(%rsp), %xmm0\n movaps 80(%rsp), %xmm1\n movaps 96(%rsp), %xmm2\n movaps 112(%rsp), %xmm3\n"     \
            "movaps 128(%rsp), %xmm4\n movaps 144(%rsp), %xmm5\n movaps 160(%rsp), %xmm6\n movaps 176(%rsp), %xmm7\n"  \
            "leave\n .cfi_def_cfa rsp, 8\n jmp *%r11\n .cfi_endproc\n"                                                 \
            ".size " name ", . - " name "\n .popsection\n");
#elif defined(__aarch64__)
#define HIERA_DOOR_ENTRY(name, decide)                                                                                 \
    __asm__(".pushsection .text\n"                                                                                     \
            ".globl " name "\n .hidden " name "\n .type " name ", %function\n"                                         \
            "" name ":\n .cfi_startproc\n"                                                                             \
            "stp x29, x30, [sp, #-224]!\n .cfi_def_cfa_offset 224\n .cfi_offset x29, -224\n .cfi_offset x30, -216\n"   \
            "mov x29, sp\n"                                                                                            \
            "stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n stp x4, x5, [sp, #48]\n stp x6, x7, [sp, #64]\n"          \
            "str x8, [sp, #80]\n"                                                                                      \
            "stp q0, q1, [sp, #96]\n stp q2, q3, [sp, #128]\n stp q4, q5, [sp, #160]\n stp q6, q7, [sp, #192]\n"       \
            "mov x0, x16\n mov x1, x30\n bl " decide "\n mov x16, x0\n"                                                \
            "ldp x0, x1, [sp, #16]\n ldp x2, x3, [sp, #32]\n ldp x4, x5, [sp, #48]\n ldp x6, x7, [sp, #64]\n"          \
            "ldr x8, [sp, #80]\n"                                                                                      \
            "ldp q0, q1, [sp, #96]\n ldp q2, q3, [sp, #128]\n ldp q4, q5, [sp, #160]\n ldp q6, q7, [sp, #192]\n"       \
            "ldp x29, x30, [sp], #224\n .cfi_def_cfa_offset 0\n .cfi_restore x29\n .cfi_restore x30\n br x16\n"        \
            ".cfi_endproc\n .size " name ", . - " name "\n .popsection\n");
#else
#define HIERA_DOOR_ENTRY(name, decide)
#endif
