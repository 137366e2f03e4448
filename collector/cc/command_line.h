/* A parsed command line of a compiler. */
#pragma once

#include "run/words.h"

typedef struct HieraInput {
    size_t word;       /* index of the file's name in HieraCommandLine.words */
    const char *path;  /* path of the file; "-": standard input */
    bool is_c, is_cxx; /* language of a source that may have assertions; both false: an object, a library, … */
} HieraInput;

typedef struct HieraCommandLine {
    HieraWords unchanged; /* all words of the user, without those that only hiera-cc understands */
    HieraWords words;     /* as `unchanged`, with each `@FILE` replaced by the words in that file */
    HieraInput *inputs;
    size_t n_inputs;
    bool compiles; /* whether sources are compiled to objects or only checked, not just preprocessed */
    bool links;
    bool is_lenient;              /* -Wno-error=hiera: mistakes in assertions are warnings */
    bool keeps_source;            /* --hiera-keep-source: keep the edited source */
    const char *output;           /* value of -o; NULL: not given */
    bool has_dependencies;        /* -MD or -MMD: the compiler writes a file of dependencies */
    const char *dependencies;     /* name of the file of dependencies; NULL: not given */
    HieraWords parse_flags;       /* flags that change how a source is parsed, as libclang knows them */
    bool has_debug, has_standard; /* whether -g… (but -g0) is given; whether -std=… or -ansi is given */
} HieraCommandLine;

/* Parse the words behind the name of the compiler. @param is_cxx  C sources are compiled as C++, as c++ does */
HieraCommandLine hiera_command_line_read(char *const *words, bool is_cxx);

/* Return the words, with each `@FILE` replaced by the words in that file. */
HieraWords hiera_response_files_expand(char *const *words);

/* Whether the word behind this flag is the flag's value. (flags.c) */
bool hiera_flag_takes_word(const char *flag);
/* If libclang needs the flag, append it to `kept`, with its value `next` if it takes one. */
void hiera_flag_keep(HieraWords *kept, const char *flag, const char *next);
