/* Places of buffers: they lie in memory that is there, and not beyond the variable or block in which they begin. */
#include "base/vocabulary.h"
#include "buffer_uses.h"
#include "checks/call_data.h"
#include <string.h>

/* Return what MPI calls the argument, with its number: "argument 1, buf"; "" if that is not known. */
static char *name_argument(const HieraCheck *check, const HieraBufferUse *use)
{
    static const char *const reads[] = {"buf", "sendbuf", "origin_addr", "buffer", "inbuf"};
    static const char *const writes[] = {"recvbuf",     ">recvbuf",     ">buf",        "buf",
                                         "result_addr", ">result_addr", "origin_addr", ">origin_addr",
                                         "buffer",      "outbuf",       ">outbuf",     "base"};
    const char *operation = hiera_trace_peek_site(check->trace, use->row)->operation;
    const char *const *names = use->use == 'r' ? reads : writes;
    for (guint i = 0; i < (use->use == 'r' ? G_N_ELEMENTS(reads) : G_N_ELEMENTS(writes)); i++) {
        guint number = hiera_parameter_find(operation, names[i]);
        if (number > 0)
            return g_strdup_printf("argument %u, %s, ", number,
                                   hiera_parameter_mpi_name(names[i] + (*names[i] == '>')));
    }
    return g_strdup("a buffer ");
}

static void report_place(const HieraCheck *check, HieraFindingCode code, const HieraBufferUse *use, const char *text)
{
    g_autofree char *argument = name_argument(check, use);
    g_autofree char *subject = g_strdup_printf("%u %s", check->trace->site[use->row], argument);
    if (hiera_findings_repeat(check->findings, code, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, use->row);
    hiera_check_add(check, code, use->row, HIERA_NONE, subject, "%s: %s%s", here, argument, text);
}

/* The check of places. */
typedef struct {
    const HieraCheck *check;
    HieraDataOfCalls *calls;
    GHashTable *got; /* row of a receive → bytes of its message + 1; NULL: not made yet */
} Places;

/* Return the bytes that a receive has got; -1: not known. */
static gint64 find_got(Places *places, guint32 row)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(places->check->match, &n);
    if (!places->got) {
        places->got = g_hash_table_new(NULL, NULL);
        for (guint i = 0; i < n; i++) {
            gint64 bytes = hiera_match_message_bytes(places->check->match, i);
            g_hash_table_insert(places->got, GUINT_TO_POINTER(messages[i].to), (gpointer)(guintptr)(bytes + 1));
        }
    }
    return (gint64)(guintptr)g_hash_table_lookup(places->got, GUINT_TO_POINTER(row)) - 1;
}

/* Whether MPI has used bytes beyond the object for certain: a message may be shorter than the buffer of its receive,
 * and a datatype with gaps may lead into another variable. */
static gboolean is_certain(Places *places, const HieraBufferUse *use)
{
    const HieraSite *site = hiera_trace_peek_site(places->check->trace, use->row);
    if (use->gaps)
        return FALSE;
    if (site->kind != HIERA_KIND_RECEIVE && site->starts != HIERA_KIND_RECEIVE)
        return TRUE;
    return use->address + find_got(places, use->row) > use->object + use->object_bytes;
}

static const char *words_of(char use)
{
    if (use == 'x')
        return "is a window of";
    return use == 'r' ? "is read for" : "is written for up to";
}

static void report_overrun(Places *places, const HieraBufferUse *use)
{
    gint64 end = use->address + use->bytes, object_end = use->object + use->object_bytes;
    const char *does = words_of(use->use);
    g_autofree char *name = use->name ? g_strndup(use->name, strcspn(use->name, " /")) : NULL;
    g_autofree char *object = name ? g_strdup_printf("variable %s", name) : g_strdup("allocated block");
    g_autofree char *text = g_strdup_printf(
        "%s %" G_GINT64_FORMAT " bytes, %" G_GINT64_FORMAT " of them beyond the %s of %" G_GINT64_FORMAT " bytes%s",
        does, use->bytes, MIN(use->bytes, end - object_end), object, use->object_bytes,
        use->address > use->object ? ", in which it begins" : "");
    report_place(places->check, is_certain(places, use) ? HIERA_FINDING_OVERRUN : HIERA_FINDING_OVERRUN_LOOSE, use,
                 text);
}

/* Return the one basic type of which a signature consists, as "int32"; NULL: there are several. */
static const char *find_only_word(const char *signature, gsize *length)
{
    const char *word = NULL;
    for (const char *at = signature; *at;) {
        at += strcspn(at, "abcdefghijklmnopqrstuvwxyz");
        gsize n = strcspn(at, " )");
        if (n > 0 && word && (n != *length || strncmp(word, at, n) != 0))
            return NULL;
        if (n > 0) {
            word = at;
            *length = n;
        }
        at += n;
    }
    return word;
}

/* The datatype has another basic type than the variable. Characters, bytes and logical values may be anything. */
static void check_type_of_variable(const Places *places, const HieraBufferUse *use)
{
    const HieraCallData *data = use->name ? hiera_call_data_peek(places->calls, use->row) : NULL;
    const HieraDatatype *type = data ? hiera_buffer_type(data, use) : NULL;
    const char *basic = type ? use->name + strcspn(use->name, " /") : "";
    gsize length = 0, own = strcspn(basic, " ");
    const char *word = *basic == '/' && type->signature ? find_only_word(type->signature, &length) : NULL;
    if (!word || !(g_str_has_prefix(word, "int") || g_str_has_prefix(word, "uint") || g_str_has_prefix(word, "float") ||
                   g_str_has_prefix(word, "complex")))
        return;
    if ((length == own - 1 && strncmp(word, basic + 1, length) == 0) || g_str_has_prefix(basic, "/complex"))
        return;
    g_autofree char *text =
        g_strdup_printf("is %s, and the variable %.*s has %.*s: MPI wants the datatype of the variable", type->name,
                        (int)(basic - use->name), use->name, (int)own - 1, basic + 1);
    report_place(places->check, HIERA_FINDING_TYPES_OF_VARIABLE, use, text);
}

/* Say what an address is at which there is no memory. MPI_IN_PLACE is 1 or -1; traces have it only where it is wrong.
 */
static const char *say_missing(const HieraBufferUse *use)
{
    if (use->address == 1 || use->address == -1)
        return "is MPI_IN_PLACE, which MPI does not allow there";
    return use->address == 0 ? "is a null pointer" : "points to where the process has no memory";
}

static void check_place(Places *places, const HieraBufferUse *use)
{
    const HieraTrace *trace = places->check->trace;
    if (hiera_trace_is_failed(trace, use->row) && !hiera_trace_is_open(trace, use->row))
        return;
    if (use->missing)
        report_place(places->check, HIERA_FINDING_NO_MEMORY, use, say_missing(use));
    else if (use->object_bytes > 0 && use->address + use->bytes > use->object + use->object_bytes)
        report_overrun(places, use);
    else if (use->object_bytes > 0)
        check_type_of_variable(places, use);
}

void hiera_check_places(const HieraCheck *check)
{
    Places places = {check, hiera_data_of_calls_new(check->trace), NULL};
    g_autoptr(GArray) given = hiera_buffer_given(check->trace);
    for (guint i = 0; i < given->len; i++) {
        const HieraBufferUse *use = &g_array_index(given, HieraBufferUse, i);
        if (!hiera_scope_is_own(check->scope, hiera_trace_find_processor(check->trace, use->row)))
            continue;
        hiera_check_stand_at(check, 0, use->row);
        check_place(&places, use);
    }
    hiera_data_of_calls_free(places.calls);
    g_clear_pointer(&places.got, g_hash_table_unref);
}
