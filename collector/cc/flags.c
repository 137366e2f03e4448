/* Flags of compilers: which take the next word as their value, and which libclang gets. */
#include "command_line.h"

#include <string.h>

/* Flags whose value may be in the next word. */
static const char *const with_word[] = {
    "-o",
    "-D",
    "-U",
    "-I",
    "-x",
    "-L",
    "-l",
    "-u",
    "-T",
    "-e",
    "-z",
    "-A",
    "-B",
    "-G",
    "-b",
    "-V",
    "-h",
    "-MF",
    "-MT",
    "-MQ",
    "-include",
    "-imacros",
    "-iquote",
    "-isystem",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-aux-info",
    "--param",
    "-arch",
    "-target",
    "-framework",
    "-dumpbase",
    "-dumpdir",
    "-dumpbase-ext",
    "-wrapper",
    "-specs",
    "--sysroot",
    "-mllvm",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-soname",
    "-rpath",
    "-gcc-toolchain",
    "-include-pch",
    "-cxx-isystem",
};

/* Flags with a value that are passed to libclang, whether the value is joined or in the next word. */
static const char *const kept_with_value[] = {
    "-D",       "-U",        "-I",       "-iquote",      "-isystem",           "-idirafter",  "-isysroot",
    "-imacros", "--sysroot", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-cxx-isystem"};
/* Flags without a value that are passed to libclang; flags that only GCC knows are left out. */
static const char *const kept[] = {
    "-ansi",         "-pthread",        "-fexceptions",    "-fno-exceptions", "-fno-rtti",    "-fshort-enums",
    "-fsigned-char", "-funsigned-char", "-fms-extensions", "-nostdinc",       "-nostdinc++",  "-m32",
    "-m64",          "-fPIC",           "-fpic",           "-fPIE",           "-fpie",        "-fchar8_t",
    "-fno-char8_t",  "-ffast-math",     "-trigraphs",      "-undef",          "-fpermissive", "-ffreestanding",
    "-fno-builtin",  "-fblocks",        "-fwrapv",
};
/* Prefixes of further flags that are passed to libclang. */
static const char *const kept_beginnings[] = {"-mavx", "-msse", "-mfma", "-mbmi", "-march=", "-O"};

/* Language standards that older versions of libclang do not know, each with the name that these know. */
static const char *const standards[][2] = {
    {"-std=c++26", "-std=c++2b"},     {"-std=gnu++26", "-std=gnu++2b"}, {"-std=c++23", "-std=c++2b"},
    {"-std=gnu++23", "-std=gnu++2b"}, {"-std=c23", "-std=c2x"},         {"-std=gnu23", "-std=gnu2x"},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool is_among(const char *const *table, size_t n, const char *flag)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(table[i], flag) == 0)
            return true;
    }
    return false;
}

bool hiera_flag_takes_word(const char *flag)
{
    return is_among(with_word, COUNT(with_word), flag);
}

static bool begins_among(const char *const *table, size_t n, const char *flag)
{
    for (size_t i = 0; i < n; i++) {
        if (hiera_words_begins(flag, table[i]))
            return true;
    }
    return false;
}

static const char *known_standard(const char *flag)
{
    for (size_t i = 0; i < COUNT(standards); i++) {
        if (strcmp(standards[i][0], flag) == 0)
            return standards[i][1];
    }
    return flag;
}

void hiera_flag_keep(HieraWords *flags, const char *flag, const char *next)
{
    if (strcmp(flag, "-include") == 0 && next) {
        /* -Xclang passes the flag around clang's driver, which would take a header that GCC has precompiled. */
        hiera_words_split(flags, "-Xclang -include -Xclang", ' ');
        hiera_words_add(flags, next);
    } else if (is_among(kept_with_value, COUNT(kept_with_value), flag)) {
        hiera_words_add(flags, flag);
        if (next)
            hiera_words_add(flags, next);
    } else if (begins_among(kept_with_value, COUNT(kept_with_value), flag) || is_among(kept, COUNT(kept), flag) ||
               begins_among(kept_beginnings, COUNT(kept_beginnings), flag)) {
        hiera_words_add(flags, flag);
    } else if (strcmp(flag, "-fopenmp") == 0) {
        hiera_words_add(flags, "-D_OPENMP=201511"); /* parse what -fopenmp compiles */
    } else if (hiera_words_begins(flag, "-std=")) {
        hiera_words_add(flags, known_standard(flag));
    }
}
