/* hiera-run --assert: the ranks check rules while they run; at the end hiera-transform adds up what they found. */
#ifndef HIERA_RUN_ASSERT_H
#define HIERA_RUN_ASSERT_H

/* Before the command is made: read the rules, and tell the ranks of them (environment). Exits with an error if the
 * rules are wrong, or if nobody could add up what the ranks find.
 *
 * @param rules     the file; NULL: only assertions in the source
 * @param baseline  the run that baseline() stands for; NULL: none */
void hiera_assert_prepare(char *rules, char *baseline);

/* When the command has ended: print what became of the rules on standard error. @return its status, as wait() has it,
 * but an exit with 1 for a command that was good if a rule does not hold */
int hiera_assert_judge(int status);

#endif
