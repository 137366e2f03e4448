/* MPI calls in the compact encoding. The repeating parts of a call become a key (call_dictionary.h); the element has a
 * reference to its declaration, and the other parts as attributes.
 *
 * The first words of the key are the place of the call: its function, its call site, and which attributes it has. The
 * other words are its values, and the bytes are its lists and texts. Two things differ in each call and are not in
 * the key: messages that were probed, and requests whose difference to the last one is too large (request_deltas.h). */
#include "call_compact.h"

#include "call_format.h"
#include "mpi/handle/comms.h"
#include "mpi/handle/handles.h"
#include "places/call_site.h"
#include "write/element.h"
#include "write/loops.h"

#include <mpi.h>

enum { HAS_SENT = 1, HAS_RECEIVED = 2, HAS_ERROR = 4, HAS_LONG_TAILS = 8, HAS_NUMBERS = 16 };
enum { LENGTHS = sizeof(uint32_t) + sizeof(int64_t) }; /* bytes in a key for `stored` and `total` of a tail */

/* Return the value of an argument as a word of the key. For a communicator, the word also says whether its facts are
 * known, since its name depends on that. */
static uint64_t word_of(const HieraMpiRecord *record, const HieraArgument *argument)
{
    const char *at = (const char *)record + argument->offset;
    uint64_t wide = 0;
    uint32_t value;
    if (HIERA_ARGUMENT_BYTES(argument->kind) == 8) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&value, at, sizeof value);
    if (argument->kind == HIERA_ARGUMENT_HANDLE + HIERA_HANDLE_COMM)
        wide = hiera_comm_facts(value)->version != 0;
    return wide << 32 | value;
}

static void add_bytes(HieraKey *key, const void *bytes, size_t n)
{
    memcpy(key->bytes + key->n_bytes, bytes, n);
    key->n_bytes += (uint32_t)n;
}

/* Add a list of completed requests to the key, without request numbers. Returns false if there is no room. */
static bool add_completion(HieraKey *key, const HieraTail *tail)
{
    const HieraCompleted *completed = (const HieraCompleted *)(tail + 1);
    for (uint32_t i = 0; i < tail->stored; i++) {
        if (key->n_bytes + sizeof *completed > HIERA_KEY_BYTES)
            return false;
        add_bytes(key, &completed[i].size, sizeof completed[i].size);
        if (completed[i].size != HIERA_NO_STATUS) {
            add_bytes(key, &completed[i].source, sizeof completed[i].source);
            add_bytes(key, &completed[i].tag, sizeof completed[i].tag);
        }
    }
    return true;
}

static bool add_list(HieraKey *key, const HieraTail *tail, size_t bytes)
{
    if (key->n_bytes + bytes > HIERA_KEY_BYTES)
        return false;
    add_bytes(key, tail + 1, bytes);
    return true;
}

/* Add the tails to the key: the words of the place say which tails exist, the bytes have their lengths and contents.
 * Requests are left out. */
static bool add_tails(HieraKey *key, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail)) {
        const HieraTail *contents = hiera_mpi_tail_contents(tail);
        const HieraArgument *argument = hiera_tail_argument(call, contents);
        bool is_completion = contents->argument == HIERA_TAIL_COMPLETION;
        bool are_buffers = contents->argument == HIERA_TAIL_BUFFERS;
        unsigned kind = argument ? argument->kind : HIERA_ARGUMENT_NUMBER;
        size_t bytes = contents->stored * (are_buffers ? sizeof(HieraBuffer) : HIERA_ARGUMENT_BYTES(kind));
        hiera_key_add(key, contents->argument);
        if (!is_completion && !are_buffers && kind == HIERA_ARGUMENT_NUMBER)
            continue;
        if (key->n_bytes + LENGTHS > HIERA_KEY_BYTES)
            return false;
        add_bytes(key, &contents->stored, sizeof contents->stored);
        add_bytes(key, &contents->total, sizeof contents->total);
        if (!(is_completion ? add_completion(key, contents) : add_list(key, contents, bytes)))
            return false;
    }
    return true;
}

static uint64_t attributes_of(const HieraMpiRecord *record)
{
    return (record->sent >= 0 ? HAS_SENT : 0u) | (record->received >= 0 ? HAS_RECEIVED : 0u) |
           (record->error != MPI_SUCCESS ? HAS_ERROR : 0u);
}

/* Return, as bits, the lists of a completion that differ from the declaration. In both, the bytes of the key are the
 * lengths, and then what add_completion() added. */
static unsigned completed_otherwise(const HieraDeclared *declared, const HieraKey *key, const HieraTail *completion)
{
    unsigned lists = 0;
    const char *mine = key->bytes + LENGTHS, *its = hiera_declared_bytes(declared) + LENGTHS;
    if (declared->n_bytes != key->n_bytes)
        return HIERA_LISTS_OTHERS;
    for (uint32_t i = 0; i < completion->stored; i++) {
        int64_t my_size, its_size;
        memcpy(&my_size, mine, sizeof my_size);
        memcpy(&its_size, its, sizeof its_size);
        if ((my_size == HIERA_NO_STATUS) != (its_size == HIERA_NO_STATUS))
            return HIERA_LISTS_OTHERS;
        mine += sizeof my_size;
        its += sizeof its_size;
        lists |= my_size != its_size ? HIERA_LIST_SIZES : 0;
        if (my_size == HIERA_NO_STATUS)
            continue;
        lists |= memcmp(mine, its, sizeof(int32_t)) != 0 ? HIERA_LIST_SOURCES : 0;
        lists |= memcmp(mine + sizeof(int32_t), its + sizeof(int32_t), sizeof(int32_t)) != 0 ? HIERA_LIST_TAGS : 0;
        mine += 2 * sizeof(int32_t);
        its += 2 * sizeof(int32_t);
    }
    return lists;
}

/* Write the lists and texts that differ from those of the declaration, except requests. */
static void put_tails(HieraText *text, const HieraDeclared *declared, const HieraKey *key, const HieraMpiRecord *record,
                      const HieraMpiCall *call)
{
    const HieraTail *tail = hiera_mpi_next_tail(record, NULL);
    const HieraTail *contents = tail ? hiera_mpi_tail_contents(tail) : NULL;
    if (contents && contents->argument == HIERA_TAIL_COMPLETION && !hiera_mpi_next_tail(record, tail))
        hiera_format_completion(text, contents, completed_otherwise(declared, key, contents));
    else
        hiera_format_tails(text, record, call, HIERA_CALL_PART_OTHERS);
}

/* Each of up to 29 arguments (HieraMpiRecord.flags) takes one or two words; then a few tails, and the distances. */
_Static_assert(HIERA_KEY_WORDS >= 2 * 29 + 16 + 1 + HIERA_DISTANCES_MAX / HIERA_DISTANCES_PER_WORD, "room in a key");

/* Whether the argument is a number of elements: its attribute ends with `count`, such as ` count="` or ` scount="`. */
static bool is_size(const HieraArgument *argument)
{
    static const char end[] = "count=\"";
    size_t n = sizeof end - 1;
    return argument->begin_length >= n && memcmp(argument->begin + argument->begin_length - n, end, n) == 0;
}

static void make_key(HieraKey *key, bool folds, HieraDistances *distances, const HieraMpiRecord *record,
                     const HieraMpiCall *call)
{
    key->n_words = key->n_bytes = 0;
    key->sizes = folds ? 3 : 0; /* bits of the key's words `sent` and `received`, which are sizes too */
    hiera_key_add(key, record->head.call | (uint64_t)record->flags << 32);
    hiera_key_add(key, (uintptr_t)record->head.site);
    hiera_key_add(key, attributes_of(record));
    if (record->head.bytes > call->bytes && !add_tails(key, record, call)) {
        key->words[2] |= HAS_LONG_TAILS;
        key->n_bytes = 0;
        distances->near = false;
    }
    key->words[2] |= distances->near ? 0u : HAS_NUMBERS;
    for (uint32_t set = hiera_call_present(call->sets.taken, record); set;)
        hiera_key_add(key, word_of(record, hiera_call_next(call, &set)));
    key->n_place = key->n_words;
    hiera_key_add(key, (uint64_t)record->sent);
    hiera_key_add(key, (uint64_t)record->received);
    hiera_key_add(key, (uint64_t)record->error);
    for (uint32_t set = hiera_call_present(call->sets.common, record); set;) {
        const HieraArgument *argument = hiera_call_next(call, &set);
        uint32_t i = key->n_words - key->n_place;
        if (folds && i < 64 && is_size(argument))
            key->sizes |= UINT64_C(1) << i;
        hiera_key_add(key, word_of(record, argument));
    }
    hiera_distances_add(key, distances);
}

static bool has_long_tails(const HieraKey *key)
{
    return key->words[2] & HAS_LONG_TAILS;
}

static void put_declaration(HieraTraceFile *stream, const HieraDeclared *declared, const HieraKey *key,
                            const HieraDistances *distances, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    static const size_t name = sizeof "<hieraMPI" - 1;
    HieraText *text = stream->text;
    const HieraSiteText *site = hiera_site_resolve(record->head.site);
    hiera_element_open_declaration(stream, declared);
    hiera_text_short(text, call->element + name, call->element_length - name);
    hiera_text_bytes(text, site->attributes, site->length);
    hiera_format_arguments(text, record, call, call->sets.common);
    if (distances->near)
        hiera_distances_put(text, distances, record, call);
    if (!has_long_tails(key))
        hiera_format_tails(text, record, call, HIERA_CALL_PART_OTHERS);
    hiera_format_bytes(text, record->sent, record->received);
    hiera_format_error(text, record->error);
    hiera_format_posted(text, record->flags);
    HIERA_TEXT_LITERAL(text, "/>");
}

/* Write the attributes whose values differ from the declaration, in the order of the key's words. */
static void put_differences(HieraText *text, const HieraDeclared *declared, const HieraKey *key,
                            const HieraDistances *distances, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    const uint64_t *mine = key->words + key->n_place, *its = declared->words + key->n_place;
    hiera_format_bytes(text, mine[0] != its[0] ? record->sent : -1, mine[1] != its[1] ? record->received : -1);
    if (mine[2] != its[2])
        hiera_format_error(text, record->error);
    mine += 3;
    its += 3;
    for (uint32_t set = hiera_call_present(call->sets.common, record); set;) {
        const HieraArgument *argument = hiera_call_next(call, &set);
        if (*mine++ != *its++)
            hiera_format_argument(text, record, argument);
    }
    if (!hiera_declared_same_rest(declared, key, (uint32_t)(mine - key->words)))
        hiera_distances_put(text, distances, record, call);
    if (!hiera_declared_same_bytes(declared, key))
        put_tails(text, declared, key, record, call);
}

/* Write the attributes that the declaration does not have. `similar`: the declaration, if it differs from the key; else
 * NULL. */
static void put_own(HieraText *text, const HieraDeclared *similar, const HieraKey *key, const HieraDistances *distances,
                    const HieraMpiRecord *record, const HieraMpiCall *call)
{
    hiera_format_arguments(text, record, call, call->sets.own & ~(distances->near ? call->sets.requests : 0));
    if (similar)
        put_differences(text, similar, key, distances, record, call);
    if (!distances->near)
        hiera_format_tails(text, record, call, has_long_tails(key) ? HIERA_CALL_PART_ALL : HIERA_CALL_PART_REQUESTS);
}

static void hold_variant(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraDeclared *declared,
                         HieraVariant variant)
{
    HieraElementTimes times = hiera_element_times(stream, &record->head);
    hiera_loops_add(stream, HIERA_LOOP_TOKEN_CALL, variant, (HieraKin){0, declared->kin}, times.start, times.finish);
}

/* Hold back a call, so that it can be folded; hiera_loops_extra() has the parts that are not in its declaration.
 * Returns false if they are too long. */
static bool hold(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraDeclared *declared)
{
    HieraVariant variant = {.number = declared->number};
    if (!hiera_loops_take_extra(&variant))
        return false;
    hold_variant(stream, record, declared, variant);
    return true;
}

const HieraDeclared *hiera_compact_put(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                                       HieraDistances *distances, HieraDictionaryMatch *known)
{
    static HieraKey key;
    make_key(&key, stream->loops != NULL, distances, record, call);
    const HieraDeclared *declared = hiera_dictionary_choose(stream->dictionary, &key, known);
    if (!declared)
        return NULL;
    if (*known == HIERA_DICTIONARY_NEW)
        put_declaration(stream, declared, &key, distances, record, call);
    const HieraDeclared *similar = *known == HIERA_DICTIONARY_SIMILAR ? declared : NULL;
    if (stream->loops) {
        put_own(hiera_loops_extra(), similar, &key, distances, record, call);
        if (hold(stream, record, declared))
            return declared;
    }
    hiera_element_put_reference(stream, declared, &record->head, NULL);
    put_own(stream->text, similar, &key, distances, record, call);
    HIERA_TEXT_LITERAL(stream->text, "/>");
    return declared;
}

void hiera_compact_put_same(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                            const HieraDeclared *declared)
{
    uint32_t own = call->sets.own & ~call->sets.requests;
    if (stream->loops && !own) {
        hold_variant(stream, record, declared, (HieraVariant){.number = declared->number});
        return;
    }
    if (stream->loops) {
        hiera_format_arguments(hiera_loops_extra(), record, call, own);
        if (hold(stream, record, declared))
            return;
    }
    hiera_element_put_reference(stream, declared, &record->head, NULL);
    hiera_format_arguments(stream->text, record, call, own);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}
