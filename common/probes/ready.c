#include "ready.h"
#include "ready_rows.h"
#include "ready_texts.h"
#include "text/nearest.h"
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *text;
} scripts[] = {HIERA_READY_ROWS};

enum { N_SCRIPTS = sizeof scripts / sizeof *scripts };

const char *hiera_ready_find(const char *name)
{
    for (unsigned i = 0; i < N_SCRIPTS; i++) {
        if (strcmp(scripts[i].name, name) == 0)
            return scripts[i].text;
    }
    return NULL;
}

void hiera_ready_advise(const char *name, char *text, size_t size)
{
    HieraNearest nearest = hiera_nearest_begin(name, strlen(name));
    char all[512] = "";
    for (unsigned i = 0; i < N_SCRIPTS; i++) {
        hiera_nearest_offer(&nearest, scripts[i].name);
        size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", scripts[i].name);
    }
    snprintf(text, size, "there is no such file, and no ready script of this name%s%s%s; ready are %s",
             nearest.best ? " (did you mean '" : "", nearest.best ? nearest.best : "", nearest.best ? "'?)" : "", all);
}
