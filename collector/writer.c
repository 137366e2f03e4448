/* Records → elements of a trace: the walk over a buffer, and the elements of regions.
 *
 * An element whose end is not known yet gets an empty finish time and room behind it; its end fills that in, in the
 * block or in the file. */
#include "writer.h"

#include "../dtd/names.h"
#include "clock.h"
#include "memory.h"
#include "names.h"
#include "rules.h"
#include "session.h"
#include "site.h"

#include <errno.h>

enum { INDENT_MAX = 16 };

/* Room for the longest time, in place of which an open element has blanks. */
static const char blank[] = "                     ";
_Static_assert(sizeof blank - 1 == HIERA_SECONDS_MAX, "the room of a time that is filled in later");

void hiera_writer_open_element(HieraStream *stream, const char *element, size_t length)
{
    static const char indent[] = "\n                                ";
    _Static_assert(sizeof indent - 2 == 2 * INDENT_MAX, "two blanks for each level");
    HieraText *text = stream->text;
    if (stream->start_tag_open) {
        hiera_text_char(text, '>');
        stream->start_tag_open = false;
    }
    size_t depth = stream->depth + 1;
    hiera_text_padded(text, indent, sizeof indent - 1, 1 + 2 * (depth < INDENT_MAX ? depth : INDENT_MAX));
    if (length > 0)
        hiera_text_short(text, element, length);
}

/* ` start_time="…"`; the order in the document is the order in time, whatever the rounding of the clock. */
static uint64_t put_start(HieraStream *stream, uint64_t ticks)
{
    uint64_t ns = hiera_clock_ns(ticks);
    if (ns < stream->last_start_ns)
        ns = stream->last_start_ns;
    stream->last_start_ns = ns;
    HIERA_TEXT_LITERAL(stream->text, " start_time=\"");
    hiera_text_seconds(stream->text, ns);
    return ns;
}

static uint64_t finish_ns(const HieraStream *stream, uint64_t ticks)
{
    uint64_t ns = hiera_clock_ns(ticks);
    return ns > stream->last_start_ns ? ns : stream->last_start_ns;
}

static void put_site(HieraStream *stream, const void *address)
{
    const HieraSite *site = hiera_site_resolve(address);
    if (site->length <= HIERA_SITE_ROOM)
        hiera_text_padded(stream->text, site->attributes, HIERA_SITE_ROOM, site->length);
    else
        hiera_text_bytes(stream->text, site->attributes, site->length);
}

static void put_times(HieraStream *stream, const HieraRecord *record)
{
    uint64_t start = put_start(stream, record->start);
    HIERA_TEXT_LITERAL(stream->text, "\" finish_time=\"");
    if (record->finish != 0) {
        uint64_t finish = hiera_clock_ns(record->finish);
        hiera_text_seconds(stream->text, finish > start ? finish : start);
    }
    HIERA_TEXT_LITERAL(stream->text, "\"");
}

void hiera_writer_put_place_and_time(HieraStream *stream, const HieraRecord *record)
{
    put_site(stream, record->site);
    put_times(stream, record);
}

/* Where "Class::method" is divided: a class may have colons of its own. */
static const char *last_colons(const char *name)
{
    const char *last = NULL;
    for (const char *colons = strstr(name, "::"); colons; colons = strstr(colons + 1, "::"))
        last = colons;
    return last;
}

/* hieraOOPS with the class and the method of "Class::method", hieraRegion with level and operation. */
static uint8_t put_region_name(HieraText *text, const HieraName *name)
{
    const char *operation = hiera_name_text(name);
    if (strcmp(name->level, "oops") == 0) {
        const char *colons = last_colons(operation);
        size_t class_length = colons ? (size_t)(colons - operation) : 0;
        const char *method = colons ? colons + 2 : operation;
        HIERA_TEXT_LITERAL(text, "<hieraOOPS class=\"");
        hiera_text_escaped(text, colons ? operation : "unknown", colons ? class_length : 7);
        HIERA_TEXT_LITERAL(text, "\" method=\"");
        hiera_text_escaped(text, method, strlen(method));
        HIERA_TEXT_LITERAL(text, "\"");
        return HIERA_FRAME_OOPS;
    }
    HIERA_TEXT_LITERAL(text, "<hieraRegion level=\"");
    hiera_text_escaped(text, name->level, name->level_length);
    HIERA_TEXT_LITERAL(text, "\" operation=\"");
    hiera_text_escaped(text, operation, name->name_length);
    HIERA_TEXT_LITERAL(text, "\"");
    return HIERA_FRAME_REGION;
}

static void no_spill(HieraText *text)
{
    text->next = text->base; /* cannot happen: the block is larger than what is put in */
}

/* Make the begin of a region's element up to its times, which is the same each time. False without memory: then it is
 * only written this once. */
static bool make_begin(HieraStream *stream, HieraName *name)
{
    enum { ESCAPED_MAX = 6, ROOM = 2 * ESCAPED_MAX * (HIERA_REGION_TEXT_MAX + 1) + 4096 };
    static char block[ROOM + 2 * HIERA_TEXT_MARGIN];
    HieraText text = {block, block + ROOM, block, no_spill};
    name->element = put_region_name(&text, name);
    const HieraSite *site = hiera_site_resolve(name->site);
    hiera_text_bytes(&text, site->attributes, site->length);
    size_t n = (size_t)(text.next - block);
    hiera_memory_free(name->begin, name->begin_length);
    name->begin = hiera_memory_new(n);
    if (!name->begin) {
        hiera_text_bytes(stream->text, block, n);
        return false;
    }
    memcpy(name->begin, block, n);
    name->begin_length = (uint32_t)n;
    name->is_careful = hiera_session_is_careful();
    return true;
}

static uint8_t put_region_begin(HieraStream *stream, HieraName *name)
{
    bool is_there = name->begin && (HIERA_LIKELY(!name->is_careful) || hiera_session_is_careful());
    if (HIERA_UNLIKELY(!is_there) && !make_begin(stream, name))
        return name->element;
    if (name->begin_length <= HIERA_TEXT_MARGIN)
        hiera_text_short(stream->text, name->begin, name->begin_length);
    else
        hiera_text_bytes(stream->text, name->begin, name->begin_length);
    return name->element;
}

/* Which argument of OOPS methods a word "name=value" is, or -1. */
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

/* Write those words of `args` that have an attribute of their own. Returns whether that was all of them. */
static bool put_oops_arguments(HieraText *text, const char *args)
{
    uint64_t seen = 0;
    bool all = true;
    for (size_t n; *args; args += n + strspn(args + n, " ")) {
        n = strcspn(args, " ");
        int argument = oops_argument(args, n);
        if (argument < 0 || seen >> argument & 1) {
            all = false;
            continue;
        }
        seen |= (uint64_t)1 << argument;
        size_t name = (size_t)(strchr(args, '=') - args) + 1;
        hiera_text_char(text, ' ');
        hiera_text_bytes(text, args, name);
        hiera_text_char(text, '"');
        hiera_text_escaped(text, args + name, n - name);
        hiera_text_char(text, '"');
    }
    return all;
}

static void put_args(HieraText *text, const HieraRegionRecord *region, uint8_t element)
{
    const char *args = (const char *)(region + 1);
    if (region->args_length == 0 || (element == HIERA_FRAME_OOPS && put_oops_arguments(text, args)))
        return;
    HIERA_TEXT_LITERAL(text, " args=\"");
    hiera_text_escaped(text, args, region->args_length);
    HIERA_TEXT_LITERAL(text, "\"");
}

/* A region is called what it is called, and a method of OOPS also without its class. */
static bool region_is_named(const HieraSubject *subject, const char *word, size_t length, bool group)
{
    const char *name = subject->named, *colons = strcmp(subject->level, "oops") == 0 ? last_colons(name) : NULL;
    return !group && (hiera_rules_match(word, length, name) || (colons && hiera_rules_match(word, length, colons + 2)));
}

/* What a region, or a call of a function, is to the rules. */
typedef struct Told {
    const char *level, *name;
    const HieraFunctionName *function; /* NULL of a region */
} Told;

static Told told_of(const HieraRecord *record)
{
    if (record->call == HIERA_RECORD_FUNCTION) {
        const HieraFunctionName *function =
            hiera_site_function_name(((const HieraFunctionRecord *)(const void *)record)->function);
        return (Told){"function", function->name, function};
    }
    const HieraName *name = ((const HieraRegionRecord *)(const void *)record)->name;
    return (Told){name->level, hiera_name_text(name), NULL};
}

/* The row of the sums to which a region is to be added, NULL if it is recorded. `finish` is 0 while it is open. */
static HieraSumRow *hide_region(HieraStream *stream, const HieraRecord *record, uint64_t finish)
{
    if (HIERA_LIKELY(!hiera_rules_concern_regions()))
        return NULL;
    Told told = told_of(record);
    uint64_t end = hiera_clock_ns(finish ? finish : hiera_clock_ticks()), start = hiera_clock_ns(record->start);
    HieraSubject subject = {
        .is_named = region_is_named, .named = told.name, .level = told.level, .bytes = -1, .open = !finish};
    subject.rank = hiera_session.job.rank;
    subject.file = told.function ? told.function->file : NULL;
    subject.time_ns = end > start ? (int64_t)(end - start) : 0;
    return hiera_rules_hide(&subject) ? hiera_sums_of_region(&stream->sums, told.level, told.name) : NULL;
}

/* It counts where it begins, its time where it ends. */
static HieraFrame count_region(HieraStream *stream, HieraSumRow *row, const HieraRecord *record)
{
    hiera_sums_add(row, -1, -1, 0);
    return (HieraFrame){
        .element = HIERA_FRAME_HIDDEN, .sum = (uint32_t)(row - stream->sums.rows) + 1, .start = record->start};
}

static void count_region_time(HieraStream *stream, HieraFrame frame, uint64_t finish)
{
    if (frame.sum != 0 && finish > frame.start)
        stream->sums.rows[frame.sum - 1].sum.time_ns += hiera_clock_ns(finish) - hiera_clock_ns(frame.start);
}

/* Functions are called by the names that the writer finds for them: level and place as of any region. */
static uint8_t put_function_begin(HieraStream *stream, const HieraRecord *record, const HieraFunctionName *function)
{
    HIERA_TEXT_LITERAL(stream->text, "<hieraRegion level=\"function\" operation=\"");
    hiera_text_escaped(stream->text, function->name, strlen(function->name));
    HIERA_TEXT_LITERAL(stream->text, "\"");
    put_site(stream, record->site);
    return HIERA_FRAME_REGION;
}

/* Calls that were too short, in the element of their parent. */
static void put_counted(HieraStream *stream, const HieraRecord *record)
{
    const HieraCountedRecord *counted = (const HieraCountedRecord *)(const void *)record;
    const char *name = counted->function ? hiera_site_function_name(counted->function)->name : "(other)";
    hiera_writer_open_element(stream, "<hieraFiltered level=\"function\" operation=\"", 43);
    hiera_text_escaped(stream->text, name, strlen(name));
    HIERA_TEXT_LITERAL(stream->text, "\" count=\"");
    hiera_text_unsigned(stream->text, counted->count);
    HIERA_TEXT_LITERAL(stream->text, "\" time=\"");
    hiera_text_seconds(stream->text, hiera_clock_ns(counted->now) - hiera_clock_ns(counted->now - counted->ticks));
    HIERA_TEXT_LITERAL(stream->text, "\"/>");
}

/* Returns whether it is an operation of the trace. */
static bool begin_region(HieraStream *stream, const HieraRecord *record)
{
    const HieraRegionRecord *region = (const HieraRegionRecord *)(const void *)record;
    HieraFrame frame = {.element = HIERA_FRAME_HIDDEN};
    /* Its thread may end the region at any moment: look once. */
    HieraRecord head = {.site = record->site, .start = record->start};
    head.finish = __atomic_load_n(&record->finish, __ATOMIC_RELAXED);
    bool is_function = record->call == HIERA_RECORD_FUNCTION, told = is_function || record->call == HIERA_RECORD_REGION;
    HieraSumRow *row = told ? hide_region(stream, record, head.finish) : NULL;
    if (row) {
        frame = count_region(stream, row, record);
    } else if (told) {
        hiera_writer_open_element(stream, "", 0);
        frame.element = is_function ? put_function_begin(stream, record, told_of(record).function)
                                    : put_region_begin(stream, region->name);
        put_times(stream, &head);
        if (head.finish == 0) {
            frame.patch = hiera_stream_offset(stream) - 1;
            HIERA_TEXT_LITERAL(stream->text, blank);
        }
        if (!is_function)
            put_args(stream->text, region, frame.element);
        stream->start_tag_open = true;
    }
    if (!hiera_stream_push(stream, frame))
        stream->error = ENOMEM; /* the tree cannot be kept */
    return told && !row;
}

/* Fill in the finish time of an element that was written without one. */
static void patch_finish(HieraStream *stream, uint64_t offset, uint64_t ns)
{
    char bytes[HIERA_SECONDS_MAX + 1];
    size_t n = hiera_text_format_seconds(bytes, ns);
    bytes[n++] = '"';
    hiera_stream_patch(stream, offset, bytes, n);
}

static void end_region(HieraStream *stream, const HieraRecord *record)
{
    static const char *const element[] = {[HIERA_FRAME_REGION] = "</hieraRegion>", [HIERA_FRAME_OOPS] = "</hieraOOPS>"};
    if (stream->n_frames == 0)
        return;
    HieraFrame frame = hiera_stream_pop(stream);
    if (frame.patch != 0)
        patch_finish(stream, frame.patch, finish_ns(stream, record->start));
    count_region_time(stream, frame, record->start);
    if (frame.element == HIERA_FRAME_HIDDEN)
        return;
    if (stream->start_tag_open)
        HIERA_TEXT_LITERAL(stream->text, "/>");
    else
        hiera_writer_open_element(stream, element[frame.element], strlen(element[frame.element]));
    stream->start_tag_open = false;
}

static void write_flush(HieraStream *stream, const HieraRecord *record)
{
    hiera_writer_open_element(stream, "<hieraFlush", 11);
    put_times(stream, record);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

/* Returns whether it is one operation of the trace. */
static bool write_record(HieraStream *stream, const HieraRecord *record)
{
    switch (record->call) {
    case HIERA_RECORD_END:
        end_region(stream, record);
        return false;
    case HIERA_RECORD_REGION:
    case HIERA_RECORD_FUNCTION:
    case HIERA_RECORD_HIDDEN:
        return begin_region(stream, record);
    case HIERA_RECORD_COUNTED:
        put_counted(stream, record);
        return false;
    case HIERA_RECORD_FLUSH:
        write_flush(stream, record);
        return false;
    default:
        if (hiera_mpi_hide(stream, record))
            return false;
        hiera_mpi_write(stream, record);
        return true;
    }
}

const char *hiera_writer_write(HieraStream *stream, const char *begin, const char *end, bool all)
{
    uint64_t operations = 0;
    const char *at = begin;
    while (at < end && stream->error == 0) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        if (!all && record->call >= HIERA_RECORD_CALLS && __atomic_load_n(&record->finish, __ATOMIC_ACQUIRE) == 0)
            break;
        operations += write_record(stream, record);
        at += record->bytes;
    }
    if (stream->start_tag_open && stream->error == 0) {
        hiera_text_char(stream->text, '>');
        stream->start_tag_open = false;
    }
    stream->unsure = operations;
    return at;
}

/* What opens or closes in a record that is not written: its end needs no tag, but one in the file does. What would only
 * have been counted is counted. Returns how many operations are lost. */
static uint64_t skip_record(HieraStream *stream, const HieraRecord *record)
{
    bool told = record->call == HIERA_RECORD_REGION || record->call == HIERA_RECORD_FUNCTION;
    if (told || record->call == HIERA_RECORD_HIDDEN) {
        HieraSumRow *row =
            told ? hide_region(stream, record, __atomic_load_n(&record->finish, __ATOMIC_RELAXED)) : NULL;
        hiera_stream_push(stream,
                          row ? count_region(stream, row, record) : (HieraFrame){.element = HIERA_FRAME_HIDDEN});
        return told && !row;
    }
    if (record->call == HIERA_RECORD_COUNTED)
        return ((const HieraCountedRecord *)(const void *)record)->count;
    if (record->call == HIERA_RECORD_END && stream->n_frames > 0) {
        HieraFrame frame = hiera_stream_pop(stream);
        if (frame.patch != 0)
            patch_finish(stream, frame.patch, finish_ns(stream, record->start));
        count_region_time(stream, frame, record->start);
        if (stream->n_common > stream->n_frames)
            stream->n_common = stream->n_frames;
    }
    return record->call >= HIERA_RECORD_CALLS && !hiera_mpi_hide(stream, record);
}

void hiera_writer_skip(HieraStream *stream, const char *begin, const char *end)
{
    for (const char *at = begin; at < end;) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        stream->lost += skip_record(stream, record);
        at += record->bytes;
    }
}

static void put_region_of_sum(HieraStream *stream, const char *level, const char *name)
{
    const char *colons = strcmp(level, "oops") == 0 ? last_colons(name) : NULL;
    HIERA_TEXT_LITERAL(stream->text, " level=\"");
    hiera_text_escaped(stream->text, level, strlen(level));
    if (colons) {
        HIERA_TEXT_LITERAL(stream->text, "\" class=\"");
        hiera_text_escaped(stream->text, name, (size_t)(colons - name));
    }
    HIERA_TEXT_LITERAL(stream->text, "\" operation=\"");
    name = colons ? colons + 2 : name;
    hiera_text_escaped(stream->text, name, strlen(name));
    HIERA_TEXT_LITERAL(stream->text, "\"");
}

static void put_bytes_of_sum(HieraText *text, const HieraSum *sum)
{
    if (sum->sent >= 0) {
        HIERA_TEXT_LITERAL(text, "\" bytes=\"");
        hiera_text_unsigned(text, (uint64_t)sum->sent);
    }
    if (sum->received >= 0) {
        HIERA_TEXT_LITERAL(text, "\" rbytes=\"");
        hiera_text_unsigned(text, (uint64_t)sum->received);
    }
}

static void put_sum(HieraStream *stream, const HieraSumRow *row)
{
    HIERA_TEXT_LITERAL(stream->text, "\n  <hieraFiltered");
    if (row->level)
        put_region_of_sum(stream, row->level, row->level + strlen(row->level) + 1);
    else if (row->call >= HIERA_RECORD_CALLS)
        hiera_mpi_put_sum(stream, row);
    else
        HIERA_TEXT_LITERAL(stream->text, " level=\"(other)\" operation=\"(other)\"");
    HIERA_TEXT_LITERAL(stream->text, " count=\"");
    hiera_text_unsigned(stream->text, row->sum.count);
    put_bytes_of_sum(stream->text, &row->sum);
    HIERA_TEXT_LITERAL(stream->text, "\" time=\"");
    hiera_text_seconds(stream->text, row->sum.time_ns);
    HIERA_TEXT_LITERAL(stream->text, "\"/>");
}

/* Is this the first row with its communicator? */
static bool is_first_of_comm(const HieraSums *sums, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (sums->rows[i].comm == sums->rows[row].comm && sums->rows[i].sum.count > 0)
            return false;
    return true;
}

void hiera_writer_put_sums(HieraStream *stream)
{
    const HieraSums *sums = &stream->sums;
    for (size_t i = 0; i < sums->n; i++) {
        const HieraSumRow *row = &sums->rows[i];
        if (row->sum.count == 0)
            continue;
        if (row->comm != HIERA_SUM_NO_COMM && is_first_of_comm(sums, i))
            hiera_mpi_declare_again(stream, row->comm);
        put_sum(stream, row);
    }
}
