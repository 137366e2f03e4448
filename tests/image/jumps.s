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

# Vector instructions that Capstone does not know write other registers. doubt: none
begin set_before_vectors
    lea before_vectors(%rip), %rdx
1:  vmovsd 8(%rsp), %xmm16
    vxorpd %zmm16, %zmm17, %zmm18{%k1}
    kortestq %k1, %k1
    kmovq %k1, %rax
    vcvttsd2si %xmm16, %r10
    vpextrq $1, %xmm16, %rcx
    mov %esi, %edi
    jump_by_table %rdx
41: inc %esi
    jmp 1b
42: dec %esi
    jmp 1b
9:  ret
finish set_before_vectors

# One of them writes that of the table. doubt: address of its table
begin set_before_number
    lea before_number(%rip), %rdx
1:  vcvttsd2si %xmm16, %rdx
    mov %esi, %edi
    jump_by_table %rdx
43: inc %esi
    jmp 1b
44: dec %esi
    jmp 1b
9:  ret
finish set_before_number

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

# --- lengths of tables ---

    .macro index_table name, reg
    lea \name(%rip), %rdx
    movslq (%rdx, \reg, 4), %rax
    add %rdx, %rax
    jmp *%rax
80: inc %esi
    ret
81: dec %esi
    ret
89: ret
    .section .rodata
\name:
    .long 80b - \name, 81b - \name, 80b - \name, 81b - \name
    .text
    .endm

# doubt: none
begin length_copied_before
    mov %edi, %eax
    cmp $3, %edi
    ja 89f
    index_table l1, %rax
finish length_copied_before

# doubt: none
begin length_of_byte
    sub $0x41, %edi
    cmp $3, %dil
    ja 89f
    movzbl %dil, %eax
    index_table l2, %rax
finish length_of_byte

# doubt: none
begin length_of_memory
    cmpl $3, (%rdi)
    ja 89f
    mov (%rdi), %eax
    index_table l3, %rax
finish length_of_memory

# doubt: none
begin length_of_mask
    and $3, %edi
    index_table l4, %rdi
finish length_of_mask

# Without sign, the number is at most 4; and not 4. doubt: none
begin length_of_two
    mov %edi, %edi
    cmp $4, %edi
    je 89f
    ja 89f
    index_table l5, %rdi
finish length_of_two

# Not negative, and at most 3. doubt: none
begin length_with_sign
    movslq %edi, %rax
    test %edi, %edi
    js 89f
    cmp $3, %edi
    jg 89f
    index_table l6, %rax
finish length_with_sign

# It was put into memory before it was compared. doubt: none
begin length_spilled
    mov %edi, %eax
    mov %rax, -8(%rsp)
    sub $3, %edi
    ja 89f
    mov -8(%rsp), %rax
    index_table l7, %rax
finish length_spilled

# doubt: length of its table is not certain
begin length_on_one_path
    mov %edi, %eax
    test %esi, %esi
    je 71f
    cmp $3, %edi
    ja 89f
71: index_table l8, %rax
finish length_on_one_path

# doubt: length of its table is not certain
begin length_changed
    cmp $3, %edi
    ja 89f
    inc %edi
    index_table l9, %rdi
finish length_changed

# The upper half is not compared. doubt: length of its table is not certain
begin length_of_half
    cmp $3, %edi
    ja 89f
    index_table l10, %rdi
finish length_of_half

# doubt: length of its table is not certain
begin length_negative
    movslq %edi, %rax
    cmp $3, %edi
    jg 89f
    cmp $3, %esi
    ja 89f
    index_table l11, %rax
finish length_negative

# doubt: length of its table is not certain
begin length_stored
    cmpl $3, (%rdi)
    ja 89f
    movl $9, (%rsi)
    mov (%rdi), %eax
    index_table l12, %rax
finish length_stored

# Another place in memory is read than the one that was compared. doubt: length of its table is not certain
begin length_of_other_place
    cmpl $3, (%rdi)
    ja 89f
    mov %rsi, %rdi
    mov (%rdi), %eax
    index_table l40, %rax
finish length_of_other_place

# doubt: length of its table is not certain
begin length_of_others
    mov %edi, %eax
    cmp $3, %edi
    add %esi, %esi
    ja 89f
    index_table l13, %rax
finish length_of_others

# The nearest comparison lets through less than the other one. doubt: length of its table is not certain
begin length_of_other_path
    mov %edi, %eax
    test %esi, %esi
    je 71f
    cmp $9, %edi
    ja 89f
    jmp 72f
71: cmp $3, %edi
    ja 89f
72: index_table l14, %rax
finish length_of_other_path

# The number of the last time is compared. doubt: length of its table is not certain
begin length_of_last_time
    mov %edi, %ecx
71: mov %ecx, %eax
    mov (%rsi), %edi
    mov %edi, %ecx
    add $4, %rsi
    cmp $3, %edi
    ja 71b
    index_table l15, %rax
finish length_of_last_time

# doubt: its table may change
begin changing
    mov %edi, %eax
    cmp $1, %edi
    ja 9f
    lea may_change(%rip), %rdx
    movslq (%rdx, %rax, 4), %rax
    add %rdx, %rax
    jmp *%rax
12: inc %esi
    ret
13: dec %esi
9:  ret
finish changing

# A call of a function behind the last element. doubt: no table where it should be
begin leads_out
    mov %edi, %eax
    cmp $1, %edi
    ja 9f
    lea to_others(%rip), %rdx
    movslq (%rdx, %rax, 4), %rax
    add %rdx, %rax
    jmp *%rax
14: inc %esi
9:  ret
finish leads_out

# No instruction of x86-64 begins so. doubt: (bytes 06 31 c0 c3
begin unknown
    .byte 0x06
    xor %eax, %eax
    ret
finish unknown

    .section .rodata
once:
    .long 2b - once, 3b - once
twice:
    .long 4b - twice, 5b - twice
again:
    .long 5b - again, 4b - again
before_vectors:
    .long 41b - before_vectors, 42b - before_vectors
before_number:
    .long 43b - before_number, 44b - before_number
lost:
    .long 10b - lost, 11b - lost
kept:
    .long 6b - kept, 7b - kept
to_others:
    .long 14b - to_others, leaf - to_others
    .data
may_change:
    .long 12b - may_change, 13b - may_change
    .section .data.rel.ro, "aw"
    .balign 8
    .quad 8b
