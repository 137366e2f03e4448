/* hiera_on(): functions that are called at events, and plug-ins.
 *
 * A listener is a watcher with a script of one clause. The clause calls print() only to show that its predicate holds:
 * the text is not printed, the function is called instead. */
#include "listeners.h"

#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/settings.h"
#include "hiera.h"
#include "probe_sections.h"
#include "probing/probed.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Listener {
    hiera_listener *function;
    void *data;
} Listener;

static Listener
    listeners[HIERA_MOST_WATCHERS]; /* by number of the watcher: the function that is called at its events */

static void call(void *user, const char *text, size_t length)
{
    const Listener *listener = user;
    (void)text;
    (void)length;
    listener->function((const struct hiera_event *)(const void *)hiera_probed_event(), listener->data);
}

static void complain(void *user, const char *message)
{
    (void)user;
    hiera_message_lines("hiera_on: ", message);
}

/* --- adding and removing listeners --- */

static HieraProbeScript *parse(const char *probe)
{
    char report[HIERA_PROBE_REPORT], *text = NULL;
    if (asprintf(&text, "%s { print(0); }", probe) < 0)
        return NULL;
    HieraProbeScript *script = hiera_probe_script_parse("hiera_on", false, text, strlen(text), report);
    if (!script)
        hiera_message_lines("", report);
    free(text);
    return script;
}

/* Add a watcher that calls a listener. Requires the lock. @return  its number from 1; 0: there are too many */
static int add(HieraProbeScript *script, Listener listener)
{
    HieraProbeHost host = {.write = call, .complain = complain, .memory = hiera_settings.probe_memory};
    HieraWatcher *watcher = hiera_watcher_add(script, &host);
    if (!watcher)
        return 0;
    unsigned number = hiera_watcher_number(watcher);
    listeners[number] = listener;
    watcher->host.user = &listeners[number];
    hiera_probe_sections_renew();
    return (int)number + 1;
}

int hiera_on(const char *probe, hiera_listener *function, void *data)
{
    int saved_errno = errno, number = 0;
    if (!hiera_life.loaded)
        hiera_thread_current(); /* load the library now: this is a constructor of the program (plug-ins are loaded
                                   later) */
    HieraProbeScript *script = hiera_life.closed || !probe || !function ? NULL : parse(probe);
    if (script && hiera_lock_enter()) {
        number = add(script, (Listener){function, data});
        hiera_lock_leave();
    }
    if (script && number == 0) {
        hiera_message("hiera_on: there are too many listeners");
        hiera_probe_script_free(script);
    }
    if (number > 0 && hiera_life.joined)
        hiera_probed_join();
    errno = saved_errno;
    return number;
}

void hiera_off(int number)
{
    int saved_errno = errno;
    HieraWatcher *watcher = number > 0 && number <= HIERA_MOST_WATCHERS ? &hiera_watchers[number - 1] : NULL;
    if (watcher && hiera_watcher_is_there(watcher) && watcher->host.write == call) {
        hiera_probed_end(watcher);
        if (hiera_lock_enter()) {
            hiera_watcher_remove(watcher);
            hiera_probe_sections_renew();
            hiera_lock_leave();
        }
    }
    errno = saved_errno;
}

/* --- the variables of an event, for a listener --- */

static HieraValue value_of(const HieraProbeEvent *event, const char *variable)
{
    static const char *const names[] = {
#define X(identifier, name, type, kinds) name,
        HIERA_PROBE_VARIABLES(X)
#undef X
    };
    HieraValue value = hiera_value_missing();
    if (event->get_user && strncmp(variable, "arg", 3) == 0 && atoi(variable + 3) > 0)
        return event->get_user((unsigned)atoi(variable + 3) - 1, event->data);
    for (unsigned i = 0; i < sizeof names / sizeof *names && value.type == HIERA_VALUE_MISSING; i++)
        if (strcmp(names[i], variable) == 0)
            value = event->get((HieraProbeVariableId)i, event->data);
    return value;
}

int hiera_event_number(const struct hiera_event *event, const char *variable, double *value)
{
    HieraValue found = value_of((const HieraProbeEvent *)(const void *)event, variable);
    switch (found.type) {
    case HIERA_VALUE_INTEGER:
    case HIERA_VALUE_DURATION:
        *value = (double)found.integer;
        return 1;
    case HIERA_VALUE_NUMBER:
        *value = found.number;
        return 1;
    case HIERA_VALUE_TRUTH:
        *value = found.truth;
        return 1;
    default:
        return 0;
    }
}

int hiera_event_text(const struct hiera_event *event, const char *variable, char *text, unsigned long room)
{
    HieraValue found = value_of((const HieraProbeEvent *)(const void *)event, variable);
    if (found.type != HIERA_VALUE_TEXT || room == 0)
        return 0;
    snprintf(text, room, "%.*s", (int)found.length, found.text);
    return 1;
}

/* --- plug-ins --- */

static void load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    int (*begin)(int version) = library ? (int (*)(int))(intptr_t)dlsym(library, "hiera_plugin") : NULL;
    if (!library || !begin)
        hiera_message("HIERA_PLUGIN: %s: %s", path, library ? "it has no function hiera_plugin()" : dlerror());
    else if (!begin(HIERA_PLUGIN_VERSION))
        hiera_message("HIERA_PLUGIN: %s: it does not work with version %d of the interface", path,
                      HIERA_PLUGIN_VERSION);
}

void hiera_plugins_load(void)
{
    char *list = hiera_settings.plugin[0] ? strdup(hiera_settings.plugin) : NULL;
    for (char *rest = list, *path; (path = strsep(&rest, ","));)
        load(path);
    free(list);
}
