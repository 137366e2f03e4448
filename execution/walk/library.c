/* Functions of libraries: what they cost, and of a few what they return. See process.h.
 *
 * The costs are of the order of what these functions take on processors of today when their data are in the cache
 * (measured with glibc 2.36 on an Intel Xeon; functions of the kernel and of files may take anything). */
#include "library.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OTHER_CYCLES = 60, LONGEST_TEXT = 4096 };

HieraKnown hiera_process_argument(HieraProcess *process, guint i)
{
    static const guint8 registers[] = {HIERA_RDI, HIERA_RSI, HIERA_RDX, HIERA_RCX, HIERA_R8, HIERA_R9};
    HieraKnown value = process->state.registers[HIERA_RSP];
    if (i < G_N_ELEMENTS(registers))
        return process->state.registers[registers[i]];
    value.known &= hiera_memory_read(process->state.memory, value.bits + 8 * (guint64)(i - G_N_ELEMENTS(registers)), 8,
                                     &value.bits);
    if (!value.known) { /* an int, with four bytes above it that nobody wrote */
        value = process->state.registers[HIERA_RSP];
        value.known &= hiera_memory_read(process->state.memory, value.bits + 8 * (guint64)(i - G_N_ELEMENTS(registers)),
                                         4, &value.bits);
    }
    return value;
}

void hiera_forget_call(HieraProcessState *state)
{
    static const guint8 changed[] = {HIERA_RAX, HIERA_RCX, HIERA_RDX, HIERA_RSI, HIERA_RDI, HIERA_R8, HIERA_R9, 10, 11};
    for (guint i = 0; i < G_N_ELEMENTS(changed); i++)
        state->registers[changed[i]].known = FALSE;
    for (guint i = HIERA_XMM; i < HIERA_N_REGISTERS; i++)
        state->registers[i].known = FALSE;
    state->flags.kind = HIERA_FLAGS_UNKNOWN;
}

char *hiera_process_text(HieraProcess *process, HieraKnown address)
{
    GString *text = g_string_new(NULL);
    guint64 byte;
    while (address.known && text->len < LONGEST_TEXT &&
           hiera_memory_read(process->state.memory, address.bits + text->len, 1, &byte)) {
        if (byte == 0)
            return g_string_free(text, FALSE);
        g_string_append_c(text, (char)byte);
    }
    g_string_free(text, TRUE);
    return NULL;
}

/* Return new memory. @param n  how much; a megabyte if that is not known */
static guint64 return_memory(HieraProcess *process, HieraReturned *returned, HieraKnown n)
{
    guint64 bytes = n.known ? n.bits : 1 << 20;
    returned->has_integer = TRUE;
    returned->integer = hiera_memory_allocate(process->state.memory, bytes);
    return bytes;
}

static void allocate(HieraProcess *process, HieraReturned *returned)
{
    return_memory(process, returned, hiera_process_argument(process, 0));
}

static void allocate_aligned(HieraProcess *process, HieraReturned *returned)
{
    return_memory(process, returned, hiera_process_argument(process, 1));
}

static void allocate_zeros(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown n = hiera_process_argument(process, 0), size = hiera_process_argument(process, 1);
    n.known &= size.known;
    n.bits *= size.bits;
    guint64 bytes = return_memory(process, returned, n);
    for (guint64 i = 0; bytes <= 16 << 20 && i < bytes; i += 8)
        hiera_memory_write(process->state.memory, returned->integer + i, 8, TRUE, 0);
    returned->cycles += (gdouble)bytes / 16;
}

static void allocate_again(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown from = hiera_process_argument(process, 0);
    guint64 bytes = return_memory(process, returned, hiera_process_argument(process, 1));
    HieraKnownBytes *old =
        from.known && from.bits != 0 ? hiera_memory_copy(process->state.memory, from.bits, bytes) : NULL;
    if (old)
        hiera_memory_paste(process->state.memory, returned->integer, bytes, old);
    hiera_bytes_free(old);
}

/* posix_memalign: the address is written to where the first argument points to. */
static void allocate_to(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown to = hiera_process_argument(process, 0);
    return_memory(process, returned, hiera_process_argument(process, 2));
    if (to.known)
        hiera_memory_write(process->state.memory, to.bits, 8, TRUE, returned->integer);
    returned->integer = 0;
}

static void copy_bytes(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown to = hiera_process_argument(process, 0), from = hiera_process_argument(process, 1),
               n = hiera_process_argument(process, 2);
    returned->has_integer = to.known;
    returned->integer = to.bits;
    if (!to.known || !n.known)
        return;
    HieraKnownBytes *bytes = from.known ? hiera_memory_copy(process->state.memory, from.bits, n.bits) : NULL;
    hiera_memory_paste(process->state.memory, to.bits, n.bits, bytes);
    hiera_bytes_free(bytes);
    returned->cycles += (gdouble)n.bits / 16;
}

static void set_bytes(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown to = hiera_process_argument(process, 0), byte = hiera_process_argument(process, 1),
               n = hiera_process_argument(process, 2);
    returned->has_integer = to.known;
    returned->integer = to.bits;
    if (!to.known || !n.known)
        return;
    returned->cycles += (gdouble)n.bits / 32;
    if (!byte.known || n.bits > 16 << 20) {
        hiera_memory_forget(process->state.memory, to.bits, n.bits);
        return;
    }
    for (guint64 i = 0; i < n.bits; i++)
        hiera_memory_write(process->state.memory, to.bits + i, 1, TRUE, byte.bits & 0xff);
}

static void read_integer(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = hiera_process_text(process, hiera_process_argument(process, 0));
    returned->has_integer = text != NULL;
    returned->integer = text ? (guint64)g_ascii_strtoll(text, NULL, 10) : 0;
}

static void read_integer_of_base(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = hiera_process_text(process, hiera_process_argument(process, 0));
    HieraKnown base = hiera_process_argument(process, 2), end = hiera_process_argument(process, 1);
    char *behind = NULL;
    returned->has_integer = text && base.known;
    if (!returned->has_integer)
        return;
    returned->integer = (guint64)g_ascii_strtoll(text, &behind, (guint)base.bits & 31);
    if (end.known && end.bits != 0)
        hiera_memory_write(process->state.memory, end.bits, 8, TRUE,
                           process->state.registers[HIERA_RDI].bits + (guint64)(behind - text));
}

static void read_real(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = hiera_process_text(process, hiera_process_argument(process, 0));
    returned->has_float = text != NULL;
    returned->bits = hiera_bits_of_double(text ? g_ascii_strtod(text, NULL) : 0);
}

static void measure_text(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = hiera_process_text(process, hiera_process_argument(process, 0));
    returned->has_integer = text != NULL;
    returned->integer = text ? strlen(text) : 0;
}

static void compare_texts(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *a = hiera_process_text(process, hiera_process_argument(process, 0));
    g_autofree char *b = hiera_process_text(process, hiera_process_argument(process, 1));
    returned->has_integer = a && b;
    returned->integer = a && b ? (guint64)(gint64)strcmp(a, b) & 0xffffffff : 0;
}

static void find_nothing(HieraProcess *process, HieraReturned *returned)
{
    (void)process;
    returned->has_integer = TRUE;
}

/* __powidf2(x, n), the operator ** of Fortran. */
static void take_whole_power(HieraProcess *process, HieraReturned *returned)
{
    const HieraKnown *x = &process->state.registers[HIERA_XMM];
    HieraKnown n = hiera_process_argument(process, 0);
    returned->has_float = x->known && n.known;
    if (returned->has_float)
        returned->bits = hiera_bits_of_double(pow(hiera_double_of_bits(x->bits), (gdouble)(gint32)n.bits));
}

static void take_remainder(HieraProcess *process, HieraReturned *returned)
{
    const HieraKnown *x = &process->state.registers[HIERA_XMM], *y = x + 1;
    returned->has_float = x->known && y->known;
    if (returned->has_float)
        returned->bits = hiera_bits_of_double(fmod(hiera_double_of_bits(x->bits), hiera_double_of_bits(y->bits)));
}

static void round_to_integer(HieraProcess *process, HieraReturned *returned)
{
    const HieraKnown *x = &process->state.registers[HIERA_XMM];
    gdouble real = x->known ? hiera_double_of_bits(x->bits) : 0;
    returned->has_integer = x->known && fabs(real) < 9e18;
    returned->integer = returned->has_integer ? (guint64)(gint64)round(real) : 0;
}

static void take_power(HieraProcess *process, HieraReturned *returned)
{
    const HieraKnown *x = &process->state.registers[HIERA_XMM], *y = x + 1;
    returned->has_float = x->known && y->known;
    if (returned->has_float)
        returned->bits = hiera_bits_of_double(pow(hiera_double_of_bits(x->bits), hiera_double_of_bits(y->bits)));
}

void hiera_process_forget_arguments(HieraProcess *process, guint first)
{
    for (guint i = first; i < 6; i++) {
        HieraKnown at = hiera_process_argument(process, i);
        if (at.known && at.bits >= 4096)
            hiera_memory_forget(process->state.memory, at.bits, 16);
    }
}

/* A function that writes where its arguments point to. */
static void forget_arguments(HieraProcess *process, HieraReturned *returned)
{
    (void)returned;
    hiera_process_forget_arguments(process, 0);
}

static void end_program(HieraProcess *process, HieraReturned *returned)
{
    (void)process;
    returned->cycles = -1;
}

static const HieraLibraryRow rows[] = {
    {"malloc", 70, allocate, NULL, NULL},
    {"calloc", 100, allocate_zeros, NULL, NULL},
    {"realloc", 120, allocate_again, NULL, NULL},
    {"aligned_alloc", 100, allocate_aligned, NULL, NULL},
    {"memalign", 100, allocate_aligned, NULL, NULL},
    {"posix_memalign", 100, allocate_to, NULL, NULL},
    {"_Znwm", 70, allocate, NULL, NULL},
    {"_Znam", 70, allocate, NULL, NULL},
    {"free", 40, NULL, NULL, NULL},
    {"_ZdlPv", 40, NULL, NULL, NULL},
    {"_ZdlPvm", 40, NULL, NULL, NULL},
    {"_ZdaPv", 40, NULL, NULL, NULL},
    {"memcpy", 20, copy_bytes, NULL, NULL},
    {"memmove", 20, copy_bytes, NULL, NULL},
    {"memset", 20, set_bytes, NULL, NULL},
    {"atoi", 40, read_integer, NULL, NULL},
    {"atol", 40, read_integer, NULL, NULL},
    {"atoll", 40, read_integer, NULL, NULL},
    {"strtol", 40, read_integer_of_base, NULL, NULL},
    {"strtoul", 40, read_integer_of_base, NULL, NULL},
    {"strtoll", 40, read_integer_of_base, NULL, NULL},
    {"__isoc23_strtol", 40, read_integer_of_base, NULL, NULL},
    {"atof", 80, read_real, NULL, NULL},
    {"strtod", 80, read_real, NULL, NULL},
    {"strlen", 15, measure_text, NULL, NULL},
    {"strcmp", 15, compare_texts, NULL, NULL},
    {"getenv", 100, find_nothing, NULL, NULL},
    {"exit", 0, end_program, NULL, NULL},
    {"_exit", 0, end_program, NULL, NULL},
    {"abort", 0, end_program, NULL, NULL},
    {"pow", 60, take_power, NULL, NULL},
    {"__powidf2", 20, take_whole_power, NULL, NULL},
    {"fmod", 40, take_remainder, NULL, NULL},
    {"lround", 10, round_to_integer, NULL, NULL},
    {"llround", 10, round_to_integer, NULL, NULL},
    {"sqrt", 15, NULL, sqrt, NULL},
    {"exp", 30, NULL, exp, NULL},
    {"log", 30, NULL, log, NULL},
    {"sin", 40, NULL, sin, NULL},
    {"cos", 40, NULL, cos, NULL},
    {"tan", 60, NULL, tan, NULL},
    {"atan", 50, NULL, atan, NULL},
    {"fabs", 2, NULL, fabs, NULL},
    {"log2", 35, NULL, log2, NULL},
    {"log10", 35, NULL, log10, NULL},
    {"exp2", 30, NULL, exp2, NULL},
    {"cbrt", 50, NULL, cbrt, NULL},
    {"asin", 50, NULL, asin, NULL},
    {"acos", 50, NULL, acos, NULL},
    {"sinh", 60, NULL, sinh, NULL},
    {"cosh", 60, NULL, cosh, NULL},
    {"tanh", 60, NULL, tanh, NULL},
    {"round", 6, NULL, round, NULL},
    {"trunc", 6, NULL, trunc, NULL},
    {"sqrtf", 12, NULL, NULL, sqrtf},
    {"logf", 20, NULL, NULL, logf},
    {"log2f", 20, NULL, NULL, log2f},
    {"log10f", 25, NULL, NULL, log10f},
    {"expf", 20, NULL, NULL, expf},
    {"sinf", 25, NULL, NULL, sinf},
    {"cosf", 25, NULL, NULL, cosf},
    {"floorf", 6, NULL, NULL, floorf},
    {"ceilf", 6, NULL, NULL, ceilf},
    {"floor", 6, NULL, floor, NULL},
    {"ceil", 6, NULL, ceil, NULL},
    {"printf", 600, NULL, NULL, NULL},
    {"fprintf", 600, NULL, NULL, NULL},
    {"__printf_chk", 600, NULL, NULL, NULL},
    {"__fprintf_chk", 600, NULL, NULL, NULL},
    {"puts", 300, NULL, NULL, NULL},
    {"clock_gettime", 80, forget_arguments, NULL, NULL},
    {"gettimeofday", 80, forget_arguments, NULL, NULL},
};

static gpointer make_table(gpointer unused)
{
    GHashTable *by_name = g_hash_table_new(g_str_hash, g_str_equal);
    (void)unused;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        g_hash_table_insert(by_name, (gpointer)rows[i].name, (gpointer)&rows[i]);
    for (const HieraLibraryRow *row = hiera_c_file_rows; row->name; row++)
        g_hash_table_insert(by_name, (gpointer)row->name, (gpointer)row);
    for (const HieraLibraryRow *row = hiera_fortran_file_rows; row->name; row++)
        g_hash_table_insert(by_name, (gpointer)row->name, (gpointer)row);
    return by_name;
}

static const HieraLibraryRow *find_row(const char *name)
{
    static GOnce once = G_ONCE_INIT;
    g_once(&once, make_table, NULL);
    return name ? g_hash_table_lookup(once.retval, name) : NULL;
}

static gfloat float_of_bits(guint64 bits)
{
    guint32 half = (guint32)bits;
    gfloat number;
    memcpy(&number, &half, sizeof number);
    return number;
}

static guint64 bits_of_float(gfloat number)
{
    guint32 bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

gdouble hiera_library_call(HieraProcess *process, const char *name)
{
    const HieraLibraryRow *row = find_row(name);
    HieraReturned returned = {.cycles = row ? row->cycles : OTHER_CYCLES};
    const gdouble *given = name && process->options->costs ? g_hash_table_lookup(process->options->costs, name) : NULL;
    HieraKnown *result = &process->state.registers[HIERA_XMM];
    if (row && (row->of_one || row->of_float)) {
        returned.has_float = result->known;
        returned.bits = row->of_one ? hiera_bits_of_double(row->of_one(hiera_double_of_bits(result->bits)))
                                    : bits_of_float(row->of_float(float_of_bits(result->bits)));
    } else if (row && row->work) {
        row->work(process, &returned);
    }
    hiera_forget_call(&process->state);
    process->state.registers[HIERA_RAX] = (HieraKnown){returned.has_integer, returned.integer};
    *result = (HieraKnown){returned.has_float, returned.bits};
    return given && returned.cycles >= 0 ? *given : returned.cycles;
}
