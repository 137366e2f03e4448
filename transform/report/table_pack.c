/* Packs the rows of tables for another process, and unpacks them. */
#include "table.h"

void hiera_table_pack(const HieraTable *table, HieraPacker *to)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    hiera_pack_number(to, hiera_table_count(table));
    for (guint row = 0; row < hiera_table_count(table); row++) {
        const HieraCell *cells = hiera_table_peek_row(table, row);
        for (guint i = 0; i < n_columns; i++) {
            if (hiera_cell_is_text(&columns[i]))
                hiera_pack_text(to, cells[i].text);
            else
                hiera_pack_number(to, cells[i].number);
        }
    }
}

void hiera_table_unpack(HieraTable *table, HieraUnpacker *from)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    g_autofree HieraCell *cells = g_new(HieraCell, n_columns);
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        for (guint i = 0; i < n_columns; i++) {
            if (hiera_cell_is_text(&columns[i]))
                cells[i].text = hiera_unpack_text(from);
            else
                cells[i].number = hiera_unpack_number(from);
        }
        hiera_table_add(table, cells);
    }
}
