/* The parser must give the same events, lines and result with the scanner as with libxml2 alone: for all golden
 * traces, for random traces, and for both after changes of some bytes. Events with text make libxml2 read alone.
 * Seeds are fixed. */
#include "harness/random_trace.h"
#include "suites.h"
#include "xml/read_buffer.h"
#include "xml/scanner.h"
#include "xml/xml.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MUTANTS       20
#define GOLDEN_PART   4 /* one of so many golden traces is damaged, too; HIERA_TEST_ALL: each */
#define LARGE_MUTANTS 15

static char path[40]; /* of a file in memory */
static int file;
static guint n_notes; /* tags of the last parse that had a note */

/* The events of a parse, as text. */
typedef struct {
    HieraXml *xml;
    GString *text;
    guint stop_after; /* number of events; 0: do not stop */
    guint n_events;
} Log;

static const char *const differing[] = {"start_time", "finish_time", "t", NULL};

/* Check's own assertions write each time that they hold, which takes longer than a parse. */
static void check_interned(const Log *log, const char *name)
{
    if (name != hiera_xml_intern(log->xml, name))
        ck_abort_msg("%s is not interned", name);
}

static void count_event(Log *log)
{
    if (++log->n_events == log->stop_after)
        hiera_xml_stop(log->xml);
}

/* Return the text of a tag without its differing values. */
static char *describe(const char *name, const HieraXmlAttribute *attributes, guint n)
{
    GString *text = g_string_new(name);
    for (guint i = 0; i < n; i++) {
        gboolean differs = g_strv_contains(differing, attributes[i].name);
        g_string_append_printf(text, " %s=", attributes[i].name);
        g_string_append_len(text, attributes[i].value, differs ? 0 : attributes[i].end - attributes[i].value);
    }
    return g_string_free(text, FALSE);
}

/* Check that a tag with a note is similar to the tag that made the note. */
static void check_note(const char *name, const HieraXmlAttribute *attributes, guint n, gpointer *note)
{
    g_autofree char *tag = describe(name, attributes, n);
    if (note && *note) {
        if (strcmp(*note, tag) != 0)
            ck_abort_msg("note of %s at %s", (const char *)*note, tag);
        n_notes++;
    } else if (note) {
        *note = g_steal_pointer(&tag);
    }
}

static void log_start(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n, gpointer *note)
{
    Log *log = user;
    check_note(name, attributes, n, note);
    check_interned(log, name);
    g_string_append_printf(log->text, "%u <%s", hiera_xml_line(log->xml), name);
    for (guint i = 0; i < n; i++) {
        check_interned(log, attributes[i].name);
        g_string_append_printf(log->text, " %s|%s|%s=", attributes[i].prefix ? attributes[i].prefix : "",
                               attributes[i].uri ? attributes[i].uri : "", attributes[i].name);
        g_string_append_len(log->text, attributes[i].value, attributes[i].end - attributes[i].value);
    }
    g_string_append_c(log->text, '\n');
    count_event(log);
}

static void log_end(gpointer user, const char *name)
{
    Log *log = user;
    g_string_append_printf(log->text, "%u </%s\n", hiera_xml_line(log->xml), name);
    count_event(log);
}

static void ignore_text(gpointer user, const char *text, gsize length)
{
    (void)user, (void)text, (void)length;
}

static char *make_log(gboolean alone, guint stop_after)
{
    const HieraXmlEvents events = {log_start, log_end, alone ? ignore_text : NULL, differing};
    g_autoptr(HieraInputFile) source = hiera_input_file_open(path, NULL, NULL);
    ck_assert_ptr_nonnull(source);
    Log log = {.text = g_string_new(NULL), .stop_after = stop_after};
    n_notes = 0;
    log.xml = hiera_xml_new(source, &events, &log);
    HieraXmlEnd end = hiera_xml_parse(log.xml);
    g_string_append_printf(log.text, "end %d at %u: %s", (int)end, hiera_xml_line(log.xml),
                           end == HIERA_XML_BROKEN ? hiera_xml_peek_message(log.xml) : "");
    hiera_xml_free(log.xml);
    return g_string_free(log.text, FALSE);
}

static void write_file(const GString *text)
{
    ck_assert_int_eq(ftruncate(file, 0), 0);
    ck_assert_int_eq(pwrite(file, text->str, text->len, 0), (gssize)text->len);
}

static void check_same(const GString *text, guint stop_after)
{
    write_file(text);
    g_autofree char *expected = make_log(TRUE, stop_after), *actual = make_log(FALSE, stop_after);
    ck_assert_msg(strcmp(expected, actual) == 0, "expected\n%s\nactual\n%s\nof\n%s", expected, actual, text->str);
}

static void check_mutants(GRand *random, const GString *trace, guint n)
{
    for (guint i = 0; i < n; i++) {
        g_autoptr(GString) mutant = g_string_new_len(trace->str, (gssize)trace->len);
        random_trace_mutate(random, mutant, 0, trace->len);
        check_same(mutant, i % 8 ? 0 : (guint)g_rand_int_range(random, 1, 30));
    }
}

/* --- tests --- */

static void make_path(void)
{
    file = memfd_create("trace", MFD_CLOEXEC);
    ck_assert_int_ge(file, 0);
    g_snprintf(path, sizeof path, "/proc/self/fd/%d", file);
}

static void remove_path(void)
{
    close(file);
}

/* Check all traces below a folder. Return their number. */
static guint check_folders(GRand *random, const char *folder)
{
    const char *all = g_getenv("HIERA_TEST_ALL"), *name;
    const gboolean is_all = all && *all;
    static guint n_seen;
    guint n = 0;
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *below = g_build_filename(folder, name, NULL), *content = NULL;
        gsize length;
        if (g_file_test(below, G_FILE_TEST_IS_DIR))
            n += check_folders(random, below);
        if (!g_str_has_suffix(name, ".xml") || !g_file_get_contents(below, &content, &length, NULL))
            continue;
        g_autoptr(GString) trace = g_string_new_len(content, (gssize)length);
        check_same(trace, 0);
        if (n_seen++ % GOLDEN_PART == 0 || is_all)
            check_mutants(random, trace, MUTANTS);
        n++;
    }
    return n;
}

START_TEST(golden_traces_are_read_as_by_libxml2_alone)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    ck_assert_uint_gt(check_folders(random, GOLDEN), 50);
}
END_TEST

START_TEST(random_traces_are_read_as_by_libxml2_alone)
{
    g_autoptr(GRand) random = g_rand_new_with_seed((guint32)_i);
    g_autoptr(GString) trace = random_trace_make(random, 12);
    check_same(trace, 0);
    check_mutants(random, trace, MUTANTS);
}
END_TEST

/* Traces larger than the read buffer: tags continue after its end. */
START_TEST(large_traces_are_read_as_by_libxml2_alone)
{
    g_autoptr(GRand) random = g_rand_new_with_seed((guint32)_i);
    g_autoptr(GString) trace = random_trace_make(random, 6000);
    ck_assert_uint_gt(trace->len, 2 * HIERA_READ_BUFFER_BYTES);
    check_same(trace, 0);
    for (guint i = 0; i < LARGE_MUTANTS; i++) {
        g_autoptr(GString) mutant = g_string_new_len(trace->str, (gssize)trace->len);
        gsize border = (1 + i % 2) * HIERA_READ_BUFFER_BYTES;
        random_trace_mutate(random, mutant, border - 200, border + 200);
        check_same(mutant, 0);
    }
}
END_TEST

START_TEST(a_tag_larger_than_the_buffer_is_read_as_by_libxml2_alone)
{
    g_autoptr(GString) trace = g_string_new(RANDOM_TRACE_HEAD "<processor rank=\"P0\">\n<c/>\n<c r=\"");
    for (guint i = 0; i < HIERA_READ_BUFFER_BYTES; i++)
        g_string_append_c(trace, 'x');
    g_string_append(trace, "\"/>\n<c/>\n</processor>\n");
    check_same(trace, 0);
}
END_TEST

static const char *intern_name(gpointer xml, const char *name)
{
    return hiera_xml_intern(xml, name);
}

static gboolean enter_any(gpointer xml)
{
    (void)xml;
    return TRUE;
}

static void leave_any(gpointer xml)
{
    (void)xml;
}

/* Check the events of the scanner, and the document that it leaves for libxml2. */
static void check_rest(const char *trace, const char *expected_log, const char *expected_rest)
{
    const HieraXmlEvents events = {log_start, log_end, NULL, differing};
    g_autoptr(GString) text = g_string_new(trace), rest = g_string_new(NULL);
    write_file(text);
    g_autoptr(HieraInputFile) source = hiera_input_file_open(path, NULL, NULL);
    Log log = {.text = g_string_new(NULL)};
    log.xml = hiera_xml_new(source, &events, &log);
    const HieraScannerHost host = {intern_name, enter_any, leave_any, log.xml};
    HieraScanner *scanner = hiera_scanner_new(&host, source, &events, &log);
    hiera_scanner_run(scanner);
    char bytes[7];
    for (int n; (n = hiera_scanner_read(scanner, bytes, sizeof bytes)) > 0;)
        g_string_append_len(rest, bytes, n);
    ck_assert_str_eq(log.text->str, expected_log);
    ck_assert_str_eq(rest->str, expected_rest);
    hiera_scanner_free(scanner);
    hiera_xml_free(log.xml);
    g_string_free(log.text, TRUE);
}

START_TEST(only_the_end_of_a_complete_trace_is_left_for_libxml2)
{
#define ROOT RANDOM_TRACE_HEAD "<processor rank=\"P0\"   >"
    check_rest(ROOT "\n  <a>\n    <b x=\"&lt;\" y=\"1\"/>\n  </a>\n</processor>\n",
               "1 <processor ||rank=P0\n1 <a\n1 <b ||x=< ||y=1\n1 </b\n1 </a\n", ROOT "</processor>\n");
}
END_TEST

START_TEST(open_elements_begin_the_rest_for_libxml2)
{
    check_rest(ROOT "\n<a x=\"1\">\n<b>\n<b2><!-- x --></b2></b></a></processor>",
               "1 <processor ||rank=P0\n1 <a ||x=1\n1 <b\n1 <b2\n",
               ROOT "<a><b><b2><!-- x --></b2></b></a></processor>");
}
END_TEST

/* The first tag is new, the second one makes an entry of the tag cache, the third one finds it. */
START_TEST(a_note_is_returned_with_the_third_similar_tag)
{
#define FIVE_TIMES(a, b) a "1" b a "22" b a "333" b a "" b a "55555555555555555555" b
    g_autoptr(GString) trace = g_string_new(ROOT FIVE_TIMES("<c r=\"1\" t=\"", "\"/>") FIVE_TIMES(
        "<a t=\"", "\" x=\"ç\" start_time=\"7\"></a>\n") "</processor>");
    check_same(trace, 0);
    ck_assert_uint_eq(n_notes, 6);
    g_string_assign(trace, ROOT FIVE_TIMES("<c t=\"1\" r=\"", "\"/>") "</processor>");
    check_same(trace, 0);
    ck_assert_uint_eq(n_notes, 0);
}
END_TEST

START_TEST(other_documents_are_left_whole_for_libxml2)
{
    static const char *const texts[] = {"",
                                        "x",
                                        "<a",
                                        "<!-- x --><a></a>",
                                        "<?xml version='1.0'?><a></a>",
                                        "<a/>",
                                        "<!DOCTYPE processor [<!ENTITY x 'y'>]><a></a>"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        check_rest(texts[i], "", texts[i]);
}
END_TEST

TCase *scanner_tests(void)
{
    TCase *tests = tcase_create("scanner");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, make_path, remove_path);
    tcase_add_test(tests, golden_traces_are_read_as_by_libxml2_alone);
    tcase_add_loop_test(tests, random_traces_are_read_as_by_libxml2_alone, 1, 41);
    tcase_add_loop_test(tests, large_traces_are_read_as_by_libxml2_alone, 1, 3);
    tcase_add_test(tests, a_tag_larger_than_the_buffer_is_read_as_by_libxml2_alone);
    tcase_add_test(tests, only_the_end_of_a_complete_trace_is_left_for_libxml2);
    tcase_add_test(tests, open_elements_begin_the_rest_for_libxml2);
    tcase_add_test(tests, a_note_is_returned_with_the_third_similar_tag);
    tcase_add_test(tests, other_documents_are_left_whole_for_libxml2);
    return tests;
}
