/* Types of the values of settings, and functions that parse these from text. */
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

/* Value of HIERA_MODE: which operations the trace keeps. All false and 0: every single one. */
typedef struct HieraMode {
    bool is_profile;     /* no single operations, only totals of each call site */
    size_t limit;        /* bytes of a rank's trace, after which only totals of each call site are kept; 0: no limit */
    bool is_window;      /* only the last operations of the run are kept, as many as window_ns and window_bytes allow */
    uint64_t window_ns;  /* with is_window: so many last ns are kept; 0: as much as window_bytes hold */
    size_t window_bytes; /* with is_window: so many bytes of last operations are kept per rank; 0: no limit */
} HieraMode;
typedef HieraMode HieraSetting_mode;

/* Value of HIERA_SAMPLE: how often each thread is sampled. */
typedef struct HieraRate {
    uint64_t period_ns; /* nanoseconds between two samples; 0: no samples */
    bool by_timer;      /* sample only by timers, even where the kernel could sample */
    bool waits;         /* take no samples until hiera-run --attach switches them on (HIERA_ATTACH) */
} HieraRate;
typedef HieraRate HieraSetting_rate;

/* Value of HIERA_SEARCH: which functions are bottlenecks, and for how long their loops are timed. */
typedef struct HieraSearch {
    bool is_on;
    bool is_common;             /* the job's first rank decides for all ranks which function is timed */
    unsigned share;             /* percentage of samples above which a function or loop is a bottleneck */
    unsigned executions;        /* a function is timed for at least so many executions */
    uint64_t least_ns, most_ns; /* a function is timed for at least least_ns; given up after most_ns */
} HieraSearch;
typedef HieraSearch HieraSetting_search;

/* Value of HIERA_CONTAINER=node: all ranks of a computer share one file. */
#define HIERA_ALL_OF_A_NODE ((size_t)INT32_MAX)

/* One function per kind of HIERA_SETTINGS. Return false if `text` is invalid; then *value is undefined. */
bool hiera_setting_parse_text(const char *text, HieraSetting_text *value);
bool hiera_setting_parse_flag(const char *text, HieraSetting_flag *value);
bool hiera_setting_parse_bytes(const char *text, HieraSetting_bytes *value);
bool hiera_setting_parse_number(const char *text, HieraSetting_number *value);
bool hiera_setting_parse_members(const char *text, HieraSetting_members *value);
/* Parse a time such as "2ms" into nanoseconds. */
bool hiera_setting_parse_time(const char *text, HieraSetting_time *value);
bool hiera_setting_parse_rate(const char *text, HieraSetting_rate *value);
bool hiera_setting_parse_mode(const char *text, HieraSetting_mode *value);
bool hiera_setting_parse_search(const char *text, HieraSetting_search *value);
