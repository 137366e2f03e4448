/* Random programs. They are simulated, so it is known which receive got which message: a message is delivered at once,
 * and a receive takes the first message that MPI's rules allow. Calls have numbers from 1, which are also the lines of
 * their call sites. */
#ifndef HIERA_RANDOM_PROGRAM_H
#define HIERA_RANDOM_PROGRAM_H

#include <glib.h>

#define RANDOM_RANKS 4
#define RANDOM_STEPS 600

typedef struct RandomProgram RandomProgram;

/* Run the program of a seed.
 *
 * @param overlap  calls take so long that those of threads overlap */
RandomProgram *random_program_run(guint32 seed, gboolean overlap);
void random_program_free(RandomProgram *program);
/* Return the trace of a rank, as the content of `processor`. Free it with g_free. */
char *random_program_trace(const RandomProgram *program, int rank);
/* Return the number of messages that were received. */
guint random_program_count_messages(const RandomProgram *program);
/* Return the call that sent the message of a receive; 0 if it got none. */
int random_program_find_send(const RandomProgram *program, int receive);
/* Return the HieraReason that a receive without a message must have; 0 for other calls. */
int random_program_find_reason(const RandomProgram *program, int receive);

#endif
