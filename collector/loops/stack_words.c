#include "stack_words.h"

#include "base/proc_maps.h"

#include <stddef.h>
#include <unistd.h>

bool hiera_stack_words_have(int memory, uintptr_t stack, bool (*is_such)(void *data, uintptr_t address), void *data)
{
    enum { MOST = 8 << 20, WORDS = 4096 };
    static uintptr_t words[WORDS];
    static HieraMapping mapping;
    uintptr_t end = hiera_maps_find(stack, &mapping) ? mapping.end : 0, at = (stack + 7) & ~(uintptr_t)7;
    end = end > stack && end - stack > MOST ? stack + MOST : end;
    while (at < end) {
        size_t bytes = end - at < sizeof words ? end - at : sizeof words;
        ssize_t n = pread(memory, words, bytes, (off_t)at);
        if (n < (ssize_t)sizeof words[0])
            return true;
        for (size_t i = 0; i < (size_t)n / sizeof words[0]; i++)
            if (is_such(data, words[i]))
                return true;
        at += (size_t)n & ~(size_t)7;
    }
    return false;
}
