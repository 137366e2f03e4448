/* All functions of libraries that can be moved are moved, some at a time, and moved back, while the libraries work:
 * their results must not change. Prints why functions are left alone, and how long threads were stopped.
 *
 * move_library [ROUNDS [THREADS [MINUTES [LIBRARY…]]]]: zlib, zstd and libxml2 compress and parse the same again and
 * again, in so many more threads meanwhile; all is repeated for so many minutes. Other libraries are named: `lammps`
 * (one thread), and `exceptions=FILE`, libstdc++ while the functions of a library made of throw_subject.cc throw.
 * MOVE_BY=ptrace or int3 says how threads are kept out. */
#include "collector/base/settings.h"
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
#include <time.h>
#include <zlib.h>
#include <zstd.h>

HieraSettings hiera_settings;

/* Few functions at a time: a plan has room for so many loops. */
enum { BYTES = 20000, BATCH = 24 };

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

/* --- libraries that are named --- */

static void *function_of(void *library, const char *name)
{
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        fprintf(stderr, "%s: %s\n", name, dlerror());
        exit(2);
    }
    return function;
}

static uint64_t (*throw_all)(uint64_t);

static uint64_t work_exceptions(void)
{
    uint64_t sum = 0;
    for (uint64_t n = 0; n < 30; n++)
        sum = sum * 31 + throw_all(n);
    return sum;
}

static struct {
    void *(*open)(int argc, char **argv, void **handle);
    void (*commands)(void *, const char *), (*close)(void *);
    double (*thermo)(void *, const char *);
    int (*has_exceptions)(void), (*has_error)(void *), (*message)(void *, char *, int);
} lammps;

/* A melt, then a command that is wrong: that is an exception if LAMMPS was compiled so. */
static uint64_t work_lammps(void)
{
    static const char melt[] = "units lj\natom_style atomic\nlattice fcc 0.8442\nregion box block 0 4 0 4 0 4\n"
                               "create_box 1 box\ncreate_atoms 1 box\nmass 1 1.0\nvelocity all create 3.0 87287\n"
                               "pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0 2.5\nneighbor 0.3 bin\n"
                               "neigh_modify every 5 delay 0 check no\nfix 1 all nve\ncompute r all rdf 50\n"
                               "fix 2 all ave/time 5 2 10 c_r[*] mode vector\nthermo 10\nrun 30\n";
    static char *arguments[] = {(char *)"lammps",  (char *)"-log", (char *)"none",
                                (char *)"-screen", (char *)"none", NULL};
    char message[300] = "";
    void *handle = lammps.open(5, arguments, NULL);
    lammps.commands(handle, melt);
    double energy = lammps.thermo(handle, "etotal"), pressure = lammps.thermo(handle, "press");
    if (lammps.has_exceptions()) { /* else it ends the program */
        lammps.commands(handle, "pair_coeff 1 1 wrong\n");
        if (lammps.has_error(handle))
            lammps.message(handle, message, sizeof message);
    }
    lammps.close(handle);
    uint64_t sum = hash(0, &energy, sizeof energy);
    return hash(hash(sum, &pressure, sizeof pressure), message, sizeof message);
}

typedef struct {
    const char *name, *symbol; /* a function of it */
    uint64_t (*work)(void);
    bool is_named, is_alone; /* only if it is asked for; in one thread only */
} Library;

static const Library libraries[] = {{"zlib", "deflate", work_zlib, false, false},
                                    {"zstd", "ZSTD_compress", work_zstd, false, false},
                                    {"libxml2", "xmlParseDocument", work_xml, false, false},
                                    {"lammps", "lammps_open_no_mpi", work_lammps, true, true},
                                    {"exceptions", "__cxa_throw", work_exceptions, true, false}};

/* Load it if it is asked for. @return whether it is to work */
static bool prepare(const Library *library, int n, char **names)
{
    bool is_wanted = n == 0 && !library->is_named;
    for (int i = 0; i < n; i++) {
        size_t length = strlen(library->name);
        const char *path = strncmp(names[i], library->name, length) == 0 ? names[i] + length : NULL;
        if (!path || (*path && *path != '='))
            continue;
        is_wanted = true;
        if (library->work == work_exceptions)
            throw_all =
                (uint64_t(*)(uint64_t))(uintptr_t)function_of(dlopen(path + 1, RTLD_NOW | RTLD_GLOBAL), "throw_all");
        if (library->work == work_lammps) {
            void *file = dlopen("liblammps.so.0", RTLD_NOW | RTLD_GLOBAL);
            *(void **)&lammps.open = function_of(file, "lammps_open_no_mpi");
            *(void **)&lammps.commands = function_of(file, "lammps_commands_string");
            *(void **)&lammps.close = function_of(file, "lammps_close");
            *(void **)&lammps.thermo = function_of(file, "lammps_get_thermo");
            *(void **)&lammps.has_exceptions = function_of(file, "lammps_config_has_exceptions");
            *(void **)&lammps.has_error = function_of(file, "lammps_has_error");
            *(void **)&lammps.message = function_of(file, "lammps_get_last_error_message");
        }
    }
    return is_wanted;
}

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
static uint64_t stopped_ns, longest_ns, n_stops, n_late;

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
    /* Both leave everything as it was; the second one where a machine has too much to do. */
    while ((reason = running(moved, &ns)) != NULL &&
           (strcmp(reason, "a thread is about to execute it") == 0 ||
            ((strcmp(reason, "a thread does not stop") == 0 || strncmp(reason, "without ptrace: where", 21) == 0 ||
              strncmp(reason, "without ptrace: a thread", 24) == 0) &&
             n_late++ < 100)))
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
    const HieraMovedContext context = {1, 1, hiera_timing_event(), hiera_timing_unwind(), hiera_timing_locals()};
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

static bool move_library(const Library *library, int rounds)
{
    uint64_t (*work)(void) = library->work;
    Dl_info info;
    g_autoptr(GHashTable) reasons = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    uint64_t expected = work();
    guint n_moved = 0, n_all = 0;
    bool good = true;
    if (dladdr(dlsym(RTLD_DEFAULT, library->symbol), &info) == 0)
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
        if (!hiera_plan_check(plan, bytes->len))
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
    int rounds = argc > 1 ? atoi(argv[1]) : 1, threads = argc > 2 ? atoi(argv[2]) : 0;
    time_t until = time(NULL) + (argc > 3 ? atoi(argv[3]) * 60 : 0);
    bool good = true;
    const char *way = getenv("MOVE_BY");
    hiera_moved_by = !way                       ? HIERA_MOVED_BY_ANY
                     : strcmp(way, "int3") == 0 ? HIERA_MOVED_BY_BREAKPOINTS
                                                : HIERA_MOVED_BY_STOPS;
    unsigned n_times = 0;
    hiera_timing_calibrate();
    for (int i = 0; i < BYTES; i++)
        text[i] = (char)("abcdefgh"[(i * i / 7 + i / 100) % 8] + (i % 13 == 0));
    do {
        for (size_t i = 0; i < sizeof libraries / sizeof libraries[0] && good; i++) {
            if (!prepare(&libraries[i], argc > 4 ? argc - 4 : 0, argv + 4))
                continue;
            n_threads = libraries[i].is_alone ? 0 : threads;
            good = move_library(&libraries[i], rounds);
        }
        n_times++;
    } while (good && time(NULL) < until);
    printf("%u times, %lu events lost\n", n_times, (unsigned long)hiera_timing_lost());
    if (n_stops > 0)
        printf("%lu stops of threads, %.0f us each, %.0f us at most\n", (unsigned long)n_stops,
               (double)stopped_ns / 1000 / (double)n_stops, (double)longest_ns / 1000);
    return good ? 0 : 1;
}
