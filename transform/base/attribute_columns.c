#include "attribute_columns.h"
#include "attributes.h"
#include "operations.h"
#include "vocabulary.h"

static struct {
    guint n;
    gboolean closed;
    HieraAttributeColumn all[HIERA_ATTRIBUTE_COLUMNS_MOST];
} columns;

HieraAttributeType hiera_attribute_type(const char *name)
{
    static const struct {
        const char *name;
        HieraAttributeType type;
    } types[] = {
#define X(name, type) {name, HIERA_AS_##type},
        HIERA_TYPED_ATTRIBUTES(X) HIERA_ARGUMENTS(X)
#undef X
    };
    for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
        if (g_str_equal(types[i].name, name))
            return types[i].type;
    }
    return HIERA_AS_TEXT;
}

static void find_number(const char *name, int number, gpointer user)
{
    HieraAttributeColumn *column = user;
    if (g_str_equal(name, column->name))
        column->number = number;
}

static guint add(const char *name, gboolean of_processor, gboolean wished)
{
    for (guint i = 0; i < columns.n; i++) {
        if (g_str_equal(columns.all[i].name, name) && columns.all[i].of_processor == of_processor) {
            columns.all[i].wished &= wished;
            return i;
        }
    }
    if (columns.closed || columns.n == HIERA_ATTRIBUTE_COLUMNS_MOST)
        return HIERA_NONE;
    HieraAttributeColumn *column = &columns.all[columns.n];
    *column = (HieraAttributeColumn){g_strdup(name), (int)(HIERA_N_ATTRIBUTES + columns.n), of_processor,
                                     hiera_attribute_type(name), wished};
    hiera_vocabulary_attributes(find_number, column);
    return columns.n++;
}

guint hiera_attribute_columns_add(const char *name, gboolean of_processor)
{
    return add(name, of_processor, FALSE);
}

guint hiera_attribute_columns_wish(const char *name)
{
    return add(name, FALSE, TRUE);
}

guint hiera_attribute_columns_find(const char *name)
{
    for (guint i = 0; i < columns.n; i++)
        if (g_str_equal(columns.all[i].name, name) && !columns.all[i].of_processor)
            return i;
    return HIERA_NONE;
}

void hiera_attribute_columns_close(void)
{
    columns.closed = TRUE;
}

gboolean hiera_attribute_columns_are_closed(void)
{
    return columns.closed;
}

guint hiera_attribute_columns_count(void)
{
    return columns.n;
}

const HieraAttributeColumn *hiera_attribute_columns_peek(guint index)
{
    return &columns.all[index];
}
