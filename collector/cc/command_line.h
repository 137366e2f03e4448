/* A parsed command line of a compiler. */
#pragma once

#include "run/words.h"

typedef struct HieraInput {
    size_t word;       /* index of the file's name in `words` */
    const char *path;  /* path of the file; "-": standard input */
    bool is_c, is_cxx; /* its language, if it may have assertions; both false: an object, a library, … */
} HieraInput;

typedef struct HieraCommandLine {
    HieraWords unchanged; /* the words as given, without those that only hiera-cc understands */
    HieraWords words;     /* the same, with each `@FILE` replaced by the words in the file */
    HieraInput *inputs;
    size_t n_inputs;
    bool compiles; /* true if sources are compiled to objects, or only checked */
    bool links;
    bool is_lenient;              /* true for -Wno-error=hiera */
    bool keeps_source;            /* true for --hiera-keep-source */
    const char *output;           /* value of -o, or NULL */
    bool has_dependencies;        /* true for -MD or -MMD */
    const char *dependencies;     /* name of the file of dependencies if it is given, or NULL */
    HieraWords parse_flags;       /* flags that matter to a parser and that libclang knows */
    bool has_debug, has_standard; /* true for -g…, and for -std=… */
} HieraCommandLine;

/* Parse the words behind the name of the compiler. @param is_cxx  C sources are compiled as C++, as c++ does */
HieraCommandLine hiera_command_line_read(char *const *words, bool is_cxx);

/* Replace each `@FILE` by the words in the file. */
HieraWords hiera_response_files_expand(char *const *words);

/* Whether the next word belongs to this flag. (flags.c) */
bool hiera_flag_takes_word(const char *flag);
/* Append a flag that libclang needs to `kept`, with the next word if the flag takes one. */
void hiera_flag_keep(HieraWords *kept, const char *flag, const char *next);
