/* See companion_files.h. The first rank with Hiera writes the files when the job starts. So the folder is readable even
 * if the job is killed. */
#include "companion_files.h"

#include "base/safe_file.h"
#include "base/settings.h"
#include "base/xml_text.h"
#include "compress.h"
#include "dtd/container.h"
#include "dtd/names.h"
#include "folder/claim.h"
#include "folder/same_run.h"
#include "job/job.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hieraCollector_dtd.h" /* dtd/embed.py makes these headers; they define the texts hiera_file_… */
#include "trace_dtd.h"
#include "visual_css.h"
#include "visual_xsl.h"

const char *hiera_files_application(void)
{
    return hiera_settings.application[0] ? hiera_settings.application : program_invocation_short_name;
}

static void put_file(HieraText *text, int rank, bool is_container)
{
    HIERA_TEXT_LITERAL(text, "  <collect_file rank=\"P");
    hiera_text_unsigned(text, (uint64_t)rank);
    HIERA_TEXT_LITERAL(text, "\">");
    hiera_text_short(text, is_container ? HIERA_CONTAINER_NAME : "trace",
                     is_container ? sizeof HIERA_CONTAINER_NAME - 1 : 5);
    hiera_text_unsigned(text, (uint64_t)rank);
    if (is_container) {
        HIERA_TEXT_LITERAL(text, HIERA_CONTAINER_SUFFIX);
    } else {
        HIERA_TEXT_LITERAL(text, ".xml");
        hiera_text_short(text, hiera_pack_suffix(), strlen(hiera_pack_suffix()));
    }
    HIERA_TEXT_LITERAL(text, "</collect_file>\n");
}

/* Write the number of the run, by which the run's next job recognizes its traces, and does not replace them. */
static void put_run(HieraText *text)
{
    const char *run = hiera_run_own();
    if (hiera_job.id == 0)
        return;
    HIERA_TEXT_LITERAL(text, " job=\"");
    hiera_text_hex(text, hiera_job.id);
    HIERA_TEXT_LITERAL(text, "\"");
    if (!run[0])
        return;
    HIERA_TEXT_LITERAL(text, " run=\"");
    hiera_text_escaped(text, run, strlen(run));
    HIERA_TEXT_LITERAL(text, "\"");
}

static void write_configuration(const char *dir, const char *application, int size, const HieraFileList *list)
{
    size_t room = 2048 + (size_t)list->n * 80;
    size_t bytes = room + 2 * HIERA_TEXT_MARGIN; /* malloc is not allowed, because this may run in a signal handler */
    char *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return;
    HieraText text = hiera_text_into(block, room);
    HIERA_TEXT_LITERAL(&text,
                       "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<!DOCTYPE hieraCollector SYSTEM \"hieraCollector.dtd\">\n<hieraCollector application=\"");
    hiera_text_escaped(&text, application, strnlen(application, 255));
    HIERA_TEXT_LITERAL(&text, "\" count_proc=\"");
    hiera_text_unsigned(&text, (uint64_t)size);
    HIERA_TEXT_LITERAL(&text, "\"");
    put_run(&text);
    HIERA_TEXT_LITERAL(&text, ">\n");
    for (int i = 0; i < list->n; i++)
        put_file(&text, list->ranks ? list->ranks[i] : i, list->are_containers);
    HIERA_TEXT_LITERAL(&text, "</hieraCollector>\n");
    hiera_claim_put_collector(dir, block, (size_t)(text.next - block));
    munmap(block, bytes);
}

bool hiera_files_are_there(const char *dir)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/hieraCollector.xml", dir) < (int)sizeof path && access(path, F_OK) == 0;
}

void hiera_files_write(const char *dir, const char *application, int size, const HieraFileList *list)
{
    write_configuration(dir, application, size, list);
#define X(name, text) hiera_claim_put_companion(dir, name, hiera_file_##text, sizeof hiera_file_##text - 1);
    HIERA_COMPANIONS(X)
#undef X
}
