/* Gives keys the numbers 0, 1, … in the order of their first use, so that data about keys can be kept in arrays. */
#pragma once

#include <glib.h>

typedef struct HieraKeyIndex HieraKeyIndex;

/* Make an empty index. @param key_words  size of each key in words of four bytes; keys are compared word by word */
HieraKeyIndex *hiera_key_index_new(gsize key_words);
void hiera_key_index_free(HieraKeyIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraKeyIndex, hiera_key_index_free)
/* Return the number of a key; a new key gets the next number. The index copies the key. */
guint32 hiera_key_index_add(HieraKeyIndex *index, const void *key);
/* Return the key that has a number. The pointer is valid until the next key is added. */
const void *hiera_key_index_peek(const HieraKeyIndex *index, guint32 number);
