/* Reads what save.c writes. Bytes of another process are not trusted: they are read twice, first to see whether all is
 * right, then to add them. */
#include "expressions/floats.h"
#include "saved.h"
#include "totals.h"
#include <string.h>

typedef struct {
    HieraProbeTotals *totals;
    const char *at, *end;
    bool adds, failed; /* something is wrong, or there is no memory */
    int64_t rank;
    char *text; /* of a key, without escapes */
    size_t n_text, room;
    void *cell; /* of a row */
} Loader;

/* --- words --- */

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

static uint64_t read_hex(Loader *loader, unsigned n)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t number = 0;
    for (; n > 0 && !loader->failed; n--) {
        const char *digit = loader->at < loader->end && *loader->at ? strchr(digits, *loader->at) : NULL;
        loader->failed = digit == NULL;
        if (digit)
            number = number << 4 | (uint64_t)(digit - digits);
        loader->at += digit != NULL;
    }
    return number;
}

/* No NaN: none was aggregated, and none is a key. */
static double read_number(Loader *loader)
{
    uint64_t bits = read_hex(loader, 16);
    double number;
    memcpy(&number, &bits, sizeof number);
    loader->failed = loader->failed || number != number;
    return number;
}

/* One of some words. @return its index; n, and a failure, if it is none of them */
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

/* --- keys and cells --- */

/* Room for a text that is not longer than what stands there. */
static bool make_room(Loader *loader, size_t bytes)
{
    HieraStore *store = &loader->totals->store;
    if (bytes <= loader->room)
        return true;
    size_t room = hiera_store_round(bytes);
    hiera_store_return(store, loader->text, loader->room);
    loader->text = hiera_store_take(store, room);
    loader->room = loader->text ? room : 0;
    return loader->text != NULL;
}

static HieraValue read_text(Loader *loader)
{
    size_t begin = loader->n_text;
    while (!loader->failed && loader->at < loader->end && *loader->at != '\t' && *loader->at != '\n') {
        char c = *loader->at++;
        loader->text[loader->n_text++] = c == '\\' ? (char)read_hex(loader, 2) : c;
    }
    return hiera_value_text(loader->text + begin, loader->n_text - begin);
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

/* --- rows --- */

static void add_row(Loader *loader, const HieraScriptName *name, const HieraValue *keys)
{
    for (unsigned i = 0; i < loader->totals->script->n_globals; i++) {
        HieraGathered *gathered = &loader->totals->gathered[i];
        if (gathered->name.name != name->name || !hiera_gathered_takes(gathered, loader->rank))
            continue;
        void *cell = hiera_keyed_find(&gathered->keyed, keys, name->n_keys, true);
        if (cell)
            hiera_aggregate_merge(name, cell, loader->cell);
        loader->failed = loader->failed || !cell;
    }
}

static void read_row(Loader *loader, const HieraScriptName *name)
{
    HieraValue keys[HIERA_EXPRESSION_KEYS];
    const char *end = memchr(loader->at, '\n', (size_t)(loader->end - loader->at));
    loader->n_text = 0;
    if (!end || !make_room(loader, (size_t)(end - loader->at) + 1)) {
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
        add_row(loader, name, keys);
}

/* The name that begins here, up to a blank. */
static const HieraScriptName *read_name(Loader *loader)
{
    const HieraProbeScript *script = loader->totals->script;
    const char *blank = memchr(loader->at, ' ', (size_t)(loader->end - loader->at));
    unsigned name = blank ? hiera_names_index(script, loader->at, (size_t)(blank - loader->at), HIERA_NO_CLAUSE)
                          : HIERA_NO_TARGET;
    loader->failed = loader->failed || name == HIERA_NO_TARGET;
    loader->at = blank ? blank + 1 : loader->end;
    return loader->failed ? NULL : &script->names[name];
}

/* A type that this process does not know yet is that of the saved bytes. */
static bool adopt_type(Loader *loader, const HieraScriptName *name, HieraValueType type)
{
    HieraValueType known = name->type;
    for (unsigned i = 0; i < loader->totals->script->n_globals; i++) {
        HieraGathered *gathered = &loader->totals->gathered[i];
        if (gathered->name.name != name->name)
            continue;
        if (gathered->name.type == HIERA_VALUE_MISSING && loader->adds)
            gathered->name.type = type;
        known = gathered->name.type;
    }
    return known == type || known == HIERA_VALUE_MISSING || type == HIERA_VALUE_MISSING;
}

static void read_aggregation(Loader *loader)
{
    const HieraScriptName *name = read_name(loader);
    if (!name)
        return;
    unsigned function = read_word(loader, hiera_aggregators, HIERA_N_AGGREGATORS);
    expect(loader, " ");
    unsigned type = read_word(loader, hiera_saved_types, HIERA_VALUE_DURATION + 1);
    expect(loader, " keys ");
    uint64_t n_keys = read_unsigned(loader);
    expect(loader, " rows ");
    uint64_t rows = read_unsigned(loader);
    bool same = function == name->function && n_keys == name->n_keys;
    if (function == HIERA_AGGREGATE_LQUANTIZE) {
        expect(loader, " from");
        const double bounds[] = {name->lower, name->upper, name->step};
        for (unsigned i = 0; i < 3; i++) {
            expect(loader, " ");
            same = same && read_number(loader) == bounds[i];
        }
    }
    expect(loader, "\n");
    loader->failed = loader->failed || !same || !adopt_type(loader, name, (HieraValueType)type);
    HieraScriptName typed = *name;
    typed.type = (HieraValueType)type;
    for (; rows > 0 && !loader->failed; rows--)
        read_row(loader, &typed);
}

static void read_global(Loader *loader)
{
    uint64_t number = read_unsigned(loader);
    expect(loader, " ");
    if (loader->failed || number >= loader->totals->script->n_globals) {
        loader->failed = true;
        return;
    }
    HieraGathered *gathered = &loader->totals->gathered[number];
    expect(loader, gathered->name.name);
    expect(loader, "\n");
    gathered->asked = gathered->asked || (loader->adds && !loader->failed);
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

/* Bytes of the largest cell of an aggregation. */
static size_t find_largest(const HieraProbeScript *script)
{
    size_t largest = sizeof(HieraTally);
    for (unsigned i = 0; i < script->n_names; i++) {
        size_t size = *script->names[i].name == '@' ? hiera_aggregate_size(&script->names[i]) : 0;
        largest = size > largest ? size : largest;
    }
    return hiera_store_round(largest);
}

bool hiera_probe_totals_load(HieraProbeTotals *totals, const char *bytes, size_t length)
{
    Loader loader = {.totals = totals};
    HieraFloats floats;
    size_t largest = find_largest(totals->script);
    loader.cell = hiera_store_take(&totals->store, largest);
    if (!loader.cell)
        return false;
    hiera_floats_enter(&floats, false);
    bool good = load(&loader, bytes, length);
    hiera_floats_leave(&floats, false);
    hiera_store_return(&totals->store, loader.cell, largest);
    hiera_store_return(&totals->store, loader.text, loader.room);
    return good;
}
