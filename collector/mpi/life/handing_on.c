#include "handing_on.h"

#include <stddef.h>
#include <string.h>

enum { MOST_LIBRARIES = 512 };

bool hiera_is_of_mpi(const char *library)
{
    /* not "libmpi": libmpiP.so and libmpitrace.so are tools, not MPI */
    static const char *const begins[] = {"libmpi.so",  "libmpi_", "libmpich",   "libmpicxx",
                                         "libmpifort", "libpmpi", "libopen_mpi"};
    bool is = false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        is = is || strncmp(library, begins[i], strlen(begins[i])) == 0;
    return is;
}

typedef struct Loaded {
    const char *name;
    HieraSymbols symbols;
} Loaded;

/* Find the loaded library with this name: its soname, or its file name if it has no soname. */
static int look_for(struct dl_phdr_info *info, size_t size, void *data)
{
    Loaded *loaded = data;
    (void)size;
    if (!hiera_symbols_read(info, &loaded->symbols))
        return 0;
    const char *name = hiera_symbols_library(&loaded->symbols), *slash = strrchr(info->dlpi_name, '/');
    return strcmp(name, loaded->name) == 0 || (!name[0] && slash && strcmp(slash + 1, loaded->name) == 0);
}

/* Set of the libraries that were examined: each is examined once, because libraries may need each other in cycles. */
typedef struct Asked {
    const void *libraries[MOST_LIBRARIES]; /* HieraSymbols.dynamic of each library */
    unsigned n;
} Asked;

typedef struct Question {
    bool (*is)(const char *name, const void *data);
    const void *data;
    Asked *asked;
} Question;

static bool is_new(Asked *asked, const void *library)
{
    for (unsigned i = 0; i < asked->n; i++)
        if (asked->libraries[i] == library)
            return false;
    if (asked->n == MOST_LIBRARIES)
        return false;
    asked->libraries[asked->n++] = library;
    return true;
}

static bool asks(const char *library, const void *data)
{
    const Question *question = data;
    Loaded loaded = {.name = library};
    if (hiera_is_of_mpi(library) || !dl_iterate_phdr(look_for, &loaded) ||
        !is_new(question->asked, loaded.symbols.dynamic))
        return false;
    return hiera_symbols_ask(&loaded.symbols, question->is, question->data) ||
           hiera_symbols_need(&loaded.symbols, asks, question);
}

bool hiera_needed_ask(const HieraSymbols *object, bool (*is)(const char *name, const void *data), const void *data)
{
    Asked asked = {.n = 0};
    const Question question = {is, data, &asked};
    return hiera_symbols_need(object, asks, &question);
}
