/* C functions on texts that end with a zero byte: strlen, strcpy, strtol and similar. See library.h. */
#include "library.h"
#include <stdlib.h>
#include <string.h>

/* Return the text to which an argument points; NULL: not known. To be freed with g_free. */
static char *text_of(HieraProcess *process, guint argument)
{
    return hiera_process_text(process, hiera_process_argument(process, argument));
}

static guint64 address_of(HieraProcess *process, guint argument)
{
    return hiera_process_argument(process, argument).bits;
}

/* --- functions that parse numbers --- */

static void read_integer(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0);
    if (text)
        hiera_return_integer(returned, (guint64)g_ascii_strtoll(text, NULL, 10));
}

/* Write the address behind the parsed number to where the second argument points (strtol, strtod). */
static void write_end(HieraProcess *process, const char *text, const char *end)
{
    HieraKnown to = hiera_process_argument(process, 1);
    if (to.known && to.bits != 0)
        hiera_known_memory_write(process->state.memory, to.bits, 8, TRUE,
                                 address_of(process, 0) + (guint64)(end - text));
}

static void read_integer_of_base(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0);
    HieraKnown base = hiera_process_argument(process, 2);
    char *end = NULL;
    if (!text || !base.known)
        return;
    hiera_return_integer(returned, (guint64)g_ascii_strtoll(text, &end, (guint)base.bits & 31));
    write_end(process, text, end);
}

static void read_real(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0);
    returned->has_float = text != NULL;
    returned->bits = hiera_bits_of_double(text ? g_ascii_strtod(text, NULL) : 0);
}

static void read_real_to(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0);
    char *end = NULL;
    if (!text)
        return;
    returned->has_float = TRUE;
    returned->bits = hiera_bits_of_double(g_ascii_strtod(text, &end));
    write_end(process, text, end);
}

/* --- functions that measure, compare and search --- */

static void measure(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0);
    if (text)
        hiera_return_integer(returned, strlen(text));
}

static void compare(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *a = text_of(process, 0), *b = text_of(process, 1);
    if (a && b)
        hiera_return_integer(returned, (guint64)(gint64)strcmp(a, b) & 0xffffffff);
}

static void compare_without_case(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *a = text_of(process, 0), *b = text_of(process, 1);
    if (a && b)
        hiera_return_integer(returned, (guint64)(gint64)g_ascii_strcasecmp(a, b) & 0xffffffff);
}

static void compare_first(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *a = text_of(process, 0), *b = text_of(process, 1);
    HieraKnown n = hiera_process_argument(process, 2);
    if (a && b && n.known)
        hiera_return_integer(returned, (guint64)(gint64)strncmp(a, b, n.bits) & 0xffffffff);
}

static void compare_first_without_case(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *a = text_of(process, 0), *b = text_of(process, 1);
    HieraKnown n = hiera_process_argument(process, 2);
    if (a && b && n.known)
        hiera_return_integer(returned, (guint64)(gint64)g_ascii_strncasecmp(a, b, n.bits) & 0xffffffff);
}

/* strnlen(text, n) */
static void measure_first(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown at = hiera_process_argument(process, 0), n = hiera_process_argument(process, 1);
    guint64 byte = 1, length = 0;
    if (!at.known || !n.known)
        return;
    while (length < n.bits && byte != 0) {
        if (!hiera_known_memory_read(process->state.memory, at.bits + length, 1, &byte))
            return;
        length += byte != 0;
    }
    hiera_return_integer(returned, length);
}

static void count_others(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0), *bytes = text_of(process, 1);
    if (text && bytes)
        hiera_return_integer(returned, strcspn(text, bytes));
}

static void count_these(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0), *bytes = text_of(process, 1);
    if (text && bytes)
        hiera_return_integer(returned, strspn(text, bytes));
}

/* Return an address from the call: that of `at`, a position in the text; if it is NULL, 0. */
static void return_place(HieraProcess *process, HieraReturned *returned, const char *text, const char *at)
{
    hiera_return_integer(returned, at ? address_of(process, 0) + (guint64)(at - text) : 0);
}

static void find_byte(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0);
    HieraKnown byte = hiera_process_argument(process, 1);
    if (text && byte.known)
        return_place(process, returned, text, strchr(text, (int)byte.bits));
}

/* strchrnul(text, byte): as strchr, but returns the end of the text if the byte is not found. */
static void find_byte_or_end(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0);
    HieraKnown byte = hiera_process_argument(process, 1);
    if (!text || !byte.known)
        return;
    const char *at = strchr(text, (int)byte.bits);
    return_place(process, returned, text, at ? at : text + strlen(text));
}

/* strpbrk(text, bytes) */
static void find_any(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0), *bytes = text_of(process, 1);
    if (text && bytes)
        return_place(process, returned, text, strpbrk(text, bytes));
}

static void find_last_byte(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0);
    HieraKnown byte = hiera_process_argument(process, 1);
    if (text && byte.known)
        return_place(process, returned, text, strrchr(text, (int)byte.bits));
}

static void find_text(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0), *part = text_of(process, 1);
    if (text && part)
        return_place(process, returned, text, strstr(text, part));
}

/* --- functions that write texts --- */

/* Write a text with its zero byte to `to`, and return the call's first argument. */
static void put(HieraProcess *process, HieraReturned *returned, guint64 to, const char *text)
{
    for (gsize i = 0; i <= strlen(text); i++)
        hiera_known_memory_write(process->state.memory, to + i, 1, TRUE, (guint64)(guchar)text[i]);
    hiera_return_integer(returned, address_of(process, 0));
}

static void copy(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 1);
    HieraKnown to = hiera_process_argument(process, 0);
    if (text && to.known)
        put(process, returned, to.bits, text);
}

/* stpcpy(to, text): as strcpy, but returns the end of the copy. */
static void copy_to_end(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 1);
    copy(process, returned);
    if (text && returned->has_integer)
        returned->integer += strlen(text);
}

static void copy_first(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 1);
    HieraKnown to = hiera_process_argument(process, 0), n = hiera_process_argument(process, 2);
    if (!text || !to.known || !n.known || n.bits > 1 << 20)
        return;
    for (gsize i = 0; i < n.bits; i++)
        hiera_known_memory_write(process->state.memory, to.bits + i, 1, TRUE,
                                 i < strlen(text) ? (guint64)(guchar)text[i] : 0);
    hiera_return_integer(returned, to.bits);
}

static void append(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0), *more = text_of(process, 1);
    if (text && more)
        put(process, returned, address_of(process, 0) + strlen(text), more);
}

static void append_first(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0), *more = text_of(process, 1);
    HieraKnown n = hiera_process_argument(process, 2);
    if (!text || !more || !n.known)
        return;
    if (n.bits < strlen(more))
        more[n.bits] = '\0';
    put(process, returned, address_of(process, 0) + strlen(text), more);
}

static void duplicate(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = text_of(process, 0);
    if (!text)
        return;
    guint64 to = hiera_known_memory_allocate(process->state.memory, strlen(text) + 1);
    put(process, returned, to, text);
    returned->integer = to;
}

/* --- simulating strtok --- */

/* @param from  address at which the search begins; receives the one behind the word; 0: there are no more words */
static void next_word(HieraProcess *process, HieraReturned *returned, HieraKnown *from)
{
    g_autofree char *bytes = text_of(process, 1),
                    *text = from->bits == 0 ? g_strdup("") : hiera_process_text(process, *from);
    from->known = from->known && bytes && text;
    if (!from->known)
        return;
    gsize skipped = strspn(text, bytes), n = strcspn(text + skipped, bytes);
    hiera_return_integer(returned, n > 0 ? from->bits + skipped : 0);
    if (n == 0) {
        from->bits = 0;
        return;
    }
    from->bits += skipped + n;
    if (text[skipped + n])
        hiera_known_memory_write(process->state.memory, from->bits++, 1, TRUE, 0);
}

static void take_word(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown text = hiera_process_argument(process, 0);
    if (!text.known || text.bits != 0)
        process->word = text;
    next_word(process, returned, &process->word);
}

/* strtok_r(text, bytes, &kept) */
static void take_word_of(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown text = hiera_process_argument(process, 0), kept = hiera_process_argument(process, 2), from = text;
    if (!kept.known)
        return;
    if (text.known && text.bits == 0)
        from.known = hiera_known_memory_read(process->state.memory, kept.bits, 8, &from.bits);
    next_word(process, returned, &from);
    hiera_known_memory_write(process->state.memory, kept.bits, 8, from.known, from.bits);
}

const HieraLibraryRow hiera_text_rows[] = {
    {"atoi", 40, .work = read_integer},
    {"atol", 40, .work = read_integer},
    {"atoll", 40, .work = read_integer},
    {"strtol", 40, .work = read_integer_of_base},
    {"strtoul", 40, .work = read_integer_of_base},
    {"strtoll", 40, .work = read_integer_of_base},
    {"__isoc23_strtol", 40, .work = read_integer_of_base},
    {"atof", 80, .work = read_real},
    {"strtod", 80, .work = read_real_to},
    {"strlen", 15, .work = measure},
    {"strcmp", 15, .work = compare},
    {"strncmp", 15, .work = compare_first},
    {"strcasecmp", 20, .work = compare_without_case},
    {"strncasecmp", 20, .work = compare_first_without_case},
    {"strcoll", 30, .work = compare},
    {"strnlen", 15, .work = measure_first},
    {"strcspn", 20, .work = count_others},
    {"strspn", 20, .work = count_these},
    {"strchr", 15, .work = find_byte},
    {"strchrnul", 15, .work = find_byte_or_end},
    {"strpbrk", 20, .work = find_any},
    {"strrchr", 15, .work = find_last_byte},
    {"strstr", 20, .work = find_text},
    {"strcpy", 20, .work = copy},
    {"strncpy", 20, .work = copy_first},
    {"stpcpy", 20, .work = copy_to_end},
    {"strcat", 30, .work = append},
    {"strncat", 30, .work = append_first},
    {"strdup", 90, .work = duplicate},
    {"strtok", 40, .work = take_word},
    {"strtok_r", 40, .work = take_word_of},
    {.name = NULL},
};
