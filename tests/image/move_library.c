/* All functions of libraries that can be moved are moved, some at a time, and moved back, while the libraries work:
 * their results must not change. move_library ROUNDS [THREADS]: zlib, zstd and libxml2 compress and parse the same
 * again and again, in so many more threads meanwhile. Prints why functions are left alone, and how long threads were
 * stopped. */
#include "collector/loops/moved.h"
#include "collector/loops/timing.h"
#include "image/flow/no_return.h"
#include "image/move/plan_builder.h"

#include <dlfcn.h>
#include <libxml/parser.h>
#include <libxml/xmlsave.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* Few functions at a time: a plan has room for so many loops. */
enum { BYTES = 60000, BATCH = 12 };

static char text[BYTES];

static uint64_t hash(uint64_t sum, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return sum;
}

static uint64_t work_zlib(void)
{
    uint64_t sum = 0;
    for (int level = 1; level < 10; level += 4) {
        unsigned char *packed = malloc(BYTES + 1000), *again = malloc(BYTES);
        uLongf n = BYTES + 1000, m = BYTES;
        if (compress2(packed, &n, (const unsigned char *)text, BYTES, level) != Z_OK ||
            uncompress(again, &m, packed, n) != Z_OK || m != BYTES || memcmp(again, text, BYTES) != 0)
            abort();
        sum = hash(sum, packed, n) + adler32(1, packed, (uInt)n) + crc32(0, packed, (uInt)n);
        free(packed);
        free(again);
    }
    return sum;
}

static uint64_t work_zstd(void)
{
    uint64_t sum = 0;
    for (int level = 1; level < 20; level += 3) {
        char *packed = malloc(BYTES + 1000), *again = malloc(BYTES);
        size_t n = ZSTD_compress(packed, BYTES + 1000, text, BYTES, level);
        if (ZSTD_isError(n) || ZSTD_decompress(again, BYTES, packed, n) != BYTES || memcmp(again, text, BYTES) != 0)
            abort();
        sum = hash(sum, packed, n);
        free(packed);
        free(again);
    }
    return sum;
}

static uint64_t work_xml(void)
{
    char document[4000] = "<?xml version='1.0'?><!DOCTYPE a [<!ELEMENT a (b|c)*><!ATTLIST b x CDATA #IMPLIED>]><a>";
    for (int i = 0; i < 40; i++)
        sprintf(document + strlen(document), "<b x='%d'>text &amp; more &#%d;</b><c/>", i, 65 + i);
    strcat(document, "</a>");
    xmlDoc *tree = xmlReadMemory(document, (int)strlen(document), "doc.xml", NULL, XML_PARSE_DTDATTR | XML_PARSE_NOENT);
    xmlChar *written = NULL;
    int n = 0;
    if (!tree)
        abort();
    xmlDocDumpFormatMemory(tree, &written, &n, 1);
    uint64_t sum = hash(0, written, (size_t)n);
    xmlFree(written);
    xmlFreeDoc(tree);
    return sum;
}

static const struct {
    const char *symbol;
    uint64_t (*work)(void);
} libraries[] = {{"deflate", work_zlib}, {"ZSTD_compress", work_zstd}, {"xmlParseDocument", work_xml}};

/* Reasons without their addresses. */
static void note(GHashTable *reasons, const char *reason)
{
    g_autofree char *key = g_strdup(reason);
    for (char *at = strstr(key, "0x"); at; at = strstr(at, "0x")) {
        char *end = at + 2 + strspn(at + 2, "0123456789abcdef");
        memmove(at, end, strlen(end) + 1);
    }
    g_hash_table_insert(reasons, g_strdup(key),
                        GUINT_TO_POINTER(GPOINTER_TO_UINT(g_hash_table_lookup(reasons, key)) + 1));
}

/* --- threads --- */

enum { THREADS_MAX = 64 };

static int n_threads;
static volatile bool is_over;
static uint64_t (*volatile working)(void);
static uint64_t stopped_ns, longest_ns, n_stops;

static void *work_meanwhile(void *expected)
{
    uint64_t n_wrong = 0;
    while (!is_over)
        n_wrong += working() != *(const uint64_t *)expected;
    return (void *)(uintptr_t)(n_wrong > 0);
}

/* Change it in any case: a thread may be where that is not possible, for a moment. */
static const char *change(HieraMoved *moved, const char *(*alone)(HieraMoved *),
                          const char *(*running)(HieraMoved *, uint64_t *))
{
    uint64_t ns = 0;
    const char *reason;
    if (n_threads == 0)
        return alone(moved);
    while ((reason = running(moved, &ns)) != NULL && strcmp(reason, "a thread is about to execute it") == 0)
        continue;
    stopped_ns += ns;
    longest_ns = ns > longest_ns ? ns : longest_ns;
    n_stops++;
    return reason;
}

static bool try(const HieraPlan *plan, uintptr_t base, uint64_t (*work)(void), uint64_t expected, int rounds)
{
    HieraMoved moved;
    const HieraPlanFunction *functions = hiera_plan_part(plan, plan->functions);
    const HieraMovedContext context = {1, 1, hiera_timing_event(), hiera_timing_unwind(), hiera_timing_counters()};
    for (uint32_t i = 0; i < plan->functions.n; i++)
        hiera_timed_functions[i + 1] = (HieraTimedFunction){functions[i].loop + 1, functions[i].n_loops};
    const char *reason = hiera_moved_place(&moved, plan, base, &context);
    for (int i = 0; i < rounds && !reason; i++) {
        reason = change(&moved, hiera_moved_redirect, hiera_moved_redirect_running);
        if (!reason && work() != expected)
            reason = "another result";
        if (!reason)
            reason = change(&moved, hiera_moved_undo, hiera_moved_undo_running);
    }
    if (!reason) {
        if (n_threads == 0) /* else one may still be in a copy */
            hiera_moved_free(&moved);
        return true;
    }
    fprintf(stderr, "%s\n", reason);
    for (uint32_t i = 0; i < plan->functions.n; i++)
        fprintf(stderr, "  %s\n", hiera_plan_text(plan, functions[i].name));
    return false;
}

static bool move_library(const char *symbol, uint64_t (*work)(void), int rounds)
{
    Dl_info info;
    g_autoptr(GHashTable) reasons = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    uint64_t expected = work();
    guint n_moved = 0, n_all = 0;
    bool good = true;
    if (dladdr(dlsym(RTLD_DEFAULT, symbol), &info) == 0)
        return false;
    HieraObject *object = hiera_object_open(info.dli_fname, NULL);
    HieraFunctions *functions = hiera_functions_new(object, NULL);
    HieraDecoder *decoder = hiera_decoder_new(object, NULL);
    hiera_no_return_find(functions, decoder);
    pthread_t threads[THREADS_MAX];
    working = work;
    is_over = false;
    for (int i = 0; i < n_threads; i++)
        pthread_create(&threads[i], NULL, work_meanwhile, &expected);
    for (guint i = 0; i < functions->functions->len && good;) {
        HieraPlanBuilder *builder = hiera_plan_builder_new(functions, decoder, NULL);
        guint n = 0;
        for (; i < functions->functions->len && n < BATCH; i++, n_all++)
            n += hiera_plan_builder_add(builder, functions->functions->pdata[i], G_MAXUINT);
        g_autoptr(GByteArray) bytes = hiera_plan_builder_end(builder);
        const HieraPlan *plan = (const HieraPlan *)bytes->data;
        const HieraPlanRefused *refused = hiera_plan_part(plan, plan->refused);
        for (uint32_t j = 0; j < plan->refused.n; j++)
            note(reasons, hiera_plan_text(plan, refused[j].reason));
        n_moved += plan->functions.n;
        if (!hiera_moved_check(plan, bytes->len))
            abort();
        good = try(plan, (uintptr_t)info.dli_fbase, work, expected, rounds);
    }
    is_over = true;
    for (int i = 0; i < n_threads; i++) {
        void *is_wrong;
        pthread_join(threads[i], &is_wrong);
        good &= !is_wrong;
    }
    printf("%s: %u of %u functions moved\n", info.dli_fname, n_moved, n_all);
    GHashTableIter all;
    gpointer reason, count;
    g_hash_table_iter_init(&all, reasons);
    while (g_hash_table_iter_next(&all, &reason, &count))
        printf("  %5u %s\n", GPOINTER_TO_UINT(count), (const char *)reason);
    hiera_decoder_free(decoder);
    hiera_functions_free(functions);
    hiera_object_free(object);
    return good;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    bool good = hiera_timing_begin();
    n_threads = argc > 2 ? atoi(argv[2]) : 0;
    for (int i = 0; i < BYTES; i++)
        text[i] = (char)("abcdefgh"[(i * i / 7 + i / 100) % 8] + (i % 13 == 0));
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        good &= move_library(libraries[i].symbol, libraries[i].work, rounds);
    printf("%lu events lost; an event takes %.0f ticks\n", (unsigned long)hiera_timing_lost(),
           hiera_timing_calibrate());
    if (n_stops > 0)
        printf("%lu stops of threads, %.0f us each, %.0f us at most\n", (unsigned long)n_stops,
               (double)stopped_ns / 1000 / (double)n_stops, (double)longest_ns / 1000);
    return good ? 0 : 1;
}
