#include "papi_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

HieraPapi hiera_papi;

enum { OK = 0, LIB_VERSION = 21 }; /* PAPI_OK and PAPI_LIB_VERSION of papi.h */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *reason;

static unsigned long id_of_thread(void)
{
    return (unsigned long)pthread_self();
}

/* The name without a version exists only where PAPI's development files are installed; else these versions are tried.
 */
static void *open_library(int flags)
{
    static const char *const names[] = {"libpapi.so.7.2", "libpapi.so.7.1", "libpapi.so.7.0",
                                        "libpapi.so.6.0", "libpapi.so.5.7", "libpapi.so.7",
                                        "libpapi.so.6",   "libpapi.so.5",   "libpapi.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !library; i++)
        library = dlopen(names[i], flags);
    return library;
}

static bool find_functions(void *library)
{
    bool has_all = true;
#define X(result, name, parameters)                                                                                    \
    hiera_papi.name = (__typeof__(hiera_papi.name))dlsym(library, "PAPI_" #name);                                      \
    has_all = has_all && hiera_papi.name;
    HIERA_PAPI_FUNCTIONS(X)
#undef X
    return has_all;
}

/* Initialise PAPI, which must be given the version of the loaded library. Return NULL, or why it fails. */
static const char *begin(void)
{
    int version = hiera_papi.get_opt(LIB_VERSION, NULL);
    int got = version > 0 ? hiera_papi.library_init(version & (int)0xffff0000) : -1;
    if (version <= 0 || got != (version & (int)0xffff0000))
        return "PAPI does not begin";
    hiera_papi.thread_init(id_of_thread);
    return NULL;
}

/* Load PAPI, unless the program uses it, since PAPI counts for one user only in each thread. */
static void load(void)
{
    if (open_library(RTLD_NOW | RTLD_NOLOAD)) {
        reason = "the program uses PAPI itself";
        return;
    }
    void *library = open_library(RTLD_NOW | RTLD_LOCAL);
    reason = !library                   ? "there is no library libpapi.so (Debian: libpapi7.0)"
             : !find_functions(library) ? "this version of PAPI is not known"
                                        : begin();
}

const char *hiera_papi_load(void)
{
    pthread_once(&once, load);
    return reason;
}

/* Reads name and description from PAPI_event_info_t: a code, the name, a short and a long description. */
int hiera_papi_tell(int code, char *name, size_t name_room, char *help, size_t help_room)
{
    enum { SYMBOL = 4, SHORT = SYMBOL + 1024, LONG = SHORT + 64, END = LONG + 1024, ROOM = 32 << 10 };
    static _Alignas(16) char info[ROOM];
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    int error = hiera_papi.get_event_info(code, info);
    if (error == OK) {
        info[END] = '\0';
        snprintf(name, name_room, "%.1023s", info + SYMBOL);
        snprintf(help, help_room, "%.1023s", info[LONG] ? info + LONG : info + SHORT);
    }
    pthread_mutex_unlock(&mutex);
    return error;
}
