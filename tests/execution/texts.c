/* Functions of C on bytes, texts and letters: of each call, what comes out becomes the exit status.
 * usage: texts CASE N; 255: there is no such case */
#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char buffer[256];

static unsigned fold(const char *text)
{
    unsigned sum = 0;
    for (; *text; text++)
        sum = sum * 31 + (unsigned char)*text;
    return (sum ^ sum >> 8 ^ sum >> 16) % 251;
}

static unsigned sign(int value)
{
    return value < 0 ? 3 : value > 0 ? 7 : 11;
}

static unsigned place(const void *found, const char *in)
{
    return found ? (unsigned)((const char *)found - in) % 251 : 250;
}

static __attribute__((noinline)) unsigned listed(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(buffer, 20, format, list);
    va_end(list);
    unsigned sum = fold(buffer) + (unsigned)n;
    vsprintf(buffer, format, again);
    va_end(again);
    return (sum + fold(buffer)) % 251;
}

/* What stands at the begin of a file that every computer has. */
static __attribute__((noipa)) unsigned read_some(size_t n, int lines)
{
    FILE *file = fopen("/etc/passwd", "r");
    size_t got = 0;
    memset(buffer, 0, sizeof buffer);
    if (!file)
        return 1;
    if (lines)
        got = fgets(buffer, (int)n, file) != NULL;
    else
        got = fread(buffer, 2, n, file);
    fclose(file);
    return (fold(buffer) + (unsigned)got) % 251;
}

/* A command line: what is found in it, and what is left. */
static __attribute__((noipa)) unsigned options(const char *letters, int n)
{
    static const char *lines[][10] = {{"p", "-x", "8", "file", "-vq", "--grid=31", "--name", "n1", "-e", NULL},
                                      {"p", "one", "two", "-y5", "--", "-x", "3", NULL},
                                      {"p", "--na", "7", "-vx", "9", "-", "-w", "--nosuch", "--size", NULL},
                                      {"p", "-x", "-fill", "--quick", "--level", "-x12", "last", NULL}};
    static int quick;
    static const struct option known[] = {
        {"grid", required_argument, NULL, 'g'}, {"name", required_argument, NULL, 1},
        {"quick", no_argument, &quick, 4},      {"level", optional_argument, NULL, 'l'},
        {"size", required_argument, NULL, 's'}, {NULL, 0, NULL, 0}};
    char **words = (char **)lines[n % 4];
    int count = 0, found, at = 0;
    unsigned sum = 1;
    while (words[count])
        count++;
    opterr = 0;
    while ((found = n % 3 == 0 ? getopt(count, words, letters) : getopt_long(count, words, letters, known, &at)) != -1)
        sum = (sum * 31 + (unsigned)found * 7 + (optarg ? fold(optarg) : 3) + (unsigned)(quick + at)) % 65521;
    sum += (unsigned)optind;
    for (int i = 0; i < count; i++)
        sum = (sum * 31 + fold(words[i])) % 65521;
    return sum % 251;
}

#define CASE(result)                                                                                                   \
    if (number-- == 0)                                                                                                 \
        return result;
#define PRINTED(...) CASE(((unsigned)sprintf(buffer, __VA_ARGS__) + fold(buffer)) % 251)

static unsigned run(int number, char *text, int n)
{
    double real = n * 0.37 - 5;
    long big = n * 123456789012L;
    size_t length = strlen(text);
    CASE(place(memchr(text, 'e', length), text))
    CASE(place(memchr(text, '%', length), text))
    CASE(place(memrchr(text, 'e', length), text))
    CASE(place(rawmemchr(text, 'a'), text))
    CASE(sign(memcmp(text, "hierarchy", (size_t)n % 9)))
    CASE(sign(memcmp(text + 1, text, 4)))
    CASE(sign(bcmp(text, "hiera", 5)))
    CASE(place(mempcpy(buffer, text, (size_t)n % 12), buffer))
    CASE((unsigned)strnlen(text, (size_t)n % 12))
    CASE(place(strchrnul(text, 'z'), text))
    CASE(place(strchrnul(text, 'r'), text))
    CASE(place(strpbrk(text, "xyr"), text))
    CASE(place(stpcpy(buffer, text), buffer) + fold(buffer) % 7)
    CASE(fold(strncat(strcpy(buffer, "x"), text, (size_t)n % 7)))
    CASE(sign(strncasecmp(text, "HIERArchy", 5)))
    CASE(sign(strncasecmp(text, "hierb", 5)))
    CASE((unsigned)isspace(text[n % 8]) != 0)
    CASE((isdigit(text[n % 8]) != 0) + 2 * (isalpha(text[n % 8]) != 0) + 4 * (isxdigit(text[n % 8]) != 0))
    CASE((unsigned)toupper(text[n % 8]))
    CASE((unsigned)tolower(n % 128))
    CASE((isupper(n % 128) != 0) + 2 * (ispunct(n % 128) != 0) + 4 * (iscntrl(n % 128) != 0) +
         8 * (isprint(n % 128) != 0) + 16 * (isgraph(n % 128) != 0) + 32 * (isblank(n % 128) != 0) +
         64 * (isalnum(n % 128) != 0) + 128 * (islower(n % 128) != 0))
    PRINTED("%d %i|%5d|%-5d|%05d|%+d|% d|%.3d", n, -n, n, n, -n, n, n, n)
    PRINTED("%u %x %X %o %#x %#o|%8.4x|%ld|%lx|%zu|%lld", n, n * 77, n * 77, n, n, n, n, big, big, length,
            (long long)-big)
    PRINTED("%hd %hhu %c%c|%3c|%-3c|%%", (short)(n * 1001), (unsigned char)(n * 7), 'a' + n % 26, 'b', 'c', 'd')
    PRINTED("%s|%10s|%-10s|%.3s|%*.*s|%-*s|", text, text, text, text, 9, n % 5, text, n % 9, text)
    PRINTED("%f|%.2f|%9.3f|%-9.1f|%09.2f|%+.1f", real, real, real, real, real, real)
    PRINTED("%e|%.3E|%g|%.3g|%G|%g|%#g", real, real, real, real, real * 1e20, real * 1e-9, real)
    PRINTED("%d%f%d%f%d%f%d%f%d%f%s%f%f%f%f%f%ld", n, real, 2, real, 3, real, 4, real, 5, real, text, 1.5, 2.5, 3.5,
            4.5, 5.5, big)
    PRINTED("%*d|%-*d|%.*d|%.*s|", -(n % 9), n, n % 9, n, -n, n, -1, text)
    CASE((unsigned)snprintf(buffer, 6, "%s-%d", text, n) + fold(buffer) % 100)
    CASE((unsigned)snprintf(buffer, 1, "%s-%d", text, n) + fold(buffer))
    CASE((unsigned)snprintf(NULL, 0, "%s-%d", text, n))
    CASE(listed("%s %d %5.1f %ld", text, n, real, big))
    CASE(listed("%d %d %d %d %d %d %d %s", n, 1, 2, 3, 4, 5, 6, text))
    CASE(read_some((size_t)n % 20 + 2, 0))
    CASE(read_some((size_t)n % 20 + 2, 1))
    CASE(options("vqx:y:e", n))
    CASE(options("+vqx:y:e", n / 2))
    CASE(options(":vqx:y::e:", n / 7))
    CASE(options("x:fil", n / 3 + 1))
    return 255;
}

int main(int argc, char **argv)
{
    char text[16] = "hiera 7";
    int number = atoi(argv[1]), n = argc > 2 ? atoi(argv[2]) : 0;
    return (int)run(number, text, n);
}
