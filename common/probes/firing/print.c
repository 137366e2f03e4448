/* Prints aggregations as text: a headline, then a line for each list of keys, sorted. Keys stand in columns; numbers
 * are right-aligned. A table is written in one part, so that tables of several ranks do not mix on a common terminal.
 */
#include "firing.h"
#include "probes/aggregate.h"
#include "probes/format.h"
#include <string.h>

enum { INDENT = 2, BAR = 30, WIDEST = 60 }; /* widths in characters; longer keys do not widen the column */
enum { PART = 32768 };                      /* a longer table is written in parts of at least this many bytes */

typedef struct {
    const HieraScriptName *name;
    const HieraKeyed *keyed;
    const HieraProbeHost *host;
    size_t widths[HIERA_EXPRESSION_KEYS + 1]; /* widths of the columns of keys, and of the result */
    bool texts[HIERA_EXPRESSION_KEYS + 1];    /* true if a column contains a text: then it is left-aligned */
    HieraProbeStore store;                    /* memory of `lines` */
    char *lines;
    size_t n, room; /* room: capacity, a power of two */
    size_t whole;   /* number of bytes in complete lines */
    bool failed;
} Printer;

/* --- lines of printed text --- */

static void append(Printer *printer, const char *text, size_t length)
{
    if (printer->n + length + 1 > printer->room && !printer->failed) {
        size_t room = hiera_probe_store_round(printer->n + length + 256);
        char *lines = hiera_probe_store_take(&printer->store, room);
        printer->failed = lines == NULL;
        if (lines && printer->n > 0)
            memcpy(lines, printer->lines, printer->n);
        if (lines)
            hiera_probe_store_return(&printer->store, printer->lines, printer->room);
        printer->lines = lines ? lines : printer->lines;
        printer->room = lines ? room : printer->room;
    }
    if (printer->failed)
        return;
    memcpy(printer->lines + printer->n, text, length);
    printer->n += length;
}

static void append_blanks(Printer *printer, size_t n)
{
    for (; n > 0; n--)
        append(printer, " ", 1);
}

static void hand_over(Printer *printer)
{
    if (printer->whole > 0)
        printer->host->write(printer->host->user, printer->lines, printer->whole);
    printer->n = printer->whole = 0;
}

static void end_line(Printer *printer)
{
    while (printer->n > printer->whole && printer->lines[printer->n - 1] == ' ')
        printer->n--;
    append(printer, "\n", 1);
    if (!printer->failed)
        printer->whole = printer->n;
    if (printer->whole >= PART)
        hand_over(printer);
}

/* --- cells of a printed table --- */

/* Return the text of a value: of a text its own bytes, of another value what is written to `to`. */
static const char *text_of(const HieraValue *value, char to[HIERA_FORMAT_BYTES], size_t *length)
{
    if (value->type == HIERA_VALUE_TEXT) {
        *length = value->length;
        return value->text;
    }
    *length = hiera_format_value(value, to);
    return to;
}

/* Number of characters (not bytes) of a text. */
static size_t count_characters(const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

static size_t width_of(const HieraValue *value)
{
    char to[HIERA_FORMAT_BYTES];
    size_t length;
    const char *text = text_of(value, to, &length);
    size_t width = count_characters(text, length);
    return width < WIDEST ? width : WIDEST;
}

static void measure(Printer *printer, unsigned column, const HieraValue *value)
{
    size_t width = width_of(value);
    printer->widths[column] = width > printer->widths[column] ? width : printer->widths[column];
    bool is_word = value->type == HIERA_VALUE_TEXT || value->type == HIERA_VALUE_TRUTH;
    printer->texts[column] = printer->texts[column] || is_word;
}

static void append_cell(Printer *printer, unsigned column, const HieraValue *value)
{
    char to[HIERA_FORMAT_BYTES];
    size_t length, width = width_of(value), blanks = printer->widths[column] - width;
    const char *text = text_of(value, to, &length);
    append_blanks(printer, INDENT);
    if (!printer->texts[column])
        append_blanks(printer, blanks);
    append(printer, text, length);
    if (printer->texts[column])
        append_blanks(printer, blanks);
}

/* --- rows of a printed table --- */

static void measure_row(Printer *printer, uint32_t row)
{
    unsigned n = printer->name->n_keys;
    HieraValue keys[HIERA_EXPRESSION_KEYS];
    hiera_keyed_read(printer->keyed, row, keys, n);
    for (unsigned i = 0; i < n; i++)
        measure(printer, i, &keys[i]);
    if (hiera_aggregate_is_distribution(printer->name))
        return;
    HieraValue result = hiera_aggregate_result(printer->name, hiera_keyed_cell(printer->keyed, row));
    measure(printer, n, &result);
}

static void append_bar(Printer *printer, uint64_t count, uint64_t most)
{
    uint64_t n = most ? (count * BAR + most - 1) / most : 0;
    append_blanks(printer, INDENT);
    for (uint64_t i = 0; i < n; i++)
        append(printer, "\xe2\x96\x88", 3); /* U+2588, a full block */
}

/* Print the bins of a distribution, from the first to the last one that has values. */
static void print_bins(Printer *printer, const void *cell)
{
    unsigned n = hiera_aggregate_count_bins(printer->name), first = n, last = 0;
    uint64_t most = 0;
    Printer columns = *printer;
    for (unsigned i = 0; i < n; i++) {
        uint64_t count = hiera_aggregate_bin(printer->name, cell, i).count;
        first = count && i < first ? i : first;
        last = count ? i : last;
        most = count > most ? count : most;
    }
    memset(printer->widths, 0, sizeof printer->widths);
    memset(printer->texts, 0, sizeof printer->texts);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = first; i <= last; i++) {
            HieraAggregateBin bin = hiera_aggregate_bin(printer->name, cell, i);
            HieraValue count = hiera_value_integer((int64_t)bin.count);
            if (bin.from.type == HIERA_VALUE_MISSING)
                bin.from = hiera_value_text("below", 5);
            measure(printer, 0, &bin.from);
            measure(printer, 1, &count);
            printer->texts[0] = false;
            if (pass == 0)
                continue;
            append_blanks(printer, INDENT);
            append_cell(printer, 0, &bin.from);
            append_cell(printer, 1, &count);
            append_bar(printer, bin.count, most);
            end_line(printer);
        }
    }
    memcpy(printer->widths, columns.widths, sizeof printer->widths);
    memcpy(printer->texts, columns.texts, sizeof printer->texts);
}

static void print_row(Printer *printer, uint32_t row)
{
    unsigned n = printer->name->n_keys;
    const void *cell = hiera_keyed_cell(printer->keyed, row);
    HieraValue keys[HIERA_EXPRESSION_KEYS];
    hiera_keyed_read(printer->keyed, row, keys, n);
    for (unsigned i = 0; i < n; i++)
        append_cell(printer, i, &keys[i]);
    if (hiera_aggregate_is_distribution(printer->name)) {
        if (n > 0)
            end_line(printer);
        print_bins(printer, cell);
        return;
    }
    HieraValue result = hiera_aggregate_result(printer->name, cell);
    append_cell(printer, n, &result);
    end_line(printer);
}

void hiera_print_totals(const HieraScriptName *name, const HieraKeyed *keyed, const char *head,
                        const HieraProbeHost *host)
{
    Printer printer = {.name = name, .keyed = keyed, .host = host};
    uint32_t n = hiera_keyed_count(keyed);
    hiera_probe_store_init(&printer.store, host, NULL);
    const uint32_t *order = hiera_keyed_sort(keyed, name->n_keys, &printer.store);
    append(&printer, head, strlen(head));
    if (n == 0)
        append(&printer, ": nothing", 9);
    end_line(&printer);
    for (uint32_t i = 0; order && i < n; i++)
        measure_row(&printer, i);
    for (uint32_t i = 0; order && i < n; i++)
        print_row(&printer, order[i]);
    hand_over(&printer);
    hiera_probe_store_clear(&printer.store);
}
