#include "preload.h"

#include <string.h>

static const char *name_in(const char *path, size_t length)
{
    const char *slash = memrchr(path, '/', length);
    return slash ? slash + 1 : path;
}

static char *add(char *end, bool is_first, const char *text, size_t length)
{
    if (!is_first)
        *end++ = ':';
    return mempcpy(end, text, length);
}

bool hiera_preload_copy(char *to, const char *list, const char *name, size_t n, const char *instead)
{
    static const char separators[] = ": ";
    char *end = to;
    bool found = false;
    for (size_t length; list += strspn(list, separators), length = strcspn(list, separators), length > 0;
         list += length) {
        const char *own = name_in(list, length);
        bool is_meant = (size_t)(list + length - own) >= n && memcmp(own, name, n) == 0;
        if (!is_meant)
            end = add(end, end == to, list, length);
        else if (instead && !found)
            end = add(end, end == to, instead, strlen(instead));
        found = found || is_meant;
    }
    *end = '\0';
    return found;
}
