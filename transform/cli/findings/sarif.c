/* --format sarif, see rules.h. Files below the current folder get relative paths, since a code host knows the files of
 * its repository. The fingerprint of a finding is made of its rule and the calls that it is about: it is the same in
 * each run. */
#include "base/findings.h"
#include "base/safe_text.h"
#include "rules.h"
#include <string.h>

#define SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

static const char *name_level(HieraFindingCode code)
{
    static const char *const levels[] = {"note", "warning", "error"};
    return levels[hiera_finding_severity(code)];
}

static void write_text(const char *member, const char *text, FILE *stream)
{
    g_autofree char *json = hiera_text_json(text);
    fprintf(stream, "\"%s\": {\"text\": %s}", member, json);
}

/* Return a path without the steps out of a build folder, ../src/app.c, if the file is there then. */
static const char *skip_build_folder(const char *path)
{
    const char *inside = path;
    while (g_str_has_prefix(inside, "../"))
        inside += strlen("../");
    gboolean is_there = g_file_test(inside, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_EXISTS);
    return is_there ? inside : path;
}

/* Return the path of a file as a URI, relative if it is below the current folder; to be freed with g_free. */
static char *make_uri(const char *file)
{
    g_autofree char *here = g_get_current_dir(), *folder = g_strconcat(here, "/", NULL);
    const char *path = g_str_has_prefix(file, folder) ? file + strlen(folder) : file;
    while (g_str_has_prefix(path, "./"))
        path += 2;
    path = skip_build_folder(path);
    g_autofree char *escaped = g_uri_escape_string(path, "/", FALSE);
    return *path == '/' ? g_strconcat("file://", escaped, NULL) : g_steal_pointer(&escaped);
}

/* --- rules --- */

static void write_rule(const Rule *rule, FILE *stream)
{
    g_autofree char *name = rules_name(rule), *section = rules_section(rule), *id = hiera_text_json(name);
    g_autofree char *help = g_strdup_printf("%s%s%s%s", rule->means, rule->change ? " To change: " : "",
                                            rule->change ? rule->change : "", rule->change ? "." : "");
    g_autofree char *full =
        *section ? g_strdup_printf("%s (%s, %s)", rule->text, section, rule->title) : g_strdup(rule->text);
    fprintf(stream, "      {\"id\": %s, ", id);
    write_text("shortDescription", rule->text, stream);
    fputs(", ", stream);
    write_text("fullDescription", full, stream);
    fputs(", ", stream);
    write_text("help", help, stream);
    fputs("}", stream);
}

static guint index_of(HieraFindingCode code)
{
    return (guint)(rules_peek(code) - rules_all);
}

/* --- places --- */

static void write_location(const char *file, guint32 line, FILE *stream)
{
    g_autofree char *uri = make_uri(file), *json = hiera_text_json(uri);
    fprintf(stream, "{\"physicalLocation\": {\"artifactLocation\": {\"uri\": %s", json);
    if (*uri && !g_str_has_prefix(uri, "file:"))
        fputs(", \"uriBaseId\": \"SRCROOT\"", stream);
    fputs("}", stream);
    if (line > 0)
        fprintf(stream, ", \"region\": {\"startLine\": %u}", line);
    fputs("}", stream);
}

static void write_related(const char *file, guint32 line, const char *what, guint number, FILE *stream)
{
    fputs(number > 0 ? ", " : "", stream);
    write_location(file, line, stream);
    fputs(", ", stream);
    write_text("message", what, stream);
    fputs("}", stream);
}

/* Write the call of a finding, or the trace, and beside it the other side and the trace. */
static void write_places(const HieraFinding *finding, FILE *stream)
{
    const HieraFindingCall *here = &finding->calls[0], *other = &finding->calls[1];
    gboolean has_call = *here->file != '\0';
    guint n = 0;
    fputs("\"locations\": [", stream);
    if (has_call || *finding->file) {
        write_location(has_call ? here->file : finding->file, has_call ? here->line : finding->line, stream);
        fputs("}", stream);
    }
    fputs("], \"relatedLocations\": [", stream);
    if (*other->file)
        write_related(other->file, other->line, "the other side", n++, stream);
    if (has_call && *finding->file)
        write_related(finding->file, finding->line, "the call in the trace", n, stream);
    fputs("]", stream);
}

/* Append a text without its numbers: those of a message differ from run to run. */
static void append_words(GString *text, const char *message)
{
    for (const char *at = message; *at; at++)
        if (!g_ascii_isdigit(*at))
            g_string_append_c(text, *at);
}

static char *make_fingerprint(const HieraFinding *finding)
{
    g_autoptr(GString) text = g_string_new(hiera_finding_name(finding->code));
    for (guint i = 0; i < G_N_ELEMENTS(finding->calls); i++)
        g_string_append_printf(text, "\n%s:%u", finding->calls[i].file, finding->calls[i].line);
    if (!*finding->calls[0].file)
        append_words(text, finding->message);
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text->str, (gssize)text->len);
}

static void write_result(const HieraFinding *finding, const char *reason, FILE *stream)
{
    const Rule *rule = rules_peek(finding->code);
    g_autofree char *name = rules_name(rule), *id = hiera_text_json(name), *print = make_fingerprint(finding);
    g_autofree char *why = reason ? hiera_text_json(reason) : NULL;
    fprintf(stream, "      {\"ruleId\": %s, \"ruleIndex\": %u, \"level\": \"%s\", ", id, index_of(finding->code),
            name_level(finding->code));
    write_text("message", finding->message, stream);
    fprintf(stream, ", \"occurrenceCount\": %" G_GUINT64_FORMAT ", ", finding->count);
    write_places(finding, stream);
    fprintf(stream, ", \"partialFingerprints\": {\"hieraFinding/v1\": \"%s\"}", print);
    if (why)
        fprintf(stream, ", \"suppressions\": [{\"kind\": \"external\", \"justification\": %s}]", why);
    fputs("}", stream);
}

static void write_results(const HieraFindings *findings, const Suppressions *suppressions, FILE *stream)
{
    const HieraFindings *moved = suppressions ? suppressions_peek(suppressions) : NULL;
    guint n = hiera_findings_count(findings);
    for (guint i = 0; i < n; i++) {
        fputs(i > 0 ? ",\n" : "\n", stream);
        write_result(hiera_findings_peek(findings, i), NULL, stream);
    }
    for (guint i = 0; moved && i < hiera_findings_count(moved); i++) {
        fputs(i + n > 0 ? ",\n" : "\n", stream);
        write_result(hiera_findings_peek(moved, i), suppressions_peek_reason(suppressions, i), stream);
    }
}

void sarif_write(const HieraFindings *findings, const Suppressions *suppressions, FILE *stream)
{
    g_autofree char *here = g_get_current_dir(), *escaped = g_uri_escape_string(here, "/", FALSE);
    fputs("{\n  \"$schema\": \"" SCHEMA "\",\n  \"version\": \"2.1.0\",\n  \"runs\": [{\n"
          "    \"tool\": {\"driver\": {\"name\": \"hiera-transform\", \"version\": \"" HIERA_VERSION "\", "
          "\"rules\": [\n",
          stream);
    for (guint i = 0; i < rules_n; i++) {
        fputs(i > 0 ? ",\n" : "", stream);
        write_rule(&rules_all[i], stream);
    }
    fprintf(stream, "\n    ]}},\n    \"originalUriBaseIds\": {\"SRCROOT\": {\"uri\": \"file://%s/\"}},\n", escaped);
    fputs("    \"results\": [", stream);
    write_results(findings, suppressions, stream);
    fputs("\n    ]\n  }]\n}\n", stream);
}
