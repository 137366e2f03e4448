#include "saying.h"
#include "parallel/launcher.h"
#include <stdio.h>

void say(const char *message)
{
    fprintf(stderr, "hiera-predict: %s\n", message);
}

void say_notes(const PredictOptions *options, const GPtrArray *notes)
{
    for (guint i = 0; !options->quiet && i < notes->len; i++)
        fprintf(stderr, "hiera-predict: note: %s\n", (const char *)notes->pdata[i]);
}

void say_old_spelling(const PredictOptions *options)
{
    if (options->old_spelling && !options->quiet && hiera_launcher_find().rank == 0)
        fprintf(stderr,
                "hiera-predict: note: write 'hiera-predict %s %s'; --%s alone goes away with the next version\n",
                command_name(options->command_is), command_usage(options->command_is), options->old_spelling);
}

void say_findings(const HieraFindings *findings, const PredictOptions *options)
{
    for (guint i = 0; findings && i < hiera_findings_count(findings); i++) {
        const HieraFinding *finding = hiera_findings_peek(findings, i);
        if (options->quiet && hiera_finding_severity(finding->code) != HIERA_SEVERITY_ERROR)
            continue;
        g_autofree char *place = finding->line > 0 ? g_strdup_printf("%s:%u: ", finding->file, finding->line)
                                                   : g_strdup_printf("%s%s", finding->file, *finding->file ? ": " : "");
        g_autofree char *text = g_strconcat(place, finding->message, NULL);
        say(text);
    }
}

void say_useless(const PredictOptions *options)
{
    const char *useless = speeds_find_useless(options->speeds), *sizeless = sizes_find_useless(options->sizes);
    if (useless)
        fprintf(stderr, "hiera-predict: --speed %s: the rule holds nowhere\n", useless);
    if (sizeless)
        fprintf(stderr, "hiera-predict: --message-size %s: the rule holds for no MPI call\n", sizeless);
    for (guint i = 0; i < speeds_peek_notes(options->speeds)->len; i++)
        fprintf(stderr, "hiera-predict: note: %s\n",
                (const char *)g_ptr_array_index(speeds_peek_notes(options->speeds), i));
}

int write_answer(HieraFindings *findings, const PredictOptions *options, GPtrArray *tables)
{
    g_autoptr(GError) error = NULL;
    gboolean good = answer_write(&options->shape, tables, findings, &error);
    if (!good)
        say(error->message);
    g_ptr_array_unref(tables);
    return good ? GOOD : WRONG_USE;
}
