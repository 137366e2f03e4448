/* The values of settings as text. */
#ifndef HIERA_SETTING_VALUES_H
#define HIERA_SETTING_VALUES_H

#include "settings.h"

/* Each of a kind of HIERA_SETTINGS. Return false if the text is no value of it; what `value` is then does not count. */
bool hiera_setting_parse_text(const char *text, HieraSetting_text *value);
bool hiera_setting_parse_flag(const char *text, HieraSetting_flag *value);
bool hiera_setting_parse_bytes(const char *text, HieraSetting_bytes *value);
bool hiera_setting_parse_number(const char *text, HieraSetting_number *value);
bool hiera_setting_parse_members(const char *text, HieraSetting_members *value);
/* "2ms", in nanoseconds. */
bool hiera_setting_parse_time(const char *text, HieraSetting_time *value);
bool hiera_setting_parse_rate(const char *text, HieraSetting_rate *value);
bool hiera_setting_parse_mode(const char *text, HieraSetting_mode *value);
bool hiera_setting_parse_search(const char *text, HieraSetting_search *value);

#endif
