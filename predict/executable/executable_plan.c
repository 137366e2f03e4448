#include "executable_plan.h"
#include "hiera_trace.h"
#include "machine/network_option.h"
#include <math.h>
#include <string.h>

#define WRONG(error, ...) (g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, __VA_ARGS__), FALSE)

enum { MOST_PROCESSES = 65536, MOST_RULES = 100, MOST_THREADS = 100000 };

/* Read a number that is the whole text. @return FALSE if anything else is in the text */
static gboolean read_number(const char *text, gdouble *number)
{
    char *end;
    *number = g_ascii_strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

static gboolean parse_clock(const char *text, HieraWalkOptions *walk, GError **error)
{
    static const struct {
        const char *unit;
        gdouble hertz;
    } units[] = {{"GHz", 1e9}, {"MHz", 1e6}, {"kHz", 1e3}, {"Hz", 1}};
    for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
        gdouble number;
        if (!g_str_has_suffix(text, units[i].unit))
            continue;
        g_autofree char *digits = g_strndup(text, strlen(text) - strlen(units[i].unit));
        if (!read_number(digits, &number) || number <= 0)
            break;
        walk->cycle_ps = 1e12 / (number * units[i].hertz);
        return TRUE;
    }
    return WRONG(error, "--clock '%s' is no frequency; write for example 1.8GHz", text);
}

static gboolean parse_processes(const char *text, GArray *processes, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    for (char **word = words; *word; word++) {
        guint64 n;
        if (!g_ascii_string_to_unsigned(*word, 10, 1, MOST_PROCESSES, &n, NULL))
            return WRONG(error, "--processes '%s' is not a number from 1 to %d, or several with commas", text,
                         MOST_PROCESSES);
        guint32 small = (guint32)n;
        g_array_append_val(processes, small);
    }
    return processes->len > 0 || WRONG(error, "--processes needs a number");
}

static gboolean find_kind(const char *name, HieraDrawKind *kind)
{
    static const char *const names[] = {
#define X(identifier, name) name,
        HIERA_DRAWS(X)
#undef X
    };
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(names[i], name) == 0) {
            *kind = (HieraDrawKind)i;
            return TRUE;
        }
    }
    return FALSE;
}

/* Parse words like mean=400,distribution=normal. @param numbers  receive the values, by index of the name in `names` */
static gboolean parse_draw(const char *option, const char *text, HieraDrawKind *kind, const char *const *names,
                           gdouble *const *numbers, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    for (char **word = words; *word; word++) {
        char *equals = strchr(*word, '=');
        gboolean good = FALSE;
        if (equals)
            *equals = '\0';
        if (equals && strcmp(*word, "distribution") == 0)
            good = find_kind(equals + 1, kind);
        for (guint i = 0; equals && names[i] && !good; i++)
            good = strcmp(*word, names[i]) == 0 && read_number(equals + 1, numbers[i]) && *numbers[i] >= 0;
        if (!good) {
            g_autofree char *known = g_strjoinv("=, ", (char **)names);
            return WRONG(
                error,
                "%s '%s': write %s=, and distribution=fixed, uniform, normal or exponential, separated by commas",
                option, text, known);
        }
    }
    return TRUE;
}

static gboolean parse_loops(const char *text, HieraLoopDraw *loops, GError **error)
{
    gdouble max = -1;
    static const char *const names[] = {"mean", "max", "deviation", NULL};
    gdouble *const numbers[] = {&loops->mean, &max, &loops->deviation};
    loops->deviation = -1;
    if (!parse_draw("--loops", text, &loops->distribution, names, numbers, error))
        return FALSE;
    if (max >= 0)
        loops->max = max < 1e18 ? (guint64)max : (guint64)1e18;
    else if (loops->mean * 10 > (gdouble)loops->max)
        loops->max = (guint64)MIN(loops->mean * 10, 1e18);
    if (loops->deviation < 0)
        loops->deviation = loops->mean / 4;
    return TRUE;
}

static gboolean parse_branches(const char *text, HieraBranchDraw *branches, GError **error)
{
    static const char *const names[] = {"taken", "deviation", NULL};
    gdouble *const numbers[] = {&branches->mean, &branches->deviation};
    if (!parse_draw("--branches", text, &branches->distribution, names, numbers, error))
        return FALSE;
    return branches->mean <= 1 || WRONG(error, "--branches: taken= is a probability from 0 to 1");
}

/* Parse a --decide rule: FILE:LINE=yes|no[:RANKS], or FILE:0xADDRESS=…; RANKS like 0 or 1-7. */
static gboolean parse_decision(const char *text, GArray *rules, GError **error)
{
    HieraDecisionRule rule = {.last_rank = G_MAXUINT32};
    g_autoptr(GRegex) regex =
        g_regex_new("^(.+):(0x[0-9a-fA-F]+|[0-9]+)=(yes|no)(?::([0-9]+)(?:-([0-9]+))?)?$", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (rules->len >= MOST_RULES || !g_regex_match(regex, text, 0, &match))
        return WRONG(error, "--decide '%s' is not like main.c:17=yes or main.c:17=no:1-7 (ranks 1 to 7)", text);
    g_autofree char *line = g_match_info_fetch(match, 2), *taken = g_match_info_fetch(match, 3),
                    *first = g_match_info_fetch(match, 4), *last = g_match_info_fetch(match, 5);
    if (g_str_has_prefix(line, "0x"))
        rule.address = g_ascii_strtoull(line, NULL, 16);
    else
        rule.line = (int)g_ascii_strtoll(line, NULL, 10);
    rule.taken = strcmp(taken, "yes") == 0;
    if (first && *first) {
        rule.first_rank = (guint32)g_ascii_strtoull(first, NULL, 10);
        rule.last_rank = last && *last ? (guint32)g_ascii_strtoull(last, NULL, 10) : rule.first_rank;
    }
    rule.file = g_match_info_fetch(match, 1);
    g_array_append_val(rules, rule);
    return TRUE;
}

static gboolean parse_cycles(const char *text, GHashTable *costs, GError **error)
{
    const char *equals = strrchr(text, '=');
    gdouble cycles;
    if (!equals || equals == text || !read_number(equals + 1, &cycles) || cycles < 0)
        return WRONG(error, "--cycles '%s' is not like sqrt=20", text);
    g_hash_table_insert(costs, g_strndup(text, (gsize)(equals - text)), g_memdup2(&cycles, sizeof cycles));
    return TRUE;
}

static gboolean parse_reductions(const char *text, HieraReductions *reductions, GError **error)
{
    static const char *const names[] = {"passages", "groupings", "branches"};
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    guint bits = 0;
    for (char **word = words; *word; word++) {
        guint bit = strcmp(*word, "all") == 0 ? 7 : 0;
        for (guint i = 0; i < G_N_ELEMENTS(names); i++)
            bit |= strcmp(*word, names[i]) == 0 ? 1u << i : 0;
        if (bit == 0)
            return WRONG(error, "--reduce '%s': write all, or passages, groupings and branches, separated by commas",
                         text);
        bits |= bit;
    }
    *reductions = (HieraReductions)bits;
    return TRUE;
}

static gboolean parse_cost(const char *text, ExecutablePlan *plan, GError **error)
{
    plan->by_mca = g_str_has_prefix(text, "llvm-mca");
    if (plan->by_mca && text[strlen("llvm-mca")] == ':')
        plan->cpu = g_strdup(text + strlen("llvm-mca:"));
    return (plan->by_mca && (plan->cpu || !text[strlen("llvm-mca")])) || strcmp(text, "table") == 0 ||
           WRONG(error, "--cost '%s' is neither table nor llvm-mca", text);
}

static gboolean parse_message(const char *text, HieraWalkOptions *walk, GError **error)
{
    gdouble bytes;
    if (!network_option_read_value(text, HIERA_VALUE_INTEGER, &bytes) || bytes > 1e15)
        return WRONG(error, "--message '%s' is not a number of bytes, for example 1kB", text);
    walk->message_bytes = (gint64)bytes;
    return TRUE;
}

/* Parse --files, how long MPI-IO calls take: latency=1ms,bandwidth=1GB/s. */
static gboolean parse_files(const char *text, HieraWalkOptions *walk, GError **error)
{
    g_auto(GStrv) words = g_strsplit(*text ? text : ",", ",", -1);
    for (char **word = words; *word; word++) {
        const char *equals = strchr(*word, '=');
        gdouble latency_ns;
        if (g_str_has_prefix(*word, "latency=") &&
            network_option_read_value(equals + 1, HIERA_VALUE_DURATION, &latency_ns))
            walk->file_call_ps = latency_ns * HIERA_PS_PER_NS;
        else if (!g_str_has_prefix(*word, "bandwidth=") ||
                 !network_option_read_bandwidth(equals + 1, &walk->file_byte_ps))
            return WRONG(error, "--files '%s': write latency=1ms,bandwidth=1GB/s, or one of them", text);
    }
    walk->has_files = TRUE;
    return TRUE;
}

/* Read a share in percent, like 20%. @param share  receives 0 to 1 */
static gboolean read_share(const char *text, gdouble *share)
{
    g_autofree char *number = g_str_has_suffix(text, "%") ? g_strndup(text, strlen(text) - 1) : NULL;
    gboolean good = number && read_number(number, share) && *share >= 0 && *share <= 100;
    *share /= 100;
    return good;
}

/* Parse --machine: load=20%,hits=95%,miss=100,link-load=10%,access=5us,threads=4. */
static gboolean parse_machine(const char *text, ExecutablePlan *plan, GError **error)
{
    g_auto(GStrv) words = g_strsplit(*text ? text : ",", ",", -1);
    for (char **word = words; *word; word++) {
        char *equals = strchr(*word, '=');
        gdouble hits, access_ns;
        guint64 threads;
        gboolean good = FALSE;
        if (equals)
            *equals = '\0';
        if (equals && strcmp(*word, "load") == 0)
            good = read_share(equals + 1, &plan->load) && plan->load < 1;
        else if (equals && strcmp(*word, "link-load") == 0)
            good = read_share(equals + 1, &plan->link_load) && plan->link_load < 1;
        else if (equals && strcmp(*word, "miss") == 0)
            good = read_number(equals + 1, &plan->miss_cycles) && plan->miss_cycles >= 0;
        else if (equals && strcmp(*word, "hits") == 0 && (good = read_share(equals + 1, &hits)))
            plan->misses = 1 - hits;
        else if (equals && strcmp(*word, "access") == 0 &&
                 (good = network_option_read_value(equals + 1, HIERA_VALUE_DURATION, &access_ns)))
            plan->walk.access_ps = access_ns * HIERA_PS_PER_NS;
        else if (equals && strcmp(*word, "threads") == 0 &&
                 (good = g_ascii_string_to_unsigned(equals + 1, 10, 1, MOST_THREADS, &threads, NULL)))
            plan->walk.n_threads = (guint)threads;
        if (!good)
            return WRONG(
                error,
                "--machine '%s': write load= and link-load= (what others use, below 100%%), hits= (of "
                "accesses to memory, up to 100%%), miss= (cycles), access= (a time) or threads= (of regions of "
                "OpenMP), separated by commas",
                text);
    }
    return TRUE;
}

static gboolean parse_apart(const char *text, HieraWalkOptions *walk, GError **error)
{
    walk->apart = strcmp(text, "apart") == 0;
    return walk->apart || strcmp(text, "alike") == 0 || WRONG(error, "--draw '%s' is neither alike nor apart", text);
}

static gboolean parse_arguments(const char *text, HieraWalkOptions *walk, GError **error)
{
    g_autoptr(GError) wrong = NULL;
    return g_shell_parse_argv(text, NULL, &walk->arguments, &wrong) ||
           g_error_matches(wrong, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING) ||
           WRONG(error, "--arguments: %s", wrong->message);
}

static void free_rule(gpointer rule)
{
    g_free(((HieraDecisionRule *)rule)->file);
}

gboolean executable_plan_parse(ExecutablePlan *plan, const ExecutableWords *words, GError **error)
{
    HieraWalkOptions *walk = &plan->walk;
    *plan =
        (ExecutablePlan){.n_simulations = words->simulations > 0 ? (guint)words->simulations : 5, .miss_cycles = 100};
    *walk = (HieraWalkOptions){.loops = {HIERA_DRAW_EXPONENTIAL, 100, 25, 1000},
                               .branches = {HIERA_DRAW_NORMAL, 0.5, 0.1},
                               .cycle_ps = 500,
                               .factor = 1,
                               .message_bytes = 1000,
                               .seed = words->seed > 0 ? (guint32)words->seed : 1};
    plan->processes = g_array_new(FALSE, FALSE, sizeof(guint32));
    walk->costs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    walk->rules = g_array_new(FALSE, FALSE, sizeof(HieraDecisionRule));
    g_array_set_clear_func(walk->rules, free_rule);
    gboolean good = parse_processes(words->processes ? words->processes : "4", plan->processes, error) &&
                    (!words->clock || parse_clock(words->clock, walk, error)) &&
                    (!words->machine || parse_machine(words->machine, plan, error)) &&
                    (!words->message || parse_message(words->message, walk, error)) &&
                    (!words->files || parse_files(words->files, walk, error)) &&
                    (!words->loops || parse_loops(words->loops, &walk->loops, error)) &&
                    (!words->branches || parse_branches(words->branches, &walk->branches, error)) &&
                    (!words->draw || parse_apart(words->draw, walk, error)) &&
                    (!words->reduce || parse_reductions(words->reduce, &plan->reductions, error)) &&
                    (!words->cost || parse_cost(words->cost, plan, error));
    for (char **text = words->decisions; good && text && *text; text++)
        good = parse_decision(*text, walk->rules, error);
    for (char **text = words->cycles; good && text && *text; text++)
        good = parse_cycles(*text, walk->costs, error);
    if (good && words->arguments && *words->arguments)
        good = parse_arguments(words->arguments, walk, error);
    if (good && (words->simulations < 0 || words->seed < 0))
        good = WRONG(error, "--simulations and --seed are numbers from 1 on");
    if (good && words->dot && !words->graph)
        good = WRONG(error, "--dot draws one function; name it with --graph");
    return good;
}

void executable_plan_clear(ExecutablePlan *plan)
{
    g_strfreev(plan->walk.arguments);
    g_free(plan->walk.decided);
    g_free(plan->visits);
    if (plan->processes)
        g_array_unref(plan->processes);
    if (plan->walk.costs)
        g_hash_table_unref(plan->walk.costs);
    if (plan->walk.rules)
        g_array_unref(plan->walk.rules);
    g_free(plan->cpu);
}
