/* hiera-run --assert: the ranks check rules while they run; at the end hiera-transform adds up what they found. */
#ifndef HIERA_RUN_ASSERT_H
#define HIERA_RUN_ASSERT_H

/* Before the command is made: read the rules, and tell the ranks of them (environment). Exits with an error if the rules are
 * wrong, or if nobody could add up what the ranks find.
 *
 * @param rules     the file; NULL: only assertions in the source
 * @param baseline  the run that baseline() stands for; NULL: none */
void hiera_assert_prepare(char *rules, char *baseline);

/* Run the command, which gets the signals that this process gets; then print what became of the rules on standard error.
 * Does not return: the exit status is the command's, but 1 for a command that was good if a rule does not hold. */
__attribute__((noreturn)) void hiera_assert_run(char **words);

#endif
