/* Messages of hiera-predict on standard error, and its exit status. */
#pragma once

#include "options.h"

/* Exit statuses of hiera-predict. */
enum { GOOD, DOES_NOT_END, WRONG_USE, UNREADABLE };

void say(const char *message);
/* Print notes, unless --quiet is given. @param notes  char * */
void say_notes(const PredictOptions *options, const GPtrArray *notes);
/* If an old option selected the command, print how to write the command now, unless --quiet is given. */
void say_old_spelling(const PredictOptions *options);
/* Print problems that were found in traces; with --quiet, errors only. */
void say_findings(const HieraFindings *findings, const PredictOptions *options);
/* Print rules that hold for no operation, and what was assumed about loops. */
void say_useless(const PredictOptions *options);
/* Write the tables of an answer, and free them. @return GOOD; WRONG_USE: an error was printed */
int write_answer(HieraFindings *findings, const PredictOptions *options, GPtrArray *tables);
