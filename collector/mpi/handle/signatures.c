/* See signatures.h. The hash is polynomial, modulo a prime: that of a sequence follows from those of its parts. */
#include "signatures.h"

#include "handles.h"
#include "mpi/call/own_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRIME      ((UINT64_C(1) << 61) - 1)
#define BASE       UINT64_C(0x1b873593cc9e2d51)
#define DEPTH_MOST 16                 /* of datatypes whose parts are not known either */
#define PARTS_MOST (INT64_C(1) << 20) /* longer lists of a constructor are not read */
#define N_MOST     (INT64_C(1) << 53) /* more basic types than that are not counted */
#define PARTS_KEPT 8                  /* of a struct, to be used again */

/* --- the algebra of sequences --- */

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b % PRIME);
}

static uint64_t power(uint64_t base, int64_t n)
{
    uint64_t result = 1;
    for (; n > 0; n >>= 1, base = multiply(base, base))
        if (n & 1)
            result = multiply(result, base);
    return result;
}

/* Return the hash of a sequence followed by one of n basic types. */
static uint64_t join(uint64_t hash, uint64_t next, int64_t n)
{
    return (multiply(hash, power(BASE % PRIME, n)) + next) % PRIME;
}

static void forget(HieraSignature *signature)
{
    *signature = (HieraSignature){.n = -1};
}

void hiera_signature_clear(HieraSignature *signature)
{
    *signature = (HieraSignature){.n = 0};
}

/* Set the text, or "#" if it would be too long: what follows that is written at the end, by finish(). */
static void set_text(HieraSignature *signature, const char *begin, const char *end)
{
    bool is_long = begin[0] == '#' || end[0] == '#' ||
                   snprintf(signature->text, sizeof signature->text, "%s%s", begin, end) >= (int)sizeof signature->text;
    if (is_long && (strstr(begin, "packed") || strstr(end, "packed")))
        forget(signature); /* it fits to anything, which a hash does not say */
    else if (is_long)
        memcpy(signature->text, "#", 2);
}

static void finish(HieraSignature *signature)
{
    if (signature->text[0] == '#')
        snprintf(signature->text, sizeof signature->text, "#%" PRId64 ":%016" PRIx64, signature->n, signature->hash);
}

/* Return where the word or group behind the number of the only item of a text begins; NULL if there are several. */
static const char *peek_only_item(const char *text)
{
    const char *at = text + strspn(text, "0123456789");
    const char *item = at > text && *at == '*' ? at + 1 : text;
    int depth = 0;
    for (at = item; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0 && *at == ' ')
            return NULL;
    }
    return item;
}

void hiera_signature_repeat(HieraSignature *signature, int64_t times)
{
    char body[HIERA_SIGNATURE_TEXT + 3], begin[24];
    if (signature->n <= 0 || times == 1)
        return;
    if (times <= 0 || signature->n > N_MOST / times) {
        times == 0 ? hiera_signature_clear(signature) : forget(signature);
        return;
    }
    uint64_t all = 0, part = signature->hash;
    int64_t n = signature->n;
    for (int64_t left = times, length = n; left > 0; left >>= 1, part = join(part, part, length), length *= 2)
        all = left & 1 ? join(all, part, length) : all;
    signature->hash = all;
    signature->n = n * times;
    const char *only = signature->text[0] == '#' ? "#" : peek_only_item(signature->text);
    int64_t before = only && only > signature->text ? strtoll(signature->text, NULL, 10) : 1;
    snprintf(body, sizeof body, only ? "%s" : "(%s)", only ? only : signature->text);
    snprintf(begin, sizeof begin, "%" PRId64 "*", before * times);
    set_text(signature, only && *only == '#' ? "#" : begin, body);
    finish(signature);
}

/* Append a sequence, but for the number and the hash in the text. */
static void append(HieraSignature *signature, const HieraSignature *more)
{
    char begin[HIERA_SIGNATURE_TEXT + 2] = "#";
    if (signature->n < 0 || more->n == 0)
        return;
    if (more->n < 0 || more->n > N_MOST - signature->n) {
        forget(signature);
        return;
    }
    signature->hash = join(signature->hash, more->hash, more->n);
    if (signature->text[0] != '#')
        snprintf(begin, sizeof begin, "%s%s", signature->text, signature->n > 0 ? " " : "");
    signature->n += more->n;
    set_text(signature, begin, more->text);
}

void hiera_signature_append(HieraSignature *signature, const HieraSignature *more)
{
    append(signature, more);
    finish(signature);
}

static void make_basic(HieraSignature *signature, const char *family, int64_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    if (strcmp(family, "byte") == 0 || strcmp(family, "packed") == 0)
        snprintf(signature->text, sizeof signature->text, "%s", family);
    else
        snprintf(signature->text, sizeof signature->text, "%s%" PRId64, family, 8 * size);
    for (const char *at = signature->text; *at; at++)
        hash = (hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
    signature->n = 1;
    signature->hash = hash % PRIME;
}

/* --- predefined datatypes --- */

/* Families and the names of their datatypes, without MPI_, between blanks. */
static const struct {
    const char *family;
    int parts;     /* 1: a value; 2: two */
    int64_t first; /* of a value and an int: size of the value; 0: the values are alike */
    const char *names;
} families[] = {
    {"char", 1, 0, " CHAR WCHAR CHARACTER "},
    {"byte", 1, 0, " BYTE "},
    {"packed", 1, 0, " PACKED "},
    {"int", 1, 0,
     " SIGNED_CHAR SHORT INT LONG LONG_LONG LONG_LONG_INT INT8_T INT16_T INT32_T INT64_T AINT OFFSET COUNT "},
    {"int", 1, 0, " INTEGER INTEGER1 INTEGER2 INTEGER4 INTEGER8 INTEGER16 "},
    {"uint", 1, 0,
     " UNSIGNED_CHAR UNSIGNED_SHORT UNSIGNED UNSIGNED_LONG UNSIGNED_LONG_LONG UINT8_T UINT16_T UINT32_T "},
    {"uint", 1, 0, " UINT64_T "},
    {"float", 1, 0, " FLOAT DOUBLE REAL DOUBLE_PRECISION REAL2 REAL4 REAL8 REAL16 "},
    {"longdouble", 1, 0, " LONG_DOUBLE "},
    {"complex", 1, 0, " COMPLEX DOUBLE_COMPLEX COMPLEX4 COMPLEX8 COMPLEX16 COMPLEX32 C_COMPLEX C_FLOAT_COMPLEX "},
    {"complex", 1, 0, " C_DOUBLE_COMPLEX CXX_FLOAT_COMPLEX CXX_DOUBLE_COMPLEX "},
    {"longcomplex", 1, 0, " C_LONG_DOUBLE_COMPLEX CXX_LONG_DOUBLE_COMPLEX "},
    {"bool", 1, 0, " C_BOOL CXX_BOOL LOGICAL LOGICAL1 LOGICAL2 LOGICAL4 LOGICAL8 LOGICAL16 "},
    {"int", 2, 0, " 2INT 2INTEGER "},
    {"float", 2, 0, " 2REAL 2DOUBLE_PRECISION "},
    {"complex", 2, 0, " 2COMPLEX 2DOUBLE_COMPLEX "},
    {"float", 2, sizeof(float), " FLOAT_INT "},
    {"float", 2, sizeof(double), " DOUBLE_INT "},
    {"int", 2, sizeof(long), " LONG_INT "},
    {"int", 2, sizeof(short), " SHORT_INT "},
    {"longdouble", 2, sizeof(long double), " LONG_DOUBLE_INT "},
};

void hiera_signature_of_predefined(HieraSignature *signature, const char *name, int64_t size)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", name + strlen("MPI_"));
    forget(signature);
    if (size == 0)
        hiera_signature_clear(signature);
    for (size_t i = 0; size > 0 && i < sizeof families / sizeof *families; i++) {
        if (!strstr(families[i].names, word))
            continue;
        HieraSignature second = {.n = -1};
        make_basic(signature, families[i].family, families[i].first ? families[i].first : size / families[i].parts);
        if (families[i].first) {
            make_basic(&second, "int", sizeof(int));
            hiera_signature_append(signature, &second);
        } else {
            hiera_signature_repeat(signature, families[i].parts);
        }
    }
}

/* --- derived datatypes --- */

/* The arguments of a datatype's constructor. */
typedef struct {
    int64_t n_integers, n_addresses, n_counts, n_types;
    int combiner;
    int *integers;
    MPI_Aint *addresses;
    MPI_Count *counts;
    MPI_Datatype *types;
} Contents;

static bool read_envelope(MPI_Datatype type, Contents *of)
{
#if MPI_VERSION >= 4
    MPI_Count n[4] = {0, 0, 0, 0};
    if (!hiera_own.Type_get_envelope_c || !hiera_own.Type_get_contents_c ||
        hiera_own.Type_get_envelope_c(type, &n[0], &n[1], &n[2], &n[3], &of->combiner) != MPI_SUCCESS)
        return false;
#else
    int n[4] = {0, 0, 0, 0};
    if (!hiera_own.Type_get_envelope || !hiera_own.Type_get_contents ||
        hiera_own.Type_get_envelope(type, &n[0], &n[1], &n[3], &of->combiner) != MPI_SUCCESS)
        return false;
#endif
    of->n_integers = n[0];
    of->n_addresses = n[1];
    of->n_counts = n[2];
    of->n_types = n[3];
    return true;
}

static bool read_contents(MPI_Datatype type, Contents *of)
{
#if MPI_VERSION >= 4
    return hiera_own.Type_get_contents_c(type, of->n_integers, of->n_addresses, of->n_counts, of->n_types, of->integers,
                                         of->addresses, of->counts, of->types) == MPI_SUCCESS;
#else
    return hiera_own.Type_get_contents(type, (int)of->n_integers, (int)of->n_addresses, (int)of->n_types, of->integers,
                                       of->addresses, of->types) == MPI_SUCCESS;
#endif
}

/* Whether a datatype that MPI returned must be freed: predefined ones are not made of others. */
static bool is_made(MPI_Datatype type)
{
    Contents of = {.combiner = MPI_COMBINER_NAMED};
    return read_envelope(type, &of) && of.combiner != MPI_COMBINER_NAMED && of.n_types > 0;
}

static void derive(HieraSignature *signature, MPI_Datatype type, HieraKnownSignature *known, int depth);

static void find(HieraSignature *signature, MPI_Datatype type, HieraKnownSignature *known, int depth)
{
    if (!known(signature, type))
        derive(signature, type, known, depth);
}

static int64_t size_of(MPI_Datatype type)
{
    MPI_Count size = -1;
    return hiera_own.Type_size_x(type, &size) == MPI_SUCCESS ? size : -1;
}

/* All other constructors repeat one datatype. */
static void repeat_part(HieraSignature *signature, MPI_Datatype type, MPI_Datatype part, HieraKnownSignature *known,
                        int depth)
{
    int64_t size = size_of(type), part_size = size_of(part);
    find(signature, part, known, depth);
    if (size == 0)
        hiera_signature_clear(signature);
    else if (size < 0 || part_size <= 0 || size % part_size != 0)
        forget(signature);
    else
        hiera_signature_repeat(signature, size / part_size);
}

/* A part of a struct that was found last: most structs repeat a few. */
typedef struct {
    MPI_Datatype type;
    int64_t times; /* 0: none yet */
    HieraSignature signature;
} Part;

static void append_parts(HieraSignature *signature, const Contents *of, HieraKnownSignature *known, int depth)
{
    Part parts[PARTS_KEPT];
    for (int i = 0; i < PARTS_KEPT; i++)
        parts[i].times = 0;
    hiera_signature_clear(signature);
    for (int64_t i = 0, n = 0, next = 0; i < of->n_types && signature->n >= 0; i += n) {
        int64_t times = 0;
        int kept = 0;
        for (n = 0; i + n < of->n_types && of->types[i + n] == of->types[i]; n++)
            times += of->n_counts > 0 ? of->counts[1 + i + n] : of->integers[1 + i + n];
        while (kept < PARTS_KEPT && (parts[kept].type != of->types[i] || parts[kept].times != times))
            kept++;
        if (kept == PARTS_KEPT) {
            kept = (int)(next++ % PARTS_KEPT);
            parts[kept].type = of->types[i];
            parts[kept].times = times;
            find(&parts[kept].signature, of->types[i], known, depth);
            hiera_signature_repeat(&parts[kept].signature, times);
        }
        append(signature, &parts[kept].signature);
    }
    finish(signature);
}

/* Free the datatypes that MPI returned. A predefined one, which is not freed, often comes again. */
static void free_types(const Contents *of)
{
    MPI_Datatype named = MPI_DATATYPE_NULL;
    for (int64_t i = 0; i < of->n_types; i++) {
        if (of->types[i] == named)
            continue;
        if (is_made(of->types[i]))
            hiera_own.Type_free(&of->types[i]);
        else
            named = of->types[i];
    }
}

static void read_made(HieraSignature *signature, MPI_Datatype type, Contents *of, HieraKnownSignature *known, int depth)
{
    if (!read_contents(type, of))
        return;
    bool has_blocks = of->n_integers > of->n_types || of->n_counts > of->n_types;
    if (of->combiner != MPI_COMBINER_STRUCT && of->n_types == 1)
        repeat_part(signature, type, of->types[0], known, depth);
    else if (of->combiner == MPI_COMBINER_STRUCT && has_blocks)
        append_parts(signature, of, known, depth);
    free_types(of);
}

static void derive(HieraSignature *signature, MPI_Datatype type, HieraKnownSignature *known, int depth)
{
    Contents of = {.combiner = MPI_COMBINER_NAMED};
    forget(signature);
    if (depth == DEPTH_MOST || !read_envelope(type, &of) || of.combiner == MPI_COMBINER_NAMED || of.n_types < 1 ||
        of.n_integers + of.n_addresses + of.n_counts + of.n_types > PARTS_MOST || !hiera_own.Type_free)
        return;
    of.integers = malloc((size_t)(of.n_integers + 1) * sizeof *of.integers);
    of.addresses = malloc((size_t)(of.n_addresses + 1) * sizeof *of.addresses);
    of.counts = malloc((size_t)(of.n_counts + 1) * sizeof *of.counts);
    of.types = malloc((size_t)of.n_types * sizeof(MPI_Datatype));
    if (of.integers && of.addresses && of.counts && of.types)
        read_made(signature, type, &of, known, depth + 1);
    free(of.integers);
    free(of.addresses);
    free(of.counts);
    free(of.types);
}

void hiera_signature_of(HieraSignature *signature, MPI_Datatype type, HieraKnownSignature *known)
{
    find(signature, type, known, 0);
}
