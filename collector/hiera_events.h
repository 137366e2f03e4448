/** Hiera: calls functions of the program and of plug-ins at events (docs/plugins.md). Included by hiera.h.
 *
 *     static void big(const struct hiera_event *event, void *data) { … }
 *     hiera_on("message::[receive] /&bytes > 1MB/", big, NULL);
 *
 * The text is a clause of a probe script without its actions (docs/probes.md). */
#ifndef HIERA_EVENTS_H
#define HIERA_EVENTS_H

#ifndef HIERA_H
#error "include hiera.h"
#endif

#ifndef HIERA_DISABLE

#ifdef __cplusplus
extern "C" {
#endif

/** An event, as passed to a listener; valid only until the listener returns. */
struct hiera_event;

/** A function that is called in the thread of the event; for timers and readings, in a thread of Hiera. It may call
 * everything except what waits for such an event; its own MPI calls are neither events nor recorded. */
typedef void hiera_listener(const struct hiera_event *event, void *data);

/** From now on, call a function at the events of a probe, in all threads.
 *
 * @param probe  description and predicate: "call::[end]::send /&bytes > 1MB/", "timer::100ms"
 * @return  a number for hiera_off(); 0: the text is invalid (standard error says why), there are 31 functions already,
 * or Hiera is off */
HIERA_FUNCTION int hiera_on(const char *probe, hiera_listener *function, void *data);

/** Stop the calls that hiera_on() began. A thread that is about to call the function may do so once more. */
HIERA_FUNCTION void hiera_off(int number);

/** The value of a variable of the event, such as "bytes", as in scripts; times are in nanoseconds, truths are 0 and 1.
 * The values of a probe of the program are "arg1", "arg2", … in their order.
 *
 * @return  1; 0 if it is missing or no number, and then *value is not changed */
HIERA_FUNCTION int hiera_event_number(const struct hiera_event *event, const char *variable, double *value);

/** As hiera_event_number(), for a text such as "call", which is copied with its NUL into `room` bytes. */
HIERA_FUNCTION int hiera_event_text(const struct hiera_event *event, const char *variable, char *text,
                                    unsigned long room);

/** A plug-in (HIERA_PLUGIN) defines this function. It is called once, when Hiera is loaded, before main(), and calls
 * hiera_on().
 *
 * @param version  HIERA_PLUGIN_VERSION of the library
 * @return  0: the plug-in does not work with this version; Hiera prints that and goes on */
HIERA_PUBLIC int hiera_plugin(int version);
#define HIERA_PLUGIN_VERSION 1

#ifdef HIERA_OPTIONAL
#define hiera_on(...)           (hiera_on ? hiera_on(__VA_ARGS__) : 0)
#define hiera_off(number)       (hiera_off ? hiera_off(number) : (void)0)
#define hiera_event_number(...) (hiera_event_number ? hiera_event_number(__VA_ARGS__) : 0)
#define hiera_event_text(...)   (hiera_event_text ? hiera_event_text(__VA_ARGS__) : 0)
#endif

#ifdef __cplusplus
} // extern "C"
#endif

#else
#define hiera_on(...)           (0)
#define hiera_off(number)       ((void)0)
#define hiera_event_number(...) (0)
#define hiera_event_text(...)   (0)
#endif

#endif
