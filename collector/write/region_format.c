#include "region_format.h"

#include "base/clock.h"
#include "base/lock.h"
#include "call_dictionary.h"
#include "dtd/names.h"
#include "element.h"
#include "loops.h"
#include "memory/signal_safe_memory.h"
#include "record/region_names.h"

#include <math.h>

/* One more bit beside those of OOPS arguments: the region's text has words that are no argument of OOPS. */
#define REST (UINT64_C(1) << 63)

const char *hiera_region_last_colons(const char *name)
{
    const char *last = NULL;
    for (const char *colons = strstr(name, "::"); colons; colons = strstr(colons + 1, "::"))
        last = colons;
    return last;
}

static bool is_oops(const HieraName *name)
{
    return strcmp(name->level, "oops") == 0;
}

void hiera_region_put_name(HieraText *text, const char *level, const char *name)
{
    if (strcmp(level, "oops") == 0) {
        const char *colons = hiera_region_last_colons(name);
        size_t class_length = colons ? (size_t)(colons - name) : 0;
        const char *method = colons ? colons + 2 : name;
        HIERA_TEXT_LITERAL(text, " class=\"");
        hiera_text_escaped(text, colons ? name : "unknown", colons ? class_length : 7);
        HIERA_TEXT_LITERAL(text, "\" method=\"");
        hiera_text_escaped(text, method, strlen(method));
    } else {
        HIERA_TEXT_LITERAL(text, " level=\"");
        hiera_text_escaped(text, level, strlen(level));
        HIERA_TEXT_LITERAL(text, "\" operation=\"");
        hiera_text_escaped(text, name, strlen(name));
    }
    HIERA_TEXT_LITERAL(text, "\"");
}

static void put_name(HieraText *text, const HieraName *name)
{
    hiera_region_put_name(text, name->level, hiera_name_text(name));
}

static void put_site(HieraText *text, const void *address)
{
    const HieraSiteText *site = hiera_site_resolve(address);
    hiera_text_bytes(text, site->attributes, site->length);
}

/* Make the text of a region's element before its times, which is the same for all its elements, and store it with the
 * name. If there is no memory, write the text and return false. */
static bool make_begin(HieraTraceFile *stream, HieraName *name)
{
    enum { ESCAPED_MAX = 6, ROOM = 2 * ESCAPED_MAX * (HIERA_REGION_TEXT_MAX + 1) + 4096 };
    static char block[ROOM + 2 * HIERA_TEXT_MARGIN];
    HieraText text = hiera_text_into(block, ROOM);
    name->element = is_oops(name) ? HIERA_FRAME_OOPS : HIERA_FRAME_REGION;
    if (is_oops(name))
        HIERA_TEXT_LITERAL(&text, "<hieraOOPS");
    else
        HIERA_TEXT_LITERAL(&text, "<hieraRegion");
    put_name(&text, name);
    put_site(&text, name->site);
    size_t n = (size_t)(text.next - block);
    hiera_memory_free(name->begin, hiera_name_begin_room(name->begin_length));
    name->begin = hiera_memory_new(hiera_name_begin_room(n));
    if (!name->begin) {
        hiera_text_bytes(stream->text, block, n);
        return false;
    }
    memcpy(name->begin, block, n);
    name->begin_length = (uint32_t)n;
    name->is_careful = hiera_lock_is_careful();
    return true;
}

static uint8_t put_region_begin(HieraTraceFile *stream, HieraName *name)
{
    bool is_there = name->begin && (HIERA_LIKELY(!name->is_careful) || hiera_lock_is_careful());
    if (HIERA_UNLIKELY(!is_there) && !make_begin(stream, name))
        return name->element;
    if (HIERA_LIKELY(name->begin_length <= HIERA_NAME_BEGIN))
        hiera_text_padded(stream->text, name->begin, HIERA_NAME_BEGIN, name->begin_length);
    else
        hiera_text_bytes(stream->text, name->begin, name->begin_length);
    return name->element;
}

/* Return the index of the OOPS argument whose name is in the word "name=value"; -1: there is none. */
static int oops_argument(const char *word, size_t n)
{
    static const char *const names[] = {
#define X(name) name "=",
        HIERA_OOPS_ARGUMENTS(X)
#undef X
    };
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++)
        if (strlen(names[i]) <= n && strncmp(word, names[i], strlen(names[i])) == 0)
            return i;
    return -1;
}

/* Return the OOPS arguments among the words of `args`, as bits by their index; REST if there are other words. Writes
 * the arguments as attributes to `text`, unless that is NULL. */
static uint64_t sort_oops_arguments(HieraText *text, const char *args)
{
    uint64_t seen = 0;
    for (size_t n; *args; args += n + strspn(args + n, " ")) {
        n = strcspn(args, " ");
        int argument = oops_argument(args, n);
        if (argument < 0 || seen >> argument & 1) {
            seen |= REST;
            continue;
        }
        seen |= (uint64_t)1 << argument;
        size_t name = (size_t)(strchr(args, '=') - args) + 1;
        if (!text)
            continue;
        hiera_text_char(text, ' ');
        hiera_text_bytes(text, args, name);
        hiera_text_char(text, '"');
        hiera_text_escaped(text, args + name, n - name);
        hiera_text_char(text, '"');
    }
    return seen;
}

static void put_args(HieraText *text, const HieraRegionRecord *region)
{
    const char *args = region->args;
    if (region->args_length == 0 || (is_oops(region->name) && !(sort_oops_arguments(text, args) & REST)))
        return;
    HIERA_TEXT_LITERAL(text, " args=\"");
    hiera_text_escaped(text, args, region->args_length);
    HIERA_TEXT_LITERAL(text, "\"");
}

HieraRegionInfo hiera_region_info(const HieraRecord *record)
{
    if (record->call == HIERA_RECORD_FUNCTION) {
        const HieraFunctionName *function =
            hiera_site_function_name(((const HieraFunctionRecord *)(const void *)record)->function);
        return (HieraRegionInfo){"function", function->name, function};
    }
    const HieraName *name = ((const HieraRegionRecord *)(const void *)record)->name;
    return (HieraRegionInfo){name->level, hiera_name_text(name), NULL};
}

/* --- elements of the full encoding --- */

/* Write level, name and call site of a function; the name is looked up here, by the function's address. */
static void put_function(HieraText *text, const HieraRecord *record)
{
    const char *name = hiera_region_info(record).name;
    HIERA_TEXT_LITERAL(text, " level=\"function\" operation=\"");
    hiera_text_escaped(text, name, strlen(name));
    HIERA_TEXT_LITERAL(text, "\"");
    put_site(text, record->site);
}

static HieraFrame put_full(HieraTraceFile *stream, const HieraRecord *record, const HieraRecord *head)
{
    const HieraRegionRecord *region = (const HieraRegionRecord *)(const void *)record;
    HieraFrame frame = {.element = HIERA_FRAME_REGION};
    bool is_function = record->call == HIERA_RECORD_FUNCTION;
    if (is_function) {
        HIERA_ELEMENT_OPEN(stream, "<hieraRegion");
        put_function(stream->text, record);
    } else {
        HIERA_ELEMENT_OPEN(stream, "");
        frame.element = put_region_begin(stream, region->name);
    }
    hiera_element_put_times(stream, head, &frame);
    if (!is_function)
        put_args(stream->text, region);
    return frame;
}

/* --- elements of the compact encoding --- */

/* Make the dictionary's key of a region. Returns false if the region's arguments are too long for a key. */
static bool make_key(HieraKey *key, const HieraRecord *record)
{
    const HieraRegionRecord *region = (const HieraRegionRecord *)(const void *)record;
    bool is_function = record->call == HIERA_RECORD_FUNCTION;
    key->n_words = key->n_bytes = 0;
    key->sizes = 0;
    hiera_key_add(key, record->call);
    hiera_key_add(key, (uintptr_t)record->site);
    if (is_function) {
        hiera_key_add(key, (uintptr_t)((const HieraFunctionRecord *)(const void *)record)->function);
    } else {
        const char *args = region->args;
        uint64_t which = region->args_length == 0 ? 0 : is_oops(region->name) ? sort_oops_arguments(NULL, args) : REST;
        hiera_key_add(key, (uintptr_t)region->name);
        hiera_key_add(key, which);
        if (region->args_length > HIERA_KEY_BYTES)
            return false;
        memcpy(key->bytes, args, region->args_length);
        key->n_bytes = region->args_length;
    }
    key->n_place = key->n_words;
    return true;
}

/* Hold back a region that has ended, so that it can be folded. Regions with one name share a place of a body, whatever
 * their arguments are. Returns false if the arguments are too long. */
static bool hold(HieraTraceFile *stream, const HieraDeclared *declared, const HieraRecord *record,
                 const HieraRecord *head, HieraDictionaryMatch known)
{
    const HieraRegionRecord *region = (const HieraRegionRecord *)(const void *)record;
    HieraVariant variant = {.number = declared->number};
    bool has_args = record->call == HIERA_RECORD_REGION && region->args_length > 0;
    if (known == HIERA_DICTIONARY_SIMILAR) {
        put_args(hiera_loops_extra(), region);
        if (!hiera_loops_take_extra(&variant))
            return false;
    }
    HieraElementTimes times = hiera_element_times(stream, head);
    hiera_loops_add(stream, HIERA_LOOP_TOKEN_BEGIN, variant, (HieraKin){has_args ? (uintptr_t)region->name : 0, 0},
                    times.start, times.finish);
    return true;
}

static void put_reference(HieraTraceFile *stream, const HieraDeclared *declared, const HieraRecord *record,
                          const HieraRecord *head, HieraDictionaryMatch known, HieraFrame *frame)
{
    frame->element = HIERA_FRAME_CALL;
    frame->is_held = stream->loops && head->finish != 0 && hold(stream, declared, record, head, known);
    if (frame->is_held)
        return;
    hiera_element_put_reference(stream, declared, head, frame);
    if (known == HIERA_DICTIONARY_SIMILAR)
        put_args(stream->text, (const HieraRegionRecord *)(const void *)record);
}

/* Return the declaration that is cached in the name of a region, if it has the same arguments; NULL: there is none. */
static inline const HieraDeclared *known_of(const HieraRecord *record)
{
    const HieraRegionRecord *region = (const HieraRegionRecord *)(const void *)record;
    if (record->call != HIERA_RECORD_REGION || region->name->epoch != hiera_declared_epoch())
        return NULL;
    const HieraDeclared *declared = region->name->declared;
    bool is_same =
        declared->n_bytes == region->args_length &&
        (declared->n_bytes == 0 || memcmp(hiera_declared_bytes(declared), region->args, declared->n_bytes) == 0);
    return is_same ? declared : NULL;
}

static bool put_compact(HieraTraceFile *stream, const HieraRecord *record, const HieraRecord *head, HieraFrame *frame)
{
    static HieraKey key;
    HieraDictionaryMatch known;
    const HieraRegionRecord *region = (const HieraRegionRecord *)(const void *)record;
    bool is_function = record->call == HIERA_RECORD_FUNCTION;
    const HieraDeclared *declared = known_of(record);
    if (declared) {
        put_reference(stream, declared, record, head, HIERA_DICTIONARY_SAME, frame);
        return true;
    }
    declared = make_key(&key, record) ? hiera_dictionary_choose(stream->dictionary, &key, &known) : NULL;
    if (!declared)
        return false;
    if (!is_function && known != HIERA_DICTIONARY_SIMILAR) {
        region->name->declared = declared;
        region->name->epoch = hiera_declared_epoch();
    }
    if (known == HIERA_DICTIONARY_NEW) {
        hiera_element_open_declaration(stream, declared);
        if (is_function) {
            put_function(stream->text, record);
        } else {
            put_name(stream->text, region->name);
            put_site(stream->text, record->site);
            put_args(stream->text, region);
        }
        HIERA_TEXT_LITERAL(stream->text, "/>");
    }
    put_reference(stream, declared, record, head, known, frame);
    return true;
}

/* Declare what the element of a record names: the objects of its call site and of its function, if these have no line.
 */
static void declare_objects(HieraTraceFile *stream, const HieraRecord *record)
{
    if (record->call == HIERA_RECORD_FUNCTION) {
        hiera_element_declare_object(stream, record->site);
        hiera_element_declare_object_of_function(stream, ((const HieraFunctionRecord *)(const void *)record)->function);
        return;
    }
    HieraName *name = ((const HieraRegionRecord *)(const void *)record)->name;
    if (name->is_placed && !(name->objects & ~stream->state.objects))
        return;
    name->objects = hiera_element_declare_object(stream, record->site);
    name->is_placed = !hiera_lock_is_careful();
}

HieraFrame hiera_region_put_begin(HieraTraceFile *stream, const HieraRecord *record, const HieraRecord *head)
{
    HieraFrame frame = {0};
    declare_objects(stream, record);
    if (stream->dictionary && put_compact(stream, record, head, &frame))
        return frame;
    return put_full(stream, record, head);
}

/* --- regions that have no elements inside --- */

/* Return the name of a region if elements with this name and these arguments differ only in their times; else NULL. */
static HieraName *name_of_same(const HieraTraceFile *stream, const HieraRecord *record)
{
    const HieraRegionRecord *region = (const HieraRegionRecord *)(const void *)record;
    if (stream->dictionary || record->call != HIERA_RECORD_REGION || (region->args_length > 0 && is_oops(region->name)))
        return NULL;
    return region->name->begin && !region->name->is_careful ? region->name : NULL;
}

static const char args_begin[] = " args=\"", args_end[] = "\"/>", no_args_end[] = "/>";

/* Return how many bytes of an element follow its times, if the element ends at `end` with these arguments; 0: it does
 * not, as characters of the arguments were escaped, or they are others. */
static size_t behind_times(const char *begin, const char *end, const HieraRecord *record)
{
    const HieraRegionRecord *region = (const HieraRegionRecord *)(const void *)record;
    const size_t n = region->args_length, before = sizeof args_begin - 1;
    const size_t behind = before + n + sizeof args_end - 1;
    if (n == 0)
        return sizeof no_args_end - 1;
    if ((size_t)(end - begin) <= behind)
        return 0;
    const char *tail = end - behind;
    bool is_same = memcmp(tail + before, region->args, n) == 0 && memcmp(tail, args_begin, before) == 0;
    return is_same ? behind : 0;
}

/* Whether the element that is cached in the name has the depth and the arguments of this record. */
static bool is_again(const HieraTraceFile *stream, const HieraName *same, const HieraRecord *record)
{
    const HieraAgain *again = same->again;
    return again && same->again_depth == stream->depth &&
           again->behind == behind_times(again->text, again->text + again->length, record);
}

/* Cache in `name` the element that was just written from `begin` on; its last `behind` bytes follow the times. */
static void keep(const HieraTraceFile *stream, HieraName *name, const char *begin, size_t behind)
{
    if (!name->again && !(name->again = hiera_memory_new(sizeof *name->again)))
        return;
    name->again->length = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* clear first: a signal handler must not use a text of another depth */
    name->again_depth = stream->depth;
    hiera_text_keep(name->again, begin, stream->text->next, behind, &stream->near_times, stream->state.last_start_ns);
}

static __attribute__((noinline)) void put_leaf(HieraTraceFile *stream, const HieraRecord *record, HieraName *same)
{
    uint64_t block = stream->position; /* differs when the block has been written: then the text at `begin` is gone */
    const char *begin = stream->text->next;
    HieraFrame frame = hiera_region_put_begin(stream, record, record);
    if (frame.is_held)
        hiera_loops_add_end(stream, frame.element);
    else
        HIERA_TEXT_LITERAL(stream->text, "/>");
    size_t behind = same && stream->position == block ? behind_times(begin, stream->text->next, record) : 0;
    if (behind > 0)
        keep(stream, same, begin, behind);
}

/* Write the cached element of `same` with other times; if that is not possible, the whole element anew. */
static inline void put_again(HieraTraceFile *stream, const HieraRecord *record, HieraName *same,
                             HieraElementTimes times)
{
    if (!hiera_text_again(stream->text, same->again, times.start, times.finish))
        put_leaf(stream, record, same);
}

static __attribute__((noinline)) void put_again_early(HieraTraceFile *stream, const HieraRecord *record,
                                                      HieraName *same)
{
    put_again(stream, record, same, hiera_element_early_times(stream, record));
}

static __attribute__((noinline)) void put_leaf_known(HieraTraceFile *stream, const HieraRecord *record,
                                                     const HieraDeclared *known)
{
    hiera_element_put_whole_reference(stream, known, record);
}

/* All calls of functions are tail calls, so that the usual path is short and saves no registers. */
void hiera_region_put_leaf(HieraTraceFile *stream, const HieraRecord *record)
{
    const HieraDeclared *known = stream->dictionary && !stream->loops ? known_of(record) : NULL;
    HieraName *same = known ? NULL : name_of_same(stream, record);
    if (same)
        hiera_element_close_start_tag(stream);
    if (known)
        put_leaf_known(stream, record, known);
    else if (!same || !is_again(stream, same, record))
        put_leaf(stream, record, same);
    else if (HIERA_LIKELY(hiera_clock_is_late(record->start, record->finish)))
        put_again(stream, record, same, hiera_element_late_times(stream, record));
    else
        put_again_early(stream, record, same);
}

/* --- calls that were only counted, because they were short --- */

void hiera_region_put_counted(HieraTraceFile *stream, const HieraRecord *record)
{
    const HieraCountedRecord *counted = (const HieraCountedRecord *)(const void *)record;
    const char *name = counted->function ? hiera_site_function_name(counted->function)->name : "(other)";
    if (counted->function)
        hiera_element_declare_object_of_function(stream, counted->function);
    HIERA_ELEMENT_OPEN(stream, "<hieraFiltered level=\"function\" operation=\"");
    hiera_text_escaped(stream->text, name, strlen(name));
    HIERA_TEXT_LITERAL(stream->text, "\" count=\"");
    hiera_text_unsigned(stream->text, counted->count);
    HIERA_TEXT_LITERAL(stream->text, "\" time=\"");
    hiera_text_seconds(stream->text, hiera_clock_ns(counted->now) - hiera_clock_ns(counted->now - counted->ticks));
    HIERA_TEXT_LITERAL(stream->text, "\"/>");
}

/* --- assertions and their values --- */

void hiera_region_put_values(HieraTraceFile *stream, const HieraValuesRecord *record)
{
    const HieraAssertion *assertion = record->assertion;
    HIERA_ELEMENT_OPEN(stream, "<hieraAssertion file=\"");
    hiera_text_escaped(stream->text, assertion->file, strlen(assertion->file));
    HIERA_TEXT_LITERAL(stream->text, "\" line=\"");
    hiera_text_unsigned(stream->text, assertion->line);
    if (assertion->n > 0)
        HIERA_TEXT_LITERAL(stream->text, "\" args=\"");
    for (unsigned i = 0; i < assertion->n; i++) {
        if (i > 0)
            hiera_text_char(stream->text, ' ');
        hiera_text_escaped(stream->text, assertion->names[i], strlen(assertion->names[i]));
        hiera_text_char(stream->text, '=');
        hiera_text_real(stream->text, record->values[i]);
    }
    HIERA_TEXT_LITERAL(stream->text, "\"/>");
}

/* --- what counters have counted in a region --- */

static void declare_counter(HieraTraceFile *stream, unsigned i)
{
    const HieraNamedCounter *counter = hiera_region_counters.counters[i];
    uint64_t bit = UINT64_C(1) << i;
    if (stream->state.counters & bit)
        return;
    stream->state.counters |= bit;
    HIERA_ELEMENT_OPEN(stream, "<hieraCounter name=\"");
    hiera_text_escaped(stream->text, counter->name, strlen(counter->name));
    HIERA_TEXT_LITERAL(stream->text, "\" unit=\"");
    hiera_text_escaped(stream->text, counter->unit, strlen(counter->unit));
    HIERA_TEXT_LITERAL(stream->text, "\" kind=\"");
    hiera_text_bytes(stream->text, counter->is_level ? "level" : "grows", 5);
    HIERA_TEXT_LITERAL(stream->text, "\"/>");
}

/* Write the counters whose values are known as one element; no element if there are none. */
void hiera_region_put_counters(HieraTraceFile *stream, const HieraCountersRecord *record)
{
    unsigned n = 0;
    for (unsigned i = 0; i < hiera_region_counters.n; i++)
        if (!isnan(record->values[i]))
            declare_counter(stream, i);
    for (unsigned i = 0; i < hiera_region_counters.n; i++) {
        const HieraNamedCounter *counter = hiera_region_counters.counters[i];
        if (isnan(record->values[i]))
            continue;
        if (n++ == 0)
            HIERA_ELEMENT_OPEN(stream, "<hieraCounted values=\"");
        else
            hiera_text_char(stream->text, ' ');
        hiera_text_escaped(stream->text, counter->name, strlen(counter->name));
        hiera_text_char(stream->text, '=');
        hiera_text_real(stream->text, record->values[i]);
    }
    if (n > 0)
        HIERA_TEXT_LITERAL(stream->text, "\"/>");
}
