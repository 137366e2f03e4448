/* Files and formats of C. See library.h, files.h. */
#include "files.h"
#include "library.h"
#include <string.h>

static HieraFile *file_of(HieraProcess *process, guint argument)
{
    HieraKnown handle = hiera_process_argument(process, argument);
    HieraFile *file = handle.known ? hiera_files_find(process->files, handle.bits) : NULL;
    return file && file->text ? file : NULL;
}

static void return_integer(HieraReturned *returned, guint64 integer)
{
    returned->has_integer = TRUE;
    returned->integer = integer;
}

static void open_file(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *path = hiera_process_text(process, hiera_process_argument(process, 0)),
                    *mode = hiera_process_text(process, hiera_process_argument(process, 1));
    gboolean reads = mode && mode[0] == 'r';
    if (!path || !mode)
        return;
    return_integer(returned, 0);
    if (reads && !hiera_files_exist(path))
        return;
    returned->integer = hiera_memory_allocate(process->state.memory, 16);
    hiera_files_open(process->files, returned->integer, reads ? path : NULL);
}

static void close_file(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown handle = hiera_process_argument(process, 0);
    if (handle.known)
        hiera_files_close(process->files, handle.bits);
    return_integer(returned, 0);
}

static void is_at_end(HieraProcess *process, HieraReturned *returned)
{
    const HieraFile *file = file_of(process, 0);
    if (file)
        return_integer(returned, (guint64)hiera_file_at_end(file));
}

static void write_bytes(HieraProcess *process, guint64 to, const char *bytes, gsize n)
{
    for (gsize i = 0; i < n; i++)
        hiera_memory_write(process->state.memory, to + i, 1, TRUE, (guint64)(guchar)bytes[i]);
}

/* fgets(buffer, n, file). */
static void read_line(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = file_of(process, 2);
    HieraKnown to = hiera_process_argument(process, 0), n = hiera_process_argument(process, 1);
    gint64 room = (gint32)n.bits;
    if (!to.known || !n.known || room <= 0)
        return;
    if (!file) {
        hiera_memory_forget(process->state.memory, to.bits, (guint64)room);
        return;
    }
    return_integer(returned, hiera_file_at_end(file) ? 0 : to.bits);
    if (hiera_file_at_end(file))
        return;
    gsize from = file->at;
    hiera_file_next_line(file);
    file->at = MIN(file->at, from + (gsize)room - 1);
    write_bytes(process, to.bits, file->text + from, file->at - from);
    hiera_memory_write(process->state.memory, to.bits + (file->at - from), 1, TRUE, 0);
}

static void read_byte(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = file_of(process, 0);
    if (file)
        return_integer(returned, hiera_file_at_end(file) ? 0xffffffff : (guint64)(guchar)file->text[file->at++]);
}

/* ungetc(byte, file). */
static void put_back(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = file_of(process, 1);
    (void)returned;
    if (file && file->at > 0)
        file->at--;
}

/* fread(buffer, size, n, file). */
static void read_block(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = file_of(process, 3);
    HieraKnown to = hiera_process_argument(process, 0), size = hiera_process_argument(process, 1),
               n = hiera_process_argument(process, 2);
    if (!to.known || !size.known || !n.known || size.bits == 0)
        return;
    if (!file) {
        hiera_memory_forget(process->state.memory, to.bits, size.bits * n.bits);
        return;
    }
    guint64 there = MIN(n.bits, (file->n - file->at) / size.bits);
    return_integer(returned, there);
    write_bytes(process, to.bits, file->text + file->at, there * size.bits);
    file->at += there * size.bits;
}

/* What moves about in a file is not followed. */
static void lose_place(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = file_of(process, 0);
    (void)returned;
    if (file)
        g_clear_pointer(&file->text, g_free);
}

static void rewind_file(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = file_of(process, 0);
    (void)returned;
    if (file)
        file->at = 0;
}

/* --- formats --- */

/* A conversion of scanf: "%5ld". */
typedef struct {
    gboolean skips; /* its value is not wanted */
    gsize most;     /* characters */
    guint width;    /* bytes of an integer or float; that of a float without a letter is 4 */
    char what;
} Conversion;

/* @return behind it */
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
        conversion->width = *format != 'h' ? 8 : conversion->width == 2 ? 1 : 2;
    conversion->what = *format;
    return *format ? format + 1 : format;
}

static gsize count_spaces(const char *text)
{
    return strspn(text, " \t\n\r\f\v");
}

/* Read a value. @return how many characters it has, 0: it is none; G_MAXSIZE: such conversions are not known */
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
        n = conversion->what == 's' ? n : conversion->most == G_MAXSIZE ? 1 : strlen(part);
        if (to.known && n > 0)
            write_bytes(process, to.bits, part, n);
        if (to.known && n > 0 && conversion->what == 's')
            hiera_memory_write(process->state.memory, to.bits + n, 1, TRUE, 0);
        return n;
    default:
        return G_MAXSIZE;
    }
    if (to.known && n > 0)
        hiera_memory_write(process->state.memory, to.bits, conversion->width, TRUE, bits);
    return n;
}

/* @param first  the argument where values begin
 * @param text   from where is read; moves on; has a zero byte behind it
 * @return how many values were read, -1 at the end of the text; -2: it is not known */
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
        return_integer(returned, (guint64)n & 0xffffffff);
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
    const char *at = file ? file->text + file->at : NULL; /* GLib puts a zero byte behind it */
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
    {"fopen", 5000, open_file, NULL, NULL},
    {"fopen64", 5000, open_file, NULL, NULL},
    {"fclose", 3000, close_file, NULL, NULL},
    {"feof", 10, is_at_end, NULL, NULL},
    {"fgets", 100, read_line, NULL, NULL},
    {"fgetc", 10, read_byte, NULL, NULL},
    {"getc", 10, read_byte, NULL, NULL},
    {"fread", 500, read_block, NULL, NULL},
    {"fseek", 500, lose_place, NULL, NULL},
    {"fseeko", 500, lose_place, NULL, NULL},
    {"ungetc", 10, put_back, NULL, NULL},
    {"rewind", 500, rewind_file, NULL, NULL},
    {"fwrite", 500, NULL, NULL, NULL},
    {"scanf", 800, scan_terminal, NULL, NULL},
    {"fscanf", 800, scan_file, NULL, NULL},
    {"sscanf", 800, scan_text, NULL, NULL},
    {"__isoc99_scanf", 800, scan_terminal, NULL, NULL},
    {"__isoc99_fscanf", 800, scan_file, NULL, NULL},
    {"__isoc99_sscanf", 800, scan_text, NULL, NULL},
    {"__isoc23_scanf", 800, scan_terminal, NULL, NULL},
    {"__isoc23_fscanf", 800, scan_file, NULL, NULL},
    {"__isoc23_sscanf", 800, scan_text, NULL, NULL},
    {NULL, 0, NULL, NULL, NULL},
};
