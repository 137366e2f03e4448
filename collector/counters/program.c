/* The functions of hiera_counters.h, for C and Fortran. */
#include "counters.h"
#include "hiera.h"
#include "user.h"

#include <string.h>

static HieraNamedCounter *find(const char *name)
{
    const char *reason;
    return name ? hiera_counters_find(name, strlen(name), &reason) : NULL;
}

int hiera_counter_find(const char *name)
{
    const HieraNamedCounter *counter = find(name);
    return counter ? (int)counter->number : 0;
}

static int get(HieraNamedCounter *counter, double *value)
{
    double read;
    if (!counter || !hiera_counter_read_one(counter, &read))
        return 0;
    *value = read;
    return 1;
}

int hiera_counter_get(int counter, double *value)
{
    return get(hiera_counter_of(counter), value);
}

int hiera_counter_read(const char *name, double *value)
{
    return get(find(name), value);
}

const char *hiera_counter_reason(int counter)
{
    const HieraNamedCounter *named = hiera_counter_of(counter);
    return named ? named->reason : NULL;
}

static int register_user(const HieraUserCounter *asked)
{
    const HieraNamedCounter *counter = hiera_user_register(asked);
    return counter ? (int)counter->number : 0;
}

int hiera_counter_variable(const char *name, const volatile void *variable, unsigned type, int kind, const char *unit,
                           const char *help)
{
    return register_user(&(HieraUserCounter){.name = name,
                                             .unit = unit,
                                             .help = help,
                                             .is_level = kind == HIERA_COUNTER_LEVEL,
                                             .type = type,
                                             .address = variable});
}

int hiera_counter_function(const char *name, double (*function)(void *data), void *data, int kind, const char *unit,
                           const char *help)
{
    return register_user(&(HieraUserCounter){.name = name,
                                             .unit = unit,
                                             .help = help,
                                             .is_level = kind == HIERA_COUNTER_LEVEL,
                                             .function = function,
                                             .data = data});
}

void hiera_counter_remove(const char *name)
{
    if (name)
        hiera_user_remove(name);
}

void hiera_counter_sample(const char *name, double value)
{
    HieraNamedCounter *counter = name ? hiera_user_sample(name, value) : NULL;
    if (counter && hiera_counters_observer)
        hiera_counters_observer(counter, value);
}

/* --- Fortran: the lengths of texts are passed as hidden arguments at the end --- */

enum { TEXT = 256 };

/* Copy a Fortran text into `to` as a C string, without the blanks at its end. */
static const char *put(char *to, const char *text, size_t length)
{
    while (text && length > 0 && text[length - 1] == ' ')
        length--;
    length = !text ? 0 : length < TEXT ? length : TEXT - 1;
    memcpy(to, text ? text : "", length);
    to[length] = '\0';
    return to;
}

typedef int FortranRead(const char *name, double *value, size_t name_length);
typedef void FortranSample(const char *name, const double *value, size_t name_length);

HIERA_PUBLIC FortranRead hiera_fortran_counter_read;
HIERA_PUBLIC FortranSample hiera_fortran_counter_sample;

int hiera_fortran_counter_read(const char *name, double *value, size_t name_length)
{
    char text[TEXT];
    return hiera_counter_read(put(text, name, name_length), value);
}

void hiera_fortran_counter_sample(const char *name, const double *value, size_t name_length)
{
    char text[TEXT];
    hiera_counter_sample(put(text, name, name_length), *value);
}

/* Define each function under the names that Fortran compilers give it. */
#define SPELLED(function) __attribute__((alias(#function)))
HIERA_PUBLIC FortranRead hiera_fortran_counter_read_ SPELLED(hiera_fortran_counter_read),
    hiera_fortran_counter_read__ SPELLED(hiera_fortran_counter_read),
    HIERA_FORTRAN_COUNTER_READ SPELLED(hiera_fortran_counter_read);
HIERA_PUBLIC FortranSample hiera_fortran_counter_sample_ SPELLED(hiera_fortran_counter_sample),
    hiera_fortran_counter_sample__ SPELLED(hiera_fortran_counter_sample),
    HIERA_FORTRAN_COUNTER_SAMPLE SPELLED(hiera_fortran_counter_sample);
