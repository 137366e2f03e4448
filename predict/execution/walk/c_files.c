/* C functions that read files, and scanf. See library.h, files.h. */
#include "files.h"
#include "library.h"
#include <string.h>

static HieraFile *file_of(HieraProcess *process, guint argument)
{
    HieraKnown handle = hiera_process_argument(process, argument);
    HieraFile *file = handle.known ? hiera_files_find(process->files, handle.bits) : NULL;
    return file && file->text ? file : NULL;
}

static void open_file(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *path = hiera_process_text(process, hiera_process_argument(process, 0)),
                    *mode = hiera_process_text(process, hiera_process_argument(process, 1));
    gboolean reads = mode && mode[0] == 'r';
    if (!path || !mode)
        return;
    hiera_return_integer(returned, 0);
    gboolean was_written = g_hash_table_contains(process->files->written, path);
    if (!reads || mode[1] == '+' || (mode[1] && mode[2] == '+'))
        g_hash_table_add(process->files->written, g_strdup(path));
    if (reads && !was_written && !hiera_files_exist(path))
        return;
    returned->integer = hiera_known_memory_allocate(process->state.memory, 16);
    hiera_files_open(process->files, returned->integer, reads && !was_written ? path : NULL);
}

static void close_file(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown handle = hiera_process_argument(process, 0);
    if (handle.known)
        hiera_files_close(process->files, handle.bits);
    hiera_return_integer(returned, 0);
}

static void is_at_end(HieraProcess *process, HieraReturned *returned)
{
    const HieraFile *file = file_of(process, 0);
    if (file)
        hiera_return_integer(returned, (guint64)hiera_file_at_end(file));
}

static void write_bytes(HieraProcess *process, guint64 to, const char *bytes, gsize n)
{
    for (gsize i = 0; i < n; i++)
        hiera_known_memory_write(process->state.memory, to + i, 1, TRUE, (guint64)(guchar)bytes[i]);
}

/* Simulate fgets. @param at  index of the argument with the buffer's size; the next argument is the file */
static void read_line_into(HieraProcess *process, HieraReturned *returned, guint at)
{
    HieraFile *file = file_of(process, at + 1);
    HieraKnown to = hiera_process_argument(process, 0), n = hiera_process_argument(process, at);
    gint64 room = (gint32)n.bits;
    if (!to.known || !n.known || room <= 0)
        return;
    if (!file) {
        hiera_known_memory_forget(process->state.memory, to.bits, (guint64)room);
        return;
    }
    hiera_return_integer(returned, hiera_file_at_end(file) ? 0 : to.bits);
    if (hiera_file_at_end(file))
        return;
    gsize from = file->at;
    hiera_file_next_line(file);
    file->at = MIN(file->at, from + (gsize)room - 1);
    write_bytes(process, to.bits, file->text + from, file->at - from);
    hiera_known_memory_write(process->state.memory, to.bits + (file->at - from), 1, TRUE, 0);
}

/* fgets(buffer, n, file). */
static void read_line(HieraProcess *process, HieraReturned *returned)
{
    read_line_into(process, returned, 1);
}

/* __fgets_chk(buffer, room, n, file). */
static void read_line_checked(HieraProcess *process, HieraReturned *returned)
{
    read_line_into(process, returned, 2);
}

/* getline(&buffer, &room, file). @param of_file  index of the argument with the file (__getdelim: 3) */
static void read_whole_line(HieraProcess *process, HieraReturned *returned, guint of_file)
{
    HieraFile *file = file_of(process, of_file);
    HieraKnown line = hiera_process_argument(process, 0), room = hiera_process_argument(process, 1);
    if (!file || !line.known || !room.known)
        return;
    hiera_return_integer(returned, ~0ull);
    if (hiera_file_at_end(file))
        return;
    gsize from = file->at;
    hiera_file_next_line(file);
    gsize n = file->at - from;
    guint64 to = hiera_known_memory_allocate(process->state.memory, n + 1);
    write_bytes(process, to, file->text + from, n);
    hiera_known_memory_write(process->state.memory, to + n, 1, TRUE, 0);
    hiera_known_memory_write(process->state.memory, line.bits, 8, TRUE, to);
    hiera_known_memory_write(process->state.memory, room.bits, 8, TRUE, n + 1);
    returned->integer = n;
}

static void get_line(HieraProcess *process, HieraReturned *returned)
{
    read_whole_line(process, returned, 2);
}

/* __getdelim(&buffer, &room, byte, file): simulated only for the byte that ends a line. */
static void get_until(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown byte = hiera_process_argument(process, 2);
    if (byte.known && byte.bits == '\n')
        read_whole_line(process, returned, 3);
}

/* ferror, fflush: no error ever happens. */
static void has_no_error(HieraProcess *process, HieraReturned *returned)
{
    (void)process;
    hiera_return_integer(returned, 0);
}

static void read_byte(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = file_of(process, 0);
    if (file)
        hiera_return_integer(returned, hiera_file_at_end(file) ? 0xffffffff : (guint64)(guchar)file->text[file->at++]);
}

/* ungetc(byte, file): the file's position moves back by one. */
static void put_back(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = file_of(process, 1);
    (void)returned;
    if (file && file->at > 0)
        file->at--;
}

/* Simulate fread. @param at  index of the argument with an element's size; the next are the number, and the file */
static void read_block_into(HieraProcess *process, HieraReturned *returned, guint at)
{
    HieraFile *file = file_of(process, at + 2);
    HieraKnown to = hiera_process_argument(process, 0), size = hiera_process_argument(process, at),
               n = hiera_process_argument(process, at + 1);
    if (!to.known || !size.known || !n.known || size.bits == 0)
        return;
    if (!file) {
        hiera_known_memory_forget(process->state.memory, to.bits, size.bits * n.bits);
        return;
    }
    guint64 there = MIN(n.bits, (file->n - file->at) / size.bits);
    hiera_return_integer(returned, there);
    write_bytes(process, to.bits, file->text + file->at, there * size.bits);
    file->at += there * size.bits;
}

/* fread(buffer, size, n, file). */
static void read_block(HieraProcess *process, HieraReturned *returned)
{
    read_block_into(process, returned, 1);
}

/* __fread_chk(buffer, room, size, n, file). */
static void read_block_checked(HieraProcess *process, HieraReturned *returned)
{
    read_block_into(process, returned, 2);
}

/* fseek and fseeko are not simulated: all that is read from the file afterwards is unknown. */
static void lose_place(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = file_of(process, 0);
    (void)returned;
    if (file)
        g_clear_pointer(&file->text, g_free);
}

/* fwrite(from, size, n, file): returns n; what is written is not kept. */
static void write_all(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown n = hiera_process_argument(process, 2);
    returned->has_integer = n.known;
    returned->integer = n.bits;
}

static void rewind_file(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = file_of(process, 0);
    (void)returned;
    if (file)
        file->at = 0;
}

/* --- simulating scanf --- */

/* A conversion in a format of scanf, such as "%5ld". */
typedef struct {
    gboolean skips; /* the conversion has a *: its value is not stored */
    gsize most;     /* greatest number of characters that the conversion reads */
    guint width;    /* bytes of the variable for an integer or float; 4 without a length modifier */
    char what;
} Conversion;

/* @param format  text behind the percent sign. @return the format behind the conversion */
static const char *read_conversion(const char *format, Conversion *conversion)
{
    char *end;
    *conversion = (Conversion){.width = 4};
    conversion->skips = *format == '*';
    format += conversion->skips;
    conversion->most = (gsize)g_ascii_strtoull(format, &end, 10);
    if (conversion->most == 0)
        conversion->most = G_MAXSIZE;
    for (format = end; *format && strchr("hljztLq", *format); format++)
        if (*format == 'h')
            conversion->width = conversion->width == 2 ? 1 : 2;
        else
            conversion->width = 8;
    conversion->what = *format;
    return *format ? format + 1 : format;
}

static gsize count_spaces(const char *text)
{
    return strspn(text, " \t\n\r\f\v");
}

/* Read and store a value. @return number of characters used; 0: there is no value; G_MAXSIZE: not simulated */
static gsize convert(HieraProcess *process, const Conversion *conversion, const char *text, HieraKnown to)
{
    g_autofree char *part = g_strndup(text, MIN(conversion->most, strlen(text)));
    char *end = part;
    guint64 bits = 0;
    gsize n = strcspn(part, " \t\n\r\f\v");
    switch (conversion->what) {
    case 'd':
    case 'u':
        bits = (guint64)g_ascii_strtoll(part, &end, 10);
        n = (gsize)(end - part);
        break;
    case 'i':
    case 'x':
        bits = (guint64)g_ascii_strtoll(part, &end, conversion->what == 'i' ? 0 : 16);
        n = (gsize)(end - part);
        break;
    case 'f':
    case 'g':
    case 'e': {
        gdouble number = g_ascii_strtod(part, &end);
        gfloat half = (gfloat)number;
        n = (gsize)(end - part);
        if (conversion->width == 8)
            bits = hiera_bits_of_double(number);
        else
            memcpy(&bits, &half, sizeof half);
        break;
    }
    case 's':
    case 'c':
        if (conversion->what == 'c')
            n = conversion->most == G_MAXSIZE ? 1 : strlen(part);
        if (to.known && n > 0)
            write_bytes(process, to.bits, part, n);
        if (to.known && n > 0 && conversion->what == 's')
            hiera_known_memory_write(process->state.memory, to.bits + n, 1, TRUE, 0);
        return n;
    default:
        return G_MAXSIZE;
    }
    if (to.known && n > 0)
        hiera_known_memory_write(process->state.memory, to.bits, conversion->width, TRUE, bits);
    return n;
}

/* @param first  index of the first argument for a value
 * @param text   input, advanced; ends with a zero byte
 * @return number of values read, -1 at the end of the text; -2: not known */
static gint64 scan(HieraProcess *process, const char *format, guint first, const char **text)
{
    gint64 n = 0;
    while (*format) {
        Conversion conversion;
        if (g_ascii_isspace(*format)) {
            *text += count_spaces(*text);
            format++;
            continue;
        }
        if (*format != '%') {
            if (**text != *format)
                return n;
            (*text)++;
            format++;
            continue;
        }
        format = read_conversion(format + 1, &conversion);
        if (conversion.what != 'c')
            *text += count_spaces(*text);
        if (!**text)
            return n > 0 ? n : -1;
        const HieraKnown nowhere = {FALSE, 0};
        HieraKnown to = conversion.skips ? nowhere : hiera_process_argument(process, first + (guint)n);
        gsize length = convert(process, &conversion, *text, to);
        if (length == G_MAXSIZE)
            return -2;
        if (length == 0)
            return n;
        *text += length;
        n += !conversion.skips;
    }
    return n;
}

static void scan_from(HieraProcess *process, HieraReturned *returned, const char **text)
{
    g_autofree char *format = hiera_process_text(process, hiera_process_argument(process, 1));
    gint64 n = format && *text ? scan(process, format, 2, text) : -2;
    if (n == -2)
        hiera_process_forget_arguments(process, 2);
    else
        hiera_return_integer(returned, (guint64)n & 0xffffffff);
}

static void scan_text(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *text = hiera_process_text(process, hiera_process_argument(process, 0));
    const char *at = text;
    scan_from(process, returned, &at);
}

static void scan_file(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = file_of(process, 0);
    const char *at = file ? file->text + file->at : NULL; /* the text ends with a zero byte, which GLib has added */
    scan_from(process, returned, &at);
    if (file)
        file->at = MIN((gsize)(at - file->text), file->n);
}

static void scan_terminal(HieraProcess *process, HieraReturned *returned)
{
    (void)returned;
    hiera_process_forget_arguments(process, 1);
}

const HieraLibraryRow hiera_c_file_rows[] = {
    {"fopen", 5000, .work = open_file},
    {"fopen64", 5000, .work = open_file},
    {"fclose", 3000, .work = close_file},
    {"feof", 10, .work = is_at_end},
    {"fgets", 100, .work = read_line},
    {"__fgets_chk", 100, .work = read_line_checked},
    {"getline", 100, .work = get_line},
    {"__getdelim", 100, .work = get_until},
    {"getdelim", 100, .work = get_until},
    {"ferror", 10, .work = has_no_error},
    {"fgetc", 10, .work = read_byte},
    {"getc", 10, .work = read_byte},
    {"fread", 500, .work = read_block},
    {"__fread_chk", 500, .work = read_block_checked},
    {"fseek", 500, .work = lose_place},
    {"fseeko", 500, .work = lose_place},
    {"ungetc", 10, .work = put_back},
    {"rewind", 500, .work = rewind_file},
    {"fwrite", 500, .work = write_all},
    {"fflush", 500, .work = has_no_error},
    {"scanf", 800, .work = scan_terminal},
    {"fscanf", 800, .work = scan_file},
    {"sscanf", 800, .work = scan_text},
    {"__isoc99_scanf", 800, .work = scan_terminal},
    {"__isoc99_fscanf", 800, .work = scan_file},
    {"__isoc99_sscanf", 800, .work = scan_text},
    {"__isoc23_scanf", 800, .work = scan_terminal},
    {"__isoc23_fscanf", 800, .work = scan_file},
    {"__isoc23_sscanf", 800, .work = scan_text},
    {.name = NULL},
};
