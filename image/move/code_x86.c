/* See code_x86.h. Opcodes: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2. */
#include "code_x86.h"
#include <string.h>

#define PUT(out, ...) put_all(out, (const guint8[]){__VA_ARGS__}, sizeof((const guint8[]){__VA_ARGS__}))

static void put_all(HieraCodeOut *out, const guint8 *bytes, gsize n)
{
    g_byte_array_append(out->bytes, bytes, (guint)n);
}

void hiera_code_bytes(HieraCodeOut *out, const guint8 *bytes, gsize n)
{
    put_all(out, bytes, n);
}

guint32 hiera_code_gap(HieraCodeOut *out)
{
    PUT(out, 0, 0, 0, 0);
    return out->bytes->len - 4;
}

static void add_fixup(HieraCodeOut *out, guint kind, guint32 at, guint32 end, gint64 target)
{
    const HieraPlanFixup fixup = {kind, at, end, (gint32)target};
    g_array_append_val(out->fixups, fixup);
}

void hiera_code_far(HieraCodeOut *out, gint64 target)
{
    guint32 at = hiera_code_gap(out);
    add_fixup(out, HIERA_PLAN_FILE_32, at, at + 4, target);
}

/* Fill a gap of four bytes with the distance from its end to a position. */
static void put_distance(HieraCodeOut *out, guint32 gap, guint32 to)
{
    gint32 distance = GINT32_TO_LE((gint32)(to - (gap + 4)));
    memcpy(out->bytes->data + gap, &distance, sizeof distance);
}

void hiera_code_here(HieraCodeOut *out, guint32 gap)
{
    put_distance(out, gap, out->bytes->len);
}

static void add_jump(HieraCodeOut *out, guint block)
{
    const HieraCodeJump jump = {hiera_code_gap(out), block};
    g_array_append_val(out->jumps, jump);
}

void hiera_code_jump_to_block(HieraCodeOut *out, guint block)
{
    PUT(out, 0xe9);
    add_jump(out, block);
}

void hiera_code_jump_far(HieraCodeOut *out, gint64 target)
{
    PUT(out, 0xe9);
    hiera_code_far(out, target);
}

void hiera_code_call_far(HieraCodeOut *out, gint64 target)
{
    PUT(out, 0xe8);
    hiera_code_far(out, target);
}

void hiera_code_branch_to_block(HieraCodeOut *out, guint condition, guint block)
{
    PUT(out, 0x0f, (guint8)(0x80 | condition));
    add_jump(out, block);
}

guint32 hiera_code_branch_over(HieraCodeOut *out, guint condition)
{
    PUT(out, 0x0f, (guint8)(0x80 | condition));
    return hiera_code_gap(out);
}

guint32 hiera_code_jump_over(HieraCodeOut *out)
{
    PUT(out, 0xe9);
    return hiera_code_gap(out);
}

/* Write a call of the event routine. The 128 bytes below the stack pointer also belong to the function (System V ABI,
 * red zone). */
void hiera_code_event(HieraCodeOut *out, guint kind, guint number)
{
    PUT(out, 0x48, 0x8d, 0x64, 0x24, 0x80); /* lea -128(%rsp), %rsp */
    PUT(out, 0x68);                         /* push EVENT */
    guint32 event = hiera_code_gap(out);
    add_fixup(out, HIERA_PLAN_EVENT_32, event, kind, number);
    PUT(out, 0xff, 0x15); /* call *EVENT_AT(%rip) */
    put_distance(out, hiera_code_gap(out), HIERA_PLAN_EVENT_AT);
    PUT(out, 0x48, 0x8d, 0xa4, 0x24, 0x88, 0, 0, 0); /* lea 136(%rsp), %rsp */
}

guint32 hiera_code_personality(HieraCodeOut *out, gint64 routine, gboolean is_pointer, guint function)
{
    guint32 position = out->bytes->len;
    PUT(out, 0xf3, 0x0f, 0x1e, 0xfa); /* endbr64 */
    PUT(out, 0x4c, 0x8d, 0x0d);       /* lea UNWOUND(%rip), %r9: the sixth argument */
    guint32 gap = hiera_code_gap(out);
    PUT(out, 0xff, 0x25); /* jmp *UNWIND_AT(%rip) */
    put_distance(out, hiera_code_gap(out), HIERA_PLAN_UNWIND_AT);
    while (out->bytes->len % 4 != 0)
        PUT(out, 0);
    hiera_code_here(out, gap);
    guint32 at = hiera_code_gap(out);
    if (routine != 0)
        add_fixup(out, HIERA_PLAN_FILE_32, at, at, routine);
    PUT(out, is_pointer, 0, 0, 0);
    add_fixup(out, HIERA_PLAN_EVENT_32, hiera_code_gap(out), HIERA_PLAN_FUNCTION_OUT, function);
    return position;
}

void hiera_code_count(HieraCodeOut *out, guint loop, gboolean flags_live)
{
    if (!flags_live) {
        PUT(out, 0x64, 0x48, 0xff, 0x04, 0x25); /* incq %fs:COUNTER */
        add_fixup(out, HIERA_PLAN_COUNTER_32, hiera_code_gap(out), 0, loop);
        return;
    }
    PUT(out, 0x48, 0x8d, 0x64, 0x24, 0x80); /* lea -128(%rsp), %rsp */
    PUT(out, 0x50);                         /* push %rax */
    PUT(out, 0x64, 0x48, 0x8b, 0x04, 0x25); /* mov %fs:COUNTER, %rax */
    add_fixup(out, HIERA_PLAN_COUNTER_32, hiera_code_gap(out), 0, loop);
    PUT(out, 0x48, 0x8d, 0x40, 0x01);       /* lea 1(%rax), %rax */
    PUT(out, 0x64, 0x48, 0x89, 0x04, 0x25); /* mov %rax, %fs:COUNTER */
    add_fixup(out, HIERA_PLAN_COUNTER_32, hiera_code_gap(out), 0, loop);
    PUT(out, 0x58);                                  /* pop %rax */
    PUT(out, 0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0); /* lea 128(%rsp), %rsp */
}

void hiera_code_align(HieraCodeOut *out, guint64 position)
{
    /* No-operation instructions by length, each in the form that all CPUs decode fast. */
    static const guint8 nops[][8] = {{0x90},
                                     {0x66, 0x90},
                                     {0x0f, 0x1f, 0},
                                     {0x0f, 0x1f, 0x40, 0},
                                     {0x0f, 0x1f, 0x44, 0, 0},
                                     {0x66, 0x0f, 0x1f, 0x44, 0, 0},
                                     {0x0f, 0x1f, 0x80, 0, 0, 0, 0},
                                     {0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}};
    for (guint n = (guint)(position - out->bytes->len) & 63; n > 0;) {
        guint length = MIN(n, 8);
        put_all(out, nops[length - 1], length);
        n -= length;
    }
}
