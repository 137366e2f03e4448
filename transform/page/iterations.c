/* Writes the table of the measure `phases --by iteration` as numbers, phase by phase. */
#include "base/block.h"
#include "heat.h"

/* Columns of the measure `phases --by iteration`. */
enum { PHASE, ITERATION, START, TIME, USEFUL, MPI, IDLE, RANKS, SLOWEST };

enum { ITERATIONS_MAX = 200000 }; /* most iterations in the block, of all phases together: the first ones */

static void add_iteration(GByteArray *block, const HieraCell *cells, const HieraCell *before)
{
    hiera_block_add_signed(block, cells[ITERATION].number - (before ? before[ITERATION].number : 0));
    hiera_block_add_signed(block, hiera_minus(cells[START].number, before ? before[START].number : 0));
    hiera_block_add(block, cells[TIME].number);
    hiera_block_add(block, cells[USEFUL].number);
    hiera_block_add(block, cells[MPI].number);
    hiera_block_add(block, cells[IDLE].number);
    hiera_block_add_signed(block, cells[SLOWEST].number);
}

/* Append the phase whose first row is `first`. @return the first row of the next phase */
static guint add_phase(GByteArray *block, const HieraTable *table, guint first)
{
    const HieraCell *before = NULL;
    guint end = first + 1;
    gint64 phase = hiera_table_peek_row(table, first)[PHASE].number;
    while (end < hiera_table_count(table) && hiera_table_peek_row(table, end)[PHASE].number == phase)
        end++;
    guint last = CLAMP(end, first, MAX(first, ITERATIONS_MAX));
    hiera_block_add(block, phase);
    hiera_block_add(block, end - first);
    hiera_block_add(block, last - first);
    for (guint i = first; i < last; i++) {
        const HieraCell *cells = hiera_table_peek_row(table, i);
        add_iteration(block, cells, before);
        before = cells;
    }
    return end;
}

void hiera_iterations_write(const HieraTable *table, FILE *stream)
{
    g_autoptr(GByteArray) block = g_byte_array_new();
    for (guint i = 0; table && i < hiera_table_count(table);)
        i = add_phase(block, table, i);
    hiera_block_write(block->data, block->len, stream, "iterations");
}
