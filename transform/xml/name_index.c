/* See name_index.h. The index is a hash table with open addressing, keyed by pointers. */
#include "name_index.h"

static guint find_slot(const HieraNameIndex *index, const char *name)
{
    guint at =
        (guint)((guint64)(guintptr)name * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15) >> 56) & (HIERA_NAME_INDEX_SLOTS - 1);
    while (index->slots[at].name && index->slots[at].name != name)
        at = (at + 1) & (HIERA_NAME_INDEX_SLOTS - 1);
    return at;
}

static void add_word(const char *name, int number, gpointer user)
{
    HieraNameIndex *index = user;
    const char *interned = hiera_xml_intern(index->xml, name);
    guint at = find_slot(index, interned);
    index->slots[at].name = interned;
    index->slots[at].number = number;
}

void hiera_name_index_add_elements(HieraNameIndex *index, HieraXml *xml)
{
    index->xml = xml;
    hiera_vocabulary_elements(add_word, index);
}

void hiera_name_index_add_attributes(HieraNameIndex *index, HieraXml *xml)
{
    index->xml = xml;
    hiera_vocabulary_attributes(add_word, index);
}

void hiera_name_index_add(HieraNameIndex *index, const char *name, int number)
{
    add_word(name, number, index);
}

int hiera_name_index_find(const HieraNameIndex *index, const char *name)
{
    guint at = find_slot(index, name);
    return index->slots[at].name ? index->slots[at].number : -1;
}
