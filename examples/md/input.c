/*
 * Hides the syntax of the input file: one "name value" per line, in any order, # starts a comment.
 * Each parameter is one row of a table, which gives its place in Run and the values that make sense.
 */
#include "input.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { WHOLE, REAL, TEXT } Kind;

typedef struct {
    const char *name;
    Kind kind;
    size_t offset;
    double low, high; /* smallest and largest allowed value; a text has neither, and may be missing */
} Parameter;

/* SMALL: limit of reals that must be positive. With at most 10^8 particles all counts of floats fit into an int. */
#define SMALL 1e-9
#define LARGE 1e9

static const Parameter parameters[] = {
    {"particles", WHOLE, offsetof(Run, particles), 2, 1e8},
    {"steps", WHOLE, offsetof(Run, steps), 1, LARGE},
    {"interval", WHOLE, offsetof(Run, interval), 1, LARGE},
    {"density", REAL, offsetof(Run, density), SMALL, LARGE},
    {"temperature", REAL, offsetof(Run, temperature), 0, LARGE},
    {"timestep", REAL, offsetof(Run, timestep), SMALL, LARGE},
    {"cutoff", REAL, offsetof(Run, cutoff), SMALL, LARGE},
    {"collisions", REAL, offsetof(Run, collisions), 0, LARGE},
    {"seed", WHOLE, offsetof(Run, seed), 0, INT_MAX},
    {"trajectory", TEXT, offsetof(Run, trajectory), 0, 0},
};
enum { PARAMETERS = sizeof parameters / sizeof parameters[0] };

/* Where the input file is being read, and by parameter the line in which it was given; 0: not given yet. */
typedef struct {
    const char *path;
    int line;
    int given[PARAMETERS];
} Reader;

double box_edge(const Run *run)
{
    return cbrt(run->particles / run->density);
}

double degrees_of_freedom(const Run *run)
{
    return run->collisions > 0 ? 3.0 * run->particles : 3.0 * run->particles - 3;
}

static bool set_text(const Reader *at, const Parameter *p, const char *value, Run *run)
{
    if (strlen(value) >= sizeof run->trajectory) {
        fprintf(stderr, "md: %s:%d: %s is longer than %zu characters\n", at->path, at->line, p->name,
                sizeof run->trajectory - 1);
        return false;
    }
    strcpy((char *)run + p->offset, value);
    return true;
}

static bool set_number(const Reader *at, const Parameter *p, const char *value, Run *run)
{
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || (p->kind == WHOLE && number != floor(number))) {
        fprintf(stderr, "md: %s:%d: %s must be a %snumber, not '%s'\n", at->path, at->line, p->name,
                p->kind == WHOLE ? "whole " : "", value);
        return false;
    }
    if (!(number >= p->low && number <= p->high)) {
        fprintf(stderr, "md: %s:%d: %s must be between %.10g and %.10g, not %s\n", at->path, at->line, p->name, p->low,
                p->high, value);
        return false;
    }
    if (p->kind == WHOLE)
        *(int *)((char *)run + p->offset) = (int)number;
    else
        *(double *)((char *)run + p->offset) = number;
    return true;
}

static int find_parameter(const char *name)
{
    int i = 0;
    while (i < PARAMETERS && strcmp(parameters[i].name, name) != 0)
        i++;
    return i;
}

/* Reads one line of the file, which is empty or has a name and a value. Returns false on a mistake. */
static bool read_line(Reader *at, char *text, Run *run)
{
    text[strcspn(text, "#")] = '\0';
    const char *blanks = " \t\r\n";
    const char *name = strtok(text, blanks);
    const char *value = strtok(NULL, blanks);
    if (name == NULL)
        return true;

    int i = find_parameter(name);
    if (i == PARAMETERS)
        fprintf(stderr, "md: %s:%d: unknown parameter '%s'\n", at->path, at->line, name);
    else if (value == NULL)
        fprintf(stderr, "md: %s:%d: %s has no value\n", at->path, at->line, name);
    else if (strtok(NULL, blanks) != NULL)
        fprintf(stderr, "md: %s:%d: %s has more than one value\n", at->path, at->line, name);
    else if (at->given[i] != 0)
        fprintf(stderr, "md: %s:%d: %s was already given in line %d\n", at->path, at->line, name, at->given[i]);
    else {
        at->given[i] = at->line;
        return parameters[i].kind == TEXT ? set_text(at, &parameters[i], value, run)
                                          : set_number(at, &parameters[i], value, run);
    }
    return false;
}

/* Checks what no single line can show: no parameter is missing, and the parameters fit together. */
static bool check_whole(const Reader *at, const Run *run)
{
    for (int i = 0; i < PARAMETERS; i++) {
        if (at->given[i] == 0 && parameters[i].kind != TEXT) {
            fprintf(stderr, "md: %s:%d: %s is missing\n", at->path, at->line, parameters[i].name);
            return false;
        }
    }
    /* otherwise a particle would feel two periodic images of the same neighbour */
    if (run->cutoff > box_edge(run) / 2) {
        fprintf(stderr, "md: %s:%d: cutoff must be at most half the box, %.4f\n", at->path,
                at->given[find_parameter("cutoff")], box_edge(run) / 2);
        return false;
    }
    if (run->collisions * run->timestep > 1) {
        fprintf(stderr, "md: %s:%d: collisions must be at most one per time step, %g\n", at->path,
                at->given[find_parameter("collisions")], 1 / run->timestep);
        return false;
    }
    return true;
}

bool read_input(const char *path, Run *run)
{
    Reader at = {.path = path};
    char *text = NULL;
    size_t room = 0;
    bool good = true;

    *run = (Run){0};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "md: %s: %s\n", path, strerror(errno));
        return false;
    }
    while (good && getline(&text, &room, file) >= 0) {
        at.line++;
        good = read_line(&at, text, run);
    }
    if (good && ferror(file)) {
        fprintf(stderr, "md: %s: cannot be read\n", path);
        good = false;
    }
    free(text);
    fclose(file);
    return good && check_whole(&at, run);
}

bool read_command(int argc, char *argv[], const char *standard, Run *run)
{
    if (argc > 2) {
        fprintf(stderr, "md: usage: md [INPUT]\n");
        return false;
    }
    return read_input(argc == 2 ? argv[1] : standard, run);
}
