/* What a command line asks a compiler for. */
#ifndef HIERA_CC_COMMAND_LINE_H
#define HIERA_CC_COMMAND_LINE_H

#include "run/words.h"

typedef struct HieraInput {
    size_t word;       /* its number among the words */
    const char *path;  /* "-": standard input */
    bool is_c, is_cxx; /* a source that may have assertions; both false: an object, a library, another language */
} HieraInput;

typedef struct HieraCommandLine {
    HieraWords unchanged; /* as they came, without what is for hiera-cc alone */
    HieraWords words;     /* the same, with the contents of `@FILE`s in their place */
    HieraInput *inputs;
    size_t n_inputs;
    bool compiles; /* sources become objects, or are checked */
    bool links;
    bool is_lenient;              /* -Wno-error=hiera */
    bool keeps_source;            /* --hiera-keep-source */
    const char *output;           /* of -o, or NULL */
    bool has_dependencies;        /* -MD, -MMD */
    const char *dependencies;     /* their file, where it is named, or NULL */
    HieraWords parse_flags;       /* those of the flags that matter to a parser, and libclang knows */
    bool has_debug, has_standard; /* -g…, -std=… */
} HieraCommandLine;

/* Read the words behind the name of the compiler. @param is_cxx  sources of C are C++, as for c++ */
HieraCommandLine hiera_command_line_read(char *const *words, bool is_cxx);

/* The words of `@FILE`s among them, in their place. */
HieraWords hiera_response_files_expand(char *const *words);

/* How much a word says: that the next word belongs to it. (flags.c) */
bool hiera_flag_takes_word(const char *flag);
/* Add a flag, and the word behind it if it takes one, for libclang, if it is for it. */
void hiera_flag_keep(HieraWords *kept, const char *flag, const char *next);

#endif
