/* --suppress, see rules.h. The first line that meets a finding suppresses it. */
#include "base/findings.h"
#include "base/misuse.h"
#include "base/safe_text.h"
#include "rules.h"
#include <string.h>

typedef struct {
    const Rule *rule;
    GPatternSpec *place;
    char *text, *reason; /* the pattern, for words */
    guint number;        /* of the line in the file */
    guint64 n;           /* number of findings that it suppresses */
} Line;

struct Suppressions {
    char *path;
    GArray *lines;
    HieraFindings *moved;
    GPtrArray *reasons; /* char *, of `lines`, by index in `moved` */
};

static void line_clear(gpointer data)
{
    Line *line = data;
    g_clear_pointer(&line->place, g_pattern_spec_free);
    g_free(line->text);
    g_free(line->reason);
}

static gboolean read_line(Suppressions *suppressions, char *text, guint number, GError **error)
{
    enum { RULE, PLACE, REASON, N_WORDS };
    static const char blanks[] = " \t\r";
    char *words[N_WORDS], *rest = g_strstrip(text);
    if (*rest == '\0' || *rest == '#')
        return TRUE;
    for (guint i = RULE; i < REASON; i++) {
        words[i] = rest;
        rest += strcspn(rest, blanks);
        if (*rest != '\0')
            *rest++ = '\0';
        rest += strspn(rest, blanks);
    }
    g_autofree char *where = g_strdup_printf("--suppress %s:%u", suppressions->path, number);
    if (*rest == '\0')
        return misuse(error, "%s: write a rule, a place and the reason, as 'leak solver.c:* freed by the library'",
                      where);
    const Rule *rule = rules_find(where, words[RULE], error);
    if (!rule)
        return FALSE;
    Line line = {rule, g_pattern_spec_new(words[PLACE]), g_strdup(words[PLACE]), g_strdup(rest), number, 0};
    g_array_append_val(suppressions->lines, line);
    return TRUE;
}

Suppressions *suppressions_read(const char *path, GError **error)
{
    char *text;
    gsize length;
    g_autoptr(GError) wrong = NULL;
    if (!g_file_get_contents(path, &text, &length, &wrong)) {
        misuse(error, "--suppress: %s", wrong->message);
        return NULL;
    }
    g_autofree char *clean = hiera_text_of_bytes(text);
    g_free(text);
    Suppressions *suppressions = g_new0(Suppressions, 1);
    suppressions->path = hiera_text_of_bytes(path);
    suppressions->lines = g_array_new(FALSE, FALSE, sizeof(Line));
    g_array_set_clear_func(suppressions->lines, line_clear);
    suppressions->moved = hiera_findings_new();
    suppressions->reasons = g_ptr_array_new();
    g_auto(GStrv) lines = g_strsplit(clean, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        if (!read_line(suppressions, lines[i], i + 1, error)) {
            suppressions_free(suppressions);
            return NULL;
        }
    }
    return suppressions;
}

void suppressions_free(Suppressions *suppressions)
{
    if (!suppressions)
        return;
    g_free(suppressions->path);
    g_array_unref(suppressions->lines);
    hiera_findings_free(suppressions->moved);
    g_ptr_array_unref(suppressions->reasons);
    g_free(suppressions);
}

/* Whether a pattern meets FILE:LINE of a call, with or without the folder of the file. */
static gboolean meets_call(GPatternSpec *place, const HieraFindingCall *call)
{
    const char *slash = strrchr(call->file, '/');
    g_autofree char *whole = g_strdup_printf("%s:%u", call->file, call->line);
    g_autofree char *alone = g_strdup_printf("%s:%u", slash ? slash + 1 : call->file, call->line);
    return *call->file && (g_pattern_spec_match_string(place, whole) || g_pattern_spec_match_string(place, alone));
}

static gboolean meets(const Line *line, const HieraFinding *finding)
{
    if (hiera_finding_unreadable(finding->code) || rules_peek(finding->code) != line->rule)
        return FALSE;
    return strcmp(line->text, "*") == 0 || meets_call(line->place, &finding->calls[0]) ||
           meets_call(line->place, &finding->calls[1]);
}

static Line *find_line(const Suppressions *suppressions, const HieraFinding *finding)
{
    for (guint i = 0; i < suppressions->lines->len; i++) {
        Line *line = &g_array_index(suppressions->lines, Line, i);
        if (meets(line, finding))
            return line;
    }
    return NULL;
}

void suppressions_apply(Suppressions *suppressions, HieraFindings *findings)
{
    for (guint i = 0; i < hiera_findings_count(findings);) {
        Line *line = find_line(suppressions, hiera_findings_peek(findings, i));
        if (!line) {
            i++;
            continue;
        }
        line->n++;
        hiera_findings_move(findings, i, suppressions->moved);
        g_ptr_array_add(suppressions->reasons, line->reason);
    }
    for (guint i = 0; i < suppressions->lines->len; i++) {
        const Line *line = &g_array_index(suppressions->lines, Line, i);
        g_autofree char *rule = rules_name(line->rule);
        if (line->n == 0)
            hiera_findings_add(findings, HIERA_FINDING_SUPPRESSION, suppressions->path, line->number, NULL,
                               "no finding of %s at %s", rule, line->text);
    }
}

const HieraFindings *suppressions_peek(const Suppressions *suppressions)
{
    return suppressions->moved;
}

const char *suppressions_peek_reason(const Suppressions *suppressions, guint index)
{
    return g_ptr_array_index(suppressions->reasons, index);
}
