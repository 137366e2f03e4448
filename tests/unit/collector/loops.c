/* loops FOLDER SEED REPEATS: write the same random calls twice, as two traces: FOLDER/plain/trace0.xml has each call,
 * and FOLDER/folded/trace0.xml is written by the code that folds loops. tests/golden/loops.py compares what they mean.
 *
 * The calls are those of a program with loops in loops: some have varying repeats, texts and numbers that grow, and
 * some calls come only now and then. Flushes cut them anywhere. With SEED 0 each iteration has the same calls, at other
 * times. */
#include "write/loops.h"

#include "base/settings.h"
#include "memory/signal_safe_memory.h"
#include "places/call_site.h"
#include "places/objects.h"
#include "write/call_dictionary.h"
#include "write/element.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECLARATIONS = 50, DEPTH = 4, REGION = 40 /* from here on declarations are regions */ };

HieraSettings hiera_settings = {.fold = "times"};

static HieraTraceFile stream;
static FILE *plain, *folded;
static uint64_t state, now = 1000000, n_calls, flush_at;
static bool is_regular;

/* --- what the rest of the collector does --- */

const HieraSiteText *hiera_site_resolve(const void *address)
{
    (void)address;
    return NULL;
}

const HieraFunctionName *hiera_site_function_name(const void *address)
{
    (void)address;
    return NULL;
}

const HieraLoadedObject *hiera_object_find(const void *address, unsigned *number)
{
    (void)address, (void)number;
    return NULL;
}

uint64_t hiera_trace_file_put_slot(HieraTraceFile *file, const char *bytes, size_t n)
{
    (void)file, (void)bytes, (void)n;
    return 0;
}

void hiera_trace_file_patch(HieraTraceFile *file, uint64_t slot, const char *bytes, size_t n)
{
    (void)file, (void)slot, (void)bytes, (void)n;
}

const char *hiera_frame_end_tag(uint8_t element)
{
    (void)element;
    return "</c>";
}

static void spill(HieraText *text)
{
    fwrite(text->base, 1, (size_t)(text->next - text->base), folded);
    text->next = text->base;
}

/* --- the program --- */

static uint64_t random_below(uint64_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % n;
}

/* Does something happen that comes once in n times? */
static bool happens(uint64_t n)
{
    return !is_regular && random_below(n) == 0;
}

/* Mostly near what is usual, sometimes far from it. */
static uint64_t pass(uint64_t usual)
{
    uint64_t ns =
        random_below(50) == 0 ? random_below(UINT64_C(1) << random_below(40)) : usual / 2 + random_below(usual);
    return now += ns;
}

static void flush_sometimes(void)
{
    if (n_calls < flush_at)
        return;
    flush_at = n_calls + 200 + random_below(4000);
    if (stream.n_held > 0)
        hiera_loops_write(&stream);
}

static void put_call(HieraLoopTokenKind kind, uint32_t number, const char *extra, uint64_t place, uint64_t start,
                     uint64_t finish)
{
    HieraVariant variant = {number, (uint32_t)strlen(extra), extra};
    flush_sometimes();
    n_calls++;
    hiera_loops_add(&stream, kind == HIERA_LOOP_TOKEN_CALL && number >= REGION ? HIERA_LOOP_TOKEN_BEGIN : kind, variant,
                    (HieraKin){place, place == 0 ? 1 + number / 3 : 0}, start, finish);
    if (kind == HIERA_LOOP_TOKEN_CALL && number >= REGION)
        hiera_loops_add_end(&stream, 0);
    fprintf(plain, "<c r=\"c%" PRIu32 "\" t=\"%" PRIu64 "\" d=\"%" PRIu64 "\"%s%s\n", number, start, finish - start,
            extra, kind == HIERA_LOOP_TOKEN_CALL ? "/>" : ">");
}

static void put_other(void)
{
    HIERA_ELEMENT_OPEN(&stream, "<hieraComm id=\"P0_comm1\" ranks=\"0\"/>");
    fputs("<hieraComm id=\"P0_comm1\" ranks=\"0\"/>\n", plain);
}

static void run(uint64_t depth, uint64_t repeats);

/* Calls with others inside. What is inside may go on behind the end, as the clocks of a real program never do. */
static void run_region(uint64_t depth, uint64_t repeat)
{
    uint64_t start = pass(300), finish = start + 1000 + random_below(100000);
    uint32_t number = REGION + (uint32_t)(depth % 3);
    char args[64];
    snprintf(args, sizeof args, " args=\"step=%" PRIu64 " of 9\"", repeat);
    if (depth % 2 == 0)
        snprintf(args, sizeof args, " args=\"turn %" PRIu64 "\"", 3 * repeat + 7);
    put_call(HIERA_LOOP_TOKEN_BEGIN, number, args, (uint64_t)(number + 1) << 8, start, finish);
    run(depth + 1, is_regular ? 2 : 1 + random_below(3));
    flush_sometimes();
    hiera_loops_add_end(&stream, 0);
    fputs("</c>\n", plain);
    now = now > finish ? now : finish;
}

static void run_calls(uint64_t depth, uint64_t n, uint64_t repeat)
{
    char extra[200];
    for (uint64_t i = 0; i < n; i++) {
        uint64_t start = pass(200), finish = pass(40 * (i + 1));
        extra[0] = '\0';
        if (i == 2 && happens(3))
            snprintf(extra, sizeof extra, " bytes=\"%" PRIu64 "\"", random_below(5) * 8);
        if (i == 3 && depth == 1)
            snprintf(extra, sizeof extra, " args=\"a &lt; %" PRIu64 "\"", repeat);
        uint64_t number = depth > DEPTH ? REGION + 5 : i == 1 && happens(6) ? REGION - 1 : depth * 7 + i;
        put_call(HIERA_LOOP_TOKEN_CALL, (uint32_t)number, extra, i == 3 || i == 1 ? 99 + i : 0, start, finish);
    }
}

/* A loop of so many iterations: its calls, loops inside, and what comes only now and then. */
static void run(uint64_t depth, uint64_t repeats)
{
    for (uint64_t repeat = 0; repeat < repeats; repeat++) {
        run_calls(depth, 1 + (depth * 3) % 5, repeat);
        if (depth < DEPTH && depth % 2 == 0)
            run(depth + 1, is_regular || depth == 0 ? 5 : 1 + random_below(6));
        if (depth < DEPTH && depth % 2 == 1)
            run_region(depth, repeat);
        if (happens(300))
            put_other();
        if (happens(20))
            run_calls(DEPTH + 1, 1, repeat);
    }
}

static FILE *begin(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/trace0.xml", folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        exit(1);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE processor SYSTEM \"trace.dtd\">\n"
          "<processor rank=\"P0\" init=\"0.000000000\" finalize=\"\" size=\"1\" format=\"1\">\n",
          file);
    for (unsigned i = 0; i < DECLARATIONS; i++)
        fprintf(file, "<hieraCall id=\"c%u\" level=\"app\" operation=\"o%u\" file=\"a.c\" line=\"%u\"/>\n", i, i,
                i + 1);
    return file;
}

int main(int argc, char **argv)
{
    static char block[64 << 10];
    if (argc != 4)
        return 2;
    plain = begin(argv[1], "plain");
    folded = begin(argv[1], "folded");
    state = (uint64_t)atoll(argv[2]);
    is_regular = state == 0;
    HieraText text = {block, block + sizeof block - 2 * HIERA_TEXT_MARGIN, block, spill};
    stream.text = &text;
    stream.dictionary = hiera_dictionary_make();
    hiera_loops_begin(&stream);
    if (!stream.loops)
        return 1;
    run(0, (uint64_t)atoll(argv[3]));
    if (stream.n_held > 0)
        hiera_loops_write(&stream);
    spill(&text);
    stream.end_loops(&stream);
    hiera_dictionary_free(stream.dictionary);
    fputs("\n</processor>\n", plain);
    fputs("\n</processor>\n", folded);
    printf("%" PRIu64 "\n", n_calls);
    return fclose(plain) != 0 || fclose(folded) != 0;
}
