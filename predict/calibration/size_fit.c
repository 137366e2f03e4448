#include "size_fit.h"
#include <math.h>

enum { LEAST = 3 };

static gdouble deviation(const TimedSize *times, guint n, gdouble seconds, gdouble per_byte)
{
    gdouble sum = 0;
    for (guint i = 0; i < n; i++)
        sum += fabs((seconds + (gdouble)times[i].bytes * per_byte) / times[i].seconds - 1);
    return sum;
}

typedef struct {
    const TimedSize *times;
    guint n;
    gdouble least_seconds, best;
    SizePiece *line;
} Search;

static void try(Search *search, gdouble seconds, gdouble per_byte)
{
    if (seconds < search->least_seconds || per_byte < 0)
        return;
    gdouble sum = deviation(search->times, search->n, seconds, per_byte);
    if (sum >= search->best)
        return;
    search->best = sum;
    search->line->seconds = seconds;
    search->line->per_byte = per_byte;
}

gdouble size_fit_line(const TimedSize *times, guint n, gdouble least_seconds, SizePiece *line)
{
    Search search = {times, n, least_seconds, G_MAXDOUBLE, line};
    *line = (SizePiece){.n = n};
    try(&search, least_seconds, 0);
    for (guint i = 0; i < n; i++) {
        try(&search, times[i].seconds, 0);
        if (times[i].bytes > 0)
            try(&search, least_seconds, (times[i].seconds - least_seconds) / (gdouble)times[i].bytes);
        for (guint j = 0; j < i; j++) {
            if (times[j].bytes == times[i].bytes)
                continue;
            gdouble per_byte = (times[i].seconds - times[j].seconds) / (gdouble)(times[i].bytes - times[j].bytes);
            try(&search, times[i].seconds - (gdouble)times[i].bytes * per_byte, per_byte);
        }
    }
    return search.best;
}

/* Best division of the first n sizes into pieces, each with its line; n is the index of the Cut in its array. */
typedef struct {
    gdouble sum;
    guint n_pieces;
    SizePiece last;
} Cut;

typedef struct {
    const TimedSize *times;
    gdouble least_seconds, worth;
    guint most;
} Wanted;

static void find_cut(const Wanted *wanted, guint n, Cut *cuts)
{
    Cut *best = &cuts[n];
    best->sum = size_fit_line(wanted->times, n, wanted->least_seconds, &best->last);
    best->n_pieces = 1;
    for (guint first = LEAST; first + LEAST <= n; first++) {
        SizePiece line;
        gdouble sum = cuts[first].sum + wanted->worth +
                      size_fit_line(wanted->times + first, n - first, wanted->least_seconds, &line);
        if (sum >= best->sum || cuts[first].n_pieces == wanted->most)
            continue;
        line.first = first;
        *best = (Cut){sum, cuts[first].n_pieces + 1, line};
    }
}

GArray *size_fit_pieces(const TimedSize *times, guint n, gdouble least_seconds, gdouble worth, guint most)
{
    const Wanted wanted = {times, least_seconds, worth, most};
    GArray *pieces = g_array_new(FALSE, FALSE, sizeof(SizePiece));
    g_autofree Cut *cuts = g_new0(Cut, n + 1);
    for (guint i = MIN(n, LEAST); i <= n && n > 0; i++)
        find_cut(&wanted, i, cuts);
    for (guint end = n; end > 0; end = cuts[end].last.first)
        g_array_prepend_val(pieces, cuts[end].last);
    return pieces;
}
