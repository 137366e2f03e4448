/* See check_events.h. Where text is asked for, only libxml2 reads. */
#include "check_events.h"
#include "base/findings.h"
#include "xml/validator.h"
#include "xml/xml.h"
#include <stdio.h>
#include <stdlib.h>

#define LONGEST (1u << 20) /* characters that are compared */

typedef struct {
    HieraXml *xml;
    GString *text;
    HieraValidator *tables, *libxml2;
} Log;

static void log_start(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n, gpointer *note)
{
    (void)note;
    Log *log = user;
    hiera_validator_start(log->tables, hiera_xml_line(log->xml), name, attributes, n);
    hiera_validator_start(log->libxml2, hiera_xml_line(log->xml), name, attributes, n);
    if (log->text->len > LONGEST)
        return;
    g_string_append_printf(log->text, "%u <%s", hiera_xml_line(log->xml), name);
    for (guint i = 0; i < n; i++) {
        g_string_append_printf(log->text, " %s:%s=", attributes[i].prefix ? attributes[i].prefix : "",
                               attributes[i].name);
        g_string_append_len(log->text, attributes[i].value, attributes[i].end - attributes[i].value);
    }
    g_string_append_c(log->text, '\n');
}

static void log_end(gpointer user, const char *name)
{
    Log *log = user;
    hiera_validator_end(log->tables, hiera_xml_line(log->xml));
    hiera_validator_end(log->libxml2, hiera_xml_line(log->xml));
    if (log->text->len <= LONGEST)
        g_string_append_printf(log->text, "%u </%s\n", hiera_xml_line(log->xml), name);
}

static void ignore_text(gpointer user, const char *text, gsize length)
{
    (void)user, (void)text, (void)length;
}

static void compare(const HieraFindings *by_tables, const HieraFindings *by_libxml2)
{
    guint n = hiera_findings_count(by_tables);
    gboolean same = n == hiera_findings_count(by_libxml2);
    for (guint i = 0; same && i < n; i++) {
        const HieraFinding *a = hiera_findings_peek(by_tables, i), *b = hiera_findings_peek(by_libxml2, i);
        same = a->line == b->line && a->count == b->count && g_str_equal(a->message, b->message);
        if (!same)
            fprintf(stderr, "tables: %u %s\nlibxml2: %u %s\n", a->line, a->message, b->line, b->message);
    }
    if (!same) {
        fprintf(stderr, "%u findings by tables, %u by libxml2\n", n, hiera_findings_count(by_libxml2));
        abort();
    }
}

static GString *read_events(const char *path, gboolean alone)
{
    const HieraXmlEvents events = {log_start, log_end, alone ? ignore_text : NULL, NULL};
    g_autoptr(HieraFindings) by_tables = hiera_findings_new(), by_libxml2 = hiera_findings_new();
    Log log = {NULL, g_string_new(NULL), NULL, NULL};
    g_autoptr(HieraInputFile) source = hiera_input_file_open(path, NULL, NULL);
    if (!source)
        return log.text;
    log.xml = hiera_xml_new(source, &events, &log);
    log.tables = hiera_validator_new(path, by_tables, FALSE);
    log.libxml2 = hiera_validator_new(path, by_libxml2, TRUE);
    HieraXmlEnd end = hiera_xml_parse(log.xml);
    hiera_validator_free(log.tables);
    hiera_validator_free(log.libxml2);
    compare(by_tables, by_libxml2);
    /* Not the text of the message: at a zero byte it depends on where libxml2's buffer ends. */
    g_string_append_printf(log.text, "%d %u\n", (int)end, hiera_xml_line(log.xml));
    hiera_xml_free(log.xml);
    return log.text;
}

void check_events(const char *path)
{
    GString *both = read_events(path, FALSE), *alone = read_events(path, TRUE);
    if (!g_string_equal(both, alone)) {
        fprintf(stderr, "the scanner:\n%s\nlibxml2 alone:\n%s\n", both->str, alone->str);
        abort();
    }
    g_string_free(both, TRUE);
    g_string_free(alone, TRUE);
}
