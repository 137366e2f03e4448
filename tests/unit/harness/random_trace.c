/* See random_trace.h. */
#include "random_trace.h"

static const char *pick(GRand *random, const char *const *words, guint n)
{
    return words[g_rand_int_range(random, 0, (gint32)n)];
}
#define PICK(random, words) pick(random, words, G_N_ELEMENTS(words))

static void add_attributes(GRand *random, GString *trace)
{
    static const char *const names[] = {"operation",
                                        "file",
                                        "line",
                                        "start_time",
                                        "finish_time",
                                        "count",
                                        "comm",
                                        "dest",
                                        "_an-other.1",
                                        "tag",
                                        "a_name_of_many_letters",
                                        "r",
                                        "t"};
    static const char *const values[] = {"",
                                         "1",
                                         "receive",
                                         "0.326886808",
                                         "a.c",
                                         "MPI_COMM_WORLD",
                                         "&lt;&#10;",
                                         "f(&quot;x&quot;)",
                                         "ação",
                                         "12345678",
                                         "a value of more words",
                                         "'",
                                         ">",
                                         "\xf0\x9f\x8e\x89",
                                         "&amp;&#9;&#13;&gt;&apos;"};
    guint first = (guint)g_rand_int_range(random, 0, G_N_ELEMENTS(names));
    for (guint i = 0; i < (guint)g_rand_int_range(random, 0, G_N_ELEMENTS(names)); i++)
        g_string_append_printf(trace, " %s=\"%s\"", names[(first + i) % G_N_ELEMENTS(names)], PICK(random, values));
}

/* Add a tag of a few kinds that repeat; '#' is replaced by a random number. */
static void add_known(GRand *random, GString *trace)
{
    static const char *const kinds[] = {
        "<c r=\"c1\" t=\"#\"/>",
        "<c r=\"c2\" t=\"#\"/>",
        "<c r=\"&lt;\" t=\"#\" line=\"#\"/>",
        "<hieraMPI operation=\"send\" start_time=\"#\" finish_time=\"#&amp;\" count=\"1\"/>",
        "<hieraMPI operation=\"send\" start_time=\"#\" finish_time=\"#\" count=\"1\"/>",
        "<hieraMPI operation=\"receive\" file=\"ação\" start_time=\"#\"  finish_time=\"#\" ></hieraMPI>"};
    for (const char *at = PICK(random, kinds); *at; at++)
        if (*at == '#')
            g_string_append_printf(trace, "%u", g_rand_int(random) >> g_rand_int_range(random, 0, 32));
        else
            g_string_append_c(trace, *at);
}

static void add_elements(GRand *random, GString *trace, guint n, guint depth)
{
    static const char *const names[] = {"hieraMPI", "hieraOOPS", "hieraRegion", "c", "hieraCall", "hieraThreadOfMany"};
    for (guint i = 0; i < n; i++) {
        const char *name = PICK(random, names);
        g_string_append_printf(trace, "\n%*s", (int)(2 * depth), "");
        if (g_rand_boolean(random)) {
            add_known(random, trace);
            continue;
        }
        g_string_append_printf(trace, "<%s", name);
        add_attributes(random, trace);
        if (depth < 6 && g_rand_int_range(random, 0, 4) == 0) {
            g_string_append_c(trace, '>');
            add_elements(random, trace, (guint)g_rand_int_range(random, 0, 5), depth + 1);
            g_string_append_printf(trace, "\n%*s</%s>", (int)(2 * depth), "", name);
        } else {
            g_string_append(trace, "/>");
        }
    }
}

GString *random_trace_make(GRand *random, guint n)
{
    GString *trace = g_string_new(g_rand_int_range(random, 0, 4) ? RANDOM_TRACE_HEAD : "");
    g_string_append(trace, "<processor rank=\"P0\" init=\"0\" finalize=\"\"      >");
    add_elements(random, trace, n, 1);
    g_string_append(trace, "\n</processor>\n");
    return trace;
}

/* What a change puts into a trace: pieces of XML, bytes that are not UTF-8, and mistakes. */
static const char *const pieces[] = {"<",
                                     ">",
                                     "\"",
                                     "'",
                                     "&",
                                     "&lt;",
                                     "&#65;",
                                     "&x;",
                                     "/",
                                     "=",
                                     " ",
                                     "\n",
                                     "\r\n",
                                     "\t",
                                     "x",
                                     "<!-- x -->",
                                     "<?x y?>",
                                     "\xff",
                                     "\xc1\x81",
                                     "\xef\xbf\xbf",
                                     "\xed\xa0\x80",
                                     "\x01",
                                     "\x7f",
                                     "<![CDATA[<]]>",
                                     "<x/>",
                                     "</x>",
                                     " xmlns=\"u\"",
                                     " a:b=\"1\"",
                                     "<a:b/>",
                                     " line=\"1\" line=\"1\"",
                                     "text",
                                     "</processor>",
                                     "<processor>",
                                     "<c\n/>",
                                     "<!DOCTYPE x [<!ENTITY x 'y'>]>",
                                     "<c x=\"&#0;\"/>",
                                     "\xc3",
                                     "<\xc3\xa9/>"};

void random_trace_mutate(GRand *random, GString *text, gsize from, gsize to)
{
    for (int i = g_rand_int_range(random, 1, 3); i > 0 && text->len > 0; i--) {
        gsize at = from + (gsize)g_rand_int_range(random, 0, (gint32)(to - from));
        gsize length = (gsize)g_rand_int_range(random, 0, 12);
        at = MIN(at, text->len - 1);
        length = MIN(length, text->len - at);
        if (g_rand_boolean(random))
            g_string_insert(text, (gssize)at, PICK(random, pieces));
        else if (g_rand_int_range(random, 0, 4))
            g_string_erase(text, (gssize)at, (gssize)length);
        else
            g_string_truncate(text, at);
    }
}
