/* See scanner.h. The scanner takes complete tags only. A tag that is not recognised may continue after the end of the
 * buffer: the buffer is filled, and the tag is tried once more. */
#include "scanner.h"
#include "base/byte_scan.h"
#include "dtd/names.h"
#include "read_buffer.h"
#include "tag_cache.h"
#include "text/xml_escape.h"
#include <string.h>

#define MOST_ATTRIBUTES 64

/* Entry of the stack of open elements. */
typedef struct {
    const HieraNamePattern *pattern;
    guint32 line;
} Open;

struct HieraScanner {
    HieraScannerHost host;
    HieraXmlEvents events;
    gpointer user;
    HieraReadBuffer input;
    HieraPatterns *patterns;
    HieraTagCache *tag_cache;
    GArray *open;
    guint32 line;
    guint64 n_tags; /* number of start tags that were tried so far */
    gboolean stopped;
    char *decoded;   /* decoded attribute values, each at the offset that it has in the input buffer */
    GString *head;   /* text for libxml2: the trace up to the root's start tag, then the other open start tags */
    gsize head_read; /* number of bytes of `head` that libxml2 has read */
    HieraXmlAttribute attributes[MOST_ATTRIBUTES];
};

HieraScanner *hiera_scanner_new(const HieraScannerHost *host, HieraInputFile *source, const HieraXmlEvents *events,
                                gpointer user)
{
    HieraScanner *scanner = g_new0(HieraScanner, 1);
    scanner->host = *host;
    scanner->events = *events;
    scanner->user = user;
    hiera_read_buffer_init(&scanner->input, source);
    scanner->patterns = hiera_patterns_new(host->intern, host->parser, events->differing);
    scanner->tag_cache = hiera_tag_cache_new();
    scanner->open = g_array_new(FALSE, FALSE, sizeof(Open));
    scanner->line = 1;
    scanner->decoded = g_malloc(HIERA_READ_BUFFER_BYTES);
    scanner->head = g_string_new(NULL);
    return scanner;
}

void hiera_scanner_free(HieraScanner *scanner)
{
    if (!scanner)
        return;
    hiera_read_buffer_clear(&scanner->input);
    hiera_tag_cache_free(scanner->tag_cache);
    hiera_patterns_free(scanner->patterns);
    g_array_unref(scanner->open);
    g_free(scanner->decoded);
    g_string_free(scanner->head, TRUE);
    g_free(scanner);
}

/* --- reading attribute values --- */

/* Whether bytes are UTF-8 and XML allows the characters; the caller has already excluded control characters. */
static gboolean is_text(const char *text, gsize length)
{
    static const char *const forbidden[] = {"\xef\xbf\xbe", "\xef\xbf\xbf"}; /* U+FFFE and U+FFFF in UTF-8 */
    for (guint i = 0; i < G_N_ELEMENTS(forbidden); i++)
        if (g_strstr_len(text, (gssize)length, forbidden[i]))
            return FALSE;
    return g_utf8_validate(text, (gssize)length, NULL);
}

/* Decode the escape at *at and move *at to the byte after it. Return its character; 0 if Hiera does not write this
 * escape. */
static char read_escape(const char **at)
{
    static const struct {
        const char *text;
        char character;
#define ESCAPE(c, text) {text, c},
    } escapes[] = {HIERA_XML_ESCAPES(ESCAPE){"&apos;", '\''}};
    for (guint i = 0; i < G_N_ELEMENTS(escapes); i++) {
        gsize length = strlen(escapes[i].text);
        if (strncmp(*at, escapes[i].text, length) == 0) {
            *at += length;
            return escapes[i].character;
        }
    }
    return 0;
}

static const char *read_escaped(HieraScanner *scanner, const char *at, HieraXmlAttribute *attribute)
{
    char *to = scanner->decoded + (at - scanner->input.bytes);
    attribute->value = to;
    while (*at != '"') {
        if ((guchar)*at < ' ' || *at == '<')
            return NULL;
        char c = *at == '&' ? read_escape(&at) : *at++;
        if (c == 0)
            return NULL;
        *to++ = c;
    }
    attribute->end = to;
    return is_text(attribute->value, (gsize)(to - attribute->value)) ? at : NULL;
}

/* Read the attribute value at `at` into `attribute`. Return the value's closing quote, or NULL. */
static const char *read_value(HieraScanner *scanner, const char *at, HieraXmlAttribute *attribute)
{
    attribute->value = at;
    attribute->end = hiera_plain_skip(at);
    return *attribute->end == '"' ? attribute->end : read_escaped(scanner, at, attribute);
}

/* --- reading tags --- */

/* Read a tag's attributes into `tag`. Return the '/' or '>' after them; NULL: the tag is not recognised. */
static const char *read_attributes(HieraScanner *scanner, HieraNamePattern *before, const char *at, HieraTag *tag)
{
    guint64 number = ++scanner->n_tags;
    for (tag->n = tag->n_gaps = 0;; tag->n++) {
        const char *space = at;
        while (*at == ' ')
            at++;
        if (*at == '/' || *at == '>')
            return at;
        if (at == space || tag->n == MOST_ATTRIBUTES)
            return NULL;
        at--;
        before = hiera_patterns_read_attribute(scanner->patterns, before, &at);
        if (!before || before->seen == number)
            return NULL;
        before->seen = number;
        if (before->differs && tag->n_gaps < HIERA_GAPS)
            tag->gaps[tag->n_gaps++] = (guint8)tag->n;
        HieraXmlAttribute *attribute = &scanner->attributes[tag->n];
        attribute->name = before->name;
        at = read_value(scanner, at, attribute);
        if (!at)
            return NULL;
        at++;
    }
}

static void end_element(HieraScanner *scanner, const HieraNamePattern *element)
{
    if (!scanner->stopped)
        scanner->events.end(scanner->user, element->name);
}

static void hand_over(HieraScanner *scanner, const HieraNamePattern *element, gboolean empty,
                      const HieraXmlAttribute *attributes, guint n, gpointer *note)
{
    if (!empty) {
        Open open = {element, scanner->line};
        g_array_append_val(scanner->open, open);
        if (!scanner->host.enter(scanner->host.parser))
            return;
    }
    scanner->events.start(scanner->user, element->name, attributes, n, note);
    if (empty)
        end_element(scanner, element);
}

/* Read a start tag letter by letter. Return FALSE if it is not recognised. An empty root (<processor/>) is left to
 * libxml2, since the document that is left for libxml2 must begin with an open root. */
static gboolean read_start(HieraScanner *scanner, HieraTag *tag)
{
    const char *at = tag->text = scanner->input.at;
    HieraNamePattern *element = hiera_patterns_read_element(scanner->patterns, &at);
    if (!element || !(at = read_attributes(scanner, element, at, tag)))
        return FALSE;
    tag->element = element;
    tag->attributes = scanner->attributes;
    tag->empty = *at == '/';
    at += tag->empty;
    tag->end = at + 1;
    return *at == '>' && !(tag->empty && scanner->open->len == 0);
}

static gboolean take_start(HieraScanner *scanner)
{
    HieraTag tag;
    const char *after = scanner->input.at;
    HieraCachedTag *cached = hiera_tag_cache_guess(scanner->tag_cache, &after, scanner->input.end);
    if (cached) {
        scanner->input.at = after;
        hand_over(scanner, cached->element, cached->empty, cached->attributes, cached->n, &cached->note);
        return TRUE;
    }
    if (!read_start(scanner, &tag))
        return FALSE;
    scanner->input.at = tag.end;
    cached = tag.n_gaps > 0 ? hiera_tag_cache_find(scanner->tag_cache, &tag) : NULL;
    hand_over(scanner, tag.element, tag.empty, tag.attributes, tag.n, cached ? &cached->note : NULL);
    return TRUE;
}

/* Read an end tag. Return FALSE if it is not recognised. The end tag of the root and all bytes after it are left to
 * libxml2. */
static gboolean take_end(HieraScanner *scanner)
{
    if (scanner->open->len <= 1)
        return FALSE;
    const HieraNamePattern *pattern = g_array_index(scanner->open, Open, scanner->open->len - 1).pattern;
    const char *name = scanner->input.at + strlen("</");
    gsize length = pattern->length - strlen("<");
    if (strncmp(name, pattern->text + strlen("<"), length) != 0 || name[length] != '>')
        return FALSE;
    scanner->input.at += strlen("</") + length + strlen(">");
    g_array_set_size(scanner->open, scanner->open->len - 1);
    scanner->host.leave(scanner->host.parser);
    end_element(scanner, pattern);
    return TRUE;
}

static void skip_spaces(HieraScanner *scanner)
{
    const char *at = scanner->input.at;
    for (; *at == ' ' || *at == '\n'; at++)
        scanner->line += *at == '\n';
    scanner->input.at = at;
}

static gboolean take_tag(HieraScanner *scanner)
{
    do {
        skip_spaces(scanner);
        const char *at = scanner->input.at;
        if (*at == '<' && (at[1] == '/' ? take_end(scanner) : take_start(scanner)))
            return TRUE;
    } while (hiera_read_buffer_fill(&scanner->input));
    return FALSE;
}

/* Skip the lines that Hiera writes before the root element; each of them may be missing. */
static void skip_head(HieraScanner *scanner)
{
    static const char *const lines[] = {HIERA_TRACE_XML, HIERA_TRACE_DOCTYPE, HIERA_TRACE_STYLES,
                                        /* stylesheet line of traces written until November 2026 */
                                        "<?xml-stylesheet type=\"text/xsl\" href=\"visual.xsl\"?>\n"};
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        gsize length = strlen(lines[i]);
        if (strncmp(scanner->input.at, lines[i], length) == 0) {
            scanner->input.at += length;
            scanner->line++;
        }
    }
}

/* --- scanning the whole trace --- */

/* Read the lines before the root, and the root's start tag. If something else is there, go back to the first byte, so
 * that libxml2 reads the complete file. */
static gboolean take_root(HieraScanner *scanner)
{
    hiera_read_buffer_fill(&scanner->input);
    skip_head(scanner);
    if (*scanner->input.at == '<' && take_start(scanner)) {
        g_string_append_len(scanner->head, scanner->input.bytes, scanner->input.at - scanner->input.bytes);
        return TRUE;
    }
    scanner->input.at = scanner->input.bytes;
    return FALSE;
}

void hiera_scanner_run(HieraScanner *scanner)
{
    if (!take_root(scanner))
        return;
    while (!scanner->stopped && take_tag(scanner))
        ;
    for (guint i = 1; i < scanner->open->len; i++)
        g_string_append_printf(scanner->head, "%s>", g_array_index(scanner->open, Open, i).pattern->text);
}

void hiera_scanner_stop(HieraScanner *scanner)
{
    scanner->stopped = TRUE;
}

guint32 hiera_scanner_line(const HieraScanner *scanner)
{
    return scanner->line;
}

int hiera_scanner_read(HieraScanner *scanner, char *buffer, int size)
{
    gsize n = MIN(scanner->head->len - scanner->head_read, (gsize)size);
    if (n == 0)
        return hiera_read_buffer_read(&scanner->input, buffer, size);
    memcpy(buffer, scanner->head->str + scanner->head_read, n);
    scanner->head_read += n;
    return (int)n;
}

gboolean hiera_scanner_is_torn(const HieraScanner *scanner)
{
    return hiera_input_file_is_torn(scanner->input.source);
}

guint hiera_scanner_count_open(const HieraScanner *scanner)
{
    return scanner->open->len;
}

guint32 hiera_scanner_line_after(const HieraScanner *scanner, guint i)
{
    return i + 1 < scanner->open->len ? g_array_index(scanner->open, Open, i + 1).line : scanner->line;
}
