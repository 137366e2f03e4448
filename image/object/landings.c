/* Reads landing pads: the places where exceptions continue in a function. They are in its language-specific data
 * (.gcc_except_table), to which its frame refers. See functions.h. */
#include "functions.h"
#include "reader.h"
#include <dwarf.h>

/* Read the part before the table of calls. @return the address to which landing pads are relative */
static guint64 read_begin(HieraReader *reader, guint64 function, guint *encoding)
{
    guint of_begin = (guint)hiera_reader_number(reader, 1);
    guint64 begin = of_begin == DW_EH_PE_omit ? function : hiera_reader_encoded(reader, of_begin);
    if (hiera_reader_number(reader, 1) != DW_EH_PE_omit)
        hiera_reader_leb(reader);
    *encoding = (guint)hiera_reader_number(reader, 1);
    guint64 length = hiera_reader_leb(reader);
    reader->bad |= length > reader->n - reader->at;
    if (!reader->bad)
        reader->n = reader->at + length;
    return begin;
}

/* Read the table of calls. Calls are sorted by address and do not overlap: so the bytes of a damaged file are not read
 * for longer than the function is. @return false if the table is damaged */
static gboolean read_table(HieraFunction *function, HieraReader *reader, guint64 begin, guint64 end)
{
    guint encoding;
    guint64 landings = read_begin(reader, begin, &encoding), last = begin;
    while (!reader->bad && reader->at < reader->n) {
        HieraLanding landing = {.begin = begin + hiera_reader_encoded(reader, encoding)};
        landing.end = landing.begin + hiera_reader_encoded(reader, encoding);
        landing.pad = hiera_reader_encoded(reader, encoding);
        hiera_reader_leb(reader);
        if (reader->bad || landing.begin < last || landing.end <= landing.begin || landing.end > end)
            return FALSE;
        last = landing.end;
        if (landing.pad == 0)
            continue;
        landing.pad += landings;
        g_array_append_val(function->landings, landing);
    }
    return !reader->bad;
}

static void read_landings(HieraFunctions *functions, const HieraSymbol *frame, guint64 end)
{
    HieraFunction *function = hiera_functions_around(functions, frame->address);
    HieraReader reader = {.address = frame->lsda};
    if (!function)
        return;
    end = MIN(end, g_array_index(function->ranges, HieraCodeRange, 0).end);
    reader.bytes = hiera_object_bytes(functions->object, frame->lsda, 1, &reader.n);
    function->has_lsda = TRUE;
    if (!reader.bytes || !read_table(function, &reader, frame->address, end))
        function->bad_lsda = TRUE;
}

void hiera_landings_read(HieraFunctions *functions)
{
    const GArray *frames = functions->object->frames;
    for (guint i = 0; i < frames->len; i++) {
        const HieraSymbol *frame = &g_array_index(frames, HieraSymbol, i);
        guint64 end = frame->address + frame->size;
        if (i + 1 < frames->len)
            end = MIN(end, frame[1].address);
        if (frame->lsda != 0)
            read_landings(functions, frame, end);
    }
}

guint64 hiera_function_landing(const HieraFunction *function, guint64 call)
{
    guint low = 0, high = function->landings->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        const HieraLanding *landing = &g_array_index(function->landings, HieraLanding, middle);
        if (call >= landing->begin && call < landing->end)
            return landing->pad;
        if (landing->begin < call)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
