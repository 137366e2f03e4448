/* Fortran files, as programs of gfortran (8 and later) read them. See library.h, files.h.
 *
 * A statement fills a record of parameters, and calls libgfortran with its address: at its begin, for each item, and at
 * its end. List-directed input is read (`read(7,*) n`); results of other formats are not known. */
#include "files.h"
#include "library.h"
#include <string.h>

/* Offsets in bytes of gfortran's record of parameters, for all statements. */
enum { PLACE_FLAGS = 0, PLACE_UNIT = 4, PLACE_IOSTAT = 40 };
/* Offsets in the record for `open`; then for `inquire`. */
enum { PLACE_OPEN_LENGTH = 56, PLACE_OPEN_FILE = 64, PLACE_OPEN_STATUS = 72, PLACE_OPEN_STATUS_LENGTH = 80 };
enum { PLACE_EXIST = 48, PLACE_INQUIRE_FILE = 104, PLACE_INQUIRE_LENGTH = 112 };
/* Flags in the record's first word: results of a statement, and which parameters it has. */
enum { RETURN_ERROR = 1, RETURN_END = 2, RETURN_MASK = 3, HAS_END = 8, HAS_IOSTAT = 32 };
enum { OPEN_HAS_FILE = 256, OPEN_HAS_STATUS = 512 };
enum { INQUIRE_HAS_EXIST = 128, INQUIRE_HAS_FILE = 16384 };
enum { READ_LIST = 128, READ_INTERNAL = 16384 };
/* Offsets in gfortran's array descriptor, and its codes of element types. */
enum {
    ARRAY_BASE = 0,
    ARRAY_WIDTH = 16,
    ARRAY_RANK = 28,
    ARRAY_TYPE = 29,
    ARRAY_STRIDE = 40,
    ARRAY_LOW = 48,
    ARRAY_HIGH = 56
};
enum { TYPE_INTEGER = 1, TYPE_LOGICAL = 2, TYPE_REAL = 3 };
enum { NO_SUCH_FILE = 2, END_OF_FILE = -1, LONGEST_NAME = 4096 };
/* Bits that are added to a unit number to make a handle, different from all addresses (handles of C). */
#define UNIT G_GUINT64_CONSTANT(0xf000000000000000)

static HieraKnown field(HieraProcess *process, guint at, guint width)
{
    HieraKnown value = hiera_process_argument(process, 0);
    value.known = value.known && hiera_known_memory_read(process->state.memory, value.bits + at, width, &value.bits);
    return value;
}

static guint flags_of(HieraProcess *process)
{
    HieraKnown flags = field(process, PLACE_FLAGS, 4);
    return flags.known ? (guint)flags.bits : 0;
}

/* Return a Fortran text without trailing spaces; NULL: not known. @param n  its length. To be freed with g_free. */
static char *text_at(HieraProcess *process, HieraKnown from, HieraKnown n)
{
    if (!from.known || !n.known || n.bits > LONGEST_NAME)
        return NULL;
    g_autofree char *text = g_malloc0(n.bits + 1);
    for (guint64 i = 0; i < n.bits; i++) {
        guint64 byte;
        if (!hiera_known_memory_read(process->state.memory, from.bits + i, 1, &byte))
            return NULL;
        text[i] = (char)byte;
    }
    return g_strchomp(g_steal_pointer(&text));
}

static char *text_of(HieraProcess *process, guint at, guint at_length)
{
    return text_at(process, field(process, at, 8), field(process, at_length, 8));
}

/* Write a statement's result to its iostat= variable, and to the flags by which err= and end= jump. */
static void set_status(HieraProcess *process, gboolean known, gint32 status)
{
    guint flags = flags_of(process);
    HieraKnown record = hiera_process_argument(process, 0), to = field(process, PLACE_IOSTAT, 8);
    if (flags & HAS_IOSTAT && to.known)
        hiera_known_memory_write(process->state.memory, to.bits, 4, known, (guint32)status);
    guint how = status == 0 ? 0 : status == END_OF_FILE ? RETURN_END : RETURN_ERROR;
    if (record.known)
        hiera_known_memory_write(process->state.memory, record.bits + PLACE_FLAGS, 4, known,
                                 (flags & ~RETURN_MASK) | how);
}

static void open_unit(HieraProcess *process, HieraReturned *returned)
{
    guint flags = flags_of(process);
    HieraKnown unit = field(process, PLACE_UNIT, 4);
    g_autofree char *path = flags & OPEN_HAS_FILE ? text_of(process, PLACE_OPEN_FILE, PLACE_OPEN_LENGTH) : NULL,
                    *status =
                        flags & OPEN_HAS_STATUS ? text_of(process, PLACE_OPEN_STATUS, PLACE_OPEN_STATUS_LENGTH) : NULL;
    gboolean must_exist = status && g_ascii_strcasecmp(status, "old") == 0;
    (void)returned;
    if (!path || !unit.known) {
        set_status(process, FALSE, 0);
        return;
    }
    if (!hiera_files_exist(path) && must_exist) {
        set_status(process, TRUE, NO_SUCH_FILE);
        return;
    }
    hiera_files_open(process->files, UNIT | unit.bits, hiera_files_exist(path) ? path : NULL);
    set_status(process, TRUE, 0);
}

static void close_unit(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown unit = field(process, PLACE_UNIT, 4);
    (void)returned;
    if (unit.known)
        hiera_files_close(process->files, UNIT | unit.bits);
    set_status(process, TRUE, 0);
}

static void inquire(HieraProcess *process, HieraReturned *returned)
{
    guint flags = flags_of(process);
    HieraKnown to = field(process, PLACE_EXIST, 8);
    g_autofree char *path =
        flags & INQUIRE_HAS_FILE ? text_of(process, PLACE_INQUIRE_FILE, PLACE_INQUIRE_LENGTH) : NULL;
    (void)returned;
    if (flags & INQUIRE_HAS_EXIST && to.known)
        hiera_known_memory_write(process->state.memory, to.bits, 4, path != NULL, path && hiera_files_exist(path));
    set_status(process, TRUE, 0);
}

/* --- the statement read --- */

/* Return the file that a statement reads list-directed (format *); NULL: its input is not known. */
static HieraFile *list_of(HieraProcess *process)
{
    guint flags = flags_of(process);
    HieraKnown unit = field(process, PLACE_UNIT, 4);
    HieraFile *file = unit.known ? hiera_files_find(process->files, UNIT | unit.bits) : NULL;
    return file && file->text && flags & READ_LIST && !(flags & READ_INTERNAL) ? file : NULL;
}

/* Begin a read statement. If its format is not *, the file's position, so all that is read later, becomes unknown. */
static void begin_read(HieraProcess *process, HieraReturned *returned)
{
    HieraKnown unit = field(process, PLACE_UNIT, 4);
    HieraFile *list = list_of(process), *file = unit.known ? hiera_files_find(process->files, UNIT | unit.bits) : NULL;
    (void)returned;
    if (!list && file && !(flags_of(process) & READ_INTERNAL))
        g_clear_pointer(&file->text, g_free);
    set_status(process, list != NULL, list && hiera_file_at_end(list) ? END_OF_FILE : 0);
}

static void end_read(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *list = list_of(process);
    (void)returned;
    if (list && !(flags_of(process) & RETURN_MASK))
        hiera_file_next_line(list);
}

/* Return the next word of list-directed input, also of a following line; NULL: end of the file. To be freed. */
static char *next_word(HieraFile *file)
{
    while (file->at < file->n && (g_ascii_isspace(file->text[file->at]) || file->text[file->at] == ','))
        file->at++;
    if (file->at >= file->n)
        return NULL;
    const char *begin = file->text + file->at;
    gboolean quoted = *begin == '\'' || *begin == '"';
    gsize n = quoted ? 1 : strcspn(begin, " \t\r\n,");
    while (quoted && begin[n] && begin[n] != *begin)
        n++;
    file->at += n + (quoted && begin[n]);
    return quoted ? g_strndup(begin + 1, n - 1) : g_strndup(begin, n);
}

/* Parse a value in Fortran notation, such as 1d-3. @return FALSE: the word is no value of this type */
static gboolean read_value(const char *word, guint type, guint width, guint64 *bits)
{
    g_autofree char *number = g_strdelimit(g_ascii_strdown(word, -1), "d", 'e');
    char *end = number;
    char letter = number[number[0] == '.'];
    gdouble real;
    gfloat half;
    switch (type) {
    case TYPE_INTEGER:
        *bits = (guint64)g_ascii_strtoll(number, &end, 10);
        break;
    case TYPE_REAL:
        real = g_ascii_strtod(number, &end);
        half = (gfloat)real;
        *bits = hiera_bits_of_double(real);
        if (width == 4) {
            *bits = 0;
            memcpy(bits, &half, sizeof half);
        }
        break;
    default: /* a logical value: .true., T, .false., F */
        *bits = letter == 't';
        return letter == 't' || letter == 'f';
    }
    return end > number && *end == '\0' && (width == 4 || width == 8 || type == TYPE_INTEGER);
}

/* Read a value into memory. @param file  NULL: the input is not known, so the value becomes unknown */
static void read_item(HieraProcess *process, HieraFile *file, guint type, guint64 to, guint width)
{
    guint64 bits = 0;
    g_autofree char *word = file && !(flags_of(process) & RETURN_MASK) ? next_word(file) : NULL;
    gboolean known = word && read_value(word, type, width, &bits);
    if (file && !word)
        set_status(process, TRUE, END_OF_FILE); /* end of the file: the variable keeps its value */
    else if (file && !known) {
        g_clear_pointer(&file->text, g_free); /* for example a repeat count (3*1.0), which is not simulated */
        set_status(process, FALSE, 0);
    }
    if (width <= 8 && (!file || word))
        hiera_known_memory_write(process->state.memory, to, width, known, bits);
}

static void read_one(HieraProcess *process, guint type)
{
    HieraKnown to = hiera_process_argument(process, 1), width = hiera_process_argument(process, 2);
    if (to.known && width.known)
        read_item(process, list_of(process), type, to.bits, (guint)width.bits);
}

static void read_integer(HieraProcess *process, HieraReturned *returned)
{
    (void)returned;
    read_one(process, TYPE_INTEGER);
}

static void read_real(HieraProcess *process, HieraReturned *returned)
{
    (void)returned;
    read_one(process, TYPE_REAL);
}

static void read_logical(HieraProcess *process, HieraReturned *returned)
{
    (void)returned;
    read_one(process, TYPE_LOGICAL);
}

/* Read a character variable; it is filled up with spaces. */
static void read_text(HieraProcess *process, HieraReturned *returned)
{
    HieraFile *file = list_of(process);
    HieraKnown to = hiera_process_argument(process, 1), n = hiera_process_argument(process, 2);
    (void)returned;
    if (!to.known || !n.known || n.bits > LONGEST_NAME)
        return;
    g_autofree char *word = file && !(flags_of(process) & RETURN_MASK) ? next_word(file) : NULL;
    if (file && !word) {
        set_status(process, TRUE, END_OF_FILE);
        return;
    }
    for (guint64 i = 0, length = word ? strlen(word) : 0; i < n.bits; i++)
        hiera_known_memory_write(process->state.memory, to.bits + i, 1, word != NULL,
                                 i < length ? (guint64)(guchar)word[i] : ' ');
}

/* Read an array with one dimension. One with more is not simulated: what follows in the file becomes unknown. */
static void read_array(HieraProcess *process, HieraReturned *returned)
{
    static const struct {
        guint at, width;
    } places[] = {{ARRAY_BASE, 8}, {ARRAY_WIDTH, 8}, {ARRAY_STRIDE, 8}, {ARRAY_LOW, 8},
                  {ARRAY_HIGH, 8}, {ARRAY_RANK, 1},  {ARRAY_TYPE, 1}};
    guint64 values[G_N_ELEMENTS(places)];
    HieraKnown array = hiera_process_argument(process, 1);
    gboolean known = array.known;
    (void)returned;
    for (guint i = 0; i < G_N_ELEMENTS(places); i++)
        known = known &&
                hiera_known_memory_read(process->state.memory, array.bits + places[i].at, places[i].width, &values[i]);
    gint64 n = known ? (gint64)(values[4] - values[3]) + 1 : 0;
    HieraFile *file = list_of(process);
    if (!known || values[5] != 1 || values[6] < TYPE_INTEGER || values[6] > TYPE_REAL || n > 1 << 20) {
        if (file)
            g_clear_pointer(&file->text, g_free);
        return;
    }
    for (gint64 i = 0; i < n; i++)
        read_item(process, list_of(process), (guint)values[6], values[0] + (guint64)i * values[2] * values[1],
                  (guint)values[1]);
}

/* Begin a write: it always succeeds, and what is written is not kept. */
static void begin_write(HieraProcess *process, HieraReturned *returned)
{
    (void)returned;
    set_status(process, TRUE, 0);
}

/* _gfortran_compare_string(length, text, length, text), which ignores trailing spaces. */
static void compare(HieraProcess *process, HieraReturned *returned)
{
    g_autofree char *a = text_at(process, hiera_process_argument(process, 1), hiera_process_argument(process, 0)),
                    *b = text_at(process, hiera_process_argument(process, 3), hiera_process_argument(process, 2));
    returned->has_integer = a && b;
    returned->integer = a && b ? (guint64)(gint64)strcmp(a, b) & 0xffffffff : 0;
}

static void end_program(HieraProcess *process, HieraReturned *returned)
{
    (void)process;
    returned->cycles = -1;
}

const HieraLibraryRow hiera_fortran_file_rows[] = {
    {"_gfortran_st_open", 5000, .work = open_unit},           {"_gfortran_st_close", 3000, .work = close_unit},
    {"_gfortran_st_inquire", 1000, .work = inquire},          {"_gfortran_st_read", 300, .work = begin_read},
    {"_gfortran_st_read_done", 100, .work = end_read},        {"_gfortran_transfer_integer", 100, .work = read_integer},
    {"_gfortran_transfer_real", 150, .work = read_real},      {"_gfortran_transfer_logical", 100, .work = read_logical},
    {"_gfortran_transfer_character", 100, .work = read_text}, {"_gfortran_transfer_array", 300, .work = read_array},
    {"_gfortran_st_write", 300, .work = begin_write},         {"_gfortran_compare_string", 20, .work = compare},
    {"_gfortran_stop_string", 0, .work = end_program},        {"_gfortran_error_stop_string", 0, .work = end_program},
    {"_gfortran_stop_numeric", 0, .work = end_program},       {.name = NULL},
};
