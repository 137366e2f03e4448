/* See arguments.h. A single process numbers names and texts directly. With several processes, each numbers those of
 * each of its ranks; process 0 gets these lists, and returns the numbers they have among those of all. */
#include "arguments.h"
#include "base/block.h"
#include "base/json.h"
#include "base/rank_parts.h"

/* A set of texts, each with a number: its index in `list`, in order of first appearance. */
typedef struct {
    GHashTable *numbers;
    GPtrArray *list;
} Numbered;

struct HieraArguments {
    Numbered *names, *texts; /* names and texts of this rank; in a single process, of all ranks */
    Numbered own_names, own_texts;
    guint32 first, last; /* numbers of the rank's first and last operation with arguments; HIERA_NONE: none */
    GByteArray *bytes;   /* the rank's bytes of the block, without the number of its first operation */
    GArray *renamed;     /* guint32: by own number of a name, then of a text: its number among those of all ranks */
};

struct HieraArgumentsOfAll {
    const HieraScene *scene;
    HieraArguments *of;    /* by rank */
    Numbered names, texts; /* names and texts of all ranks */
};

static void numbered_init(Numbered *numbered)
{
    *numbered = (Numbered){g_hash_table_new(g_str_hash, g_str_equal), g_ptr_array_new()};
}

static void numbered_clear(Numbered *numbered)
{
    g_clear_pointer(&numbered->numbers, g_hash_table_unref);
    g_clear_pointer(&numbered->list, g_ptr_array_unref);
}

static guint number_of(Numbered *numbered, const char *text)
{
    gpointer found;
    if (g_hash_table_lookup_extended(numbered->numbers, text, NULL, &found))
        return GPOINTER_TO_UINT(found);
    g_hash_table_insert(numbered->numbers, (gpointer)text, GUINT_TO_POINTER(numbered->list->len));
    g_ptr_array_add(numbered->list, (gpointer)text);
    return numbered->list->len - 1;
}

/* --- collecting arguments --- */

HieraArgumentsOfAll *hiera_arguments_new(const HieraScene *scene)
{
    HieraArgumentsOfAll *of_all = g_new0(HieraArgumentsOfAll, 1);
    of_all->scene = scene;
    of_all->of = g_new0(HieraArguments, (gsize)scene->trace->n_processors + 1);
    numbered_init(&of_all->names);
    numbered_init(&of_all->texts);
    return of_all;
}

void hiera_arguments_free(HieraArgumentsOfAll *of_all)
{
    for (guint32 i = 0; i < of_all->scene->trace->n_processors; i++) {
        HieraArguments *of = &of_all->of[i];
        numbered_clear(&of->own_names);
        numbered_clear(&of->own_texts);
        g_clear_pointer(&of->bytes, g_byte_array_unref);
        g_clear_pointer(&of->renamed, g_array_unref);
    }
    numbered_clear(&of_all->names);
    numbered_clear(&of_all->texts);
    g_free(of_all->of);
    g_free(of_all);
}

HieraArguments *hiera_arguments_of(HieraArgumentsOfAll *of_all, guint32 processor)
{
    HieraArguments *of = &of_all->of[processor];
    *of = (HieraArguments){
        &of_all->names, &of_all->texts, {NULL, NULL}, {NULL, NULL}, HIERA_NONE, 0, g_byte_array_new(), NULL};
    if (!of_all->scene->scope->share.own)
        return of;
    numbered_init(&of->own_names);
    numbered_init(&of->own_texts);
    of->names = &of->own_names;
    of->texts = &of->own_texts;
    return of;
}

void hiera_arguments_begin(HieraArguments *of, guint32 number, guint n)
{
    if (of->first == HIERA_NONE)
        of->first = number;
    else
        hiera_block_add(of->bytes, number - of->last);
    of->last = number;
    hiera_block_add(of->bytes, n);
}

/* Append an argument: 2 × number of its name, and number of its text; or 2 × number of its name + 1, and `number`. */
void hiera_arguments_add(HieraArguments *of, const char *name, const char *text, gint64 number)
{
    hiera_block_add(of->bytes, 2 * number_of(of->names, name) + (text == NULL));
    if (text)
        hiera_block_add(of->bytes, number_of(of->texts, text));
    else
        hiera_block_add_signed(of->bytes, number);
}

/* --- several processes: lists of names and texts to process 0 --- */

static void pack_list(HieraPacker *to, const Numbered *numbered)
{
    hiera_pack_number(to, numbered->list->len);
    for (guint i = 0; i < numbered->list->len; i++)
        hiera_pack_text(to, g_ptr_array_index(numbered->list, i));
}

static void pack_lists(HieraPacker *to, gpointer user)
{
    const HieraArgumentsOfAll *of_all = user;
    for (guint32 i = 0; i < of_all->scene->trace->n_processors; i++) {
        if (!of_all->of[i].bytes)
            continue;
        hiera_pack_number(to, i);
        pack_list(to, &of_all->of[i].own_names);
        pack_list(to, &of_all->of[i].own_texts);
    }
    hiera_pack_number(to, HIERA_NONE);
}

static void unpack_list(HieraUnpacker *from, Numbered *numbered)
{
    numbered_init(numbered);
    for (gint64 n = hiera_unpack_number(from); n > 0; n--)
        g_ptr_array_add(numbered->list, (gpointer)hiera_unpack_text(from));
}

static void unpack_lists(HieraUnpacker *from, gpointer user)
{
    const HieraArgumentsOfAll *of_all = user;
    for (gint64 i = hiera_unpack_number(from); i != HIERA_NONE; i = hiera_unpack_number(from)) {
        unpack_list(from, &of_all->of[i].own_names);
        unpack_list(from, &of_all->of[i].own_texts);
    }
}

/* --- several processes: numbers of names and texts from process 0 --- */

static void rename_list(GArray *renamed, const Numbered *own, Numbered *all)
{
    for (guint i = 0; own->list && i < own->list->len; i++) {
        guint32 number = number_of(all, g_ptr_array_index(own->list, i));
        g_array_append_val(renamed, number);
    }
}

static void rename_all(HieraArgumentsOfAll *of_all)
{
    for (guint32 i = 0; i < of_all->scene->trace->n_processors; i++) {
        HieraArguments *of = &of_all->of[i];
        of->renamed = g_array_new(FALSE, FALSE, sizeof(guint32));
        rename_list(of->renamed, &of->own_names, &of_all->names);
        rename_list(of->renamed, &of->own_texts, &of_all->texts);
    }
}

static void pack_renamed(HieraPacker *to, gpointer user)
{
    const HieraArgumentsOfAll *of_all = user;
    for (guint32 i = 0; i < of_all->scene->trace->n_processors; i++)
        hiera_pack_array(to, of_all->of[i].renamed);
}

static void unpack_renamed(HieraUnpacker *from, gpointer user)
{
    const HieraArgumentsOfAll *of_all = user;
    for (guint32 i = 0; i < of_all->scene->trace->n_processors; i++) {
        of_all->of[i].renamed = g_array_new(FALSE, FALSE, sizeof(guint32));
        hiera_unpack_array(from, of_all->of[i].renamed);
    }
}

/* --- bytes of ranks, with the final numbers of names and texts --- */

static guint64 read_number(const GByteArray *bytes, guint *at)
{
    guint64 number;
    *at += (guint)hiera_leb_get(bytes->data + *at, bytes->len - *at, &number);
    return number;
}

static void copy_number(const GByteArray *bytes, guint *at, GByteArray *to)
{
    guint first = *at;
    (void)read_number(bytes, at);
    g_byte_array_append(to, bytes->data + first, *at - first);
}

static void rename_argument(const HieraArguments *of, guint *at, GByteArray *to)
{
    guint64 name = read_number(of->bytes, at);
    hiera_block_add(to, 2 * (gint64)g_array_index(of->renamed, guint32, name / 2) + (gint64)(name % 2));
    if (name % 2)
        copy_number(of->bytes, at, to);
    else
        hiera_block_add(to, g_array_index(of->renamed, guint32, of->own_names.list->len + read_number(of->bytes, at)));
}

static void rename_bytes(HieraArguments *of)
{
    GByteArray *bytes = g_byte_array_new();
    for (guint at = 0; at < of->bytes->len;) {
        if (at > 0)
            copy_number(of->bytes, &at, bytes);
        guint64 n = read_number(of->bytes, &at);
        hiera_block_add(bytes, (gint64)n);
        for (; n > 0; n--)
            rename_argument(of, &at, bytes);
    }
    g_byte_array_unref(of->bytes);
    of->bytes = bytes;
}

/* Numbers of a rank's first and last operation, sent in front of the rank's bytes. */
typedef struct {
    guint32 first, last;
} Ends;

static void gather_bytes(HieraArgumentsOfAll *of_all)
{
    const HieraScene *scene = of_all->scene;
    guint32 n = scene->trace->n_processors;
    g_autoptr(GPtrArray) parts = hiera_rank_parts_new(n);
    for (guint32 i = 0; i < n; i++) {
        HieraArguments *of = &of_all->of[i];
        if (!of->bytes || of->first == HIERA_NONE)
            continue;
        const Ends ends = {of->first, of->last};
        rename_bytes(of);
        g_byte_array_append(hiera_rank_parts_of(parts, i), (const guint8 *)&ends, sizeof ends);
        g_byte_array_append(hiera_rank_parts_of(parts, i), of->bytes->data, of->bytes->len);
    }
    hiera_rank_parts_gather(parts, scene->scope, scene->trace);
    for (guint32 i = 0; hiera_scope_leads(scene->scope) && i < n; i++) {
        GByteArray *part = parts->pdata[i];
        HieraArguments *of = &of_all->of[i];
        g_clear_pointer(&of->bytes, g_byte_array_unref);
        if (!part)
            continue;
        const Ends *ends = (const Ends *)(void *)part->data;
        of->first = ends->first;
        of->last = ends->last;
        of->bytes = g_byte_array_remove_range(g_byte_array_ref(part), 0, sizeof *ends);
    }
}

static void join_processes(HieraArgumentsOfAll *of_all)
{
    const HieraScene *scene = of_all->scene;
    hiera_scope_gather_others(scene->scope, scene->trace, pack_lists, unpack_lists, of_all);
    if (hiera_scope_leads(scene->scope))
        rename_all(of_all);
    hiera_scope_tell(scene->scope, scene->trace, pack_renamed, unpack_renamed, of_all);
    gather_bytes(of_all);
}

/* --- writing the blocks of arguments --- */

/* Append the JSON member `"name":[…]` with the list of texts. */
static void add_texts(const Numbered *numbered, const char *name, GString *json)
{
    hiera_json_open(json, name, '[');
    for (guint i = 0; i < numbered->list->len; i++) {
        hiera_json_next(json);
        hiera_json_text(json, g_ptr_array_index(numbered->list, i));
    }
    g_string_append_c(json, ']');
}

void hiera_arguments_write(HieraArgumentsOfAll *of_all, gboolean all, FILE *stream)
{
    g_autoptr(GByteArray) block = g_byte_array_new();
    g_autoptr(GString) json = g_string_new("{");
    guint32 last = 0;
    if (of_all->scene->scope->share.own)
        join_processes(of_all);
    if (!stream)
        return;
    hiera_block_add(block, all);
    for (guint32 i = 0; i < of_all->scene->trace->n_processors; i++) {
        const HieraArguments *of = &of_all->of[i];
        if (!of->bytes || of->first == HIERA_NONE)
            continue;
        hiera_block_add(block, of->first - last);
        g_byte_array_append(block, of->bytes->data, of->bytes->len);
        last = of->last;
    }
    hiera_block_write(block->data, block->len, stream, "operations");
    add_texts(&of_all->names, "names", json);
    add_texts(&of_all->texts, "texts", json);
    g_string_append_c(json, '}');
    hiera_block_write((const guint8 *)json->str, json->len, stream, "arguments");
}
