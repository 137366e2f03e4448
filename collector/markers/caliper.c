/* Caliper: regions of its C interface become regions of the level "caliper". See markers.h.
 *
 * Each begin of an attribute opens a region. Attributes of the program itself are named in args="attribute=…";
 * Caliper's own ("region", "phase", "function", …) are not. Values that are only set, and the C++ classes, are not
 * recorded. */
#include "markers.h"
#include "text/hash.h"

#include <stdio.h>
#include <string.h>

typedef uint64_t Id;

#define INVALID_ID UINT64_MAX

/* Ids of Caliper's own attributes. The program reads these variables, and calls cali_init() if they are not set. */
MARKER_PUBLIC Id cali_function_attr_id = INVALID_ID;
MARKER_PUBLIC Id cali_region_attr_id = INVALID_ID;
MARKER_PUBLIC Id cali_loop_attr_id = INVALID_ID;
MARKER_PUBLIC Id cali_phase_attr_id = INVALID_ID;
MARKER_PUBLIC Id cali_annotation_attr_id = INVALID_ID;

typedef struct Open {
    uint64_t attribute, value; /* hashes of the attribute's name and of its value; attribute 0: the region has ended */
} Open;

static __thread Open open_regions[MARKERS_MAX];
static __thread int n_open;

static uint64_t hash_of(const char *text)
{
    return hiera_hash_text(HIERA_HASH_BEGIN, text ? text : "") | 1;
}

static void begin(const void *site, const char *attribute, const char *value)
{
    int n = n_open++;
    if (n >= MARKERS_MAX)
        return;
    open_regions[n] = (Open){hash_of(attribute), hash_of(value)};
    if (!marker_is_recorded())
        return;
    if (strcmp(attribute, "region") == 0 || strcmp(attribute, "annotation") == 0)
        hiera_open_scope(MARKER_KEY(MARKER_NESTED + n), site, "caliper", value ? value : "", NULL);
    else
        hiera_open_scope(MARKER_KEY(MARKER_NESTED + n), site, "caliper", value ? value : "", "attribute=%s", attribute);
}

/* End the last region of the attribute; if one has the given value, end that. If no region fits, the
 * trace has a note about the surplus end. */
static void end(const char *attribute, const char *value)
{
    uint64_t of_attribute = hash_of(attribute), of_value = hash_of(value);
    int n = n_open < MARKERS_MAX ? n_open : MARKERS_MAX;
    if (n_open > MARKERS_MAX) { /* too many open regions: the last ones are not recorded */
        n_open--;
        return;
    }
    while (n > 0 && (open_regions[n - 1].attribute != of_attribute || (value && open_regions[n - 1].value != of_value)))
        n--;
    if (n > 0)
        open_regions[n - 1].attribute = 0;
    while (n_open > 0 && open_regions[n_open - 1].attribute == 0)
        n_open--;
    if (marker_is_recorded())
        hiera_close_scope(MARKER_KEY(n > 0 ? MARKER_NESTED + n - 1 : 0));
}

#define SITE __builtin_return_address(0)

/* Call Caliper's own function, if there is one: after begin() and before end(). */
#define GO_ON(function, ...)                                                                                           \
    do {                                                                                                               \
        if (MARKER_NEXT(function))                                                                                     \
            MARKER_NEXT(function)(__VA_ARGS__);                                                                        \
    } while (0)

/* Define cali_begin_name() and cali_end_name() for one attribute. */
#define PAIR(name, attribute)                                                                                          \
    MARKER_PUBLIC void cali_begin_##name(const char *value);                                                           \
    MARKER_PUBLIC void cali_end_##name(const char *value);                                                             \
    void cali_begin_##name(const char *value)                                                                          \
    {                                                                                                                  \
        begin(SITE, attribute, value);                                                                                 \
        GO_ON(cali_begin_##name, value);                                                                               \
    }                                                                                                                  \
    void cali_end_##name(const char *value)                                                                            \
    {                                                                                                                  \
        GO_ON(cali_end_##name, value);                                                                                 \
        end(attribute, value);                                                                                         \
    }

PAIR(region, "region")
PAIR(phase, "phase")
PAIR(comm_region, "comm.region")

/* Functions with the name of an attribute as argument. */

MARKER_PUBLIC void cali_begin_byname(const char *attribute);
MARKER_PUBLIC void cali_begin_string_byname(const char *attribute, const char *value);
MARKER_PUBLIC void cali_begin_int_byname(const char *attribute, int value);
MARKER_PUBLIC void cali_begin_double_byname(const char *attribute, double value);
MARKER_PUBLIC void cali_end_byname(const char *attribute);

void cali_begin_byname(const char *attribute)
{
    begin(SITE, attribute, attribute);
    GO_ON(cali_begin_byname, attribute);
}

void cali_begin_string_byname(const char *attribute, const char *value)
{
    begin(SITE, attribute, value);
    GO_ON(cali_begin_string_byname, attribute, value);
}

void cali_begin_int_byname(const char *attribute, int value)
{
    char text[32];
    snprintf(text, sizeof text, "%d", value);
    begin(SITE, attribute, text);
    GO_ON(cali_begin_int_byname, attribute, value);
}

void cali_begin_double_byname(const char *attribute, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%g", value);
    begin(SITE, attribute, text);
    GO_ON(cali_begin_double_byname, attribute, value);
}

void cali_end_byname(const char *attribute)
{
    GO_ON(cali_end_byname, attribute);
    end(attribute, NULL);
}

/* Functions with the id of an attribute as argument: from Caliper, or from the variables above if Caliper is absent. */

MARKER_PUBLIC void cali_init(void);
MARKER_PUBLIC int cali_is_initialized(void);
MARKER_PUBLIC const char *cali_attribute_name(Id id);
MARKER_PUBLIC void cali_begin_string(Id id, const char *value);
MARKER_PUBLIC void cali_end(Id id);

static const char *const own_names[] = {"function", "region", "loop", "phase", "annotation"};

void cali_init(void)
{
    if (MARKER_NEXT(cali_init)) {
        MARKER_NEXT(cali_init)();
        return;
    }
    cali_function_attr_id = 0;
    cali_region_attr_id = 1;
    cali_loop_attr_id = 2;
    cali_phase_attr_id = 3;
    cali_annotation_attr_id = 4;
}

int cali_is_initialized(void)
{
    return MARKER_NEXT(cali_is_initialized) ? MARKER_NEXT(cali_is_initialized)() : cali_function_attr_id != INVALID_ID;
}

const char *cali_attribute_name(Id id)
{
    if (MARKER_NEXT(cali_attribute_name))
        return MARKER_NEXT(cali_attribute_name)(id);
    return id < sizeof own_names / sizeof own_names[0] ? own_names[id] : NULL;
}

static const char *name_of(Id id)
{
    const char *name = cali_attribute_name(id);
    return name ? name : "unknown";
}

void cali_begin_string(Id id, const char *value)
{
    begin(SITE, name_of(id), value);
    GO_ON(cali_begin_string, id, value);
}

void cali_end(Id id)
{
    GO_ON(cali_end, id);
    end(name_of(id), NULL);
}
