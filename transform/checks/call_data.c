#include "call_data.h"
#include "base/attribute_columns.h"
#include "base/parse_numbers.h"
#include "base/vocabulary.h"
#include <string.h>

enum { RUNS_MOST = 4096, STEPS_MOST = 100000 };

/* What the bits of a value mean. Values of families with the same meaning and size have the same bits. */
typedef enum { MEANS_INTEGER, MEANS_FLOAT, MEANS_LONG_DOUBLE, MEANS_BYTE, MEANS_ANYTHING } Meaning;

static const struct {
    const char *name;
    Meaning meaning;
    guint values; /* of which it consists: a complex number of two */
} families[] = {{"int", MEANS_INTEGER, 1},
                {"uint", MEANS_INTEGER, 1},
                {"char", MEANS_INTEGER, 1},
                {"bool", MEANS_INTEGER, 1},
                {"float", MEANS_FLOAT, 1},
                {"complex", MEANS_FLOAT, 2},
                {"longdouble", MEANS_LONG_DOUBLE, 1},
                {"longcomplex", MEANS_LONG_DOUBLE, 2},
                {"byte", MEANS_BYTE, 1},
                {"packed", MEANS_ANYTHING, 1}};

typedef struct {
    guint family;
    gint64 size; /* of a value, in bytes */
    gint64 n;    /* number of values */
} Run;

typedef struct {
    const HieraDatatype *from, *to;
    HieraTypeDifference difference;
} Pair;

struct HieraDataOfCalls {
    const HieraTrace *trace;
    guint column;      /* of HieraAttributeValue; HIERA_NONE: not kept */
    GHashTable *types; /* text of a line → HieraDatatype */
    GHashTable *calls; /* text of a call, by its address → HieraCallData */
    GHashTable *pairs; /* Pair */
};

/* --- signatures --- */

enum { TEXT_MOST = 1024 }; /* the collector writes 240 bytes at most; longer ones could be nested too deep */

static gboolean read_list(const char **at, gboolean inside, GArray *runs);

/* Read a basic type like `float64`. */
static gboolean read_basic(const char **at, gint64 n, GArray *runs)
{
    gsize length = strcspn(*at, "0123456789 )");
    for (guint i = 0; i < G_N_ELEMENTS(families); i++) {
        if (strlen(families[i].name) != length || strncmp(*at, families[i].name, length) != 0)
            continue;
        char *end = NULL;
        gint64 bits = g_ascii_strtoll(*at + length, &end, 10);
        Run run = {i, bits > 0 ? bits / 8 / families[i].values : 1, n};
        if (run.size <= 0 || run.size > 64 || run.n > G_MAXINT64 / 1024 || runs->len == RUNS_MOST)
            return FALSE;
        run.n *= families[i].values;
        *at = end;
        g_array_append_val(runs, run);
        return TRUE;
    }
    return FALSE;
}

static gboolean read_group(const char **at, gint64 n, GArray *runs)
{
    guint first = runs->len;
    ++*at;
    if (!read_list(at, TRUE, runs) || **at != ')')
        return FALSE;
    ++*at;
    guint length = runs->len - first;
    if (length == 0 || n > (RUNS_MOST - first) / length)
        return FALSE;
    for (gint64 i = 1; i < n; i++)
        for (guint j = 0; j < length; j++) {
            Run run = g_array_index(runs, Run, first + j);
            g_array_append_val(runs, run);
        }
    return TRUE;
}

static gboolean read_list(const char **at, gboolean inside, GArray *runs)
{
    while (**at && !(inside && **at == ')')) {
        gint64 n = 1;
        if (g_ascii_isdigit(**at)) {
            char *end = NULL;
            n = g_ascii_strtoll(*at, &end, 10);
            if (n <= 0 || *end != '*')
                return FALSE;
            *at = end + 1;
        }
        if (!(**at == '(' ? read_group(at, n, runs) : read_basic(at, n, runs)))
            return FALSE;
        if (**at == ' ')
            ++*at;
        else if (**at && **at != ')')
            return FALSE;
    }
    return TRUE;
}

/* A whole text that is one group: it may repeat as often as it likes, since messages do so with datatypes. */
static const char *skip_repeats(const char *text)
{
    const char *group = text + strspn(text, "0123456789");
    gsize length = strlen(text);
    if (group == text || strncmp(group, "*(", 2) != 0 || text[length - 1] != ')')
        return text;
    int depth = 0;
    for (const char *at = group + 1; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0 && at[1])
            return text;
    }
    return group + 1;
}

static GArray *read_runs(const char *signature, gint64 *period)
{
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(Run));
    const char *at = skip_repeats(signature);
    *period = 0;
    if (*signature == '\0' || *signature == '#' || strlen(at) > TEXT_MOST || !read_list(&at, FALSE, runs))
        return NULL;
    for (guint i = 0; i < runs->len; i++) {
        const Run *run = &g_array_index(runs, Run, i);
        *period = hiera_plus(*period, run->n * run->size);
    }
    return g_steal_pointer(&runs);
}

static void free_datatype(gpointer datatype)
{
    HieraDatatype *type = datatype;
    g_clear_pointer(&type->runs, g_array_unref);
    g_free((char *)type->name);
    g_free((char *)type->signature);
    g_free(type);
}

/* --- differences --- */

/* The place in a side that repeats without end. */
typedef struct {
    const GArray *runs;
    guint run;
    gint64 left; /* bytes of the run that are left */
} Cursor;

static const Run *run_of(const Cursor *cursor)
{
    return &g_array_index(cursor->runs, Run, cursor->run);
}

static Cursor begin(const HieraDatatype *type)
{
    Cursor cursor = {type->runs, 0, 0};
    cursor.left = run_of(&cursor)->n * run_of(&cursor)->size;
    return cursor;
}

static void go_on(Cursor *cursor, gint64 bytes)
{
    cursor->left -= bytes;
    if (cursor->left > 0)
        return;
    cursor->run = (cursor->run + 1) % cursor->runs->len;
    cursor->left = run_of(cursor)->n * run_of(cursor)->size;
}

static gboolean is_of_anything(const HieraDatatype *type)
{
    for (guint i = 0; i < type->runs->len; i++)
        if (families[g_array_index(type->runs, Run, i).family].meaning == MEANS_ANYTHING)
            return TRUE;
    return FALSE;
}

static void put_word(char *word, gsize room, const Run *run)
{
    const char *family = families[run->family].name;
    if (families[run->family].meaning == MEANS_BYTE)
        g_strlcpy(word, family, room);
    else
        g_snprintf(word, room, "%s%" G_GINT64_FORMAT, family, 8 * run->size * families[run->family].values);
}

/* Compare the runs at one place. @return FALSE: the search is over */
static gboolean compare_runs(const Cursor *from, const Cursor *to, gint64 at, HieraTypeDifference *difference)
{
    const Run *a = run_of(from), *b = run_of(to);
    Meaning one = families[a->family].meaning, other = families[b->family].meaning;
    if (a->family == b->family && a->size == b->size)
        return TRUE;
    if (one == MEANS_BYTE || other == MEANS_BYTE || (one == other && a->size == b->size)) {
        difference->loose = MIN(difference->loose, at);
        return TRUE;
    }
    difference->at = at;
    put_word(difference->words[0], sizeof difference->words[0], a);
    put_word(difference->words[1], sizeof difference->words[1], b);
    return FALSE;
}

/* Two sequences that repeat after p and q bytes, and are equal for p + q bytes, are equal for ever. */
static void compare(const HieraDatatype *from, const HieraDatatype *to, HieraTypeDifference *difference)
{
    gint64 end = hiera_plus(from->period, to->period), at = 0;
    if (from->period == 0 || to->period == 0 || is_of_anything(from) || is_of_anything(to))
        return;
    Cursor one = begin(from), other = begin(to);
    for (guint step = 0; at < end && step < STEPS_MOST && compare_runs(&one, &other, at, difference); step++) {
        gboolean alike = one.runs->len == 1 && other.runs->len == 1;
        gint64 bytes = alike ? end : MIN(one.left, other.left);
        if (alike)
            return;
        at += bytes;
        go_on(&one, bytes);
        go_on(&other, bytes);
    }
}

/* Of datatypes that are known by hash: whether as many values are others. What they are is not known, so that may be
 * values whose bits mean the same. */
static void compare_hashes(const HieraDatatype *from, const HieraDatatype *to, HieraTypeDifference *difference)
{
    const char *end = strchr(from->signature, ':');
    if (from->signature[0] != '#' || to->signature[0] != '#' || !end || from->size <= 0 || from->size != to->size)
        return;
    gsize length = (gsize)(end - from->signature) + 1;
    if (strncmp(from->signature, to->signature, length) == 0 && strcmp(from->signature, to->signature) != 0)
        difference->loose = from->size - 1;
}

gboolean hiera_datatype_is_unreadable(const HieraDatatype *type)
{
    gboolean has_hash = type->signature[0] == '#' && strchr(type->signature, ':');
    return !type->runs && *type->signature && !has_hash;
}

static guint hash_pair(gconstpointer pair)
{
    return g_direct_hash(((const Pair *)pair)->from) * 31 + g_direct_hash(((const Pair *)pair)->to);
}

static gboolean equal_pairs(gconstpointer a, gconstpointer b)
{
    const Pair *one = a, *other = b;
    return one->from == other->from && one->to == other->to;
}

const HieraTypeDifference *hiera_call_data_compare(HieraDataOfCalls *calls, const HieraDatatype *from,
                                                   const HieraDatatype *to)
{
    static const HieraTypeDifference none = {G_MAXINT64, G_MAXINT64, {"", ""}};
    Pair key = {from, to, none};
    if (!from || !to || from == to)
        return &none;
    Pair *pair = g_hash_table_lookup(calls->pairs, &key);
    if (pair)
        return &pair->difference;
    pair = g_memdup2(&key, sizeof key);
    g_hash_table_add(calls->pairs, pair);
    if (from->runs && to->runs)
        compare(from, to, &pair->difference);
    else
        compare_hashes(from, to, &pair->difference);
    return &pair->difference;
}

/* --- operators --- */

gint64 hiera_datatype_value(const HieraDatatype *type)
{
    const Run *run = type->runs && type->runs->len == 1 ? &g_array_index(type->runs, Run, 0) : NULL;
    return run ? run->size * families[run->family].values : 0;
}

gboolean hiera_datatype_has_operator(const HieraDatatype *type, const char *op)
{
    static const char *const arithmetic[] = {"MPI_SUM", "MPI_PROD"}, *const order[] = {"MPI_MAX", "MPI_MIN"};
    static const char *const pairs[] = {"MPI_MAXLOC", "MPI_MINLOC"};
    static const char *const logical[] = {"MPI_LAND", "MPI_LOR", "MPI_LXOR"};
    static const char *const bits[] = {"MPI_BAND", "MPI_BOR", "MPI_BXOR"};
#define HAS(list)                                                                                                      \
    (g_strcmp0(op, (list)[0]) == 0 || g_strcmp0(op, (list)[1]) == 0 ||                                                 \
     g_strcmp0(op, (list)[G_N_ELEMENTS(list) - 1]) == 0)
    if (!op || !type->runs || !g_str_has_prefix(type->name, "MPI_") || type->runs->len == 0)
        return TRUE;
    const Run *run = &g_array_index(type->runs, Run, 0);
    const char *family = families[run->family].name;
    gboolean is_pair = type->runs->len > 1 || run->n > families[run->family].values;
    /* MPI has no operators for characters; libraries compute with them as with integers, and tell nobody */
    gboolean is_integer = families[run->family].meaning == MEANS_INTEGER && !g_str_equal(family, "bool");
    gboolean is_float = g_str_equal(family, "float") || g_str_equal(family, "longdouble");
    gboolean is_complex = families[run->family].values == 2;
    if (HAS(pairs) || is_pair)
        return HAS(pairs) ? is_pair : !(HAS(arithmetic) || HAS(order) || HAS(logical) || HAS(bits));
    if (HAS(arithmetic))
        return is_integer || is_float || is_complex;
    if (HAS(order))
        return is_integer || is_float;
    if (HAS(logical))
        return is_integer || g_str_equal(family, "bool");
    return !HAS(bits) || is_integer || g_str_equal(family, "byte");
#undef HAS
}

/* --- the data of calls --- */

static const HieraDatatype *read_type(HieraDataOfCalls *calls, const char *line)
{
    HieraDatatype *type = g_hash_table_lookup(calls->types, line);
    if (type)
        return type;
    g_auto(GStrv) words = g_strsplit(line, "\t", 3);
    if (g_strv_length(words) != 3)
        return NULL;
    char *key = g_strdup(line);
    type = g_new0(HieraDatatype, 1);
    type->name = g_strdup(words[0]);
    type->size = g_ascii_strtoll(words[1], NULL, 10);
    type->signature = g_strdup(words[2]);
    type->runs = read_runs(type->signature, &type->period);
    g_hash_table_insert(calls->types, key, type);
    return type;
}

static GArray *read_counts(const char *text)
{
    GArray *counts = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (char *at = (char *)text; *at;) {
        char *end = at;
        gint64 count = g_ascii_strtoll(at, &end, 10);
        if (end == at) {
            g_array_set_size(counts, 0);
            break;
        }
        g_array_append_val(counts, count);
        at = end + strspn(end, " ");
    }
    return counts;
}

static void add_type(GPtrArray **list, const HieraDatatype *type)
{
    if (!*list)
        *list = g_ptr_array_new();
    g_ptr_array_add(*list, (gpointer)type);
}

/* Return n numbers that are separated by tabs, to be freed with g_free; NULL: there are others. */
static gint64 *read_numbers(const char *text, guint n)
{
    g_autofree gint64 *numbers = g_new(gint64, n);
    for (guint i = 0; i < n; i++) {
        gsize length = strcspn(text, "\t");
        if (!hiera_number_parse(text, length, &numbers[i]))
            return NULL;
        text += length + (text[length] == '\t');
    }
    return g_steal_pointer(&numbers);
}

static void read_line(HieraDataOfCalls *calls, HieraCallData *data, const char *line)
{
    switch (line[0]) {
    case '!':
        if (!data->refused)
            data->refused = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(data->refused, g_strdup(line + 1));
        break;
    case 'n':
        data->made = g_strdup(line + 1);
        break;
    case 'O':
        data->of = g_strdup(line + 1);
        break;
    case 'v':
        data->vector = read_numbers(line + 1, 3);
        break;
    case 'w':
        data->window = read_numbers(line + 1, 2);
        break;
    case 'a':
        data->access = read_numbers(line + 1, 3);
        break;
    case 't':
        data->both = read_type(calls, line + 1);
        break;
    case 's':
        data->send = read_type(calls, line + 1);
        break;
    case 'r':
        data->receive = read_type(calls, line + 1);
        break;
    case 'S':
        add_type(&data->send_types, read_type(calls, line + 1));
        break;
    case 'R':
        add_type(&data->receive_types, read_type(calls, line + 1));
        break;
    case 'o':
        data->op = g_intern_string(line + 1);
        break;
    case 'c':
        data->send_counts = read_counts(line + 1);
        break;
    case 'd':
        data->receive_counts = read_counts(line + 1);
        break;
    default:
        break;
    }
}

static void free_data(gpointer user)
{
    HieraCallData *data = user;
    g_clear_pointer(&data->send_counts, g_array_unref);
    g_clear_pointer(&data->receive_counts, g_array_unref);
    g_clear_pointer(&data->send_types, g_ptr_array_unref);
    g_clear_pointer(&data->receive_types, g_ptr_array_unref);
    g_clear_pointer(&data->refused, g_ptr_array_unref);
    g_free((char *)data->made);
    g_free((char *)data->of);
    g_free((gint64 *)data->vector);
    g_free((gint64 *)data->window);
    g_free((gint64 *)data->access);
    g_free(data);
}

HieraDataOfCalls *hiera_data_of_calls_new(const HieraTrace *trace)
{
    HieraDataOfCalls *calls = g_new0(HieraDataOfCalls, 1);
    calls->trace = trace;
    calls->column = HIERA_NONE;
    for (guint i = 0; i < hiera_attribute_columns_count(); i++)
        if (hiera_attribute_columns_peek(i)->number == HIERA_ATTRIBUTE_SIGNATURE)
            calls->column = i;
    calls->types = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_datatype);
    calls->calls = g_hash_table_new_full(NULL, NULL, NULL, free_data);
    calls->pairs = g_hash_table_new_full(hash_pair, equal_pairs, g_free, NULL);
    return calls;
}

void hiera_data_of_calls_free(HieraDataOfCalls *calls)
{
    g_hash_table_unref(calls->types);
    g_hash_table_unref(calls->calls);
    g_hash_table_unref(calls->pairs);
    g_free(calls);
}

gboolean hiera_data_of_calls_are_kept(const HieraDataOfCalls *calls)
{
    return calls->column != HIERA_NONE && calls->trace->attribute && calls->trace->attribute->len > 0;
}

const HieraCallData *hiera_call_data_peek(HieraDataOfCalls *calls, guint32 row)
{
    const HieraAttributeValue *value =
        calls->column == HIERA_NONE ? NULL : hiera_trace_find_attribute(calls->trace, row, calls->column);
    if (!value || !value->text)
        return NULL;
    HieraCallData *data = g_hash_table_lookup(calls->calls, value->text);
    if (data)
        return data;
    data = g_new0(HieraCallData, 1);
    g_auto(GStrv) lines = g_strsplit(value->text, "\n", -1);
    for (guint i = 0; lines[i]; i++)
        read_line(calls, data, lines[i]);
    g_hash_table_insert(calls->calls, (gpointer)value->text, data);
    return data;
}
