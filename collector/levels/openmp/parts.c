/* See openmp.h. Parts of parallel regions and what is open in them, for all runtimes. */
#include "openmp.h"

#include <stdio.h>

__thread unsigned openmp_depth;
__thread OpenmpPart openmp_part;

/* A number as text. It is kept, since a program has the same number again and again, and printf is slow. */
typedef struct NumberText {
    unsigned number;
    char text[32];
} NumberText;

static const char *text_of(NumberText *kept, const char *name, unsigned number)
{
    if (kept->number != number || !kept->text[0]) {
        snprintf(kept->text, sizeof kept->text, "%s=%u", name, number);
        kept->number = number;
    }
    return kept->text;
}

const char *openmp_requested(unsigned number)
{
    static __thread NumberText kept;
    return text_of(&kept, "requested", number);
}

OpenmpPart openmp_begin_part(const void *site, unsigned threads)
{
    static __thread NumberText kept;
    OpenmpPart around = openmp_part;
    OPENMP_BEGIN(site, OPENMP_IMPLICIT_TASK, "%s", text_of(&kept, "threads", threads));
    openmp_part = (OpenmpPart){openmp_depth, 0};
    return around;
}

static void end_down_to(unsigned depth)
{
    while (openmp_depth > depth)
        OPENMP_END();
}

void openmp_end_part(OpenmpPart around)
{
    if (openmp_part.inside > 0)
        end_down_to(openmp_part.inside - 1);
    openmp_part = around;
}

void openmp_begin_work(const void *site, const char *name, const char *schedule)
{
    openmp_end_work();
    if (schedule)
        OPENMP_BEGIN(site, name, "%s", schedule);
    else
        OPENMP_BEGIN(site, name, NULL);
    openmp_part.work = openmp_depth;
}

void openmp_end_work(void)
{
    if (openmp_part.work > 0)
        end_down_to(openmp_part.work - 1);
    openmp_part.work = 0;
}
