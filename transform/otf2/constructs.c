/* See constructs.h. Score-P calls a region "!$omp critical @app.c:12", with a role of the paradigm OpenMP; EZTrace
 * calls it "OpenMP critical". A team begins in front of the region of its threads, or inside. */
#include "constructs.h"
#include "base/vocabulary.h"
#include "dtd/constructs.h"
#include <string.h>

#define OPENMP "openmp"
#define WAIT   "acquire "
/* Regions of operations that records begin. */
#define OF_FORK     (OTF2_UNDEFINED_REGION - 1)
#define OF_TEAM     (OTF2_UNDEFINED_REGION - 2)
#define OF_CREATION (OTF2_UNDEFINED_REGION - 3)

/* --- names of regions --- */

typedef struct {
    const char *name, *operation;
    HieraOtf2Construct construct;
} Name;

/* Names without prefix, place and capitals. */
static const Name names[] = {{"parallel", "parallel", HIERA_OTF2_PARALLEL},
                             {"implicit task", "implicit task", HIERA_OTF2_PART},
                             {"critical", "critical", HIERA_OTF2_ALONE},
                             {"critical sblock", "critical", HIERA_OTF2_BLOCK},
                             {"ordered", "ordered", HIERA_OTF2_ALONE},
                             {"ordered sblock", "ordered", HIERA_OTF2_BLOCK},
                             {"implicit barrier", "barrier", HIERA_OTF2_PLAIN},
                             {"task wait", "taskwait", HIERA_OTF2_PLAIN},
                             {"task run", "task", HIERA_OTF2_PLAIN},
                             {"untied task", "task", HIERA_OTF2_PLAIN},
                             {"untied task run", "task", HIERA_OTF2_PLAIN},
                             {"omp_set_lock", WAIT "lock", HIERA_OTF2_PLAIN},
                             {"set lock", WAIT "lock", HIERA_OTF2_PLAIN},
                             {"omp_set_nest_lock", WAIT "nest lock", HIERA_OTF2_PLAIN},
                             {"set nest lock", WAIT "nest lock", HIERA_OTF2_PLAIN}};

static const struct {
    OTF2_RegionRole role;
    Name name;
} roles[] = {{OTF2_REGION_ROLE_PARALLEL, {NULL, "parallel", HIERA_OTF2_PARALLEL}},
             {OTF2_REGION_ROLE_CRITICAL, {NULL, "critical", HIERA_OTF2_ALONE}},
             {OTF2_REGION_ROLE_CRITICAL_SBLOCK, {NULL, "critical", HIERA_OTF2_BLOCK}},
             {OTF2_REGION_ROLE_ORDERED, {NULL, "ordered", HIERA_OTF2_ALONE}},
             {OTF2_REGION_ROLE_ORDERED_SBLOCK, {NULL, "ordered", HIERA_OTF2_BLOCK}},
             {OTF2_REGION_ROLE_BARRIER, {NULL, "barrier", HIERA_OTF2_PLAIN}},
             {OTF2_REGION_ROLE_IMPLICIT_BARRIER, {NULL, "barrier", HIERA_OTF2_PLAIN}},
             {OTF2_REGION_ROLE_TASK, {NULL, "task", HIERA_OTF2_PLAIN}},
             {OTF2_REGION_ROLE_TASK_UNTIED, {NULL, "task", HIERA_OTF2_PLAIN}},
             {OTF2_REGION_ROLE_TASK_WAIT, {NULL, "taskwait", HIERA_OTF2_PLAIN}}};

/* Return the name of a construct in small letters, with single blanks, without prefix and place; NULL: it has no such
 * prefix, and the region is none of OpenMP's. To be freed with g_free. */
static char *strip_name(const HieraOtf2Region *region)
{
    static const char *const prefixes[] = {"!$omp ", "OpenMP "};
    const char *rest = region->paradigm == OTF2_PARADIGM_OPENMP ? region->name : NULL;
    for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        if (g_str_has_prefix(region->name, prefixes[i]))
            rest = region->name + strlen(prefixes[i]);
    }
    if (!rest)
        return NULL;
    const char *place = strstr(rest, " @");
    g_autofree char *name = g_ascii_strdown(rest, place ? place - rest : -1);
    g_auto(GStrv) words = g_strsplit(g_strstrip(name), "  ", 0);
    return g_strjoinv(" ", words);
}

static const Name *find_name(const char *text, const HieraOtf2Region *region)
{
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(names[i].name, text) == 0)
            return &names[i];
    }
    for (guint i = 0; i < G_N_ELEMENTS(roles) && region->paradigm == OTF2_PARADIGM_OPENMP; i++) {
        if (roles[i].role == region->role)
            return &roles[i].name;
    }
    return NULL;
}

char *hiera_otf2_construct_name(const HieraOtf2Region *region, HieraOtf2Construct *construct)
{
    char *text = strip_name(region);
    const Name *name = text ? find_name(text, region) : NULL;
    *construct = name ? name->construct : HIERA_OTF2_PLAIN;
    if (!name)
        return text;
    g_free(text);
    return g_strdup(name->operation);
}

/* --- regions and teams --- */

/* Return an open operation if it was begun by a record, `depth` from the innermost one; NULL: it was not. */
static HieraOtf2Element *peek_begun(const HieraOtf2Calls *calls, guint depth, OTF2_RegionRef by)
{
    guint32 element;
    if (hiera_otf2_calls_open(calls, depth, &element) != by)
        return NULL;
    return hiera_otf2_elements_peek(&calls->rank->elements, element);
}

/* Give the innermost operation, begun with a team, and the region around it the place of the team's region, unless
 * something is inside already. */
static gboolean place_team(const HieraOtf2Calls *calls, const HieraOtf2Element *element)
{
    HieraOtf2Element *team = peek_begun(calls, 0, OF_TEAM), *fork = peek_begun(calls, 1, OF_FORK);
    if (!team || hiera_otf2_calls_top(calls) + 1 != calls->rank->elements.all->len)
        return FALSE;
    team->file = element->file;
    team->line = element->line;
    if (fork) {
        fork->file = element->file;
        fork->line = element->line;
    }
    return TRUE;
}

/* End the operation around a block of the same name: it was the wait. */
static void end_wait(HieraOtf2Calls *calls, const HieraOtf2Element *block)
{
    guint32 index;
    OTF2_RegionRef region = hiera_otf2_calls_open(calls, 0, &index);
    if (index == G_MAXUINT32)
        return;
    HieraOtf2Element *around = hiera_otf2_elements_peek(&calls->rank->elements, index);
    if (g_strcmp0(around->level, OPENMP) != 0 || strcmp(around->operation, block->operation) != 0)
        return;
    g_autofree char *name = g_strconcat(WAIT, block->operation, NULL);
    around->operation = hiera_otf2_elements_copy(&calls->rank->elements, name);
    hiera_otf2_calls_end(calls, region);
}

gboolean hiera_otf2_construct_enter(HieraOtf2Calls *calls, HieraOtf2Construct construct,
                                    const HieraOtf2Element *element)
{
    if (construct == HIERA_OTF2_BLOCK)
        end_wait(calls, element);
    return (construct == HIERA_OTF2_PARALLEL || construct == HIERA_OTF2_PART) && place_team(calls, element);
}

/* Return TRUE if the innermost operation is the one that a record is about: Hiera wrote both, or the tool. */
static gboolean is_begun(const HieraOtf2Calls *calls, const char *operation)
{
    guint32 index = hiera_otf2_calls_top(calls);
    if (index == G_MAXUINT32)
        return FALSE;
    const HieraOtf2Element *top = hiera_otf2_elements_peek(&calls->rank->elements, index);
    return g_strcmp0(top->level, OPENMP) == 0 && strcmp(top->operation, operation) == 0;
}

static guint32 begin(HieraOtf2Calls *calls, OTF2_RegionRef region, const char *operation)
{
    HieraOtf2Element element = {
        .name = hiera_element_name(HIERA_ELEMENT_REGION), .level = OPENMP, .operation = operation, .file = ""};
    return hiera_otf2_calls_begin(calls, region, &element);
}

static void add_args(const HieraOtf2Calls *calls, guint32 index, const char *name, guint32 number)
{
    g_autofree char *args = g_strdup_printf("%s%u", name, number);
    hiera_otf2_elements_add_text(&calls->rank->elements, index, hiera_attribute_name(HIERA_ATTRIBUTE_ARGS),
                                 hiera_otf2_elements_copy(&calls->rank->elements, args));
}

static OTF2_CallbackCode on_fork(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                                 OTF2_AttributeList *attributes, OTF2_Paradigm model, uint32_t requested)
{
    HieraOtf2Calls *calls = user;
    (void)location, (void)position, (void)attributes;
    hiera_otf2_calls_see(calls, time);
    if (model != OTF2_PARADIGM_OPENMP || is_begun(calls, "parallel") || is_begun(calls, "teams"))
        return OTF2_CALLBACK_SUCCESS;
    guint32 index = begin(calls, OF_FORK, "parallel");
    if (requested > 0 && requested != OTF2_UNDEFINED_UINT32)
        add_args(calls, index, "requested=", requested);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_join(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                                 OTF2_AttributeList *attributes, OTF2_Paradigm model)
{
    (void)location, (void)position, (void)attributes, (void)model;
    hiera_otf2_calls_see(user, time);
    hiera_otf2_calls_end(user, OF_FORK);
    return OTF2_CALLBACK_SUCCESS;
}

/* --- tasks --- */

/* Return a number that a task shares with no other one that waits to begin; 0: it is an implicit task. */
static guint32 find_task(uint32_t thread, uint32_t number)
{
    return number == 0 ? 0 : (thread & 0x3ff) << 20 | (number & 0xfffff);
}

void hiera_otf2_construct_begun(HieraOtf2Calls *calls, guint32 index)
{
    if (calls->task == 0 || !is_begun(calls, "task"))
        return;
    add_args(calls, index, HIERA_CONSTRUCT_TASK, calls->task);
    calls->task = 0;
}

/* Score-P writes a region around the creation. */
static OTF2_CallbackCode on_task_create(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                                        OTF2_AttributeList *attributes, OTF2_CommRef team, uint32_t thread,
                                        uint32_t number)
{
    HieraOtf2Calls *calls = user;
    (void)location, (void)position, (void)attributes, (void)team;
    hiera_otf2_calls_see(calls, time);
    gboolean is_marked = is_begun(calls, "create task");
    guint32 index = is_marked ? hiera_otf2_calls_top(calls) : begin(calls, OF_CREATION, "create task");
    add_args(calls, index, HIERA_CONSTRUCT_TASK, find_task(thread, number));
    if (!is_marked)
        hiera_otf2_calls_end(calls, OF_CREATION);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_task_switch(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                                        OTF2_AttributeList *attributes, OTF2_CommRef team, uint32_t thread,
                                        uint32_t number)
{
    HieraOtf2Calls *calls = user;
    (void)location, (void)position, (void)attributes, (void)team;
    hiera_otf2_calls_see(calls, time);
    calls->task = find_task(thread, number);
    return OTF2_CALLBACK_SUCCESS;
}

/* --- teams --- */

/* EZTrace also writes records without a team, around regions that have all. */
static OTF2_CallbackCode on_team_begin(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                                       OTF2_AttributeList *attributes, OTF2_CommRef team)
{
    (void)location, (void)position, (void)attributes;
    hiera_otf2_calls_see(user, time);
    if (team != OTF2_UNDEFINED_COMM && !is_begun(user, "implicit task"))
        begin(user, OF_TEAM, "implicit task");
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_team_end(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                                     OTF2_AttributeList *attributes, OTF2_CommRef team)
{
    (void)location, (void)position, (void)attributes;
    hiera_otf2_calls_see(user, time);
    if (team != OTF2_UNDEFINED_COMM)
        hiera_otf2_calls_end(user, OF_TEAM);
    return OTF2_CALLBACK_SUCCESS;
}

void hiera_otf2_constructs_register(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
    OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(callbacks, on_task_create);
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(callbacks, on_task_switch);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team_begin);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_end);
}
