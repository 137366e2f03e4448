#include "advice.h"
#include "report/table.h"
#include <string.h>

enum { LISTED = 3 }; /* greatest number of object files that the advice names */

/* Return the '+' of an offset such as "+0x12ab" at the end of a text; NULL: the text does not end in one. */
static const char *find_last_offset(const char *text)
{
    const char *plus = strrchr(text, '+');
    if (!plus || plus == text || strncmp(plus, "+0x", 3) != 0 || plus[3] == '\0')
        return NULL;
    return plus[3 + strspn(plus + 3, "0123456789abcdef")] == '\0' ? plus : NULL;
}

/* Like find_last_offset(), but the name of a function may follow the offset: "libfoo.so+0x12ab in work". */
static const char *find_offset(const char *text)
{
    const char *function = g_strrstr(text, " in ");
    g_autofree char *alone = function ? g_strndup(text, (gsize)(function - text)) : NULL;
    const char *plus = alone ? find_last_offset(alone) : find_last_offset(text);
    return plus && alone ? text + (plus - alone) : plus;
}

/* Add the object file of a call site such as "libfoo.so+0x12ab" to the set `objects`. The text may be the end of a
 * path. */
static void add_object(const char *text, GPtrArray *objects)
{
    const char *plus = find_offset(text);
    if (!plus)
        return;
    const char *begin = plus;
    while (begin > text && begin[-1] != ' ' && begin[-1] != HIERA_PATH_SEPARATOR)
        begin--;
    g_autofree char *object = g_strndup(begin, (gsize)(plus - begin));
    if (!g_ptr_array_find_with_equal_func(objects, object, g_str_equal, NULL) && objects->len <= LISTED)
        g_ptr_array_add(objects, g_steal_pointer(&object));
}

static void add_objects_of(const HieraTable *table, GPtrArray *objects)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    for (guint i = 0; i < n_columns; i++) {
        gboolean sites = hiera_cell_is_path(&columns[i]) || strcmp(columns[i].name, "file") == 0;
        for (guint row = 0; sites && row < hiera_table_count(table); row++)
            add_object(hiera_table_peek_row(table, row)[i].text, objects);
    }
}

char *advice_on_sites(const GPtrArray *tables)
{
    g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < tables->len; i++)
        add_objects_of(g_ptr_array_index(tables, i), objects);
    if (objects->len == 0)
        return NULL;
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < MIN(objects->len, LISTED); i++)
        g_string_append_printf(list, "%s%s", i ? ", " : "", (const char *)g_ptr_array_index(objects, i));
    g_string_append(list, objects->len > LISTED ? ", …" : "");
    return g_strdup_printf("call sites in %s have no file and line: compile with -g", list->str);
}
