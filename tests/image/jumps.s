# Jumps to pointers. The comment before a function says which doubt it has, as a part of its text; "none": it has none.
    .macro begin name
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
    .endm
    .macro finish name
    .cfi_endproc
    .size \name, . - \name
    .endm
    .macro jump_by_table base
    cmp $1, %edi
    ja 9f
    mov %edi, %eax
    movslq (\base, %rax, 4), %rax
    add \base, %rax
    jmp *%rax
    .endm

    .text
# The table's address is set far away, before a loop with a call. doubt: none
begin set_once
    push %rbx
    .cfi_def_cfa_offset 16
    lea once(%rip), %rbx
1:  call leaf
    mov %eax, %edi
    jump_by_table %rbx
2:  inc %esi
    jmp 1b
3:  dec %esi
    jmp 1b
9:  pop %rbx
    .cfi_def_cfa_offset 8
    ret
finish set_once

# Which of two tables it is depends on the path. doubt: address of its table
begin set_twice
    push %rbx
    .cfi_def_cfa_offset 16
    lea twice(%rip), %rbx
    test %esi, %esi
    je 1f
    lea again(%rip), %rbx
1:  call leaf
    mov %eax, %edi
    jump_by_table %rbx
4:  inc %esi
    jmp 1b
5:  dec %esi
    jmp 1b
9:  pop %rbx
    .cfi_def_cfa_offset 8
    ret
finish set_twice

# A call may change the register. doubt: address of its table
begin set_and_lost
    lea lost(%rip), %rdx
1:  call calls
    mov %eax, %edi
    jump_by_table %rdx
10: inc %esi
    jmp 1b
11: dec %esi
    jmp 1b
9:  ret
finish set_and_lost

# The function that is called leaves the register alone. doubt: none
begin set_and_kept
    lea kept(%rip), %rdx
1:  call leaf
    mov %eax, %edi
    jump_by_table %rdx
6:  inc %esi
    jmp 1b
7:  dec %esi
    jmp 1b
9:  ret
finish set_and_kept

# doubt: none
begin calls
    sub $8, %rsp
    .cfi_def_cfa_offset 16
    call leaf
    add $8, %rsp
    .cfi_def_cfa_offset 8
    ret
finish calls

# doubt: none
begin leaf
    mov %edi, %eax
    ret
finish leaf

# A virtual function that ends in another one. doubt: none
begin virtual
    mov (%rdi), %rax
    jmp *16(%rax)
finish virtual

# A pointer to a member. doubt: none
begin member
    mov (%rdi), %rax
    test $1, %al
    je 1f
    mov (%rsi), %rdx
    mov -1(%rdx, %rax), %rax
1:  jmp *%rax
finish member

# One of two functions, or the result of a call. doubt: none
begin chosen
    push %rbx
    .cfi_def_cfa_offset 16
    mov %edi, %ebx
    lea leaf(%rip), %rax
    test %ebx, %ebx
    je 1f
    lea virtual(%rip), %rax
    cmp $1, %ebx
    je 1f
    call leaf
1:  pop %rbx
    .cfi_def_cfa_offset 8
    jmp *%rax
finish chosen

# doubt: the stack frame is not known to be gone
begin keeps_frame
    push %rbx
    .cfi_def_cfa_offset 16
    mov (%rdi), %rax
    jmp *%rax
finish keeps_frame

# doubt: its address is computed
begin computed
    lea once(%rip), %rdx
    mov (%rdi), %rax
    add %rdx, %rax
    jmp *%rax
finish computed

# doubt: its address is computed
begin computed_and_kept
    lea once(%rip), %rdx
    mov (%rdi), %rax
    add %rdx, %rax
    mov %rax, -8(%rsp)
    mov -8(%rsp), %rax
    jmp *%rax
finish computed_and_kept

# An address inside is in the data. doubt: it may go to an address inside
begin inside_in_data
    test %esi, %esi
    je 8f
    jmp *(%rdi)
8:  ret
finish inside_in_data

# An address inside is made here. doubt: it may go to an address inside
begin inside_in_code
    lea 1f(%rip), %rax
    mov %rax, (%rdi)
    jmp *(%rsi)
1:  ret
finish inside_in_code

    .section .rodata
once:
    .long 2b - once, 3b - once
twice:
    .long 4b - twice, 5b - twice
again:
    .long 5b - again, 4b - again
lost:
    .long 10b - lost, 11b - lost
kept:
    .long 6b - kept, 7b - kept
    .section .data.rel.ro, "aw"
    .balign 8
    .quad 8b
