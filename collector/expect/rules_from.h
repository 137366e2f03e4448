/* Where rules come from: the file HIERA_ASSERT, or the source of the program. */
#ifndef HIERA_RULES_FROM_H
#define HIERA_RULES_FROM_H

typedef enum HieraRulesFrom { HIERA_RULES_FILE, HIERA_RULES_SOURCE, HIERA_N_RULES_FROM } HieraRulesFrom;

#endif
