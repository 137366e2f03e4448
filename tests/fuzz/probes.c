/* Fuzz driver: any text → a probe script, which sees some events on two ranks and prints what it has. */
#include "probes/probes.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    unsigned turn = *(const unsigned *)data;
    static const int64_t extremes[] = {0, 1, INT64_MAX, INT64_MIN};
    switch (variable) {
#define VALUE_TEXT     hiera_value_text(turn % 2 ? "a longer text \xff" : "", turn % 2 ? 15 : 0)
#define VALUE_INTEGER  hiera_value_integer(extremes[turn % 4])
#define VALUE_DURATION hiera_value_duration(extremes[(turn + 1) % 4])
#define VALUE_TRUTH    hiera_value_truth(turn % 2)
#define VALUE_NUMBER   hiera_value_number(turn % 5 ? 0.5 : -1e300)
#define X(identifier, name, type, kinds)                                                                               \
    case HIERA_PROBE_VARIABLE_##identifier:                                                                            \
        return turn % 3 ? VALUE_##type : hiera_value_missing();
        HIERA_PROBE_VARIABLES(X)
#undef X
    default:
        abort();
    }
}

static const char *const user_names[] = {"x", "call", "t", "bytes", "f"};
static const HieraValueType user_types[] = {HIERA_VALUE_NUMBER, HIERA_VALUE_TEXT, HIERA_VALUE_DURATION,
                                            HIERA_VALUE_INTEGER, HIERA_VALUE_TRUTH};
enum { N_USER = sizeof user_types / sizeof user_types[0] };

static HieraValue get_user(unsigned variable, const void *data)
{
    static const HieraValue values[] = {{.type = HIERA_VALUE_NUMBER, .number = -1e300},
                                        {.type = HIERA_VALUE_TEXT, .text = "", .length = 0}};
    unsigned turn = *(const unsigned *)data;
    if (variable >= N_USER)
        abort();
    return variable < 2 && turn % 2 ? values[variable] : hiera_value_missing();
}

/* All probes of the program that the script asks for are declared in the middle, and one that wildcards fit. */
static void declare(HieraProbeScript *script)
{
    char report[HIERA_PROBE_REPORT];
    for (unsigned i = 0; i < hiera_probe_script_count(script); i++) {
        if (hiera_probe_clause_kind(script, i) != HIERA_PROBE_USER)
            continue;
        hiera_probe_script_declare_user(script, hiera_probe_clause_name(script, i), i % 2 ? N_USER : 1, user_names,
                                        user_types, report);
        if (strlen(report) >= sizeof report)
            abort();
        hiera_probe_script_declare_user(script, "send", 2, user_names, user_types, report);
    }
}

/* Of all ranks together one value for each name; sometimes there is no answer. */
static unsigned n_asked, n_locked;
static const HieraProbeScript *asked_script;
static HieraValue shared[4];
static char shared_text[100];

static HieraProbeAnswer get_global(void *user, unsigned name, const void *key, size_t key_bytes, HieraValue *value,
                                   char *room, size_t room_bytes)
{
    (void)user;
    if (key_bytes > HIERA_PROBE_KEY_BYTES || (key_bytes > 0 && !key))
        abort();
    *value = shared[name % 4];
    if (value->type == HIERA_VALUE_TEXT) {
        if (value->length > room_bytes)
            return HIERA_PROBE_NO_ROOM;
        memcpy(room, value->text, value->length);
        value->text = room;
    }
    return ++n_asked % 7 == 0                   ? HIERA_PROBE_TIMED_OUT
           : value->type == HIERA_VALUE_MISSING ? HIERA_PROBE_NEVER_SET
                                                : HIERA_PROBE_DONE;
}

static HieraProbeAnswer update_global(void *user, unsigned name, const void *key, size_t key_bytes, HieraValueType type,
                                      char operator_, HieraValue by)
{
    char room[sizeof shared_text];
    (void)user;
    hiera_probe_key_write(key, key_bytes, room, sizeof room);
    HieraValue value = hiera_probe_apply(type, operator_, shared[name % 4], by, room, sizeof room);
    if (value.type == HIERA_VALUE_MISSING || (value.type == HIERA_VALUE_TEXT && value.length > sizeof room))
        return HIERA_PROBE_NO_ROOM;
    if (value.type == HIERA_VALUE_TEXT)
        value.text = memcpy(shared_text, value.text, value.length);
    for (unsigned i = 0; i < 4; i++)
        shared[i] = i == name % 4 ? value : shared[i].type == HIERA_VALUE_TEXT ? hiera_value_missing() : shared[i];
    return HIERA_PROBE_DONE;
}

static HieraProbeAnswer lock_global(void *user, const void *key, size_t key_bytes)
{
    (void)user, (void)key;
    if (key_bytes == 0 || ++n_asked % 11 == 0)
        return n_asked % 2 ? HIERA_PROBE_TIMED_OUT : HIERA_PROBE_GONE;
    n_locked++;
    return HIERA_PROBE_DONE;
}

static void unlock_global(void *user, const void *key, size_t key_bytes)
{
    (void)user, (void)key, (void)key_bytes;
    if (n_locked-- == 0)
        abort();
}

static void spoil_global(void *user, unsigned name)
{
    (void)user, (void)name;
}

static const HieraProbeGlobals globals = {get_global, update_global, lock_global, unlock_global, spoil_global};

/* What a rank has published. */
static char *published;
static size_t n_published;

static bool publish(void *user, const char *bytes, size_t length)
{
    (void)user;
    published = realloc(published, length + 1);
    memcpy(published, bytes, length);
    n_published = length;
    return true;
}

static bool gather(void *user, HieraProbeTotals *totals)
{
    (void)user;
    if (!hiera_probe_totals_load(totals, published, n_published))
        abort();
    return true;
}

static void write_text(void *bytes, const char *text, size_t length)
{
    if (length == 0 || text[length - 1] != '\n')
        abort();
    *(size_t *)bytes += length;
}

static void complain(void *bytes, const char *message)
{
    *(size_t *)bytes += strlen(message);
}

static void run_rank(HieraProbeScript *script, HieraProbeTotals *totals, const HieraProbeHost *host)
{
    static const char *const names[] = {"send", "step", "", "Grid::sum"};
    HieraProbeState *state = hiera_probe_state_new(script, host);
    hiera_probe_run_begin(state, 0);
    for (unsigned turn = 0; turn < 2 * HIERA_N_PROBE_EVENTS; turn++) {
        if (turn == HIERA_N_PROBE_EVENTS)
            declare(script);
        for (unsigned i = 0; i < hiera_probe_script_count(script); i++) {
            const char *name = hiera_probe_clause_kind(script, i) == HIERA_PROBE_USER && turn % 4
                                   ? hiera_probe_clause_name(script, i)
                                   : names[turn % 4];
            const HieraProbeEvent event = {(HieraProbeEventKind)(turn % HIERA_N_PROBE_EVENTS), get, &turn, get_user,
                                           name};
            if (hiera_probe_clause_takes(script, i, event.kind, host->rank) && hiera_probe_clause_fits(script, i, name))
                hiera_probe_fire(state, i, &event);
        }
    }
    hiera_probe_run_end(state, INT64_MAX);
    if (n_locked > 0)
        abort();
    hiera_probe_totals_add(totals, state);
    if (hiera_probe_state_count_stopped(state) > hiera_probe_script_count(script))
        abort();
    hiera_probe_state_free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char report[HIERA_PROBE_REPORT] = "";
    size_t bytes = 0;
    HieraProbeScript *script = hiera_probe_script_parse("fuzz", size % 2, (const char *)data, size, report);
    if (!script) {
        if (!report[0] || strlen(report) >= sizeof report)
            abort();
        return 0;
    }
    HieraProbeHost host = {0,    2,    "node", write_text, complain, &bytes,  8192,
                           NULL, NULL, true,   &globals,   1,        publish, gather};
    asked_script = script;
    memset(shared, 0, sizeof shared);
    HieraProbeTotals *totals = hiera_probe_totals_new(script, &host);
    for (host.rank = 0; host.rank < 2; host.rank++)
        run_rank(script, totals, &host);
    hiera_probe_totals_print(totals, &host);
    hiera_probe_totals_free(totals);
    hiera_probe_script_free(script);
    return 0;
}
