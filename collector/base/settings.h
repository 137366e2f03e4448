/* Hiera's settings: one table of environment variables, read once when the library is loaded. */
#pragma once

#include "setting_values.h"

/* X(field, kind, variable, default, help). Kinds: text (const char *), bytes (size_t, suffixes k, M, G), number
 * (size_t), members (size_t, a number from 1 on or `node`), time (uint64_t, nanoseconds; suffixes ns, us, ms, s), flag
 * (bool), mode (HieraMode), rate (HieraRate), search (HieraSearch). */
#define HIERA_SETTINGS(X)                                                                                              \
    X(enabled, flag, "HIERA_ENABLED", "1", "0: record nothing and write no file")                                      \
    X(trace, flag, "HIERA_TRACE", "1", "0: write no trace, only check rules and run the probe script")                 \
    X(mode, mode, "HIERA_MODE", "trace",                                                                               \
      "trace: single operations; profile: sums of each call site, in\n"                                                \
      "constant memory, for runs of any length; trace,limit=1GB: sums\n"                                               \
      "from where the trace of a rank has so many bytes;\n"                                                            \
      "window,last=60s,limit=100MB: the last part of the run alone")                                                   \
    X(sync, flag, "HIERA_SYNC", "0",                                                                                   \
      "1: profiles say how long ranks wait at barriers and in N x N\n"                                                 \
      "collectives; after each of them its ranks exchange messages")                                                   \
    X(dir, text, "HIERA_DIR", ".", "folder of the traces, made if it does not exist")                                  \
    X(buffer, bytes, "HIERA_BUFFER", "256k", "memory for records, per thread")                                         \
    X(filter, text, "HIERA_FILTER", "env",                                                                             \
      "rules for operations that are only counted, not recorded;\n"                                                    \
      "comma-separated (man hiera-run). Empty: record everything")                                                     \
    X(levels, text, "HIERA_LEVELS", "", "levels that are recorded, comma-separated; empty: all")                       \
    X(short_ns, time, "HIERA_SHORT", "1us",                                                                            \
      "functions that take less are counted in their parent, not\n"                                                    \
      "recorded (-finstrument-functions); 0: record all")                                                              \
    X(survive, text, "HIERA_SURVIVE", "memory",                                                                        \
      "what is recorded survives the process, if it is killed: in the\n"                                               \
      "memory of the computer, or in a file in the folder of the\n"                                                    \
      "traces; hiera-transform --recover completes the trace; off")                                                    \
    X(format, text, "HIERA_FORMAT", "auto",                                                                            \
      "full: each call has all attributes; compact: attributes that\n"                                                 \
      "repeat are written once, a fourth to a sixth of the bytes;\n"                                                   \
      "auto: full for the first megabytes of a trace, then compact")                                                   \
    X(fold, text, "HIERA_FOLD", "none",                                                                                \
      "times: calls that repeat in a loop are written as its body, once,\n"                                            \
      "and their times; some 2 to 4 bytes a call. The trace is compact\n"                                              \
      "then, unless HIERA_FORMAT is full. statistics: calls that come\n"                                               \
      "again and again become sums; the size does not grow with the run")                                              \
    X(container, members, "HIERA_CONTAINER", "1",                                                                      \
      "how many ranks of a host share one file, traces0.hiera; node:\n"                                                \
      "all of them; 1: each rank has a file of its own")                                                               \
    X(compress, text, "HIERA_COMPRESS", "none", "zstd, gzip: traces are trace0.xml.zst, trace0.xml.gz")                \
    X(assert_, text, "HIERA_ASSERT", "", "file of rules that are checked while the program runs")                      \
    X(assert_dir, text, "HIERA_ASSERT_DIR", "", "folder of what became of the rules; empty: that of the traces")       \
    X(check, text, "HIERA_CHECK", "",                                                                                  \
      "buffers: traces say which memory MPI calls use, and who else uses\n"                                            \
      "it meanwhile, for hiera-transform --validate; empty: they do not")                                              \
    X(values, text, "HIERA_VALUES", "", "file of the values that rules name: ${NAME}")                                 \
    X(probe, text, "HIERA_PROBE", "", "probe script, or its file, that runs in the program")                           \
    X(probe_options, text, "HIERA_PROBE_OPTIONS", "",                                                                  \
      "how it runs, as NAME=VALUE with commas: wait, output, period,\n"                                                \
      "memory, timeout, shared, address; HIERA_HELP=all explains them")                                                \
    X(plugin, text, "HIERA_PLUGIN", "", "libraries with functions that are called at events, comma-separated")         \
    X(counters, text, "HIERA_COUNTERS", "",                                                                            \
      "counters whose differences regions get, comma-separated:\n"                                                     \
      "proc:rss,perf:page-faults; hiera-run --counters lists them")                                                    \
    X(counters_print, text, "HIERA_COUNTERS_PRINT", "", "counters that are printed at intervals: 1s:proc:rss,user:n")  \
    X(summary, flag, "HIERA_SUMMARY", "0",                                                                             \
      "1: the first rank prints at its end where the traces are, and the\n"                                            \
      "next command; hiera-run sets it")                                                                               \
    X(sample, rate, "HIERA_SAMPLE", "0",                                                                               \
      "how often each thread is looked at while it computes, such as\n"                                                \
      "100/s: which functions, loops and lines take the time inside a\n"                                               \
      "region (hiera-transform --measure samples); 0: never;\n"                                                        \
      "100/s,timer: by timers also where the kernel would look")                                                       \
    X(loops, text, "HIERA_LOOPS", "",                                                                                  \
      "functions whose loops are timed, comma-separated: each execution,\n"                                            \
      "iterations, times (hiera-transform --measure loops); the functions\n"                                           \
      "are moved when the program is loaded. hiera-image lists them")                                                  \
    X(search, search, "HIERA_SEARCH", "0",                                                                             \
      "1: samples tell the functions that take the time, and the loops of\n"                                           \
      "these are timed for a while, as with HIERA_LOOPS, while the program\n"                                          \
      "runs; common: all ranks time what the first one decides; and\n"                                                 \
      "1,share=20%,executions=5,least=1s,most=10s: what is a bottleneck,\n"                                            \
      "and how long a function is timed")                                                                              \
    X(attach, flag, "HIERA_ATTACH", "0",                                                                               \
      "1: hiera-run --attach may switch samples, levels, the search and\n"                                             \
      "recording while the program runs; a thread waits for that")                                                     \
    X(more, text, "HIERA_MORE", "",                                                                                    \
      "what few need, as NAME=VALUE with commas: application, arrays,\n"                                               \
      "bind, clock, counters_file, move_by, on_violation, signals;\n"                                                  \
      "HIERA_HELP=all explains them")                                                                                  \
    X(quiet, flag, "HIERA_QUIET", "0", "1: print nothing, not even a warning")                                         \
    X(help, text, "HIERA_HELP", "0",                                                                                   \
      "1: rank 0 prints this table; all: and the names of the settings\n"                                              \
      "with several; now, now-all: every process, at its start;\n"                                                     \
      "counters: it prints the counters of this machine;\n"                                                            \
      "counters-end: and ends then")

/* Settings that are NAME=VALUE in a variable: X(field, kind, variable, name, former variable, default, help). The
 * former variable of the setting, "" if there was none, is accepted for one release. */
#define HIERA_SETTINGS_NAMED(X)                                                                                        \
    X(probe_wait, flag, "HIERA_PROBE_OPTIONS", "wait", "HIERA_PROBE_WAIT", "0",                                        \
      "1: the script waits for hiera_probes_start() of the program")                                                   \
    X(probe_output, text, "HIERA_PROBE_OPTIONS", "output", "HIERA_PROBE_OUTPUT", "",                                   \
      "what the script prints goes into files of this name and the\n"                                                  \
      "rank: answers.0, answers.1, …; empty: to standard output")                                                      \
    X(probe_period_ns, time, "HIERA_PROBE_OPTIONS", "period", "HIERA_PROBE_PERIOD", "100ms",                           \
      "how often scripts read memory and /proc")                                                                       \
    X(probe_memory, bytes, "HIERA_PROBE_OPTIONS", "memory", "HIERA_PROBE_MEMORY", "64M",                               \
      "memory of each rank for keys and texts of the script")                                                          \
    X(probe_timeout_ns, time, "HIERA_PROBE_OPTIONS", "timeout", "HIERA_PROBE_TIMEOUT", "1s",                           \
      "how long a clause waits for a lock and for other ranks,\n"                                                      \
      "at least 1ms; then it goes off")                                                                                \
    X(probe_shared, bytes, "HIERA_PROBE_OPTIONS", "shared", "HIERA_PROBE_SHARED", "12M",                               \
      "memory that the ranks of a computer share for #names and\n"                                                     \
      "locks; 0: they ask the first rank by the network")                                                              \
    X(probe_address, text, "HIERA_PROBE_OPTIONS", "address", "HIERA_PROBE_ADDRESS", "",                                \
      "address or interface at which the first rank answers those of\n"                                                \
      "other computers; empty: all that these can reach")                                                              \
    X(application, text, "HIERA_MORE", "application", "HIERA_APPLICATION", "",                                         \
      "name of the application; empty: the program's")                                                                 \
    X(arrays, number, "HIERA_MORE", "arrays", "HIERA_ARRAYS", "256", "elements kept of an array argument")             \
    X(bind, text, "HIERA_MORE", "bind", "HIERA_BIND", "tables",                                                        \
      "which MPI calls are recorded. tables: those that are looked up by\n"                                            \
      "dlsym() or RTLD_DEEPBIND, too, and calls of PMPI names; names:\n"                                               \
      "those alone that the dynamic linker binds to Hiera by their names")                                             \
    X(clock, text, "HIERA_MORE", "clock", "HIERA_CLOCK", "auto",                                                       \
      "what times are read from: counter (of the processor), kernel, auto:\n"                                          \
      "counter if the kernel has it for its clock")                                                                    \
    X(counters_file, text, "HIERA_MORE", "counters_file", "HIERA_COUNTERS_FILE", "",                                   \
      "where counters are printed to, with the rank behind it: FILE.0;\n"                                              \
      "empty: standard error")                                                                                         \
    X(move_by, text, "HIERA_MORE", "move_by", "HIERA_MOVE_BY", "any",                                                  \
      "how a search keeps threads out of code that it changes: ptrace\n"                                               \
      "(they are stopped), int3 (they meet breakpoints), any: ptrace if\n"                                             \
      "the system allows it")                                                                                          \
    X(signals, flag, "HIERA_MORE", "signals", "HIERA_SIGNALS", "1",                                                    \
      "0: a fatal signal loses the records in the buffer")                                                             \
    X(on_violation, text, "HIERA_MORE", "on_violation", "HIERA_ON_VIOLATION", "count",                                 \
      "what happens when an assertion in the source does not hold:\n"                                                  \
      "count it; say it once too; call hiera_on_violation() of the\n"                                                  \
      "program; end the job")

/* Settings with a fixed list of words, the default first: X(field, variable, words) */
#define HIERA_SETTINGS_OF_WORDS(X)                                                                                     \
    X(format, "HIERA_FORMAT", "auto,full,compact")                                                                     \
    X(fold, "HIERA_FOLD", "none,times,statistics")                                                                     \
    X(move_by, "HIERA_MORE: move_by", "any,ptrace,int3")                                                               \
    X(check, "HIERA_CHECK", ",buffers")                                                                                \
    X(bind, "HIERA_MORE: bind", "tables,names")                                                                        \
    X(clock, "HIERA_MORE: clock", "auto,counter,kernel")                                                               \
    X(survive, "HIERA_SURVIVE", "memory,folder,off")                                                                   \
    X(compress, "HIERA_COMPRESS", "none,zstd,gzip")                                                                    \
    X(on_violation, "HIERA_MORE: on_violation", "count,say,call,end")                                                  \
    X(help, "HIERA_HELP", "0,1,all,now,now-all,counters,counters-end")

/* Variables that begin with HIERA_ but are no settings: module files, the program and hiera-run set them. */
#define HIERA_SETTINGS_OF_OTHERS "HIERA_RUN,HIERA_RUN_DIR,HIERA_ROOT,HIERA_HOME,HIERA_DISABLE,HIERA_CC,HIERA_CXX"

typedef struct HieraSettings {
#define X(field, kind, variable, value, help) HieraSetting_##kind field;
    HIERA_SETTINGS(X)
#undef X
#define X(field, kind, variable, name, before, value, help) HieraSetting_##kind field;
    HIERA_SETTINGS_NAMED(X)
#undef X
} HieraSettings;

/* The settings in force, from hiera_settings_read(); hiera-run --attach may change some later. */
extern HieraSettings hiera_settings;

/* Read the environment. An invalid value is replaced by the default, and hiera_settings_complain() will name it. */
void hiera_settings_read(void);

/* Note an invalid value or an invalid part of it, with the reason, for hiera_settings_complain(). The texts are not
 * copied. */
void hiera_settings_blame(const char *variable, const char *value, size_t length, const char *what);

/* Whether `variable` was a setting before it became a name in another (HIERA_CLOCK: HIERA_MORE=clock=…). */
bool hiera_settings_is_former(const char *variable, size_t length);

/* Note a variable that is not a setting, for hiera_settings_complain(). `length`: bytes of its name. `nearest`: the
 * setting that is probably meant, or NULL. */
void hiera_settings_note_unknown(const char *variable, size_t length, const char *nearest);

/* Print once on standard error: invalid values, unknown variables, and the table of settings if HIERA_HELP asks. */
void hiera_settings_complain(void);

/* Whether `word` is one of the comma-separated words of `list`. */
bool hiera_settings_has_word(const char *list, const char *word);
