/* See handing_on.h. */
#include "handing_on.h"

#include <stddef.h>
#include <string.h>

enum { DEPTH = 8 };

bool hiera_is_of_mpi(const char *library)
{
    /* libmpiP.so and libmpitrace.so are tools. */
    static const char *const begins[] = {"libmpi.so", "libmpi_", "libmpich", "libmpicxx", "libmpifort", "libpmpi"};
    bool is = false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        is = is || strncmp(library, begins[i], strlen(begins[i])) == 0;
    return is;
}

typedef struct Loaded {
    const char *name;
    HieraSymbols symbols;
} Loaded;

/* A library without a name of its own is needed by the name of its file. */
static int look_for(struct dl_phdr_info *info, size_t size, void *data)
{
    Loaded *loaded = data;
    (void)size;
    if (!hiera_symbols_read(info, &loaded->symbols))
        return 0;
    const char *name = hiera_symbols_library(&loaded->symbols), *slash = strrchr(info->dlpi_name, '/');
    return strcmp(name, loaded->name) == 0 || (!name[0] && slash && strcmp(slash + 1, loaded->name) == 0);
}

typedef struct Question {
    bool (*is)(const char *name, const void *data);
    const void *data;
    unsigned depth;
} Question;

static bool asks(const char *library, const void *data)
{
    const Question *question = data;
    Loaded loaded = {.name = library};
    if (hiera_is_of_mpi(library) || !dl_iterate_phdr(look_for, &loaded))
        return false;
    const Question next = {question->is, question->data, question->depth + 1};
    return hiera_symbols_ask(&loaded.symbols, question->is, question->data) ||
           (next.depth < DEPTH && hiera_symbols_need(&loaded.symbols, asks, &next));
}

bool hiera_needed_ask(const HieraSymbols *object, bool (*is)(const char *name, const void *data), const void *data)
{
    const Question question = {is, data, 0};
    return hiera_symbols_need(object, asks, &question);
}
