/* Prints the counters of this machine; the process does nothing else. */
#include "counters_listed.h"

#include "counter_names.h"
#include "counters.h"
#include "text/nearest.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, NAME = 32, UNIT = 2, REASONS = 16, NAMES = 400 };

/* The counters of a family that cannot be read for one reason. */
typedef struct Missing {
    const char *reason;
    unsigned n;
    char names[NAMES];
} Missing;

typedef struct Listing {
    const char *patterns;
    const HieraCounterFamily *family;
    unsigned n, n_missing;
    Missing missing[REASONS];
    unsigned n_details[8]; /* [i]: number of names with the family's i-th prefix of `details`, which are not printed */
} Listing;

static bool is_asked_for(const char *patterns, const char *name)
{
    size_t length;
    bool is_any = patterns[0] == '\0', is = is_any;
    for (const char *one; !is && (one = hiera_names_next(&patterns, &length));)
        is = hiera_names_match(one, length, name);
    return is;
}

/* Print a text in lines of limited width; the first continues at column `at`, others begin with `indent` blanks. */
static void print_words(const char *text, int indent, int at)
{
    for (int n; *text; text += n + (text[n] == ' ')) {
        n = (int)strcspn(text, " ");
        if (at > indent && at + 1 + n > WIDTH) {
            printf("\n%*s", indent, "");
            at = indent;
        }
        at += printf("%s%.*s", at > indent ? " " : "", n, text);
    }
    putchar('\n');
}

static void print_head(Listing *listing)
{
    if (listing->n++ > 0)
        return;
    printf("%s: %s\n", listing->family->name, listing->family->help);
}

/* Store a counter that cannot be read, to be printed with its reason at the end of the family's list. */
static void note_missing(Listing *listing, const HieraNamedCounter *counter)
{
    unsigned i = 0;
    while (i < listing->n_missing && strcmp(listing->missing[i].reason, counter->reason) != 0)
        i++;
    if (i == REASONS)
        return;
    Missing *missing = &listing->missing[i];
    if (i == listing->n_missing) {
        *missing = (Missing){.reason = counter->reason};
        listing->n_missing++;
    }
    size_t at = strlen(missing->names);
    missing->n++;
    if (at + strlen(counter->name) + 2 < NAMES)
        snprintf(missing->names + at, NAMES - at, "%s%s", at > 0 ? " " : "", counter->name);
}

static void print_missing(const Listing *listing)
{
    for (unsigned i = 0; i < listing->n_missing; i++) {
        const Missing *missing = &listing->missing[i];
        char more[32] = "", text[NAMES + 512];
        unsigned n = 1;
        for (const char *c = missing->names; *c; c++)
            n += *c == ' ';
        if (missing->n > n)
            snprintf(more, sizeof more, " and %u more", missing->n - n);
        snprintf(text, sizeof text, "not here: %s%s: %s", missing->names, more, missing->reason);
        printf("  ");
        print_words(text, 4, 2);
    }
}

/* If all counters are listed and the name begins with a prefix of `details`, count it. Returns whether it does. */
static bool is_detail(Listing *listing, const char *name)
{
    int detail = listing->patterns[0] == '\0' ? hiera_counters_detail(listing->family, name) : -1;
    if (detail >= 0)
        listing->n_details[detail]++;
    return detail >= 0;
}

static void print_details(const Listing *listing)
{
    const char *begins = listing->family->details;
    for (size_t i = 0, n; begins && *begins; begins += n + (begins[n] == ','), i++) {
        char line[160];
        n = strcspn(begins, ",");
        if (listing->n_details[i] == 0)
            continue;
        snprintf(line, sizeof line, "and %u more; hiera-run --counters '%s:%.*s*' lists them", listing->n_details[i],
                 listing->family->name, (int)n, begins);
        printf("  ");
        print_words(line, 4, 2);
    }
}

static void print_counter(void *data, const HieraNamedCounter *counter)
{
    Listing *listing = data;
    if (!is_asked_for(listing->patterns, counter->name))
        return;
    print_head(listing);
    if (is_detail(listing, counter->name))
        return;
    if (counter->reason) {
        note_missing(listing, counter);
        return;
    }
    int at = printf("  %-*s", NAME, counter->name);
    if (at > NAME + 2 && (counter->unit[0] || counter->help[0]))
        at = printf("\n%*s", NAME + 2, "") - 1;
    if (counter->unit[0] || counter->help[0])
        at += printf(" %-*s ", UNIT, counter->unit);
    print_words(counter->help, NAME + UNIT + 4, at);
}

static void list_family(const HieraCounterFamily *family, const char *patterns)
{
    Listing listing = {.patterns = patterns, .family = family};
    const char *missing = family->missing();
    if (!missing)
        family->each(print_counter, &listing);
    print_missing(&listing);
    print_details(&listing);
    if (listing.n == 0 && (missing || patterns[0] == '\0')) {
        print_head(&listing);
        if (missing) {
            printf("  not here: ");
            print_words(missing, 4, 12);
        }
    }
}

/* --- patterns that match no counter: a suggestion --- */

typedef struct Search {
    const char *pattern;
    size_t length;
    bool found;
    HieraNearest nearest;
    char best[HIERA_COUNTER_NAME];
} Search;

static void search(void *data, const HieraNamedCounter *counter)
{
    Search *search = data;
    search->found = search->found || hiera_names_match(search->pattern, search->length, counter->name);
    hiera_nearest_offer(&search->nearest, counter->name);
    if (search->nearest.best == counter->name) { /* copy the name, which is valid only during this call */
        snprintf(search->best, sizeof search->best, "%s", counter->name);
        search->nearest.best = search->best;
    }
}

/* Whether a pattern without matches is valid: an aggregate, a counter that the program may register, or a family
 * without counters that has reported the reason. */
static bool may_come(const char *pattern, size_t length)
{
    const char *reason;
    for (size_t i = 0; hiera_counter_families[i]; i++) {
        const HieraCounterFamily *family = hiera_counter_families[i];
        size_t n = strlen(family->name);
        if (length > n && memcmp(pattern, family->name, n) == 0 && pattern[n] == ':')
            return family == &hiera_counters_user || family->missing();
    }
    const HieraNamedCounter *counter =
        hiera_names_is_pattern(pattern, length) ? NULL : hiera_counters_find(pattern, length, &reason);
    return counter && !counter->reason;
}

static bool is_known(const char *pattern, size_t length)
{
    Search of = {.pattern = pattern, .length = length, .nearest = hiera_nearest_begin(pattern, length)};
    for (size_t i = 0; hiera_counter_families[i]; i++)
        if (!hiera_counter_families[i]->missing())
            hiera_counter_families[i]->each(search, &of);
    if (of.found || may_come(pattern, length))
        return true;
    fprintf(stderr, "hiera-run: --counters: no counter is called '%.*s'", (int)length, pattern);
    if (of.nearest.best)
        fprintf(stderr, "; did you mean '%s'?", of.nearest.best);
    fputc('\n', stderr);
    return false;
}

bool hiera_counters_list(const char *patterns)
{
    size_t length;
    bool good = true;
    for (size_t i = 0; hiera_counter_families[i]; i++)
        list_family(hiera_counter_families[i], patterns);
    for (const char *one; (one = hiera_names_next(&patterns, &length));)
        good = (length == 0 || is_known(one, length)) && good;
    fflush(stdout);
    return good;
}
