#include "search_decision.h"

#include "probing/shared_globals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = HIERA_DECISION_PATH + 64 };

bool hiera_search_decision_is_same(const HieraSearchDecision *one, const HieraSearchDecision *other)
{
    return one->offset == other->offset && strcmp(one->path, other->path) == 0;
}

/* Format "NUMBER DEPTH OFFSET PATH"; the path comes last, since it may contain any characters. */
void hiera_search_decision_publish(const HieraSearchDecision *decision)
{
    char text[TEXT];
    snprintf(text, sizeof text, "%u %u %lx %s", decision->number, decision->depth, (unsigned long)decision->offset,
             decision->path);
    hiera_globals_decide(text);
}

bool hiera_search_decision_read(HieraSearchDecision *decision)
{
    char text[TEXT], *at = text;
    if (!hiera_globals_decision(text, sizeof text))
        return false;
    decision->number = (unsigned)strtoul(at, &at, 10);
    decision->depth = (unsigned)strtoul(at, &at, 10);
    decision->offset = strtoul(at, &at, 16);
    if (*at != ' ' || strlen(at + 1) >= sizeof decision->path)
        return false;
    strcpy(decision->path, at + 1);
    return true;
}
