/* Writes a whole answer in at most 2,000 characters, for assistants and messages: a line for each claim, and behind it
 * the options that show its evidence. What does not fit is counted. */
#include "base/findings.h"
#include "base/text_width.h"
#include "shorten.h"
#include "table.h"
#include "terminal_cell.h"
#include <string.h>

enum {
    ANSWER_MAX = 2000,  /* most characters of an answer */
    COMMAND_MAX = 300,  /* most characters of the command in its first line */
    CLAIM_MAX = 400,    /* most characters of a claim */
    TEXT_MAX = 70,      /* most characters of a text in a row */
    FINDING_MAX = 160,  /* most characters of the text of a finding */
    ENDING_MAX = 440,   /* room for the lines with a note, and with what is missing */
    LEFT_OUT_MAX = 120, /* room for the line that counts what does not fit */
};

static glong count_characters(const GString *text)
{
    return g_utf8_strlen(text->str, -1);
}

/* Append at most `most` characters of a text, with "…" for the rest. */
static void append_cut(GString *line, const char *text, glong most)
{
    gboolean fits = g_utf8_strlen(text, -1) <= most;
    g_string_append_len(line, text, fits ? -1 : g_utf8_offset_to_pointer(text, most - 1) - text);
    g_string_append(line, fits ? "" : "…");
}

/* Return the text of a cell, shortened; to be freed with g_free. */
static char *shorten_text(const HieraColumn *column, const HieraCell *cell)
{
    g_autofree char *whole = hiera_cell_is_path(column) ? hiera_text_path(cell->text) : g_strdup(cell->text);
    g_autofree char *printable = hiera_text_printable(whole);
    if (column->type == HIERA_CELL_SENTENCE || column->type == HIERA_CELL_PROSE)
        return hiera_prose_shorten(printable);
    return hiera_cell_is_path(column) ? hiera_steps_shorten(printable, TEXT_MAX)
                                      : hiera_name_shorten(printable, TEXT_MAX);
}

/* Append "NAME VALUE" of a cell, unless it is empty, or a line that the trace does not have. */
static void append_cell(GString *line, const HieraColumn *column, const HieraCell *cell)
{
    char number[HIERA_NUMBER_BYTES];
    gboolean no_line = column->type == HIERA_CELL_INTEGER && cell->number == 0 && strcmp(column->name, "line") == 0;
    g_autofree char *text = hiera_cell_is_text(column) ? shorten_text(column, cell) : NULL;
    if (!text)
        hiera_terminal_number(number, column, cell, TRUE);
    if (!no_line && (!text || *text))
        g_string_append_printf(line, "%s%s %s", line->len ? ", " : "", column->name, text ? text : number);
}

/* Return a row as a claim. */
static GString *tell_row(const HieraTable *table, guint row)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    GString *line = g_string_new(NULL);
    for (guint i = 0; i < n_columns; i++) {
        if (columns[i].type != HIERA_CELL_BAR)
            append_cell(line, &columns[i], &hiera_table_peek_row(table, row)[i]);
    }
    return line;
}

enum { TOPIC, SENTENCE, BAR, MORE }; /* columns of an answer in sentences */

/* Append a sentence. Those of tables are aligned by more than one blank. */
static void append_sentence(GString *line, const HieraCell *cells)
{
    g_autofree char *printable = hiera_text_printable(cells[SENTENCE].text);
    g_autofree char *sentence = hiera_prose_shorten(printable);
    for (const char *at = sentence; *at; at++) {
        if (*at != ' ' || at[1] != ' ')
            g_string_append_c(line, *at);
    }
}

/* Append the factors of the efficiency of a row, which are in the rows behind it. @return  how many */
static guint append_factors(GString *line, const HieraTable *table, guint row)
{
    guint n = 0;
    while (row + n + 1 < hiera_table_count(table) &&
           strcmp(hiera_table_peek_row(table, row)[TOPIC].text, "Efficiency") == 0 &&
           strcmp(hiera_table_peek_row(table, row + n + 1)[TOPIC].text, "Efficiency") == 0) {
        g_string_append_c(line, ' ');
        append_sentence(line, hiera_table_peek_row(table, row + ++n));
    }
    return n;
}

/* Return a sentence of an answer in sentences as a claim, and set what shows its evidence. */
static GString *tell_sentence(const HieraCell *cells, const char **evidence)
{
    static const char *const others[][2] = {{"Waits", "--measure waits"}, {"Limits", "--validate"}};
    GString *line = g_string_new(cells[TOPIC].text);
    g_string_append(line, ": ");
    append_sentence(line, cells);
    *evidence = cells[MORE].text;
    for (guint i = 0; i < G_N_ELEMENTS(others) && !**evidence; i++) {
        if (strcmp(cells[TOPIC].text, others[i][0]) == 0)
            *evidence = others[i][1];
    }
    if (!**evidence)
        *evidence = "--format json";
    return line;
}

/* Append options in brackets, as they can be typed: measures of "--measure a, --measure b" together, unless one has an
 * option of its own. */
static void append_evidence(GString *line, const char *options)
{
    gboolean together = strstr(options, " --by ") == NULL;
    g_auto(GStrv) parts = g_strsplit(options, together ? ", --measure " : ", ", -1);
    g_autofree char *joined = g_strjoinv(together ? "," : "] [", parts);
    g_string_append_printf(line, " [%s]\n", joined);
}

/* Append a claim as a line. @return FALSE: it does not fit */
static gboolean append_claim(GString *answer, const GString *claim, const char *evidence, glong room)
{
    g_autoptr(GString) line = g_string_new(NULL);
    append_cut(line, claim->str, CLAIM_MAX);
    append_evidence(line, evidence);
    if (count_characters(line) > room)
        return FALSE;
    g_string_append_len(answer, line->str, (gssize)line->len);
    return TRUE;
}

/* Whether a sentence says what the answer does not know, or what its numbers rest on: that comes first. */
static gboolean is_limit(const HieraCell *cells)
{
    return strcmp(cells[TOPIC].text, "Limits") == 0;
}

/* Append the first claims of a table, as many as fit into `room` characters. @param measure  option that asks for it */
static void append_table(GString *answer, const HieraTable *table, const char *measure, glong room)
{
    guint n = hiera_table_count(table), told = 0, n_columns;
    glong end = count_characters(answer) + room - LEFT_OUT_MAX;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    gboolean prose = n_columns > 1 && columns[1].type == HIERA_CELL_PROSE && !hiera_table_is_chosen(table);
    const char *nothing = hiera_table_peek_nothing(table);
    if (!prose)
        g_string_append_printf(answer, "%s, %u row%s:\n", hiera_table_peek_title(table), n, n == 1 ? "" : "s");
    if (n == 0)
        g_string_append_printf(answer, "%s [%s]\n", nothing ? nothing : "nothing was found", measure);
    gboolean fits = TRUE;
    for (guint i = prose ? 0 : n; fits && i < 2 * n; i++) {
        const HieraCell *cells = hiera_table_peek_row(table, i % n);
        const char *evidence = measure;
        if (prose && is_limit(cells) != (i < n))
            continue;
        g_autoptr(GString) claim = prose ? tell_sentence(cells, &evidence) : tell_row(table, i % n);
        guint n_factors = prose ? append_factors(claim, table, i % n) : 0;
        fits = append_claim(answer, claim, evidence, end - count_characters(answer));
        told += fits ? 1 + n_factors : 0;
        i += n_factors;
    }
    guint more = n - told + hiera_table_count_left_out(table);
    if (more > 0)
        g_string_append_printf(answer, "%u more %s%s [%s --format json]\n", more, prose ? "sentence" : "row",
                               more == 1 ? "" : "s", measure);
}

/* Append the first finding of a kind, and how many more there are. @return whether there is any */
static gboolean append_findings(GString *answer, const HieraFindings *findings, const char *head,
                                gboolean (*is_of_kind)(HieraFindingCode))
{
    guint n = 0;
    g_autoptr(GString) line = g_string_new(head);
    for (guint i = 0; i < hiera_findings_count(findings); i++) {
        const HieraFinding *finding = hiera_findings_peek(findings, i);
        if (!is_of_kind(finding->code) || n++ > 0)
            continue;
        g_autofree char *message = hiera_text_printable(finding->message);
        append_cut(line, message, FINDING_MAX);
    }
    if (n > 1)
        g_string_append_printf(line, " (%u more)", n - 1);
    if (n > 0)
        g_string_append_printf(answer, "%s [--format json]\n", line->str);
    return n > 0;
}

void hiera_tables_write_brief(HieraTable *const *tables, guint n_tables, const HieraBriefCommand *evidence,
                              const HieraFindings *findings, FILE *stream)
{
    g_autoptr(GString) answer = g_string_new("Evidence of each line: ");
    gboolean fits = g_utf8_strlen(evidence->command, -1) <= COMMAND_MAX;
    g_string_append_printf(answer, "%s [what stands behind it]\n", fits ? evidence->command : "hiera-transform TRACE…");
    for (guint i = 0; i < n_tables; i++) {
        glong room = ANSWER_MAX - ENDING_MAX - count_characters(answer);
        append_table(answer, tables[i], evidence->measure, room / (glong)(n_tables - i));
    }
    append_findings(answer, findings, "note: ", hiera_finding_is_about);
    if (!append_findings(answer, findings, "partial: ", hiera_finding_partial))
        g_string_append(answer, "complete: nothing that the answer needs is missing\n");
    fputs(answer->str, stream);
}
