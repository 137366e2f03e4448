/* See rules.h. The numbers of sections are those of MPI 4.1. */
#include "rules.h"
#include "base/misuse.h"
#include "report/terminal_cell.h"
#include "text/nearest.h"
#include <string.h>

#define WIDTH  80 /* of lines of --explain */
#define INDENT 4

/* The rules, in the order in which --explain lists them: those of MPI, then those of traces. The last one is for kinds
 * of findings that have none. */
const Rule rules_all[] = {
    {"unmatched", "3.5, 6.14", "Semantics of Point-to-Point Communication; Correctness",
     "each message is received, and each member of a communicator makes the same collective calls",
     "A partner never made the call that belongs to this one. A blocking call hangs, or goes on only because the "
     "library "
     "kept the message in a buffer. As a warning: a trace is cut short or missing, so the partner may exist.",
     "compare rank, tag and communicator on both sides, and the number of calls of each rank",
     "if (rank == 0) MPI_Recv(&n, 1, MPI_INT, 1, 7, comm, &status);\n"
     "if (rank == 1) MPI_Send(&n, 1, MPI_INT, 0, 8, comm);   /* another tag */",
     "if (rank == 0) MPI_Recv(&n, 1, MPI_INT, 1, 7, comm, &status);\n"
     "if (rank == 1) MPI_Send(&n, 1, MPI_INT, 0, 7, comm);"},
    {"collective", "6.14", "Correctness",
     "all members of a communicator make its collective calls in one order, with one root and one operator",
     "Members take part in different collectives at the same position. The program hangs, or data of one call end in "
     "another one.",
     "let all members make the calls in one order, with the same root and operator",
     "if (rank == 0) MPI_Barrier(comm);\nMPI_Bcast(&n, 1, MPI_INT, 0, comm);",
     "MPI_Barrier(comm);   /* by all members */\nMPI_Bcast(&n, 1, MPI_INT, 0, comm);"},
    {"conservation", "3.2.4, 6.1", "Blocking Receive; Introduction and Overview",
     "what is sent has the size that is received, and members of a collective agree on sizes",
     "Bytes are lost, or stay as they were. A message that is longer than its receive buffer is an error in every MPI; "
     "collectives with sizes that differ overwrite memory or hang.",
     "give both sides the same number of elements",
     "MPI_Send(data, 8, MPI_INT, 1, 0, comm);            /* rank 0 */\n"
     "MPI_Recv(data, 4, MPI_INT, 0, 0, comm, &status);   /* rank 1 */",
     "MPI_Recv(data, 8, MPI_INT, 0, 0, comm, &status);   /* rank 1 */"},
    {"types", "3.3.1", "Type Matching Rules",
     "both sides of a transfer have the same sequence of basic types, and a reduction an operator that its type has",
     "Values are taken for others: 4 integers for 4 floating-point numbers, say. As a warning: the bits mean the same "
     "on "
     "this machine, and may not on another one.",
     "give both sides the same datatype, and reductions an operator that is defined for it",
     "MPI_Send(x, 4, MPI_INT, 1, 0, comm);               /* rank 0 */\n"
     "MPI_Recv(y, 4, MPI_FLOAT, 0, 0, comm, &status);    /* rank 1 */",
     "MPI_Recv(y, 4, MPI_INT, 0, 0, comm, &status);      /* rank 1, int y[4] */"},
    {"signature", "3.3.1", "Type Matching Rules",
     "types can be compared only where the signature of the datatype is known",
     "Nobody can read which basic types a datatype has. Calls with it are not compared; whether they are right is not "
     "known.",
     NULL, NULL, NULL},
    {"epoch", "12.5", "Synchronization Calls",
     "one-sided calls lie in an epoch that reaches their target, and epochs are begun and ended in pairs",
     "The call has no effect that MPI defines: data may come late, never, or while others write.",
     "put the call between the calls that begin and end an epoch of this window and target",
     "MPI_Put(&n, 1, MPI_INT, 1, 0, 1, MPI_INT, win);",
     "MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);\nMPI_Put(&n, 1, MPI_INT, 1, 0, 1, MPI_INT, win);\n"
     "MPI_Win_unlock(1, win);"},
    {"argument", "2.8", "Error Handling", "arguments of MPI calls are those that the call allows",
     "MPI may end the program, return an error, or do something else. As a warning: the call returned an error, so the "
     "program was told.",
     NULL, "MPI_Send(&n, 1, MPI_INT, 5, 0, comm);   /* of a communicator with 2 ranks */",
     "MPI_Send(&n, 1, MPI_INT, 1, 0, comm);"},
    {"finalize", "11.2.2", "Finalizing MPI", "each process calls MPI_Finalize before it ends, after all that it began",
     "MPI may end the whole job with an error, and what was sent last may be lost.",
     "complete requests, close files, and call MPI_Finalize on all ways out of the program", "if (failed) exit(1);",
     "if (failed) MPI_Abort(MPI_COMM_WORLD, 1);"},
    {"request", "3.9, 4.2", "Persistent Communication Requests; Partitioned Point-to-Point Communication",
     "a request is started only while it is inactive, and freed only when it is complete",
     "MPI may end the program, or lose or mix up messages. As a note: MPI allows it, but nothing tells when the buffer "
     "may be used again.",
     "complete the request before it is started again or freed", "MPI_Start(&request);\nMPI_Start(&request);",
     "MPI_Start(&request);\nMPI_Wait(&request, &status);\nMPI_Start(&request);"},
    {"unbuffered", "3.5", "Semantics of Point-to-Point Communication",
     "a program does not depend on messages that MPI keeps in buffers",
     "The run went well because MPI kept messages. With longer messages, more of them, or another MPI it would hang.",
     "let one side receive first, or use MPI_Sendrecv or MPI_Isend",
     "MPI_Send(a, n, MPI_INT, other, 0, comm);               /* both ranks */\n"
     "MPI_Recv(b, n, MPI_INT, other, 0, comm, &status);",
     "MPI_Sendrecv(a, n, MPI_INT, other, 0, b, n, MPI_INT, other, 0, comm,\n             &status);"},
    {"race", "3.5", "Semantics of Point-to-Point Communication",
     "which message a receive from any source gets may change from run to run",
     "That is right where the program works in any order. Where it does not, its results change, or a later receive "
     "waits "
     "for ever.",
     NULL, NULL, NULL},
    {"buffer", "3.7.2, 6.12, 12.7", "Communication Initiation; Nonblocking Collective Operations; Semantics",
     "memory of a call that is not complete is not written, and not read if MPI may write it",
     "Values are lost or mixed up, in some runs.", "use the memory after the wait, or other memory",
     "MPI_Irecv(&n, 1, MPI_INT, 0, 0, comm, &request);\nn = 5;\nMPI_Wait(&request, &status);",
     "MPI_Irecv(&n, 1, MPI_INT, 0, 0, comm, &request);\nMPI_Wait(&request, &status);\nn = 5;"},
    {"overrun", "3.2.2, 3.2.4, 5.1.12", "Message Data; Blocking Receive; Correct Use of Addresses",
     "a buffer lies in one variable, or one allocated block",
     "MPI reads or writes what is behind the variable: other variables change, or the program ends, now or much later. "
     "As a "
     "warning: no message was that long; or a datatype with gaps leads into another variable, which only MPI_BOTTOM "
     "allows.",
     "give MPI the number of elements that there are, with the datatype of the variable, or make the variable longer",
     "int n[2];\nMPI_Bcast(n, 4, MPI_INT, 0, comm);", "int n[4];\nMPI_Bcast(n, 4, MPI_INT, 0, comm);"},
    {"no memory", "3.2.2, 3.2.4", "Message Data; Blocking Receive",
     "a buffer with elements is where the process has memory",
     "The pointer is null, or was never set. The program ends in the call, or MPI refuses it.",
     "allocate the memory before the call, and check the pointer", "int *n = NULL;\nMPI_Bcast(n, 4, MPI_INT, 0, comm);",
     "int *n = malloc(4 * sizeof *n);\nMPI_Bcast(n, 4, MPI_INT, 0, comm);"},
    {"conflict", "12.7", "Semantics and Correctness",
     "accesses to the same bytes of a window, one of which writes, have an order",
     "The values are not defined, and may change from run to run. As a note: the program itself takes part, and may "
     "order "
     "it; or the memory of a window is freed, or its function left, before the window is freed (12.2.5), which does "
     "harm "
     "only if an access comes.",
     "order them by epochs, messages or locks, or use MPI_Accumulate",
     "MPI_Put(&n, 1, MPI_INT, 1, 0, 1, MPI_INT, win);   /* ranks 0 and 2, an epoch */",
     "MPI_Accumulate(&n, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);"},
    {"leak", "11.2.2", "Finalizing MPI", "what the program made it frees, and each request is completed",
     "A rank ended with objects or requests. MPI lets that pass; it costs memory in a loop, and a request that nothing "
     "completed says nothing of its message.",
     "free the objects, and complete the requests, before MPI_Finalize", "MPI_Comm_dup(comm, &mine);\nMPI_Finalize();",
     "MPI_Comm_dup(comm, &mine);\nMPI_Comm_free(&mine);\nMPI_Finalize();"},
    {"concurrent collectives", "6.14, 11.6.2", "Correctness; Clarifications",
     "at most one thread of a process is in a collective of a communicator at any time",
     "Threads called collectives of one communicator at the same time. Which belongs to which call of the other ranks "
     "is "
     "left to chance: data are mixed, or the program hangs.",
     "give each thread a communicator of its own (MPI_Comm_dup), or let the threads take turns",
     "#pragma omp parallel\nMPI_Allreduce(MPI_IN_PLACE, &x[thread], 1, MPI_INT, MPI_SUM, comm);",
     "#pragma omp parallel\nMPI_Allreduce(MPI_IN_PLACE, &x[omp_get_thread_num()], 1, MPI_INT, MPI_SUM,\n"
     "              comm_of[omp_get_thread_num()]);"},
    {"thread level", "11.6", "MPI and Threads",
     "threads call MPI only as the level of thread support allows that MPI_Init_thread has provided",
     "MPI was told that it need not guard itself against these calls. It may break its own data: wrong results, "
     "crashes, hangs, and now and then nothing.",
     "ask MPI_Init_thread for the level that the program needs, and check what it provides",
     "MPI_Init(&argc, &argv);\n#pragma omp parallel\nMPI_Send(...);",
     "MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);\n"
     "if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);\n#pragma omp parallel\nMPI_Send(...);"},
    {"probe", "3.8.2, 11.6.2", "Matching Probe; Clarifications",
     "a thread that probes for a message receives it before another thread can",
     "Another thread received a message after this one had probed. If nothing between the threads orders that, the "
     "receive that follows the probe may get another message, of another size perhaps, or wait for ever.",
     "use MPI_Mprobe and MPI_Mrecv, or a communicator for each thread",
     "MPI_Probe(MPI_ANY_SOURCE, 0, comm, &status);       /* in two threads */\n"
     "MPI_Recv(data, n, MPI_INT, status.MPI_SOURCE, 0, comm, &status);",
     "MPI_Mprobe(MPI_ANY_SOURCE, 0, comm, &message, &status);\nMPI_Mrecv(data, n, MPI_INT, &message, &status);"},
    {"ambiguous", "", "", "MPI does not order the calls of different threads",
     "Which of several messages a receive got is not known. Where their sizes and types are the same, nothing depends "
     "on "
     "it.",
     NULL, NULL, NULL},
    {"causality", "", "", "a message is received after it was sent",
     "The clocks of two ranks disagree, or a message is paired with the wrong call. Waits between these ranks are not "
     "right.",
     NULL, NULL, NULL},
    {"end", "", "", "a process ends with MPI_Finalize, and not otherwise",
     "This is how the process ended, or the call in which it did. MPI ends a program within a call whose arguments are "
     "wrong; what is suspicious about them is named.",
     NULL, NULL, NULL},
    {"cut", "", "", "a trace has all calls up to MPI_Finalize",
     "The end is missing: the program was killed, or still runs. What is behind the last call is not known.", NULL,
     NULL, NULL},
    {"missing rank", "", "", "each rank of the job has a trace",
     "Calls whose partner is a rank without a trace have no "
     "match, and what that rank did is not known.",
     NULL, NULL, NULL},
    {"mixed jobs", "", "", "all traces are of one run", "Ranks of different runs are no partners; answers mix them.",
     "name the traces of one run", NULL, NULL},
    {"alive", "", "", "the program has ended", "It still runs, and the answer is about what it has done so far.", NULL,
     NULL, NULL},
    {"lost", "", "", "all calls are recorded",
     "The collector had to leave out calls, and says why; their partners have no "
     "match.",
     NULL, NULL, NULL},
    {"paused", "", "", "recording is switched on", "The program had switched it off; what it did then is not known.",
     NULL, NULL, NULL},
    {"window", "", "", "the run is recorded from its begin",
     "Only the last part was recorded; what was before it is "
     "known as counts.",
     NULL, NULL, NULL},
    {"sums", "", "", "calls are recorded one by one", "They are known as sums, which say nothing of single messages.",
     "record single operations with HIERA_MODE=trace", NULL, NULL},
    {"left", "", "", "calls return",
     "A call was left by longjmp or an exception. How long it took is an upper bound, and "
     "MPI does not say what it did.",
     NULL, NULL, NULL},
    {"unbalanced", "", "", "each begin of a region has its end",
     "The program began or ended regions without the other half; they end where that was noticed.",
     "end regions on each way out of a function",
     "hiera_begin(\"app\", \"step\", \"\");\nif (done) return;\nhiera_end();",
     "hiera_begin(\"app\", \"step\", \"\");\nif (done) { hiera_end(); return; }\nhiera_end();"},
    {"nesting", "", "", "what an operation called lies within its time, and one thread does one thing at a time",
     "Times of the trace contradict each other: it is damaged, was changed, or the clock went back.", NULL, NULL, NULL},
    {"identity", "", "", "measures that say the same agree", "hiera-transform contradicts itself: a fault of Hiera.",
     "report it, with the traces", NULL, NULL},
    {"threads", "", "", "all threads that use much time are recorded",
     "Others used processor time; sums of the recorded "
     "ones are not the whole.",
     NULL, NULL, NULL},
    {"unwatched", "", "", "with HIERA_CHECK=buffers loads and stores of the program are seen",
     "Those of this rank were not, so nobody knows whether it used memory that MPI still had.", NULL, NULL, NULL},
    {"main threads", "", "", "an answer is about all threads", "These numbers are about the main threads alone.", NULL,
     NULL, NULL},
    {"clocks", "", "", "clocks agree well enough for the answer", "Their error could reverse a part of it.", NULL, NULL,
     NULL},
    {"range", "", "", "sums fit into 64 bits", "One does not, and is given as the greatest number.", NULL, NULL, NULL},
    {"not recorded", "", "", "what is asked for was recorded", "No trace has this attribute.", NULL, NULL, NULL},
    {"file", "", "", "traces can be read", "This file cannot; what its rank did is not known.", NULL, NULL, NULL},
    {"syntax", "", "", "a trace is well-formed XML", "It is not from here on, or is no trace.", NULL, NULL, NULL},
    {"entity", "", "", "a trace declares no entities",
     "The collector writes none. The file is not read: entities can fill "
     "the memory.",
     NULL, NULL, NULL},
    {"rank", "", "", "each trace has a rank of its own",
     "The file has none that can be used, or another file has it, too.", NULL, NULL, NULL},
    {"invalid", "", "", "a trace is valid by trace.dtd", "It is not as the collector writes it.", NULL, NULL, NULL},
    {"value", "", "", "attributes have values that are possible", "This one has not, and is taken for unknown.", NULL,
     NULL, NULL},
    {"unknown element", "", "", "the elements of a trace are known", "This one is not, and is left out.", NULL, NULL,
     NULL},
    {"unknown attribute", "", "", "the attributes of a trace are known", "This one is not, and is left out.", NULL,
     NULL, NULL},
    {"unknown operation", "", "", "the operations of a trace are known", "What this one does to other ranks is not.",
     NULL, NULL, NULL},
    {"object", "", "", "calls have a line of the program", "This program or library has no debug information.",
     "compile with -g", NULL, NULL},
    {"suppression", "", "", "each line of the file of --suppress suppresses something",
     "Nothing meets this line: what it "
     "was for is mended, or has moved.",
     "remove the line, or mend its place", NULL, NULL},
    {"other", "", "", "a finding says itself what is wrong", "There is no more to say.", NULL, NULL, NULL},
};

const guint rules_n = G_N_ELEMENTS(rules_all);

const Rule *rules_peek(HieraFindingCode code)
{
    guint i = 0;
    while (i + 1 < rules_n && strcmp(rules_all[i].name, hiera_finding_name(code)) != 0)
        i++;
    return &rules_all[i];
}

char *rules_name(const Rule *rule)
{
    return g_strdelimit(g_strdup(rule->name), " ", '-');
}

char *rules_section(const Rule *rule)
{
    return *rule->section ? g_strdup_printf("MPI 4.1, %s", rule->section) : g_strdup("");
}

/* Return the names of all rules, which the caller frees with g_strfreev. */
static char **all_names(void)
{
    char **names = g_new0(char *, rules_n + 1);
    for (guint i = 0; i < rules_n; i++)
        names[i] = rules_name(&rules_all[i]);
    return names;
}

const Rule *rules_find(const char *option, const char *name, GError **error)
{
    g_auto(GStrv) names = all_names();
    for (guint i = 0; i < rules_n; i++) {
        if (strcmp(names[i], name) == 0 || strcmp(rules_all[i].name, name) == 0)
            return &rules_all[i];
    }
    const char *nearest = hiera_nearest_of(name, (const char *const *)names, rules_n);
    g_autofree char *list = g_strjoinv(", ", names);
    misuse(error, "%s: there is no rule '%s'%s%s%s; there are %s", option, name, nearest ? " (did you mean '" : "",
           nearest ? nearest : "", nearest ? "'?)" : "", list);
    return NULL;
}

/* --- words for --explain --- */

static const char *name_severity(HieraSeverity severity)
{
    static const char *const severities[] = {"note", "warning", "error"};
    return severities[severity];
}

/* Whether a kind of findings of a rule has a severity. */
static gboolean has_severity(const Rule *rule, HieraSeverity severity)
{
    gboolean has = FALSE;
    for (int code = 0; code < HIERA_N_FINDINGS; code++)
        has = has || (rules_peek((HieraFindingCode)code) == rule &&
                      hiera_finding_severity((HieraFindingCode)code) == severity);
    return has;
}

HieraSeverity rules_severity(const Rule *rule)
{
    HieraSeverity severity = HIERA_SEVERITY_ERROR;
    while (severity > HIERA_SEVERITY_NOTE && !has_severity(rule, severity))
        severity--;
    return severity;
}

/* Return the severities that findings of a rule may have, as "error or warning"; to be freed with g_free. */
static char *list_severities(const Rule *rule)
{
    GString *text = g_string_new(NULL);
    for (int severity = HIERA_SEVERITY_ERROR; severity >= HIERA_SEVERITY_NOTE; severity--)
        if (has_severity(rule, (HieraSeverity)severity))
            g_string_append_printf(text, "%s%s", text->len > 0 ? " or " : "", name_severity((HieraSeverity)severity));
    return g_string_free(text, FALSE);
}

static void write_part(const char *head, const char *text, FILE *stream)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    if (!text)
        return;
    hiera_terminal_wrap(lines, text, INDENT, INDENT, WIDTH);
    fprintf(stream, "\n%s\n%s", head, lines->str);
}

static void write_code(const char *head, const char *code, FILE *stream)
{
    g_auto(GStrv) lines = g_strsplit(code ? code : "", "\n", -1);
    if (!code)
        return;
    fprintf(stream, "\n%s\n", head);
    for (char **line = lines; *line; line++)
        fprintf(stream, "%*s%s\n", INDENT, "", *line);
}

void rules_explain(const Rule *rule, FILE *stream)
{
    g_autofree char *name = rules_name(rule), *section = rules_section(rule), *severities = list_severities(rule);
    g_autoptr(GString) lines = g_string_new(NULL);
    g_autofree char *text = g_strdup_printf("%s: %s", name, rule->text);
    hiera_terminal_wrap(lines, text, 0, INDENT, WIDTH);
    if (*section) {
        g_autofree char *title = g_strdup_printf("%s, %s", section, rule->title);
        hiera_terminal_wrap(lines, title, 0, INDENT, WIDTH);
    }
    fputs(lines->str, stream);
    fprintf(stream, "A finding is %s %s.\n", severities[0] == 'e' ? "an" : "a", severities);
    write_part("What it means", rule->means, stream);
    write_code("Wrong", rule->wrong, stream);
    write_code("Right", rule->right, stream);
    write_part("What to change", rule->change, stream);
}

void rules_list(FILE *stream)
{
    enum { NAME = 24 };
    for (guint i = 0; i < rules_n; i++) {
        g_autofree char *name = rules_name(&rules_all[i]);
        g_autofree char *text = g_strdup_printf("%-*s%s", NAME, name, rules_all[i].text);
        g_autoptr(GString) lines = g_string_new(NULL);
        hiera_terminal_wrap(lines, text, 0, NAME, WIDTH);
        fputs(lines->str, stream);
    }
}
