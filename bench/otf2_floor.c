/* Cost of reading the same calls with the C library of OTF2: a handler counts every event.
 *
 * Usage: otf2_floor ARCHIVE.otf2; prints the number of events that begin a call. */
#include <otf2/otf2.h>
#include <stdio.h>

enum { LOCATIONS_MAX = 4096 };

typedef struct {
    OTF2_LocationRef locations[LOCATIONS_MAX];
    size_t n_locations;
    long calls, others;
} Count;

static OTF2_CallbackCode see_location(void *data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                      uint64_t n_events, OTF2_LocationGroupRef group)
{
    Count *count = data;
    (void)name, (void)type, (void)n_events, (void)group;
    if (count->n_locations == LOCATIONS_MAX)
        return OTF2_CALLBACK_ERROR;
    count->locations[count->n_locations++] = self;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *data,
                                   OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    (void)location, (void)time, (void)position, (void)attributes, (void)region;
    ((Count *)data)->calls++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *data,
                                   OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    (void)location, (void)time, (void)position, (void)attributes, (void)region;
    ((Count *)data)->others++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_isend(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *data,
                                   OTF2_AttributeList *attributes, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                   uint64_t length, uint64_t request)
{
    (void)location, (void)time, (void)position, (void)attributes, (void)receiver, (void)comm, (void)tag, (void)length;
    (void)request;
    ((Count *)data)->others++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_irecv(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *data,
                                   OTF2_AttributeList *attributes, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                   uint64_t length, uint64_t request)
{
    return see_isend(location, time, position, data, attributes, sender, comm, tag, length, request);
}

static void read_definitions(OTF2_Reader *reader, Count *count)
{
    uint64_t n;
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, see_location);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, count);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n);
}

/* Read the local definitions before the events: they explain the numbers that each location uses for names. */
static void read_local_definitions(OTF2_Reader *reader, const Count *count)
{
    uint64_t n;
    if (OTF2_Reader_OpenDefFiles(reader) != OTF2_SUCCESS)
        return;
    for (size_t i = 0; i < count->n_locations; i++) {
        OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(reader, count->locations[i]);
        if (definitions) {
            OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &n);
            OTF2_Reader_CloseDefReader(reader, definitions);
        }
    }
    OTF2_Reader_CloseDefFiles(reader);
}

static void read_events(OTF2_Reader *reader, Count *count)
{
    uint64_t n;
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, see_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, see_leave);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, see_isend);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, see_irecv);
    OTF2_Reader_OpenEvtFiles(reader);
    for (size_t i = 0; i < count->n_locations; i++) {
        OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, count->locations[i]);
        if (!events)
            continue;
        OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, count);
        OTF2_Reader_ReadAllLocalEvents(reader, events, &n);
        OTF2_Reader_CloseEvtReader(reader, events);
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    OTF2_Reader_CloseEvtFiles(reader);
}

int main(int argc, char **argv)
{
    static Count count;
    OTF2_Reader *reader = argc == 2 ? OTF2_Reader_Open(argv[1]) : NULL;
    if (!reader)
        return 2;
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    read_definitions(reader, &count);
    for (size_t i = 0; i < count.n_locations; i++)
        OTF2_Reader_SelectLocation(reader, count.locations[i]);
    read_local_definitions(reader, &count);
    read_events(reader, &count);
    OTF2_Reader_Close(reader);
    printf("%ld\n", count.calls);
    return count.calls > 0 ? 0 : 1;
}
