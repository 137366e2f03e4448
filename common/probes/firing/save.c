/* Writes the aggregations of a rank as lines, for another process (load.c reads them; totals.c and saved_totals.c use
 * what it reads). A block:
 *
 *     hieraProbe 1 rank 3
 *     global 0 @big                            global_print() number 0 of the script was reached
 *     @big sum integer keys 2 rows 1           for lquantize also: from LOWER UPPER STEP
 *     tisend<TAB>i3<TAB>17 48000000 0          keys, then count, sum of integers, and sum of numbers
 *     @q quantize duration keys 0 rows 1
 *     <TAB>12:1 13:4                           or bins that have values, with their counts
 *     end
 *
 * A key is a letter for its type and a value. Numbers are written as the 16 hexadecimal digits of their bits; in texts,
 * control characters and `\` are written as \HH. */
#include "firing.h"
#include "probes/aggregate.h"
#include "saved.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char hiera_saved_letters[] = {[HIERA_VALUE_INTEGER] = 'i',
                                    [HIERA_VALUE_NUMBER] = 'n',
                                    [HIERA_VALUE_DURATION] = 'd',
                                    [HIERA_VALUE_TEXT] = 't',
                                    [HIERA_VALUE_TRUTH] = 'b'};
const char *const hiera_saved_types[] = {
    [HIERA_VALUE_MISSING] = "unknown",   [HIERA_VALUE_INTEGER] = "integer", [HIERA_VALUE_NUMBER] = "number",
    [HIERA_VALUE_DURATION] = "duration", [HIERA_VALUE_TEXT] = "text",       [HIERA_VALUE_TRUTH] = "truth"};

typedef struct {
    void (*take)(void *user, const char *bytes, size_t length);
    void *user;
    char bytes[1024];
    size_t n;
} Saver;

static void flush(Saver *saver)
{
    if (saver->n > 0)
        saver->take(saver->user, saver->bytes, saver->n);
    saver->n = 0;
}

static void put_char(Saver *saver, char c)
{
    if (saver->n == sizeof saver->bytes)
        flush(saver);
    saver->bytes[saver->n++] = c;
}

static void put(Saver *saver, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Saver *saver, const char *format, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *at = text; *at; at++)
        put_char(saver, *at);
}

static void put_name(Saver *saver, const char *name)
{
    for (; *name; name++)
        put_char(saver, *name);
}

static void put_bits(Saver *saver, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put(saver, "%016llx", (unsigned long long)bits);
}

static void put_key(Saver *saver, const HieraValue *key)
{
    static const char digits[] = "0123456789abcdef";
    put_char(saver, hiera_saved_letters[key->type]);
    if (key->type == HIERA_VALUE_NUMBER)
        put_bits(saver, key->number);
    else if (key->type == HIERA_VALUE_TRUTH)
        put_char(saver, key->truth ? '1' : '0');
    else if (key->type != HIERA_VALUE_TEXT)
        put(saver, "%lld", (long long)key->integer);
    for (uint32_t i = 0; key->type == HIERA_VALUE_TEXT && i < key->length; i++) {
        unsigned char c = (unsigned char)key->text[i];
        bool plain = c >= ' ' && c != '\\' && c != 0x7f;
        put_char(saver, plain ? (char)c : '\\');
        if (plain)
            continue;
        put_char(saver, digits[c >> 4]);
        put_char(saver, digits[c & 15]);
    }
    put_char(saver, '\t');
}

static void put_bins(Saver *saver, const HieraScriptName *name, const uint64_t *counts)
{
    const char *between = "";
    for (unsigned i = 0; i < hiera_aggregate_count_bins(name); i++) {
        if (counts[i] == 0)
            continue;
        put(saver, "%s%u:%llu", between, i, (unsigned long long)counts[i]);
        between = " ";
    }
}

static void put_row(Saver *saver, const HieraScriptName *name, const HieraKeyed *keyed, uint32_t row)
{
    HieraValue keys[HIERA_EXPRESSION_KEYS];
    const void *cell = hiera_keyed_cell(keyed, row);
    const HieraTally *tally = cell;
    hiera_keyed_read(keyed, row, keys, name->n_keys);
    for (unsigned i = 0; i < name->n_keys; i++)
        put_key(saver, &keys[i]);
    if (name->n_keys == 0)
        put_char(saver, '\t');
    if (hiera_aggregate_is_distribution(name)) {
        put_bins(saver, name, cell);
    } else {
        put(saver, "%llu %lld ", (unsigned long long)tally->count, (long long)tally->whole);
        put_bits(saver, tally->number);
    }
    put_char(saver, '\n');
}

static void put_aggregation(Saver *saver, const HieraScriptName *name, const HieraKeyed *keyed)
{
    uint32_t n = hiera_keyed_count(keyed);
    put_name(saver, name->name);
    put(saver, " %s %s keys %u rows %u", hiera_aggregators[name->function], hiera_saved_types[name->type], name->n_keys,
        n);
    if (name->function == HIERA_AGGREGATE_LQUANTIZE) {
        const double bounds[] = {name->lower, name->upper, name->step};
        put(saver, " from");
        for (unsigned i = 0; i < 3; i++) {
            put_char(saver, ' ');
            put_bits(saver, bounds[i]);
        }
    }
    put_char(saver, '\n');
    for (uint32_t i = 0; i < n; i++)
        put_row(saver, name, keyed, i);
}

static void put_globals(Saver *saver, const HieraProbeRank *rank)
{
    const HieraProbeScript *script = rank->script;
    for (unsigned i = 0; i < script->n_globals; i++) {
        if (!__atomic_load_n(&rank->asked_totals[i], __ATOMIC_RELAXED))
            continue;
        put(saver, "global %u ", i);
        put_name(saver, script->names[script->globals[i]->target].name);
        put_char(saver, '\n');
    }
}

bool hiera_probe_state_save(const HieraProbeState *state, void (*take)(void *user, const char *bytes, size_t length),
                            void *user)
{
    const HieraProbeRank *rank = state->rank;
    Saver saver = {.take = take, .user = user};
    bool good = true;
    put(&saver, "%s rank %lld\n", HIERA_SAVED_HEAD, (long long)rank->host.rank);
    put_globals(&saver, rank);
    for (unsigned i = 0; i < rank->script->n_names; i++) {
        const HieraScriptName *name = &rank->script->names[i];
        HieraProbeStore store;
        HieraKeyed keyed;
        if (*name->name != '@')
            continue;
        hiera_probe_store_init(&store, &rank->host, NULL);
        hiera_keyed_init(&keyed, hiera_aggregate_size(name), &store);
        good = hiera_state_gather(state, i, &keyed) && good;
        put_aggregation(&saver, name, &keyed);
        hiera_probe_store_clear(&store);
    }
    put(&saver, "end\n");
    flush(&saver);
    return good;
}
