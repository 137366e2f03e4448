/* The library PAPI, loaded when one of its counters is first asked for. Hiera is never linked with PAPI. */
#pragma once

#include <stddef.h>

/* The functions PAPI_name that are used: X(result, name, parameters). */
#define HIERA_PAPI_FUNCTIONS(X)                                                                                        \
    X(int, library_init, (int version))                                                                                \
    X(int, is_initialized, (void))                                                                                     \
    X(int, get_opt, (int option, void *value))                                                                         \
    X(int, thread_init, (unsigned long (*id)(void)))                                                                   \
    X(int, unregister_thread, (void))                                                                                  \
    X(int, num_components, (void))                                                                                     \
    X(int, enum_cmp_event, (int *code, int modifier, int component))                                                   \
    X(int, event_name_to_code, (const char *name, int *code))                                                          \
    X(int, event_code_to_name, (int code, char *name))                                                                 \
    X(int, get_event_info, (int code, void *info))                                                                     \
    X(int, get_event_component, (int code))                                                                            \
    X(int, create_eventset, (int *set))                                                                                \
    X(int, cleanup_eventset, (int set))                                                                                \
    X(int, destroy_eventset, (int *set))                                                                               \
    X(int, add_event, (int set, int code))                                                                             \
    X(int, start, (int set))                                                                                           \
    X(int, stop, (int set, long long *values))                                                                         \
    X(int, read, (int set, long long *values))                                                                         \
    X(char *, strerror, (int error))

typedef struct HieraPapi {
#define X(result, name, parameters) result(*name) parameters;
    HIERA_PAPI_FUNCTIONS(X)
#undef X
} HieraPapi;

/* The functions of PAPI; valid once hiera_papi_load() has returned NULL. */
extern HieraPapi hiera_papi;

/* Load PAPI at the first call. @return  NULL, or why PAPI cannot be used */
const char *hiera_papi_load(void);

/* Copy the name and the description of the event `code`. Returns 0 or an error of PAPI. */
int hiera_papi_tell(int code, char *name, size_t name_room, char *help, size_t help_room);
