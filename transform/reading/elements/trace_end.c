/* See trace_end.h. How a file ended decides whether its trace is complete, cut short or unusable. */
#include "trace_end.h"
#include "base/findings.h"

void hiera_trace_end_note(HieraReadContext *context, const HieraOperation *operation)
{
    if (operation->thread == 0 && operation->site->mpi && operation->site->kind != HIERA_KIND_LOCAL &&
        operation->finish_ns != HIERA_TIME_OPEN)
        context->communicates_ns = MAX(context->communicates_ns, operation->finish_ns);
}

void hiera_trace_end_report(const HieraReadContext *context, const HieraXml *xml, const HieraInputFile *source,
                            HieraXmlEnd end, gboolean usable)
{
    HieraFindings *findings = context->place.findings;
    const char *path = context->place.path;
    guint32 line = hiera_xml_line(xml);
    const char *rest = usable ? "; everything before it is used" : "";
    if (end == HIERA_XML_ENTITY)
        hiera_findings_add(findings, HIERA_FINDING_ENTITY, path, line, NULL,
                           "declares an entity; entities in traces are refused; remove the DOCTYPE");
    else if (end == HIERA_XML_GRAMMAR)
        hiera_findings_add(findings, HIERA_FINDING_ENTITY, path, line, NULL,
                           "declares a grammar of its own; grammars in traces are refused; remove it from the DOCTYPE");
    else if (end == HIERA_XML_LIMIT)
        hiera_findings_add(findings, HIERA_FINDING_SYNTAX, path, line, NULL,
                           "%s; if you trust the trace, raise it with --limits%s", hiera_xml_peek_message(xml), rest);
    else if (end == HIERA_XML_UNREAD)
        hiera_findings_add(findings, HIERA_FINDING_FILE, path, line, NULL, "reading failed: %s%s",
                           hiera_input_file_peek_problem(source), rest);
    else if (end == HIERA_XML_CUT && !usable)
        hiera_findings_add(findings, HIERA_FINDING_CUT, path, line, NULL,
                           "the trace ends before its first start tag is complete; nothing can be used");
    else if (end == HIERA_XML_BROKEN)
        hiera_findings_add(findings, HIERA_FINDING_SYNTAX, path, line, NULL, "is not well-formed XML: %s%s",
                           hiera_xml_peek_message(xml), rest);
    else if (end == HIERA_XML_CUT)
        hiera_findings_add(findings, HIERA_FINDING_CUT, path, line, NULL,
                           "the trace ends here, inside an element; all complete operations before it are used");
    else if (end == HIERA_XML_WHOLE && !context->processor->alive &&
             (context->processor->cut || context->open_operation))
        hiera_findings_add(findings, HIERA_FINDING_CUT, path, line, NULL,
                           "the program ended without MPI_Finalize, or operations have no end; they end at the last "
                           "time of the trace");
}

/* Extend finalize_ns to the end of the last call, so that no measure finds more time in calls than there is. */
static void check_finalize(const HieraReadContext *context, HieraProcessor *processor)
{
    if (processor->finalize_ns >= context->communicates_ns)
        return;
    hiera_findings_add(context->place.findings, HIERA_FINDING_VALUE, processor->path, 0, "finalize",
                       "finalize is before the end of an MPI call; the end of this call is used");
    processor->finalize_ns = context->communicates_ns;
}

void hiera_trace_end_settle(const HieraReadContext *context, HieraXmlEnd end, guint64 n_operations)
{
    HieraProcessor *processor = context->processor;
    processor->n_operations = n_operations;
    processor->cut = processor->cut || context->open_operation || end != HIERA_XML_WHOLE;
    if (processor->cut)
        processor->finalize_ns = MAX(processor->finalize_ns, context->last_ns);
    else
        check_finalize(context, processor);
}
