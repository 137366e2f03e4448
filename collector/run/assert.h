/* hiera-run --assert: the ranks check rules while they run; at the end hiera-transform adds up their results. */
#pragma once

/* Called before the command is made: read the rules. Exits with an error if they are wrong, or if no program can add up
 * the results of the ranks.
 *
 * @param rules     the file; NULL: only assertions in the source
 * @param baseline  the run that baseline() stands for; NULL: none */
void hiera_assert_check(char *rules, char *baseline);

/* Called then: make the folder of the results, and pass it and the rules to the ranks (environment). */
void hiera_assert_prepare(void);

/* Called when the command has ended: print the results of the rules on standard error. @return the command's status, as
 * from wait(), but an exit with 1 if the command succeeded and a rule does not hold */
int hiera_assert_judge(int status);
