/* See check_events.h. libxml2 reads alone where text is asked for. */
#include "check_events.h"
#include "xml.h"
#include <stdio.h>
#include <stdlib.h>

#define LONGEST (1u << 20) /* of what is compared */

typedef struct {
    HieraXml *xml;
    GString *text;
} Log;

static void log_start(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n, gpointer *note)
{
    (void)note;
    Log *log = user;
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
    if (log->text->len <= LONGEST)
        g_string_append_printf(log->text, "%u </%s\n", hiera_xml_line(log->xml), name);
}

static void ignore_text(gpointer user, const char *text, gsize length)
{
    (void)user, (void)text, (void)length;
}

static GString *read_events(const char *path, gboolean alone)
{
    const HieraXmlEvents events = {log_start, log_end, alone ? ignore_text : NULL, NULL};
    Log log = {NULL, g_string_new(NULL)};
    g_autoptr(HieraSource) source = hiera_source_open(path, NULL, NULL);
    if (!source)
        return log.text;
    log.xml = hiera_xml_new(source, &events, &log);
    HieraXmlEnd end = hiera_xml_parse(log.xml);
    g_string_append_printf(log.text, "%d %u %s\n", (int)end, hiera_xml_line(log.xml),
                           end == HIERA_XML_CUT ? "" : hiera_xml_peek_message(log.xml)); /* nobody is told that */
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
