/* The table of hypotheses as names and default thresholds; see hypotheses.h. */
#include "hypotheses.h"
#include <string.h>

static const struct {
    const char *name;
    gint64 percent;
} hypotheses[] = {
#define X(identifier, name, percent) {name, percent},
    HIERA_THRESHOLDS(X)
#undef X
};

const char *hiera_hypothesis_name(HieraHypothesis hypothesis)
{
    return hypotheses[hypothesis].name;
}

const char *hiera_test_verdict_name(HieraTestVerdict verdict)
{
    static const char *const names[] = {
#define X(identifier, name) name,
        HIERA_TEST_VERDICTS(X)
#undef X
    };
    return names[verdict];
}

/* Parse "NAME=PERCENT". The percentage is a plain decimal number, so the parser for seconds is used. */
static gboolean parse_one(const char *text, gint64 thresholds[HIERA_N_THRESHOLDS])
{
    enum { NS_PER_HUNDREDTH = 10000000 };
    const char *equals = strchr(text, '=');
    gint64 value;
    for (guint i = 0; equals && i < HIERA_N_THRESHOLDS; i++) {
        gsize length = strlen(hypotheses[i].name);
        if (length != (gsize)(equals - text) || strncmp(hypotheses[i].name, text, length) != 0)
            continue;
        if (!hiera_seconds_parse(equals + 1, strlen(equals + 1), &value) || value < NS_PER_HUNDREDTH ||
            value / NS_PER_HUNDREDTH > 10000)
            return FALSE;
        thresholds[i] = value / NS_PER_HUNDREDTH;
        return TRUE;
    }
    return FALSE;
}

gboolean hiera_thresholds_parse(const char *text, gint64 thresholds[HIERA_N_THRESHOLDS])
{
    gint64 parsed[HIERA_N_THRESHOLDS];
    g_auto(GStrv) list = g_strsplit(text ? text : "", ",", -1);
    for (guint i = 0; i < HIERA_N_THRESHOLDS; i++)
        parsed[i] = hypotheses[i].percent * 100;
    if (text && !*list)
        return FALSE;
    for (char **one = list; *one; one++) {
        if (!parse_one(g_strstrip(*one), parsed))
            return FALSE;
    }
    memcpy(thresholds, parsed, sizeof parsed);
    return TRUE;
}
