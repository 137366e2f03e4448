/* See loops.h. The buffer of calls that are held back is shared by all files: only one is written at a time, and at the
 * end of its flush the buffer is empty. */
#include "loops.h"

#include "base/settings.h"
#include "call_dictionary.h"
#include "element.h"
#include "loop_find.h"
#include "loop_times.h"
#include "memory/signal_safe_memory.h"
#include "text/hash.h"

enum {
    TEXTS = 64 << 10, /* number of bytes for the attributes of all calls that are held back */
    CALLS = 6         /* number of calls from which a loop's element saves bytes */
};

/* High bits of a symbol say what it is made of: a declaration (0), HieraKin.always, a text, HieraKin.seldom. */
#define SYMBOL_PLACE (UINT64_C(1) << 62)
#define SYMBOL_TEXT  (UINT64_C(1) << 63)
#define SYMBOL_KIN   (SYMBOL_PLACE | SYMBOL_TEXT)

struct HieraLoops {
    HieraBodies *bodies;
    uint32_t age; /* age of the dictionary to whose declarations the bodies refer */
};

static HieraFound *found;
static char *texts;
static size_t n_texts;

static char extra_bytes[HIERA_EXTRA_MAX + 2 * HIERA_TEXT_MARGIN];
static HieraText extra_text;
static bool extra_is_long;

/* --- calls that are held back until the end of the flush --- */

static void end_loops(HieraTraceFile *stream)
{
    struct HieraLoops *loops = stream->loops;
    stream->loops = NULL;
    hiera_bodies_free(loops->bodies);
    hiera_memory_free(loops, sizeof *loops);
}

void hiera_loops_begin(HieraTraceFile *stream)
{
    if (stream->loops || !stream->dictionary || strcmp(hiera_settings.fold, "times") != 0)
        return;
    if (!found)
        found = hiera_memory_new(sizeof *found);
    if (!texts)
        texts = hiera_memory_new(TEXTS);
    struct HieraLoops *loops = found && texts ? hiera_memory_new(sizeof *loops) : NULL;
    if (!loops)
        return;
    loops->bodies = hiera_bodies_make();
    stream->put_held = hiera_loops_write;
    stream->end_loops = end_loops;
    hiera_dictionary_set_folds(stream->dictionary);
    if (loops->bodies)
        stream->loops = loops;
    else
        hiera_memory_free(loops, sizeof *loops);
}

static uint64_t symbol_of(HieraLoopTokenKind kind, HieraVariant variant, uint64_t place)
{
    if (place != 0)
        return place << 2 | kind | SYMBOL_PLACE;
    if (variant.length == 0)
        return (uint64_t)variant.number << 2 | kind;
    uint64_t hash = variant.number;
    for (uint32_t i = 0; i < variant.length; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, variant.extra + i, variant.length - i < sizeof word ? variant.length - i : sizeof word);
        hash = hiera_hash_words(&word, 1, hash);
    }
    return hash << 2 | kind | SYMBOL_TEXT;
}

/* Return the next free token, and make sure that `texts` has room for `bytes` bytes. */
static HieraLoopToken *next_token(HieraTraceFile *stream, size_t bytes)
{
    if (stream->n_held == HIERA_LOOP_TOKENS || (stream->n_held > 0 && n_texts + bytes > TEXTS))
        hiera_loops_write(stream);
    if (stream->n_held == 0)
        n_texts = 0;
    return &found->tokens[stream->n_held++];
}

void hiera_loops_add(HieraTraceFile *stream, HieraLoopTokenKind kind, HieraVariant variant, HieraKin kin,
                     uint64_t start, uint64_t finish)
{
    HieraLoopToken *token = next_token(stream, variant.length);
    uint64_t symbol = symbol_of(kind, variant, kin.always);
    uint64_t of_kin = kin.seldom != 0 ? kin.seldom << 2 | kind | SYMBOL_KIN : symbol;
    *token = (HieraLoopToken){symbol, of_kin, start, finish, variant, kind, 0};
    if (variant.length > 0)
        token->variant.extra = memcpy(texts + n_texts, variant.extra, variant.length);
    n_texts += variant.length;
}

void hiera_loops_add_end(HieraTraceFile *stream, uint8_t element)
{
    HieraLoopToken *last = stream->n_held > 0 ? &found->tokens[stream->n_held - 1] : NULL;
    if (last && last->kind == HIERA_LOOP_TOKEN_BEGIN) {
        last->symbol ^= HIERA_LOOP_TOKEN_BEGIN ^ HIERA_LOOP_TOKEN_CALL;
        last->kin ^= HIERA_LOOP_TOKEN_BEGIN ^ HIERA_LOOP_TOKEN_CALL;
        last->kind = HIERA_LOOP_TOKEN_CALL;
        return;
    }
    *next_token(stream, 0) = (HieraLoopToken){
        .symbol = HIERA_LOOP_TOKEN_END, .kin = HIERA_LOOP_TOKEN_END, .kind = HIERA_LOOP_TOKEN_END, .element = element};
}

static void drop_extra(HieraText *text)
{
    extra_is_long = true;
    text->next = text->base;
}

HieraText *hiera_loops_extra(void)
{
    extra_text = (HieraText){extra_bytes, extra_bytes + HIERA_EXTRA_MAX, extra_bytes, drop_extra};
    extra_is_long = false;
    return &extra_text;
}

bool hiera_loops_take_extra(HieraVariant *variant)
{
    variant->extra = extra_bytes;
    variant->length = (uint32_t)(extra_text.next - extra_bytes);
    return !extra_is_long && variant->length <= HIERA_EXTRA_MAX;
}

/* --- writing of loops --- */

static void put_reference(HieraText *text, uint32_t number)
{
    HIERA_TEXT_LITERAL(text, " r=\"c");
    hiera_text_unsigned(text, number);
    HIERA_TEXT_LITERAL(text, "\"");
}

static void put_token(HieraTraceFile *stream, const HieraLoopToken *token)
{
    if (token->kind == HIERA_LOOP_TOKEN_END) {
        hiera_element_close(stream, token->element);
        return;
    }
    HIERA_ELEMENT_OPEN(stream, "<c");
    put_reference(stream->text, token->variant.number);
    HIERA_TEXT_LITERAL(stream->text, " t=\"");
    hiera_text_span_near(stream->text, &stream->near_span, token->start, token->finish);
    hiera_text_bytes(stream->text, token->variant.extra, token->variant.length);
    if (token->kind == HIERA_LOOP_TOKEN_CALL)
        HIERA_TEXT_LITERAL(stream->text, "/>");
    else
        stream->start_tag_open = true;
}

static void put_body_reference(HieraText *text, const HieraBody *body)
{
    HIERA_TEXT_LITERAL(text, " body=\"l");
    hiera_text_unsigned(text, body->id);
    HIERA_TEXT_LITERAL(text, "\"");
}

static void declare(HieraTraceFile *stream, HieraBody *body);

static void declare_place(HieraTraceFile *stream, const HieraBodyPlace *place)
{
    HieraText *text = stream->text;
    if (place->kind == HIERA_LOOP_TOKEN_END) {
        HIERA_TEXT_LITERAL(text, "\n</p>");
    } else if (place->kind == HIERA_LOOP_TOKEN_LOOP) {
        HIERA_TEXT_LITERAL(text, "\n<hieraLoop");
        put_body_reference(text, hiera_bodies_get(stream->loops->bodies, place->body));
        HIERA_TEXT_LITERAL(text, "/>");
    } else {
        HIERA_TEXT_LITERAL(text, "\n<p");
        put_reference(text, place->call.number);
        hiera_text_bytes(text, place->call.extra, place->call.length);
        if (place->kind == HIERA_LOOP_TOKEN_CALL)
            HIERA_TEXT_LITERAL(text, "/>");
        else
            HIERA_TEXT_LITERAL(text, ">");
    }
}

/* Declare the bodies of inner loops, because they must be in the file before the body around them. */
static void declare_inner(HieraTraceFile *stream, const HieraBody *body)
{
    for (uint32_t i = 0; i < body->n; i++)
        if (body->places[i].kind == HIERA_LOOP_TOKEN_LOOP)
            declare(stream, hiera_bodies_get(stream->loops->bodies, body->places[i].body));
}

static void declare(HieraTraceFile *stream, HieraBody *body)
{
    if (body->is_declared)
        return;
    declare_inner(stream, body);
    body->is_declared = true;
    HIERA_ELEMENT_OPEN(stream, "<hieraBody id=\"l");
    hiera_text_unsigned(stream->text, body->id);
    HIERA_TEXT_LITERAL(stream->text, "\">");
    for (uint32_t i = 0; i < body->n; i++)
        declare_place(stream, &body->places[i]);
    HIERA_TEXT_LITERAL(stream->text, "\n</hieraBody>");
}

static void put_repeats(HieraText *text, const HieraItem *loop, const HieraBody *body)
{
    bool is_part = loop->n_children % body->n != 0;
    if (is_part)
        HIERA_TEXT_LITERAL(text, " from=\"");
    else
        HIERA_TEXT_LITERAL(text, " turns=\"");
    hiera_text_unsigned(text, is_part ? loop->from : loop->n_children / body->n);
    if (is_part) {
        HIERA_TEXT_LITERAL(text, "\" to=\"");
        hiera_text_unsigned(text, loop->from + loop->n_children);
    }
    HIERA_TEXT_LITERAL(text, "\"");
}

static void put_loop(HieraTraceFile *stream, const HieraItem *loop)
{
    HieraBody *body = hiera_bodies_get(stream->loops->bodies, loop->body);
    HieraText *text = stream->text;
    declare(stream, body);
    HIERA_ELEMENT_OPEN(stream, "<hieraLoop");
    put_body_reference(text, body);
    put_repeats(text, loop, body);
    HIERA_TEXT_LITERAL(text, " t=\"");
    hiera_text_unsigned(text, hiera_item_start(found, loop));
    HIERA_TEXT_LITERAL(text, "\" end=\"");
    hiera_text_unsigned(text, hiera_item_end(found, loop));
    HIERA_TEXT_LITERAL(text, "\" times=\"");
    hiera_loop_put_times(text, found, stream->loops->bodies, loop);
    HIERA_TEXT_LITERAL(text, "\"");
    if (hiera_loop_put_variants(text, found, stream->loops->bodies, loop, ">"))
        HIERA_TEXT_LITERAL(text, "\n</hieraLoop>");
    else
        HIERA_TEXT_LITERAL(text, "/>");
}

static void put_item(HieraTraceFile *stream, const HieraItem *item)
{
    if (item->kind != HIERA_LOOP_TOKEN_LOOP)
        put_token(stream, &found->tokens[item->first]);
    else if (item->n_calls >= CALLS)
        put_loop(stream, item);
    else
        for (uint32_t i = 0; i < item->n_children; i++)
            put_item(stream, &found->items[item->first + i]);
}

void hiera_loops_write(HieraTraceFile *stream)
{
    struct HieraLoops *loops = stream->loops;
    uint32_t age = hiera_dictionary_age(stream->dictionary);
    found->n_tokens = stream->n_held;
    stream->n_held = 0;
    if (loops->age != age || hiera_bodies_are_full(loops->bodies))
        hiera_bodies_forget(loops->bodies);
    loops->age = age;
    hiera_loop_tokens_find(found, loops->bodies);
    for (uint32_t i = found->begin; i < found->end; i++)
        put_item(stream, &found->items[i]);
}
