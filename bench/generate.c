/* Generate valid traces of any size in which every message has its partner, at the speed of the disk.
 *
 * Usage: generate FOLDER RANKS CALLS [full|compact]. FOLDER must exist, RANKS must be even, CALLS (per rank) is rounded
 * up to whole steps. A step is a region with 96 calls of a ping-pong between neighbours, an exchange with both
 * neighbours of a ring (irecv, isend, waitall) and an allreduce, so that the graph has every kind of edge. */
#include "../dtd/names.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PING_PONG = 96, CALLS_PER_STEP = PING_PONG + 4, CALL_NS = 1000, TAKES_NS = 600, LINE = 1024, BLOCK = 1 << 20 };
enum { STEP_NS = (CALLS_PER_STEP + 2) * CALL_NS };

/* What the elements of one call have in common: all but the times and requests. */
typedef struct {
    const char *element; /* begin of the element in the full encoding */
    char text[512];      /* attributes of the call in the full encoding */
} Call;

enum { REGION, SEND, RECEIVE, IRECV, ISEND, WAITALL, ALLREDUCE, N_CALLS };

typedef struct {
    FILE *file;
    int compact;
    Call calls[N_CALLS];
} Trace;

static char *put_text(char *to, const char *text)
{
    size_t n = strlen(text);
    memcpy(to, text, n);
    return to + n;
}

static char *put_number(char *to, uint64_t value)
{
    char digits[20];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    while (n > 0)
        *to++ = digits[--n];
    return to;
}

static char *put_seconds(char *to, uint64_t ns)
{
    to = put_number(to, ns / 1000000000u);
    *to++ = '.';
    ns %= 1000000000u;
    for (int i = 9; i-- > 0; ns /= 10)
        to[i] = (char)('0' + ns % 10);
    return to + 9;
}

static void begin_full(Trace *trace, int call, uint64_t begin, uint64_t takes, char **at)
{
    *at = put_text(*at, trace->calls[call].element);
    *at = put_text(*at, trace->calls[call].text);
    *at = put_text(*at, " start_time=\"");
    *at = put_seconds(*at, begin);
    *at = put_text(*at, "\" finish_time=\"");
    *at = put_seconds(*at, begin + takes);
    *at = put_text(*at, "\"");
}

static void begin_compact(int call, uint64_t begin, uint64_t takes, char **at)
{
    *at = put_text(*at, "<c r=\"c");
    *at = put_number(*at, (uint64_t)call);
    *at = put_text(*at, "\" t=\"");
    *at = put_number(*at, begin);
    *at = put_text(*at, "\" d=\"");
    *at = put_number(*at, takes);
    *at = put_text(*at, "\"");
}

/* Write the element of a call; `more`: the attributes that only this element of the call has. */
static void put_call(Trace *trace, int call, uint64_t begin, uint64_t takes, const char *more)
{
    char line[LINE], *at = put_text(line, call == REGION ? "  " : "    ");
    if (trace->compact)
        begin_compact(call, begin, takes, &at);
    else
        begin_full(trace, call, begin, takes, &at);
    at = put_text(at, more);
    at = put_text(at, call == REGION ? ">\n" : "/>\n");
    fwrite(line, 1, (size_t)(at - line), trace->file);
}

static void put_step(Trace *trace, int rank, uint64_t step)
{
    char requests[2][64], both[96];
    uint64_t begin = step * STEP_NS, at = begin + CALL_NS, first = 2 * step + 1;
    put_call(trace, REGION, begin, STEP_NS - CALL_NS, "");
    for (int i = 0; i < PING_PONG; i++, at += CALL_NS)
        put_call(trace, i % 2 == rank % 2 ? SEND : RECEIVE, at, TAKES_NS, "");
    for (int i = 0; i < 2; i++)
        snprintf(requests[i], sizeof requests[i], " request=\"%llu\"", (unsigned long long)first + (unsigned)i);
    snprintf(both, sizeof both, " requests=\"%llu %llu\"", (unsigned long long)first, (unsigned long long)first + 1);
    put_call(trace, IRECV, at, TAKES_NS, requests[0]);
    put_call(trace, ISEND, at + CALL_NS, TAKES_NS, requests[1]);
    put_call(trace, WAITALL, at + 2 * CALL_NS, TAKES_NS, both);
    put_call(trace, ALLREDUCE, at + 3 * CALL_NS, TAKES_NS, "");
    fputs(trace->compact ? "  </c>\n" : "  </hieraRegion>\n", trace->file);
}

#define WORLD      " comm=\"MPI_COMM_WORLD\""
#define AT(line)   " file=\"ring.c\" line=\"" #line "\""
#define DOUBLES(n) " count=\"" #n "\" type=\"MPI_DOUBLE\""

static void describe(Trace *trace, int rank, int ranks)
{
    int pair = rank ^ 1, left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    for (int i = 0; i < N_CALLS; i++)
        trace->calls[i].element = i == REGION ? "<hieraRegion" : "<hieraMPI";
#define SAY(call, ...) snprintf(trace->calls[call].text, sizeof trace->calls[call].text, __VA_ARGS__)
    SAY(REGION, " level=\"app\" operation=\"step\"" AT(10));
    SAY(SEND, " operation=\"send\"" AT(11) DOUBLES(1) " dest=\"%d\" tag=\"0\"" WORLD " bytes=\"8\"", pair);
    SAY(RECEIVE, " operation=\"receive\"" AT(12) DOUBLES(1) " rem=\"%d\" tag=\"0\"" WORLD " bytes=\"8\"", pair);
    SAY(IRECV, " operation=\"irecv\"" AT(13) DOUBLES(128) " rem=\"%d\" tag=\"7\"" WORLD, left);
    SAY(ISEND, " operation=\"isend\"" AT(14) DOUBLES(128) " dest=\"%d\" tag=\"7\"" WORLD " bytes=\"1024\"", right);
    SAY(WAITALL, " operation=\"waitall\"" AT(15) " count=\"2\" sources=\"%d -\" tags=\"7 -\" sizes=\"1024 -\"", left);
    SAY(ALLREDUCE, " operation=\"allreduce\"" AT(16) DOUBLES(1) " op=\"MPI_SUM\"" WORLD " bytes=\"8\" rbytes=\"8\"");
#undef SAY
}

static void put_head(Trace *trace, int rank, int ranks, uint64_t steps)
{
    char finalize[32];
    *put_seconds(finalize, steps * STEP_NS) = '\0';
    fprintf(
        trace->file,
        HIERA_TRACE_PROLOGUE
        "<processor rank=\"P%d\" init=\"0.000000000\" finalize=\"%s\" size=\"%d\" application=\"ring\" job=\"ring\" "
        "format=\"1\">\n  <hieraComm id=\"MPI_COMM_WORLD\" ranks=\"0-%d\"/>\n",
        rank, finalize, ranks, ranks - 1);
    for (int i = 0; trace->compact && i < N_CALLS; i++)
        fprintf(trace->file, "  <hieraCall id=\"c%d\"%s/>\n", i, trace->calls[i].text);
}

static int write_trace(const char *folder, int rank, int ranks, uint64_t steps, int compact)
{
    char path[4096];
    Trace trace = {.compact = compact};
    snprintf(path, sizeof path, "%s/trace%d.xml", folder, rank);
    trace.file = fopen(path, "w");
    if (!trace.file) {
        perror(path);
        return 1;
    }
    setvbuf(trace.file, NULL, _IOFBF, BLOCK);
    describe(&trace, rank, ranks);
    put_head(&trace, rank, ranks, steps);
    for (uint64_t step = 0; step < steps; step++)
        put_step(&trace, rank, step);
    fputs("</processor>\n", trace.file);
    int failed = ferror(trace.file);
    if (fclose(trace.file) != 0 || failed) {
        perror(path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int ranks = argc > 3 ? atoi(argv[2]) : 0, compact = argc > 4 && strcmp(argv[4], "compact") == 0;
    if (ranks < 2 || ranks % 2 != 0 || (argc > 4 && !compact && strcmp(argv[4], "full") != 0)) {
        fputs("usage: generate FOLDER RANKS CALLS [full|compact]; RANKS is even\n", stderr);
        return 2;
    }
    uint64_t steps = (strtoull(argv[3], NULL, 10) + CALLS_PER_STEP - 1) / CALLS_PER_STEP;
    for (int rank = 0; rank < ranks; rank++)
        if (write_trace(argv[1], rank, ranks, steps, compact) != 0)
            return 1;
    return 0;
}
