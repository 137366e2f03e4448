/* Numbers for keys: 0, 1, … in the order in which they are met, so that what belongs to a key lies in plain arrays. */
#ifndef HIERA_NUMBERING_H
#define HIERA_NUMBERING_H

#include <glib.h>

typedef struct HieraNumbering HieraNumbering;

/* @param key_words  size of all keys in words of four bytes; they are compared word by word */
HieraNumbering *hiera_numbering_new(gsize key_words);
void hiera_numbering_free(HieraNumbering *numbering);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraNumbering, hiera_numbering_free)
/* The number of a key; a new one if it was not met before. */
guint32 hiera_numbering_add(HieraNumbering *numbering, const void *key);
guint32 hiera_numbering_count(const HieraNumbering *numbering);
/* Valid until the next key is added. */
const void *hiera_numbering_peek(const HieraNumbering *numbering, guint32 number);

#endif
