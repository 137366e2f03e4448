/* What hiera-predict says on standard error, and its exit status. */
#ifndef HIERA_PREDICT_SAYING_H
#define HIERA_PREDICT_SAYING_H

#include "options.h"

/* The exit status. */
enum { GOOD, DOES_NOT_END, WRONG_USE, UNREADABLE };

void say(const char *message);
/* Say notes, unless --quiet is given. @param notes  char * */
void say_notes(const PredictOptions *options, const GPtrArray *notes);
/* Say how a command is written now that was asked for as before there were commands, unless --quiet is given. */
void say_old_spelling(const PredictOptions *options);
/* Say what was wrong with traces; errors alone if `quiet`. */
void say_findings(const HieraFindings *findings, gboolean quiet);
/* Say which rules hold nowhere, and what is assumed of loops. */
void say_useless(const PredictOptions *options);
/* Write the tables of an answer, which are freed. @return GOOD or WRONG_USE, with a message */
int write_answer(HieraFindings *findings, const PredictOptions *options, GPtrArray *tables);

#endif
