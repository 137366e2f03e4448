/* The kinds of values that settings have, and how they are read from text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef const char *HieraSetting_text;
typedef size_t HieraSetting_bytes;
typedef size_t HieraSetting_number;
typedef size_t HieraSetting_members;
typedef uint64_t HieraSetting_time;
typedef bool HieraSetting_flag;

/* What is kept of operations. */
typedef struct HieraMode {
    bool is_profile;     /* sums alone */
    size_t limit;        /* bytes of the trace of a rank behind which there are sums; 0: none */
    bool is_window;      /* the last part alone: ... */
    uint64_t window_ns;  /* ... so much of the run; 0: as much as there is room for */
    size_t window_bytes; /* ... in so many bytes of a rank; 0: any */
} HieraMode;
typedef HieraMode HieraSetting_mode;

/* So many times a second. */
typedef struct HieraRate {
    uint64_t period_ns; /* 0: never */
    bool by_timer;      /* in this way alone */
    bool waits;         /* until it is switched on (HIERA_ATTACH) */
} HieraRate;
typedef HieraRate HieraSetting_rate;

/* Which functions are bottlenecks, and for how long they are timed. */
typedef struct HieraSearch {
    bool is_on;
    bool is_common;             /* the first rank decides for all */
    unsigned share;             /* percent of the samples, or of its function's time, above which it is a bottleneck */
    unsigned executions;        /* after so many, and ... */
    uint64_t least_ns, most_ns; /* ... so long it is known, or given up */
} HieraSearch;
typedef HieraSearch HieraSetting_search;

/* Value of `members` for `node`. */
#define HIERA_ALL_OF_A_NODE ((size_t)INT32_MAX)

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
