/* Library functions: their costs, and the results of a few. See process.h.
 *
 * The costs have the order of magnitude of these functions on current CPUs with data in the cache (measured with
 * glibc 2.36 on an Intel Xeon; functions of the kernel and of files may take any time). */
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
    value.known &= hiera_known_memory_read(process->state.memory,
                                           value.bits + 8 * (guint64)(i - G_N_ELEMENTS(registers)), 8, &value.bits);
    if (!value.known) { /* the argument may be an int: of its 8 bytes on the stack only 4 were written */
        value = process->state.registers[HIERA_RSP];
        value.known &= hiera_known_memory_read(process->state.memory,
                                               value.bits + 8 * (guint64)(i - G_N_ELEMENTS(registers)), 4, &value.bits);
    }
    return value;
}

void hiera_forget_call(HieraProcessState *state)
{
    static const guint8 changed[] = {HIERA_RAX, HIERA_RCX, HIERA_RDX, HIERA_RSI, HIERA_RDI, HIERA_R8, HIERA_R9, 10, 11};
    for (guint i = 0; i < G_N_ELEMENTS(changed); i++)
        state->registers[changed[i]] = (HieraKnown){0};
    for (guint i = HIERA_XMM; i < HIERA_N_ALL_REGISTERS; i++)
        state->registers[i] = (HieraKnown){0};
    state->flags = (HieraFlags){.kind = HIERA_FLAGS_UNKNOWN};
}

char *hiera_process_text(HieraProcess *process, HieraKnown address)
{
    GString *text = g_string_new(NULL);
    guint64 byte;
    while (address.known && text->len < LONGEST_TEXT &&
           hiera_known_memory_read(process->state.memory, address.bits + text->len, 1, &byte)) {
        if (byte == 0)
            return g_string_free(text, FALSE);
        g_string_append_c(text, (char)byte);
    }
    g_string_free(text, TRUE);
    return NULL;
}

/* Allocate memory, and return it from the call. @param n  its size; if that is not known, 1 MiB is assumed */
static guint64 return_memory(HieraProcess *process, HieraReturned *returned, HieraKnown n)
{
    guint64 bytes = n.known ? n.bits : 1 << 20;
    returned->has_integer = TRUE;
    returned->integer = hiera_known_memory_allocate(process->state.memory, bytes);
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
        hiera_known_memory_write(process->state.memory, returned->integer + i, 8, TRUE, 0);
    returned->cycles += (gdouble)bytes / 16;
}

static void allocate_again(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown from = hiera_process_argument(process, 0);
    guint64 bytes = return_memory(process, returned, hiera_process_argument(process, 1));
    HieraKnownBytes *old =
        from.known && from.bits != 0 ? hiera_known_memory_copy(process->state.memory, from.bits, bytes) : NULL;
    if (old)
        hiera_known_memory_paste(process->state.memory, returned->integer, bytes, old);
    hiera_bytes_free(old);
}

/* posix_memalign(&to, alignment, n): the address is written to `to`, and 0 is returned. */
static void allocate_to(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown to = hiera_process_argument(process, 0);
    return_memory(process, returned, hiera_process_argument(process, 2));
    if (to.known)
        hiera_known_memory_write(process->state.memory, to.bits, 8, TRUE, returned->integer);
    returned->integer = 0;
}

/* getenv: the environment is that of hiera-predict. */
static void find_variable(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *name = hiera_process_text(process, hiera_process_argument(process, 0));
    const char *value = name ? g_getenv(name) : NULL;
    returned->has_integer = name != NULL;
    if (!value)
        return;
    returned->integer = hiera_known_memory_allocate(process->state.memory, strlen(value) + 1);
    for (gsize i = 0; i <= strlen(value); i++)
        hiera_known_memory_write(process->state.memory, returned->integer + i, 1, TRUE, (guchar)value[i]);
}

/* __powidf2(x, n): a real to an integer power, as Fortran's operator ** calls it. */
static void take_whole_power(HieraProcess *process, HieraReturned *returned)
{
    const HieraKnown *x = &process->state.registers[HIERA_XMM];
    HieraKnown n = hiera_process_argument(process, 0);
    returned->has_float = x->known && n.known;
    if (returned->has_float)
        returned->bits = hiera_bits_of_double(pow(hiera_double_of_bits(x->bits), (gdouble)(gint32)n.bits));
}

static void round_to_integer(HieraProcess *process, HieraReturned *returned)
{
    const HieraKnown *x = &process->state.registers[HIERA_XMM];
    gdouble real = x->known ? hiera_double_of_bits(x->bits) : 0;
    returned->has_integer = x->known && fabs(real) < 9e18;
    returned->integer = returned->has_integer ? (guint64)(gint64)round(real) : 0;
}

void hiera_process_forget_arguments(HieraProcess *process, guint first)
{
    for (guint i = first; i < 6; i++) {
        HieraKnown at = hiera_process_argument(process, i);
        if (at.known && at.bits >= 4096)
            hiera_known_memory_forget(process->state.memory, at.bits, 16);
    }
}

/* Bytes that a method of a stream of libstdc++ may change in its object; 0: it is no such method. */
static guint64 size_of_stream(const char *name)
{
    static const struct {
        const char *pattern;
        guint64 size;
    } sizes[] = {{"_ZNSt*basic_ios*", 264},       {"_ZNSt8ios_base*", 216},      {"_ZNSt*basic_ofstream*", 512},
                 {"_ZNSt*basic_ifstream*", 520},  {"_ZNSt*basic_fstream*", 528}, {"_ZNSt*ostringstream*", 376},
                 {"_ZNSt*istringstream*", 384},   {"_ZNSt*stringstream*", 392},  {"_ZNSt*basic_filebuf*", 240},
                 {"_ZNSt*basic_stringbuf*", 104}, {"_ZNSt*basic_streambuf*", 64}};
    for (guint i = 0; name && i < G_N_ELEMENTS(sizes); i++)
        if (g_pattern_match_simple(sizes[i].pattern, name))
            return sizes[i].size;
    return 0;
}

/* A function that is not known may change what its arguments point to: make that unknown, in an allocated block all of
 * it. Numbers of arguments are not known either; what is left in the other registers is rarely a pointer. */
static void forget_what_it_may_change(HieraProcess *process, const char *name)
{
    enum { A_SMALL_STRUCTURE = 16, LARGEST = 1 << 20, REGISTERS = 6 };
    for (guint i = 0; i < REGISTERS; i++) {
        HieraKnown at = hiera_process_argument(process, i);
        guint64 begin, end = at.bits + MAX(A_SMALL_STRUCTURE, i == 0 ? size_of_stream(name) : 0);
        if (!at.known || at.bits < 4096 || hiera_known_memory_is_constant(process->state.memory, at.bits))
            continue;
        if (hiera_known_memory_bounds(process->state.memory, at.bits, &begin, &end))
            end = MIN(end, at.bits + LARGEST);
        hiera_known_memory_forget(process->state.memory, at.bits, end - at.bits);
    }
}

/* For functions that write to where their arguments point: make memory there unknown. */
static void forget_arguments(HieraProcess *process, HieraReturned *returned)
{
    (void)returned;
    hiera_process_forget_arguments(process, 0);
}

/* atexit(function); __cxa_atexit(function, argument, …). */
static void keep_exit(HieraProcess *process, HieraReturned *returned)
{
    const HieraExitCall call = {.function = hiera_process_argument(process, 0),
                                .argument = hiera_process_argument(process, 1)};
    g_array_append_val(process->at_exit, call);
    hiera_return_integer(returned, 0);
}

static void end_program(HieraProcess *process, HieraReturned *returned)
{
    (void)process;
    returned->cycles = -1;
}

static const HieraLibraryRow rows[] = {
    {"malloc", 70, .work = allocate},
    {"calloc", 100, .work = allocate_zeros},
    {"realloc", 120, .work = allocate_again},
    {"aligned_alloc", 100, .work = allocate_aligned},
    {"memalign", 100, .work = allocate_aligned},
    {"posix_memalign", 100, .work = allocate_to},
    {"_Znwm", 70, .work = allocate},
    {"_Znam", 70, .work = allocate},
    {"free", 40, .work = NULL},
    {"_ZdlPv", 40, .work = NULL},
    {"_ZdlPvm", 40, .work = NULL},
    {"_ZdaPv", 40, .work = NULL},
    {"getenv", 100, .work = find_variable},
    {"atexit", 60, .work = keep_exit},
    {"__cxa_atexit", 60, .work = keep_exit},
    {"exit", 0, .work = end_program},
    {"_exit", 0, .work = end_program},
    {"abort", 0, .work = end_program},
    {"pow", 60, .of_two = pow},
    {"fmod", 40, .of_two = fmod},
    {"fmax", 4, .of_two = fmax},
    {"fmin", 4, .of_two = fmin},
    {"atan2", 70, .of_two = atan2},
    {"hypot", 30, .of_two = hypot},
    {"__powidf2", 20, .work = take_whole_power},
    {"lround", 10, .work = round_to_integer},
    {"llround", 10, .work = round_to_integer},
    {"sqrt", 15, .of_one = sqrt},
    {"exp", 30, .of_one = exp},
    {"log", 30, .of_one = log},
    {"sin", 40, .of_one = sin},
    {"cos", 40, .of_one = cos},
    {"tan", 60, .of_one = tan},
    {"atan", 50, .of_one = atan},
    {"fabs", 2, .of_one = fabs},
    {"log2", 35, .of_one = log2},
    {"log10", 35, .of_one = log10},
    {"exp2", 30, .of_one = exp2},
    {"cbrt", 50, .of_one = cbrt},
    {"asin", 50, .of_one = asin},
    {"acos", 50, .of_one = acos},
    {"sinh", 60, .of_one = sinh},
    {"cosh", 60, .of_one = cosh},
    {"tanh", 60, .of_one = tanh},
    {"round", 6, .of_one = round},
    {"trunc", 6, .of_one = trunc},
    {"sqrtf", 12, .of_float = sqrtf},
    {"logf", 20, .of_float = logf},
    {"log2f", 20, .of_float = log2f},
    {"log10f", 25, .of_float = log10f},
    {"expf", 20, .of_float = expf},
    {"sinf", 25, .of_float = sinf},
    {"cosf", 25, .of_float = cosf},
    {"floorf", 6, .of_float = floorf},
    {"ceilf", 6, .of_float = ceilf},
    {"floor", 6, .of_one = floor},
    {"ceil", 6, .of_one = ceil},
    {"puts", 300, .work = NULL},
    {"clock_gettime", 80, .work = forget_arguments},
    {"gettimeofday", 80, .work = forget_arguments},
};

static gpointer make_table(gpointer unused)
{
    const HieraLibraryRow *const others[] = {hiera_byte_rows,   hiera_text_rows,        hiera_letter_rows,
                                             hiera_format_rows, hiera_word_rows,        hiera_region_rows,
                                             hiera_c_file_rows, hiera_fortran_file_rows};
    GHashTable *by_name = g_hash_table_new(g_str_hash, g_str_equal);
    (void)unused;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        g_hash_table_insert(by_name, (gpointer)rows[i].name, (gpointer)&rows[i]);
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        for (const HieraLibraryRow *row = others[i]; row->name; row++)
            g_hash_table_insert(by_name, (gpointer)row->name, (gpointer)row);
    return by_name;
}

/* Remove _FORTIFY_SOURCE's addition from a name. Such a function has a further argument: the last one, unless it has a
 * row. */
static char *name_of_checked(const char *name)
{
    return g_str_has_prefix(name, "__") && g_str_has_suffix(name, "_chk") ? g_strndup(name + 2, strlen(name) - 6)
                                                                          : NULL;
}

static const HieraLibraryRow *find_row(const char *name)
{
    static GOnce once = G_ONCE_INIT;
    g_once(&once, make_table, NULL);
    const HieraLibraryRow *row = name ? g_hash_table_lookup(once.retval, name) : NULL;
    g_autofree char *plain = name && !row ? name_of_checked(name) : NULL;
    return plain ? g_hash_table_lookup(once.retval, plain) : row;
}

static gboolean is_among(const char *name, const char *const *patterns, guint n)
{
    for (guint i = 0; name && i < n; i++)
        if (g_pattern_match_simple(patterns[i], name))
            return TRUE;
    return FALSE;
}

/* Functions of C++ that return their stream, their first argument: those that write or read any bytes, and those that
 * use up the width that was set for the next value. */
static const char *const of_bytes[] = {"_ZNSo3put*", "_ZNSo5flush*", "_ZNSo5write*", "_ZSt4endl*", "_ZSt5flush*"};
static const char *const of_values[] = {"_ZNSo9_M_insert*", "_ZNSols*",           "_ZStls*", "_ZSt16__ostream_insert*",
                                        "_ZNSirs*",         "_ZNSi10_M_extract*", "_ZStrs*", "_ZSt7getline*"};

static void return_stream(HieraProcess *process, const char *name, HieraReturned *returned)
{
    enum { OFFSET = 24, WIDTH = 16 };
    HieraKnown stream = hiera_process_argument(process, 0);
    gboolean is_value = is_among(name, of_values, G_N_ELEMENTS(of_values));
    guint64 class, base;
    if (!stream.known || !(is_value || is_among(name, of_bytes, G_N_ELEMENTS(of_bytes))))
        return;
    hiera_return_integer(returned, stream.bits);
    if (is_value && hiera_known_memory_read(process->state.memory, stream.bits, 8, &class) &&
        hiera_known_memory_read(process->state.memory, class - OFFSET, 8, &base))
        hiera_known_memory_write(process->state.memory, stream.bits + base + WIDTH, 8, !strstr(name, "_Setw"), 0);
}

/* Functions without a row whose arguments stay as they are. */
static gboolean is_harmless(const char *name)
{
    static const char *const patterns[] = {"_ZNSo*",
                                           "_ZStls*",
                                           "_ZSt16__ostream_insert*",
                                           "_ZSt4endl*",
                                           "_ZSt5flush*",
                                           "_gfortran_st_write*",
                                           "_gfortran_transfer_*_write",
                                           "_gfortran_st_open",
                                           "_gfortran_st_close",
                                           "_gfortran_flush*",
                                           "_gfortran_set_*",
                                           "_gfortran_compare_string*",
                                           "_gfortran_string_len_trim*",
                                           "fput*",
                                           "put*",
                                           "perror",
                                           "setbuf",
                                           "setvbuf",
                                           "fileno",
                                           "isatty",
                                           "srand*",
                                           "rand",
                                           "random",
                                           "drand48",
                                           "clock",
                                           "sleep",
                                           "usleep",
                                           "signal",
                                           "__cxa_finalize",
                                           "omp_*",
                                           "GOMP_*",
                                           "__stack_chk_fail",
                                           "_gfortran_stop_*",
                                           "_gfortran_error_stop*",
                                           "_gfortran_runtime_error*",
                                           "access",
                                           "unlink",
                                           "get*id",
                                           "sched_getcpu",
                                           "pthread_self",
                                           "mkdir",
                                           "__errno_location",
                                           "__cxa_guard_*",
                                           "__cxa_*_catch",
                                           "_ZNSt8ios_base4Init??Ev"};
    return is_among(name, patterns, G_N_ELEMENTS(patterns));
}

gboolean hiera_library_knows(const char *name)
{
    return find_row(name) != NULL || is_harmless(name);
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
    if (row && row->of_two) {
        returned.has_float = result->known && result[1].known;
        returned.bits =
            hiera_bits_of_double(row->of_two(hiera_double_of_bits(result->bits), hiera_double_of_bits(result[1].bits)));
    } else if (row && (row->of_one || row->of_float)) {
        returned.has_float = result->known;
        returned.bits = row->of_one ? hiera_bits_of_double(row->of_one(hiera_double_of_bits(result->bits)))
                                    : bits_of_float(row->of_float(float_of_bits(result->bits)));
    } else if (row && row->work) {
        row->work(process, &returned);
    } else if (!row && !is_harmless(name)) {
        forget_what_it_may_change(process, name);
    }
    if (!row)
        return_stream(process, name, &returned);
    hiera_forget_call(&process->state);
    process->state.registers[HIERA_RAX] = (HieraKnown){returned.has_integer, returned.integer};
    *result = (HieraKnown){returned.has_float, returned.bits};
    return given && returned.cycles >= 0 ? *given : returned.cycles;
}
