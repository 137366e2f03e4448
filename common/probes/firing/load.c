/* Reads the lines that save.c writes. Bytes from another process are not trusted: they are read twice, first to check
 * them, then to add them. */
#include "expressions/floats.h"
#include "saved.h"
#include <string.h>

typedef struct {
    char *bytes;
    size_t n;
} Room;

typedef struct {
    const HieraSavedSink *sink;
    const char *at, *end;
    bool adds, failed; /* adds: the second reading, which adds rows; failed: the bytes are wrong, or memory is short */
    int64_t rank;
    Room name;
    Room text; /* texts of the keys of a row, their escapes replaced */
    size_t n_text;
    void *cell; /* buffer for the cell of a row */
} Loader;

static bool make_room(Loader *loader, Room *room, size_t bytes)
{
    HieraProbeStore *store = loader->sink->store;
    if (bytes <= room->n)
        return true;
    size_t n = hiera_probe_store_round(bytes);
    hiera_probe_store_return(store, room->bytes, room->n);
    room->bytes = hiera_probe_store_take(store, n);
    room->n = room->bytes ? n : 0;
    return room->bytes != NULL;
}

/* --- numbers and words of saved bytes --- */

static bool accept(Loader *loader, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(loader->end - loader->at) < length || memcmp(loader->at, word, length) != 0)
        return false;
    loader->at += length;
    return true;
}

static void expect(Loader *loader, const char *word)
{
    if (!loader->failed && !accept(loader, word))
        loader->failed = true;
}

static uint64_t read_unsigned(Loader *loader)
{
    const char *begin = loader->at;
    uint64_t number = 0;
    for (; loader->at < loader->end && *loader->at >= '0' && *loader->at <= '9'; loader->at++) {
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(*loader->at - '0'), &number))
            loader->failed = true;
    }
    loader->failed = loader->failed || loader->at == begin;
    return number;
}

static int64_t read_signed(Loader *loader)
{
    bool negative = accept(loader, "-");
    uint64_t number = read_unsigned(loader), limit = (uint64_t)INT64_MAX + negative;
    loader->failed = loader->failed || number > limit;
    return (int64_t)(negative ? 0 - number : number);
}

/* Value of a hexadecimal digit; 16 if it is none. */
static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

static uint64_t read_hex(Loader *loader, unsigned n)
{
    uint64_t number = 0;
    for (; n > 0 && !loader->failed; n--) {
        unsigned digit = loader->at < loader->end ? digit_of(*loader->at) : 16;
        loader->failed = digit == 16;
        number = number << 4 | (digit & 15);
        loader->at += digit != 16;
    }
    return number;
}

/* Read a number. NaN is an error: it can be neither a value nor a key. */
static double read_number(Loader *loader)
{
    uint64_t bits = read_hex(loader, 16);
    double number;
    memcpy(&number, &bits, sizeof number);
    loader->failed = loader->failed || number != number;
    return number;
}

/* Read one of n known words. @return  the index of the word; n, with `failed` set, if it is unknown */
static unsigned read_word(Loader *loader, const char *const *words, unsigned n)
{
    size_t length = 0;
    while (loader->at + length < loader->end && loader->at[length] >= 'a' && loader->at[length] <= 'z')
        length++;
    for (unsigned i = 0; i < n; i++) {
        if (words[i] && strlen(words[i]) == length && memcmp(words[i], loader->at, length) == 0) {
            loader->at += length;
            return i;
        }
    }
    loader->failed = true;
    return n;
}

/* --- keys and cells of a saved row --- */

static HieraValue read_text(Loader *loader)
{
    size_t begin = loader->n_text;
    while (!loader->failed && loader->at < loader->end && *loader->at != '\t' && *loader->at != '\n') {
        char c = *loader->at++;
        loader->text.bytes[loader->n_text++] = c == '\\' ? (char)read_hex(loader, 2) : c;
    }
    return hiera_value_text(loader->text.bytes + begin, loader->n_text - begin);
}

static HieraValue read_key(Loader *loader)
{
    char letter = loader->at < loader->end ? *loader->at++ : '\0';
    HieraValue key = hiera_value_missing();
    if (letter == hiera_saved_letters[HIERA_VALUE_TEXT])
        key = read_text(loader);
    else if (letter == hiera_saved_letters[HIERA_VALUE_INTEGER])
        key = hiera_value_integer(read_signed(loader));
    else if (letter == hiera_saved_letters[HIERA_VALUE_DURATION])
        key = hiera_value_duration(read_signed(loader));
    else if (letter == hiera_saved_letters[HIERA_VALUE_NUMBER])
        key = hiera_value_number(read_number(loader));
    else if (letter == hiera_saved_letters[HIERA_VALUE_TRUTH])
        key = hiera_value_truth(read_unsigned(loader) != 0);
    else
        loader->failed = true;
    expect(loader, "\t");
    return key;
}

static void read_bins(Loader *loader, const HieraScriptName *name, uint64_t *counts)
{
    unsigned n = hiera_aggregate_count_bins(name);
    memset(counts, 0, n * sizeof *counts);
    while (!loader->failed && !(loader->at < loader->end && *loader->at == '\n')) {
        uint64_t bin = read_unsigned(loader);
        expect(loader, ":");
        uint64_t count = read_unsigned(loader);
        loader->failed = loader->failed || bin >= n;
        if (!loader->failed)
            counts[bin] += count;
        if (!accept(loader, " "))
            break;
    }
}

static void read_tally(Loader *loader, HieraTally *tally)
{
    tally->count = read_unsigned(loader);
    expect(loader, " ");
    tally->whole = read_signed(loader);
    expect(loader, " ");
    tally->number = read_number(loader);
    loader->failed = loader->failed || tally->count == 0;
}

/* --- saved rows and their heads --- */

static void read_row(Loader *loader, const HieraScriptName *name)
{
    HieraValue keys[HIERA_EXPRESSION_KEYS];
    const char *end = memchr(loader->at, '\n', (size_t)(loader->end - loader->at));
    loader->n_text = 0;
    if (!end || !make_room(loader, &loader->text, (size_t)(end - loader->at) + 1)) {
        loader->failed = true;
        return;
    }
    for (unsigned i = 0; i < name->n_keys && !loader->failed; i++)
        keys[i] = read_key(loader);
    if (name->n_keys == 0)
        expect(loader, "\t");
    if (loader->failed)
        return;
    if (hiera_aggregate_is_distribution(name))
        read_bins(loader, name, loader->cell);
    else
        read_tally(loader, loader->cell);
    expect(loader, "\n");
    if (loader->adds && !loader->failed)
        loader->failed = !loader->sink->take_row(loader->sink->user, keys, loader->cell);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Read a name, a sign and letters. @return  the name, valid until the next call */
static char *read_name(Loader *loader)
{
    const char *begin = loader->at;
    expect(loader, "@");
    while (loader->at < loader->end && is_letter(*loader->at))
        loader->at++;
    size_t n = (size_t)(loader->at - begin);
    loader->failed = loader->failed || !make_room(loader, &loader->name, n + 1);
    if (loader->failed)
        return NULL;
    memcpy(loader->name.bytes, begin, n);
    loader->name.bytes[n] = '\0';
    return loader->name.bytes;
}

static void read_bounds(Loader *loader, HieraScriptName *head)
{
    double bounds[3] = {0};
    expect(loader, " from");
    for (unsigned i = 0; i < 3 && !loader->failed; i++) {
        expect(loader, " ");
        bounds[i] = loader->failed ? 0 : read_number(loader);
    }
    loader->failed = loader->failed || !hiera_aggregate_has_bins(bounds[0], bounds[1], bounds[2]);
    head->lower = bounds[0];
    head->upper = bounds[1];
    head->step = bounds[2];
}

static void read_aggregation(Loader *loader)
{
    HieraScriptName head = {.name = read_name(loader)};
    expect(loader, " ");
    head.function = (HieraAggregator)read_word(loader, hiera_aggregators, HIERA_N_AGGREGATORS);
    expect(loader, " ");
    head.type = (HieraValueType)read_word(loader, hiera_saved_types, HIERA_VALUE_DURATION + 1);
    expect(loader, " keys ");
    uint64_t n_keys = loader->failed ? 0 : read_unsigned(loader);
    expect(loader, " rows ");
    uint64_t rows = loader->failed ? 0 : read_unsigned(loader);
    if (!loader->failed && head.function == HIERA_AGGREGATE_LQUANTIZE)
        read_bounds(loader, &head);
    expect(loader, "\n");
    head.n_keys = (unsigned)n_keys;
    loader->failed = loader->failed || n_keys > HIERA_EXPRESSION_KEYS ||
                     !loader->sink->take_head(loader->sink->user, loader->rank, &head, loader->adds);
    for (; rows > 0 && !loader->failed; rows--)
        read_row(loader, &head);
}

static void read_global(Loader *loader)
{
    uint64_t number = read_unsigned(loader);
    expect(loader, " ");
    const char *name = loader->failed ? NULL : read_name(loader);
    expect(loader, "\n");
    loader->failed = loader->failed || number > UINT32_MAX ||
                     !loader->sink->take_global(loader->sink->user, (unsigned)number, name, loader->adds);
}

static void read_block(Loader *loader)
{
    expect(loader, HIERA_SAVED_HEAD " rank ");
    loader->rank = loader->failed ? 0 : read_signed(loader);
    expect(loader, "\n");
    while (!loader->failed && accept(loader, "global "))
        read_global(loader);
    while (!loader->failed && !accept(loader, "end\n"))
        read_aggregation(loader);
}

static __attribute__((noinline)) bool load(Loader *loader, const char *bytes, size_t length)
{
    for (unsigned pass = 0; pass < 2 && !loader->failed; pass++) {
        loader->adds = pass == 1;
        loader->at = bytes;
        loader->end = bytes + length;
        while (!loader->failed && loader->at < loader->end)
            read_block(loader);
    }
    return !loader->failed;
}

bool hiera_saved_read(const HieraSavedSink *sink, const char *bytes, size_t length)
{
    Loader loader = {.sink = sink};
    HieraFloats floats;
    size_t largest = hiera_probe_store_round(HIERA_AGGREGATE_LARGEST);
    loader.cell = hiera_probe_store_take(sink->store, largest);
    if (!loader.cell)
        return false;
    hiera_floats_enter(&floats, false);
    bool good = load(&loader, bytes, length);
    hiera_floats_leave(&floats, false);
    hiera_probe_store_return(sink->store, loader.cell, largest);
    hiera_probe_store_return(sink->store, loader.name.bytes, loader.name.n);
    hiera_probe_store_return(sink->store, loader.text.bytes, loader.text.n);
    return good;
}
