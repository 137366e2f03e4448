/* A small replacement for libFuzzer, for compilers without it: runs the corpus, then inputs derived from it at random.
 *
 * It is not guided by coverage. It knows the parts of text inputs (numbers, quoted values, tags, lines), changes them,
 * and puts parts of one input into another. The same seed gives the same inputs on every machine.
 *
 *   DRIVER [-runs=N] [-seed=N] [-timeout=SECONDS] [-artifact=FILE] [-binary] FILE|FOLDER...
 *
 * With -binary, inputs are files of numbers: bits and words change where they are.
 *
 * The file that -artifact names always has the current input. It is removed after a run without an error. */
#include "fuzz.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define LONGEST (64u << 10)

typedef struct {
    uint8_t *bytes;
    size_t n;
} Input;

static Input *corpus;
static size_t n_corpus;
static const char *artifact;
static int artifact_fd = -1;
static uint64_t state = 1;
static int is_binary;

/* Xorshift: good enough for choices, and the same on every machine. */
static size_t choose(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? (size_t)(state % below) : 0;
}

/* --- the corpus --- */

static void add_file(const char *path)
{
    FILE *file = fopen(path, "rbe");
    Input input = {malloc(LONGEST), 0};
    if (!file || !input.bytes) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(2);
    }
    input.n = fread(input.bytes, 1, LONGEST, file);
    fclose(file);
    corpus = realloc(corpus, (n_corpus + 1) * sizeof *corpus);
    corpus[n_corpus++] = input;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Add a file, or all files below a folder, sorted so that a seed gives the same inputs everywhere. */
static void add_path(const char *path)
{
    struct dirent **entries;
    int n = scandir(path, &entries, is_visible, alphasort);
    if (n < 0) {
        add_file(path);
        return;
    }
    for (int i = 0; i < n; i++) {
        char *inside = NULL;
        if (asprintf(&inside, "%s/%s", path, entries[i]->d_name) > 0)
            add_path(inside);
        free(inside);
        free(entries[i]);
    }
    free(entries);
}

/* --- mutations --- */

/* Replace `n` bytes at `at` by others, as far as there is room. */
static void replace(Input *input, size_t at, size_t n, const uint8_t *with, size_t n_with)
{
    if (input->n - n + n_with > LONGEST)
        return;
    memmove(input->bytes + at + n_with, input->bytes + at + n, input->n - at - n);
    if (n_with > 0)
        memmove(input->bytes + at, with, n_with);
    input->n = input->n - n + n_with;
}

/* A part of an input: from a byte to the next byte that ends such a part. */
typedef struct {
    size_t at, n;
} Part;

static Part find_part(const Input *input, const char *begins, const char *ends)
{
    Part none = {0, 0};
    size_t start = choose(input->n);
    for (size_t i = 0; i < input->n; i++) {
        size_t at = (start + i) % input->n;
        if (!input->bytes[at] || !strchr(begins, input->bytes[at]))
            continue;
        size_t end = at + 1;
        while (end < input->n && !(input->bytes[end] && strchr(ends, input->bytes[end])))
            end++;
        return (Part){at, end - at};
    }
    return none;
}

static const struct {
    const char *begins, *ends;
} sorts[] = {
    {"\"", "\""},   /* a value, with its opening quote */
    {"<", "<"},     /* a tag and the text after it */
    {" ", " >/\n"}, /* a word, an attribute */
    {"\n", "\n"},   /* a line */
    {",/=", ",/="}, /* a part of a filter rule */
    {"0123456789", " ,\"-:.<>/\n"},
};

/* A part of one input replaces a part of another, or is inserted before it. */
static void exchange(Input *input, const Input *other)
{
    size_t sort = choose(sizeof sorts / sizeof sorts[0]);
    Part from = find_part(other, sorts[sort].begins, sorts[sort].ends);
    Part to = find_part(input, sorts[sort].begins, sorts[sort].ends);
    replace(input, to.at, choose(3) ? to.n : 0, other->bytes + from.at, from.n);
}

static void remove_part(Input *input)
{
    size_t sort = choose(sizeof sorts / sizeof sorts[0]);
    Part part = find_part(input, sorts[sort].begins, sorts[sort].ends);
    replace(input, part.at, part.n, NULL, 0);
}

static void change_number(Input *input)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "-1",
                                          "2",
                                          "3",
                                          "65535",
                                          "2147483646",
                                          "2147483647",
                                          "4294967295",
                                          "4294967296",
                                          "9223372036",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "18446744073709551616",
                                          "1e9",
                                          "0-2147483646",
                                          "0.000000001",
                                          "9223372035.999999999",
                                          "",
                                          "?"};
    const char *number = numbers[choose(sizeof numbers / sizeof numbers[0])];
    Part part = find_part(input, "0123456789", " ,\"-:.<>/\n");
    replace(input, part.at, part.n, (const uint8_t *)number, strlen(number));
}

static void change_byte(Input *input)
{
    static const uint8_t bytes[] = {0,   '\t', '\n', '"', '\'', '&',  '<',  '>',
                                    '/', ' ',  '=',  ':', 0x7f, 0x80, 0xff, '\f'};
    uint8_t *at = &input->bytes[choose(input->n)];
    *at = choose(2) ? bytes[choose(sizeof bytes)] : (uint8_t)(*at ^ (1u << choose(8)));
}

static void cut(Input *input)
{
    input->n = choose(input->n) + 1;
}

/* Files of numbers: bits and words change, bytes keep their places. */
static void mutate_binary(Input *input)
{
    static const uint64_t words[] = {0,          1,          0x7f,       0xff,       0x7fff,   0xffff,
                                     0x7fffffff, 0xffffffff, 0x80000000, UINT64_MAX, INT64_MAX};
    for (size_t n = 1 + choose(6); n > 0 && input->n > 0; n--) {
        size_t at = choose(input->n), size = (size_t)1 << choose(4);
        uint64_t word = words[choose(sizeof words / sizeof words[0])];
        /* Headers are small, and decide about everything. */
        if (choose(3) == 0)
            at %= 1024;
        if (choose(2) == 0)
            input->bytes[at] ^= (uint8_t)(1u << choose(8));
        else if (size <= input->n - at)
            memcpy(input->bytes + at, &word, size);
    }
    if (choose(16) == 0)
        cut(input);
}

static void mutate(Input *input)
{
    if (is_binary) {
        mutate_binary(input);
        return;
    }
    for (size_t n = 1 + choose(4); n > 0 && input->n > 0; n--) {
        switch (choose(16)) {
        case 0:
            cut(input);
            break;
        case 1:
        case 2:
            remove_part(input);
            break;
        case 3:
        case 4:
        case 5:
            change_byte(input);
            break;
        case 6:
        case 7:
        case 8:
        case 9:
            change_number(input);
            break;
        default:
            exchange(input, &corpus[choose(n_corpus)]);
        }
    }
}

/* --- runs --- */

static void say_timeout(int number)
{
    static const char text[] = "fuzz: this input takes too long\n";
    (void)number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(3);
    abort();
}

/* CPU time, so that a busy machine causes no failure. */
static void set_timeout(long seconds)
{
    const struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void run(const Input *input, long timeout)
{
    if (artifact_fd >= 0 && (ftruncate(artifact_fd, 0) != 0 || pwrite(artifact_fd, input->bytes, input->n, 0) < 0))
        exit(2);
    /* A copy of exactly this length, so that the sanitizer notices reads beyond its end. */
    uint8_t *exact = malloc(input->n ? input->n : 1);
    memcpy(exact, input->bytes, input->n);
    set_timeout(timeout);
    LLVMFuzzerTestOneInput(exact, input->n);
    set_timeout(0);
    free(exact);
}

static long number_of(const char *argument, const char *name, long otherwise)
{
    size_t n = strlen(name);
    return strncmp(argument, name, n) == 0 ? atol(argument + n) : otherwise;
}

int main(int argc, char **argv)
{
    long runs = 0, timeout = 10, seed = 1;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            add_path(argv[i]);
            continue;
        }
        runs = number_of(argv[i], "-runs=", runs);
        seed = number_of(argv[i], "-seed=", seed);
        timeout = number_of(argv[i], "-timeout=", timeout);
        if (strcmp(argv[i], "-binary") == 0)
            is_binary = 1;
        if (strncmp(argv[i], "-artifact=", 10) == 0)
            artifact = argv[i] + 10;
    }
    if (n_corpus == 0) {
        fprintf(stderr, "usage: %s [-runs=N] [-seed=N] [-timeout=SECONDS] [-artifact=FILE] FILE|FOLDER...\n", argv[0]);
        return 2;
    }
    signal(SIGPROF, say_timeout);
    if (artifact)
        artifact_fd = open(artifact, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    for (size_t i = 0; i < n_corpus; i++)
        run(&corpus[i], timeout);
    Input input = {malloc(LONGEST), 0};
    for (long i = 0; i < runs; i++) {
        state = (uint64_t)seed * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)i * UINT64_C(0xD1B54A32D192ED03) + 1;
        const Input *base = &corpus[choose(n_corpus)];
        memcpy(input.bytes, base->bytes, input.n = base->n);
        mutate(&input);
        run(&input, timeout);
    }
    if (artifact)
        unlink(artifact);
    printf("%zu inputs of the corpus, %ld made from them: no fault\n", n_corpus, runs);
    for (size_t i = 0; i < n_corpus; i++)
        free(corpus[i].bytes);
    free(corpus);
    free(input.bytes);
    return 0;
}
