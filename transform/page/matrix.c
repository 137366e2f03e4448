/* Writes the block `matrix`: all rows of the measure `matrix`, as numbers. */
#include "base/block.h"
#include "heat.h"
#include "hiera_measure.h"
#include <string.h>

/* Columns of the measure `matrix`. */
enum { SENDER, RECEIVER, KIND, MESSAGES, BYTES, SEND, RECEIVE };

/* Return the number of a kind of communication, in order of appearance. Search linearly, as there are few kinds. */
static guint number_of(GPtrArray *kinds, const char *kind)
{
    for (guint i = 0; i < kinds->len; i++) {
        if (strcmp(g_ptr_array_index(kinds, i), kind) == 0)
            return i;
    }
    g_ptr_array_add(kinds, (gpointer)kind);
    return kinds->len - 1;
}

static void add_text(GByteArray *block, const char *text)
{
    hiera_block_add(block, (gint64)strlen(text));
    g_byte_array_append(block, (const guint8 *)text, (guint)strlen(text));
}

void hiera_matrix_write(const HieraTable *table, FILE *stream)
{
    static const guint numbers[] = {SENDER, RECEIVER, MESSAGES, BYTES, SEND, RECEIVE};
    g_autoptr(GByteArray) block = g_byte_array_new();
    g_autoptr(GPtrArray) kinds = g_ptr_array_new();
    guint n = table ? hiera_table_count(table) : 0;
    hiera_block_add(block, n);
    for (guint i = 0; i < n; i++) {
        const HieraCell *cells = hiera_table_peek_row(table, i);
        hiera_block_add(block, number_of(kinds, cells[KIND].text));
        for (guint k = 0; k < G_N_ELEMENTS(numbers); k++)
            hiera_block_add_signed(block, cells[numbers[k]].number);
    }
    hiera_block_add(block, kinds->len);
    for (guint i = 0; i < kinds->len; i++)
        add_text(block, g_ptr_array_index(kinds, i));
    hiera_block_write(block->data, block->len, stream, "matrix");
}
