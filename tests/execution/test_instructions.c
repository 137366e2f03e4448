/* Instructions are executed by the processor, and as steps: what steps say must be what the processor does.
 *
 * Each form is executed with random registers, flags and memory. Then some of these are not known: what steps say must
 * be right for two different values of them.
 *
 * unit-instructions [N]: N times each, not 100 */
#include "execution/code/instruction.h"
#include "execution/state/execute.h"
#include "image/link/program.h"
#include "instruction_forms.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { N_GENERAL = 16, N_VECTORS = 16, MEMORY = 64, FLAGS = 0x8c5 };

/* What an instruction sees. The order is that of the code below; the stack pointer and r15 are left alone. */
typedef struct {
    guint64 general[N_GENERAL], flags, vectors[N_VECTORS][4];
    const void *code;
    guint64 has_wide; /* whether registers of 32 bytes are there */
    _Alignas(32) guint64 memory[MEMORY / 8];
} Machine;

void native_execute(Machine *machine);

__asm__(".text\n"
        "native_execute:\n"
        "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rdi, %r15\n"
        "cmpq $0, 656(%r15)\nje 1f\n" /* the lower bytes are loaded by both ways */
        ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "vmovups 136+32*\\n(%r15), %ymm\\n\n"
        ".endr\n1:\n"
        ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "movups 136+32*\\n(%r15), %xmm\\n\n"
        ".endr\n"
        "pushq 128(%r15)\npopfq\n"
        "mov 0(%r15), %rax\nmov 8(%r15), %rcx\nmov 16(%r15), %rdx\nmov 24(%r15), %rbx\nmov 40(%r15), %rbp\n"
        "mov 48(%r15), %rsi\nmov 56(%r15), %rdi\nmov 64(%r15), %r8\nmov 72(%r15), %r9\nmov 80(%r15), %r10\n"
        "mov 88(%r15), %r11\nmov 96(%r15), %r12\nmov 104(%r15), %r13\nmov 112(%r15), %r14\n"
        "jmp *648(%r15)\n"
        ".globl native_back\nnative_back:\n"
        "mov %rax, 0(%r15)\nmov %rcx, 8(%r15)\nmov %rdx, 16(%r15)\nmov %rbx, 24(%r15)\nmov %rbp, 40(%r15)\n"
        "mov %rsi, 48(%r15)\nmov %rdi, 56(%r15)\nmov %r8, 64(%r15)\nmov %r9, 72(%r15)\nmov %r10, 80(%r15)\n"
        "mov %r11, 88(%r15)\nmov %r12, 96(%r15)\nmov %r13, 104(%r15)\nmov %r14, 112(%r15)\n"
        "pushfq\npopq 128(%r15)\n"
        ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "movups %xmm\\n, 136+32*\\n(%r15)\n"
        ".endr\n"
        "cmpq $0, 656(%r15)\nje 1f\n"
        ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "vmovups %ymm\\n, 136+32*\\n(%r15)\n"
        ".endr\nvzeroupper\n1:\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n");

extern const char __executable_start;

static guint n_rounds = 100;
static HieraProgram *program;
static HieraDecoder *decoder;
static guint64 from_here; /* what to add to an address of this process to have that in the file */

/* --- random machines --- */

static guint64 random_state = 88172645463325252u;

static guint64 random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Numbers at which something happens are as frequent as others. */
static guint64 random_number(void)
{
    static const guint64 edges[] = {0,
                                    1,
                                    2,
                                    0x7f,
                                    0x80,
                                    0xff,
                                    0x7fff,
                                    0x8000,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    G_GUINT64_CONSTANT(0x7fffffffffffffff),
                                    G_GUINT64_CONSTANT(0x8000000000000000),
                                    G_MAXUINT64};
    guint64 bits = random_bits();
    switch (random_bits() >> 20 & 3) {
    case 0:
        return edges[bits % G_N_ELEMENTS(edges)] + (bits >> 60 == 0);
    case 1:
        return bits % 100;
    case 2:
        return (guint64)0 - bits % 100;
    default:
        return bits;
    }
}

static guint64 random_float(void)
{
    gdouble number = (gdouble)(gint64)(random_bits() % 2001) / 8 - 125;
    gfloat small = (gfloat)number;
    guint32 half;
    memcpy(&half, &small, sizeof half);
    switch (random_bits() >> 20 & 3) {
    case 0:
        return random_number();
    case 1:
        return (guint64)half << 32 | half;
    default:
        return hiera_bits_of_double(number);
    }
}

static void set_random(Machine *machine)
{
    for (guint i = 0; i < N_GENERAL; i++)
        machine->general[i] = random_number();
    for (guint i = 0; i < N_VECTORS; i++)
        for (guint k = 0; k < 4; k++)
            machine->vectors[i][k] = random_float();
    for (guint i = 0; i < MEMORY / 8; i++)
        machine->memory[i] = i % 2 ? random_float() : random_number();
    machine->flags = (random_bits() & FLAGS) | 2;
    machine->general[HIERA_RSI] = (guint64)machine->memory;
    machine->general[HIERA_RDI] = (guint64)machine->memory + MEMORY / 2;
    machine->general[HIERA_R8] = random_bits() % 4;
}

/* --- executing --- */

static gboolean is_fixed(guint reg)
{
    return reg == HIERA_RSP || reg == 15 || reg == HIERA_RSI || reg == HIERA_RDI || reg == HIERA_R8;
}

/* Register with the i-th 8 bytes of all vector registers. */
static guint register_of(guint i)
{
    static const guint8 parts[] = {HIERA_XMM, HIERA_XMM_HIGH, HIERA_YMM, HIERA_YMM + HIERA_XMM_HIGH - HIERA_XMM};
    return parts[i % 4] + i / 4;
}

static void set_state(HieraProcessState *state, const Machine *machine, guint64 unknown, guint64 unknown_bytes)
{
    for (guint i = 0; i < N_GENERAL; i++)
        state->registers[i] = (HieraKnown){is_fixed(i) || !(unknown >> i & 1), machine->general[i], 0};
    for (guint i = 0; i < 4 * N_VECTORS; i++)
        state->registers[register_of(i)] =
            (HieraKnown){!(unknown >> (16 + i / 2) & 1), machine->vectors[i / 4][i % 4], 0};
    for (guint i = 0; i < MEMORY; i++) {
        guint64 byte = machine->memory[i / 8] >> i % 8 * 8;
        hiera_known_memory_write(state->memory, (guint64)machine->memory + i, 1, !(unknown_bytes >> i & 1),
                                 byte & 0xff);
    }
    state->flags = (HieraFlags){.kind = HIERA_FLAGS_UNKNOWN};
    guint64 flags = machine->flags;
    if (!(unknown >> 48 & 1))
        hiera_flags_give(&state->flags, HIERA_ALL_FLAGS,
                         (guint8)((flags & 1 ? HIERA_CARRY : 0) | (flags & 4 ? HIERA_PARITY : 0) |
                                  (flags & 0x40 ? HIERA_ZERO : 0) | (flags & 0x80 ? HIERA_SIGN : 0) |
                                  (flags & 0x800 ? HIERA_OVERFLOW : 0)));
}

static GArray *steps_of(const Form *form)
{
    GArray *steps = g_array_new(FALSE, TRUE, sizeof(HieraStep));
    HieraInstruction instruction;
    for (const guint8 *at = form->begin; at < form->end; at += instruction.length) {
        if (!hiera_decoder_decode(decoder, (guint64)at + from_here, &instruction))
            ck_abort_msg("%s: is not decoded", form->text);
        hiera_steps_append(decoder, steps);
    }
    for (guint i = 0; i < steps->len; i++)
        g_array_index(steps, HieraStep, i).number = 1;
    return steps;
}

/* --- comparing --- */

static gboolean condition_of(guint64 flags, guint condition)
{
    gboolean carry = flags & 1, parity = flags >> 2 & 1, zero = flags >> 6 & 1, sign = flags >> 7 & 1,
             overflow = flags >> 11 & 1;
    const gboolean all[] = {
        overflow, carry, zero, carry || zero, sign, parity, sign != overflow, zero || sign != overflow};
    return all[condition / 2] != (gboolean)(condition & 1);
}

/* @return  number of places of which nothing is said */
static guint compare(const Form *form, HieraProcessState *state, const Machine *before, const Machine *after)
{
    guint n_unknown = 0;
    for (guint i = 0; i < N_GENERAL; i++) {
        const HieraKnown *value = &state->registers[i];
        guint64 low = value->n_low > 0 ? hiera_cut(~0ull, value->n_low) : 0;
        n_unknown += !value->known;
        if (!is_fixed(i) && ((value->known ? ~0ull : low) & (value->bits ^ after->general[i])) != 0)
            ck_abort_msg("%s: register %u becomes %016" G_GINT64_MODIFIER "x, not %016" G_GINT64_MODIFIER
                         "x; rax %" G_GINT64_MODIFIER "x rcx %" G_GINT64_MODIFIER "x rdx %" G_GINT64_MODIFIER "x",
                         form->text, i, after->general[i], value->bits, before->general[0], before->general[1],
                         before->general[2]);
    }
    for (guint i = 0; i < 4 * N_VECTORS; i++) {
        const HieraKnown *value = &state->registers[register_of(i)];
        if (i % 4 > 1 && !after->has_wide)
            continue;
        n_unknown += !value->known;
        if (value->known && value->bits != after->vectors[i / 4][i % 4])
            ck_abort_msg("%s: part %u of xmm%u becomes %016" G_GINT64_MODIFIER "x, not %016" G_GINT64_MODIFIER "x",
                         form->text, i % 4, i / 4, after->vectors[i / 4][i % 4], value->bits);
    }
    /* A value that was stored nobody knows where may be anywhere: that it was, is all that is said of the memory. */
    for (guint i = 0; i < MEMORY && !state->has_lost_store; i++) {
        guint64 byte;
        gboolean known = hiera_known_memory_read(state->memory, (guint64)before->memory + i, 1, &byte);
        n_unknown += !known;
        if (known && byte != (after->memory[i / 8] >> i % 8 * 8 & 0xff))
            ck_abort_msg("%s: byte %u of memory becomes another one than %02x", form->text, i, (guint)byte);
    }
    for (guint condition = 0; condition < HIERA_IF_UNKNOWN; condition++) {
        gboolean holds;
        if (hiera_flags_decide(&state->flags, (HieraStepCondition)condition, &holds) &&
            (!holds) == condition_of(after->flags, condition))
            ck_abort_msg("%s: condition %u, flags are %" G_GINT64_MODIFIER "x; rax %" G_GINT64_MODIFIER
                         "x rcx %" G_GINT64_MODIFIER "x rdx %" G_GINT64_MODIFIER "x",
                         form->text, condition, after->flags, before->general[0], before->general[1],
                         before->general[2]);
    }
    return n_unknown;
}

/* Execute a form; what is unknown has other values in the second of two times. */
static guint try(const Form *form, const GArray *steps, guint64 unknown, guint64 unknown_bytes)
{
    static Machine machine, other;
    static HieraLastStore store[2];
    HieraProcessState state = {.memory = hiera_known_memory_new(program), .stores = store};
    guint n_unknown = 0;
    set_random(&machine);
    machine.code = form->begin;
    machine.has_wide = __builtin_cpu_supports("avx2") != 0;
    set_state(&state, &machine, unknown, unknown_bytes);
    hiera_state_execute(&state, (const HieraStep *)(const void *)steps->data, steps->len);
    for (guint turn = 0; turn < (unknown ? 2 : 1); turn++) {
        const Machine before = machine;
        native_execute(&machine);
        other = machine;
        machine = before;
        n_unknown = compare(form, &state, &machine, &other);
        for (guint i = 0; i < N_GENERAL; i++)
            machine.general[i] = !is_fixed(i) && unknown >> i & 1 ? random_number() : machine.general[i];
        for (guint i = 0; i < 4 * N_VECTORS; i++)
            machine.vectors[i / 4][i % 4] =
                unknown >> (16 + i / 2) & 1 ? random_float() : machine.vectors[i / 4][i % 4];
        for (guint i = 0; i < MEMORY; i++)
            if (unknown_bytes >> i & 1)
                ((guint8 *)machine.memory)[i] ^= (guint8)random_bits();
        machine.flags = unknown >> 48 & 1 ? (random_bits() & FLAGS) | 2 : machine.flags;
    }
    hiera_known_memory_free(state.memory);
    return n_unknown;
}

static gboolean can_execute(const Form *form)
{
    switch (form->level) {
    case 0:
        return TRUE;
    case 1:
        return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    case 2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    default:
        return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq");
    }
}

START_TEST(steps_do_what_the_processor_does)
{
    const Form *form = &forms_begin[_i];
    if (!can_execute(form))
        return;
    g_autoptr(GArray) steps = steps_of(form);
    guint n_unknown = 0;
    for (guint i = 0; i < n_rounds; i++)
        n_unknown += try(form, steps, 0, 0);
    if (form->is_exact && n_unknown > 0)
        ck_abort_msg("%s: %u of %u results are not known", form->text, n_unknown, n_rounds);
    for (guint i = 0; i < n_rounds; i++)
        try(form, steps, random_bits() & random_bits(), random_bits() & random_bits());
}
END_TEST

int main(int argc, char **argv)
{
    n_rounds = argc > 1 ? (guint)atoi(argv[1]) : n_rounds;
    g_autoptr(GError) error = NULL;
    program = hiera_program_open("/proc/self/exe", NULL, &error);
    if (!program)
        g_error("%s", error->message);
    const HieraObject *self = program->objects->pdata[0];
    decoder = hiera_decoder_new(self, NULL);
    from_here = hiera_object_first_page(self) - (guint64)&__executable_start;
    Suite *suite = suite_create("instructions");
    TCase *cases = tcase_create("forms");
    tcase_add_loop_test(cases, steps_do_what_the_processor_does, 0, (int)(forms_end - forms_begin));
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
