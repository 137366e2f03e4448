/* Formats keys as they would stand in a script, for messages. See probes.h. */
#include "probes/format.h"
#include "probes/keyed.h"
#include <stdio.h>
#include <string.h>

/* Write the key that begins at `words`. @return  number of words of the key */
static size_t write_one(const uint64_t *words, size_t n_words, char *to, size_t room)
{
    HieraValue key;
    char text[HIERA_FORMAT_BYTES];
    hiera_keys_decode(words, &key, 1);
    size_t used = key.type == HIERA_VALUE_TEXT ? 1 + ((size_t)key.length + 7) / 8 : 2;
    if (used > n_words)
        return n_words; /* the bytes are not a key */
    if (key.type == HIERA_VALUE_TEXT)
        snprintf(to, room, "\"%.*s\"", key.length < room ? (int)key.length : (int)room, key.text);
    else
        snprintf(to, room, "%.*s", (int)hiera_format_value(&key, text), text);
    return used;
}

void hiera_probe_key_write(const void *key, size_t key_bytes, char *to, size_t room)
{
    uint64_t words[HIERA_KEYED_WORDS + 1] = {0};
    size_t n = key_bytes / sizeof *words, length = 0;
    to[0] = '\0';
    if (n > HIERA_KEYED_WORDS)
        return;
    memcpy(words, key, n * sizeof *words);
    for (size_t at = 0; at < n && length + 3 < room; length += strlen(to + length)) {
        if (at > 0)
            length += (size_t)snprintf(to + length, room - length, ", ");
        at += write_one(words + at, n - at, to + length, room - length);
    }
}
