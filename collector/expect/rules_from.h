/* Where rules come from: the file HIERA_ASSERT, or the source of the program. */
#pragma once

typedef enum HieraRulesFrom { HIERA_RULES_FILE, HIERA_RULES_SOURCE, HIERA_N_RULES_FROM } HieraRulesFrom;
