/* Names → numbers by pointer; see name_index.h. Open addressing. */
#include "name_index.h"

static guint find_slot(const HieraWords *words, const char *name)
{
    guint at = (guint)((guint64)(guintptr)name * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15) >> 56) & (HIERA_WORDS - 1);
    while (words->slots[at].name && words->slots[at].name != name)
        at = (at + 1) & (HIERA_WORDS - 1);
    return at;
}

static void add_word(const char *name, int number, gpointer user)
{
    HieraWords *words = user;
    const char *interned = hiera_xml_intern(words->xml, name);
    guint at = find_slot(words, interned);
    words->slots[at].name = interned;
    words->slots[at].number = number;
}

void hiera_words_add_elements(HieraWords *words, HieraXml *xml)
{
    words->xml = xml;
    hiera_vocabulary_elements(add_word, words);
}

void hiera_words_add_attributes(HieraWords *words, HieraXml *xml)
{
    words->xml = xml;
    hiera_vocabulary_attributes(add_word, words);
}

int hiera_words_find(const HieraWords *words, const char *name)
{
    guint at = find_slot(words, name);
    return words->slots[at].name ? words->slots[at].number : -1;
}
