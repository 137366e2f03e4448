/* sprintf and similar functions, which write formatted text into memory. See library.h. */
#include "library.h"
#include <string.h>

enum { INTEGER_REGISTERS = 6, REAL_REGISTERS = 8, LONGEST = 4096, WIDEST = 1000, SHORT = 16 };

/* Position in the arguments for a format, as the System V ABI for x86-64 passes them (3.2.3, 3.5.7). */
typedef struct {
    HieraProcess *process;
    guint n_integers, n_reals; /* how many arguments were taken from general registers, and from vector registers */
    guint64 list;   /* of vsprintf and similar: address of the va_list; 0: arguments are those of the call itself */
    guint64 stack;  /* address of the next argument that is on the stack */
    gboolean known; /* whether the values of all arguments so far are known */
} Arguments;

/* Read an argument from memory. @param width  4 or 8 bytes */
static guint64 read_bits(Arguments *arguments, guint64 at, guint width)
{
    guint64 bits = 0;
    arguments->known &= hiera_known_memory_read(arguments->process->state.memory, at, width, &bits);
    return bits;
}

static guint64 next_on_stack(Arguments *arguments, guint width)
{
    arguments->stack += 8;
    return read_bits(arguments, arguments->stack - 8, width);
}

static guint64 next_integer(Arguments *arguments, guint width)
{
    if (arguments->n_integers >= INTEGER_REGISTERS)
        return next_on_stack(arguments, width);
    guint i = arguments->n_integers++;
    if (arguments->list)
        return read_bits(arguments, read_bits(arguments, arguments->list + 16, 8) + 8 * (guint64)i, width);
    HieraKnown value = hiera_process_argument(arguments->process, i);
    arguments->known &= value.known;
    return value.bits;
}

static gdouble next_real(Arguments *arguments)
{
    guint64 bits;
    if (arguments->n_reals >= REAL_REGISTERS) {
        bits = next_on_stack(arguments, 8);
    } else if (arguments->list) {
        bits = read_bits(arguments,
                         read_bits(arguments, arguments->list + 16, 8) + 48 + 16 * (guint64)arguments->n_reals++, 8);
    } else {
        HieraKnown value = arguments->process->state.registers[HIERA_XMM + arguments->n_reals++];
        arguments->known &= value.known;
        bits = value.bits;
    }
    return hiera_double_of_bits(bits);
}

/* Return the position of the first argument for the format, in the call. @param n  arguments before it */
static Arguments arguments_of_call(HieraProcess *process, guint n)
{
    const HieraKnown *top = &process->state.registers[HIERA_RSP];
    return (Arguments){.process = process, .n_integers = n, .stack = top->bits, .known = top->known};
}

/* Return the position of the first argument in a va_list. @param at  index of the argument that is the va_list */
static Arguments arguments_of_list(HieraProcess *process, guint at)
{
    HieraKnown list = hiera_process_argument(process, at);
    Arguments arguments = {.process = process, .list = list.bits, .known = list.known && list.bits != 0};
    if (!arguments.known)
        return arguments;
    arguments.n_integers = (guint)MIN(read_bits(&arguments, list.bits, 4) / 8, INTEGER_REGISTERS);
    guint64 reals = read_bits(&arguments, list.bits + 4, 4);
    arguments.n_reals = (guint)MIN(reals > 48 ? (reals - 48) / 16 : 0, REAL_REGISTERS);
    arguments.stack = read_bits(&arguments, list.bits + 8, 8);
    return arguments;
}

/* --- conversions, such as %5d --- */

typedef struct {
    gboolean left, plus, space, alternative, zeros;
    gint width, precision; /* least width; number of digits or bytes behind the point, -1: not given */
    guint bytes;           /* bytes of an integer argument */
    char kind;
} Conversion;

static gint read_number(const char **at, Arguments *arguments)
{
    gint number = 0;
    if (**at == '*') {
        (*at)++;
        number = (gint)next_integer(arguments, 4);
        return CLAMP(number, -WIDEST - 1, WIDEST + 1);
    }
    for (; g_ascii_isdigit(**at) && number <= WIDEST; (*at)++)
        number = number * 10 + (**at - '0');
    return number;
}

static void read_flags(Conversion *conversion, const char **at)
{
    for (;; (*at)++) {
        switch (**at) {
        case '-':
            conversion->left = TRUE;
            break;
        case '+':
            conversion->plus = TRUE;
            break;
        case ' ':
            conversion->space = TRUE;
            break;
        case '#':
            conversion->alternative = TRUE;
            break;
        case '0':
            conversion->zeros = TRUE;
            break;
        default:
            return;
        }
    }
}

static guint read_bytes(const char **at)
{
    guint bytes = 4;
    for (; **at && strchr("hlqjzt", **at); (*at)++)
        bytes = **at == 'h' ? bytes / 2 : 8;
    return bytes;
}

/* @param at  text behind the percent sign; is set to the text behind the conversion */
static Conversion read_conversion(const char **at, Arguments *arguments)
{
    Conversion conversion = {.precision = -1};
    read_flags(&conversion, at);
    conversion.width = read_number(at, arguments);
    if (conversion.width < 0) {
        conversion.left = TRUE;
        conversion.width = -conversion.width;
    }
    if (**at == '.') {
        (*at)++;
        conversion.precision = read_number(at, arguments);
    }
    conversion.bytes = read_bytes(at);
    conversion.kind = **at;
    *at += **at != '\0';
    arguments->known &= conversion.kind != '\0' && conversion.width <= WIDEST && conversion.precision <= WIDEST;
    return conversion;
}

/* Append a value, padded to its width. @param sign  text before padding zeros. @param zeros  pad with zeros */
static void put_padded(GString *text, const Conversion *conversion, const char *sign, const char *what, gboolean zeros)
{
    gsize n = strlen(sign) + strlen(what), width = (gsize)conversion->width, missing = n < width ? width - n : 0;
    for (gsize i = 0; !conversion->left && !zeros && i < missing; i++)
        g_string_append_c(text, ' ');
    g_string_append(text, sign);
    for (gsize i = 0; !conversion->left && zeros && i < missing; i++)
        g_string_append_c(text, '0');
    g_string_append(text, what);
    for (gsize i = 0; conversion->left && i < missing; i++)
        g_string_append_c(text, ' ');
}

static const char *sign_of(const Conversion *conversion, gboolean negative)
{
    if (negative)
        return "-";
    if (conversion->plus)
        return "+";
    if (conversion->space)
        return " ";
    return "";
}

static char *digits_of(const Conversion *conversion, guint64 number)
{
    switch (conversion->kind) {
    case 'o':
        return g_strdup_printf("%" G_GINT64_MODIFIER "o", number);
    case 'x':
    case 'p':
        return g_strdup_printf("%" G_GINT64_MODIFIER "x", number);
    case 'X':
        return g_strdup_printf("%" G_GINT64_MODIFIER "X", number);
    default:
        return g_strdup_printf("%" G_GUINT64_FORMAT, number);
    }
}

static void put_integer(GString *text, const Conversion *conversion, guint64 bits)
{
    guint unused = 64 - 8 * MAX(conversion->bytes, 1);
    gboolean is_signed = conversion->kind == 'd' || conversion->kind == 'i';
    gint64 value = (gint64)(bits << unused) >> unused;
    gboolean negative = is_signed && value < 0;
    guint64 number = negative ? 0 - (guint64)value : bits << unused >> unused;
    const char *sign = is_signed ? sign_of(conversion, negative)
                       : conversion->alternative && conversion->kind == 'x' && number != 0 ? "0x"
                       : conversion->alternative && conversion->kind == 'X' && number != 0 ? "0X"
                                                                                           : "";
    g_autofree char *digits = digits_of(conversion, number);
    GString *all = g_string_new(conversion->precision == 0 && number == 0 ? "" : digits);
    while ((gint)all->len < conversion->precision)
        g_string_prepend_c(all, '0');
    if (conversion->alternative && conversion->kind == 'o' && all->str[0] != '0')
        g_string_prepend_c(all, '0');
    put_padded(text, conversion, sign, all->str, conversion->zeros && conversion->precision < 0);
    g_string_free(all, TRUE);
}

static char *real_of(const Conversion *conversion, gdouble magnitude)
{
    gint precision = conversion->precision < 0 ? 6 : conversion->precision;
    switch (conversion->kind) {
    case 'f':
    case 'F':
        return g_strdup_printf("%.*f", precision, magnitude);
    case 'e':
        return g_strdup_printf("%.*e", precision, magnitude);
    case 'E':
        return g_strdup_printf("%.*E", precision, magnitude);
    case 'G':
        return g_strdup_printf("%.*G", precision, magnitude);
    default:
        return conversion->alternative ? g_strdup_printf("%#.*g", precision, magnitude)
                                       : g_strdup_printf("%.*g", precision, magnitude);
    }
}

static void put_real(GString *text, const Conversion *conversion, gdouble value)
{
    gboolean negative = value < 0;
    g_autofree char *what = real_of(conversion, negative ? -value : value);
    put_padded(text, conversion, sign_of(conversion, negative), what, conversion->zeros && g_ascii_isdigit(what[0]));
}

/* Append a text argument (%s). With a precision, no more bytes are read: the text may lack a zero byte at its end. */
static void put_text(GString *text, const Conversion *conversion, Arguments *arguments)
{
    HieraKnown at = {TRUE, next_integer(arguments, 8)};
    GString *what = g_string_new(NULL);
    guint64 byte = 1;
    for (guint i = 0; arguments->known && byte != 0 && (conversion->precision < 0 || i < (guint)conversion->precision);
         i++) {
        byte = read_bits(arguments, at.bits + i, 1);
        arguments->known &= i < LONGEST;
        if (byte != 0)
            g_string_append_c(what, (char)byte);
    }
    if (arguments->known)
        put_padded(text, conversion, "", what->str, FALSE);
    g_string_free(what, TRUE);
}

static void put_conversion(GString *text, const Conversion *conversion, Arguments *arguments)
{
    switch (conversion->kind) {
    case '%':
        g_string_append_c(text, '%');
        break;
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        put_integer(text, conversion, next_integer(arguments, conversion->bytes == 8 ? 8 : 4));
        break;
    case 'c':
        put_padded(text, conversion, "", (char[]){(char)next_integer(arguments, 4), '\0'}, FALSE);
        break;
    case 's':
        put_text(text, conversion, arguments);
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        put_real(text, conversion, next_real(arguments));
        break;
    default: /* not simulated: %p, %n, %a, wide characters, long double */
        arguments->known = FALSE;
        break;
    }
}

/* Format the text. From the first unknown conversion on, conversions have their least length: bytes behind a buffer
 * should not become unknown, and a text is unknown if one of its bytes is.
 *
 * @return NULL: not even the length is known; otherwise the text is known if all arguments are */
static char *format(Arguments *arguments, guint at_format)
{
    g_autofree char *pattern =
        hiera_process_text(arguments->process, hiera_process_argument(arguments->process, at_format));
    GString *text = g_string_new(NULL);
    const char *at = pattern;
    arguments->known &= pattern != NULL;
    while (at && *at && text->len < LONGEST) {
        if (*at != '%') {
            g_string_append_c(text, *at++);
            continue;
        }
        at++;
        const Conversion conversion = read_conversion(&at, arguments);
        if (arguments->known)
            put_conversion(text, &conversion, arguments);
        if (!arguments->known)
            g_string_append_printf(text, "%*s", CLAMP(conversion.width, 1, SHORT), "");
    }
    arguments->known &= at && *at == '\0';
    return g_string_free(text, pattern == NULL);
}

/* --- sprintf and similar functions --- */

/* Write the formatted text to where the first argument points. @param room  size of the buffer there */
static void put(HieraProcess *process, HieraReturned *returned, Arguments arguments, guint at_format, HieraKnown room)
{
    HieraKnown to = hiera_process_argument(process, 0);
    g_autofree char *text = format(&arguments, at_format);
    if (!to.known)
        return;
    gsize n = text ? strlen(text) : 0;
    if (!arguments.known || !room.known) {
        hiera_known_memory_forget(process->state.memory, to.bits, MIN(n + 1, room.known ? room.bits : SHORT));
        return;
    }
    for (gsize i = 0; i < room.bits && i <= n; i++)
        hiera_known_memory_write(process->state.memory, to.bits + i, 1, TRUE,
                                 i == n || i + 1 == room.bits ? 0 : (guint64)(guchar)text[i]);
    returned->has_integer = TRUE;
    returned->integer = n;
}

#define ANY_ROOM ((HieraKnown){TRUE, LONGEST})

/* sprintf(to, format, …) */
static void print(HieraProcess *process, HieraReturned *returned)
{
    put(process, returned, arguments_of_call(process, 2), 1, ANY_ROOM);
}

/* __sprintf_chk(to, flag, size, format, …) */
static void print_checked(HieraProcess *process, HieraReturned *returned)
{
    put(process, returned, arguments_of_call(process, 4), 3, ANY_ROOM);
}

/* snprintf(to, n, format, …) */
static void print_first(HieraProcess *process, HieraReturned *returned)
{
    put(process, returned, arguments_of_call(process, 3), 2, hiera_process_argument(process, 1));
}

/* __snprintf_chk(to, n, flag, size, format, …) */
static void print_first_checked(HieraProcess *process, HieraReturned *returned)
{
    put(process, returned, arguments_of_call(process, 5), 4, hiera_process_argument(process, 1));
}

/* vsprintf(to, format, list) */
static void print_list(HieraProcess *process, HieraReturned *returned)
{
    put(process, returned, arguments_of_list(process, 2), 1, ANY_ROOM);
}

/* __vsprintf_chk(to, flag, size, format, list) */
static void print_list_checked(HieraProcess *process, HieraReturned *returned)
{
    put(process, returned, arguments_of_list(process, 4), 3, ANY_ROOM);
}

/* vsnprintf(to, n, format, list) */
static void print_first_list(HieraProcess *process, HieraReturned *returned)
{
    put(process, returned, arguments_of_list(process, 3), 2, hiera_process_argument(process, 1));
}

/* __vsnprintf_chk(to, n, flag, size, format, list) */
static void print_first_list_checked(HieraProcess *process, HieraReturned *returned)
{
    put(process, returned, arguments_of_list(process, 5), 4, hiera_process_argument(process, 1));
}

const HieraLibraryRow hiera_format_rows[] = {
    {"printf", 600, .work = NULL},
    {"fprintf", 600, .work = NULL},
    {"vprintf", 600, .work = NULL},
    {"vfprintf", 600, .work = NULL},
    {"sprintf", 400, .work = print},
    {"__sprintf_chk", 400, .work = print_checked},
    {"snprintf", 400, .work = print_first},
    {"__snprintf_chk", 400, .work = print_first_checked},
    {"vsprintf", 400, .work = print_list},
    {"__vsprintf_chk", 400, .work = print_list_checked},
    {"vsnprintf", 400, .work = print_first_list},
    {"__vsnprintf_chk", 400, .work = print_first_list_checked},
    {.name = NULL},
};
