/* See mpi_records.h. The message that a non-blocking receive got is known when the receive completes; it is then also
 * noted at the call that started it. Requests get new numbers, since tools use MPI's handles, which are reused. */
#include "mpi_records.h"
#include "base/vocabulary.h"
#include "comms.h"
#include <string.h>

#define NONE G_MAXUINT32

static void add_number(HieraOtf2Calls *calls, guint32 element, HieraAttribute attribute, gint64 number)
{
    hiera_otf2_elements_add_number(&calls->rank->elements, element, hiera_attribute_name(attribute), number);
}

static void add_text(HieraOtf2Calls *calls, guint32 element, HieraAttribute attribute, const char *text)
{
    hiera_otf2_elements_add_text(&calls->rank->elements, element, hiera_attribute_name(attribute), text);
}

/* --- the call that a record belongs to --- */

/* Find the kind of an MPI call. @param index  of its element. @return FALSE: the element is no MPI call */
static gboolean find_kind(const HieraOtf2Calls *calls, guint32 index, HieraKind *kind)
{
    HieraKind starts;
    if (index == NONE)
        return FALSE;
    const HieraOtf2Element *element = hiera_otf2_elements_peek(&calls->rank->elements, index);
    if (strcmp(element->name, hiera_element_name(HIERA_ELEMENT_MPI)) != 0)
        return FALSE;
    if (!hiera_vocabulary_kind(element->operation, kind, &starts))
        *kind = HIERA_KIND_LOCAL;
    return TRUE;
}

static gboolean has(const HieraOtf2Calls *calls, guint32 element, HieraAttribute attribute)
{
    return hiera_otf2_elements_has(&calls->rank->elements, element, hiera_attribute_name(attribute));
}

static gboolean is_whole(const HieraOtf2Calls *calls)
{
    guint32 top = hiera_otf2_calls_top(calls);
    return top != NONE && hiera_otf2_elements_peek(&calls->rank->elements, top)->whole;
}

/* Return the call for a record: the innermost one, if it is of the kind and has no such record yet; else a new call
 * without duration: placed behind an MPI call, since MPI calls do not nest. */
static guint32 find_call(HieraOtf2Calls *calls, HieraKind wanted, HieraAttribute mark, const char *operation)
{
    guint32 top = hiera_otf2_calls_top(calls);
    HieraKind kind;
    if (find_kind(calls, top, &kind) && !has(calls, top, mark) &&
        (kind == wanted || (kind == HIERA_KIND_SEND_RECEIVE && wanted != HIERA_KIND_COMPLETE)))
        return top;
    HieraOtf2Element made = {
        .name = hiera_element_name(HIERA_ELEMENT_MPI), .operation = operation, .file = "", .made = TRUE};
    guint32 element = hiera_otf2_calls_begin(calls, OTF2_UNDEFINED_REGION, &made);
    hiera_otf2_calls_end(calls, OTF2_UNDEFINED_REGION);
    if (find_kind(calls, top, &kind))
        hiera_otf2_elements_peek(&calls->rank->elements, element)->depth--;
    return element;
}

static void add_comm(HieraOtf2Calls *calls, guint32 element, OTF2_CommRef comm)
{
    add_text(calls, element, HIERA_ATTRIBUTE_COMMUNICATOR, hiera_otf2_comm_id(calls->rank, calls->archive, comm));
}

static gboolean is_exchange(const HieraOtf2Calls *calls, guint32 element)
{
    HieraKind kind;
    return find_kind(calls, element, &kind) && kind == HIERA_KIND_SEND_RECEIVE;
}

static gint64 bytes_of(guint64 bytes)
{
    return (gint64)MIN(bytes, (guint64)G_MAXINT64);
}

/* --- requests that calls start and complete --- */

static void start(HieraOtf2Calls *calls, guint64 id, guint32 element, gboolean receives)
{
    const HieraOtf2Request *before = g_hash_table_lookup(calls->active, &id);
    if (before && before->receives)
        calls->rank->n_unknown++;
    guint64 *key = g_new(guint64, 1);
    HieraOtf2Request *request = g_new(HieraOtf2Request, 1);
    *key = id;
    *request = (HieraOtf2Request){++calls->n_requests, element, receives};
    g_hash_table_replace(calls->active, key, request);
    add_number(calls, element, HIERA_ATTRIBUTE_REQUEST, request->number);
}

static void append_word(GString *list, gint64 number)
{
    g_string_append_printf(list, list->len ? " %" G_GINT64_FORMAT : "%" G_GINT64_FORMAT, number);
}

static void append_nothing(GString *list)
{
    g_string_append(list, list->len ? " -" : "-");
}

/* Note that the innermost call completes a request. Return the element that started the request, or NONE. */
static guint32 complete(HieraOtf2Calls *calls, guint64 id)
{
    const HieraOtf2Request *request = g_hash_table_lookup(calls->active, &id);
    HieraKind kind;
    if (!request || !find_kind(calls, hiera_otf2_calls_top(calls), &kind))
        return NONE;
    guint32 element = request->element;
    append_word(calls->completed[HIERA_OTF2_NUMBERS], request->number);
    g_hash_table_remove(calls->active, &id);
    return element;
}

static void complete_without_message(HieraOtf2Calls *calls, guint64 id)
{
    if (complete(calls, id) == NONE)
        return;
    for (guint i = HIERA_OTF2_SOURCES; i < HIERA_OTF2_LISTS; i++)
        append_nothing(calls->completed[i]);
}

/* --- callbacks for MPI records --- */

#define CALLBACK_ARGUMENTS                                                                                             \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user, OTF2_AttributeList *attributes
/* Begin a callback: return if Hiera wrote the call, because its attributes are already complete. */
#define BEGIN_CALLBACK                                                                                                 \
    HieraOtf2Calls *calls = user;                                                                                      \
    (void)location, (void)position, (void)attributes;                                                                  \
    hiera_otf2_calls_see(calls, time);                                                                                 \
    if (is_whole(calls))                                                                                               \
    return OTF2_CALLBACK_SUCCESS

static guint32 add_send(HieraOtf2Calls *calls, const char *operation, guint32 receiver, OTF2_CommRef comm, guint32 tag,
                        guint64 bytes)
{
    guint32 call = find_call(calls, HIERA_KIND_SEND, HIERA_ATTRIBUTE_DEST, operation);
    add_number(calls, call, HIERA_ATTRIBUTE_DEST, receiver);
    add_number(calls, call, is_exchange(calls, call) ? HIERA_ATTRIBUTE_STAG : HIERA_ATTRIBUTE_TAG, tag);
    add_comm(calls, call, comm);
    add_number(calls, call, HIERA_ATTRIBUTE_BYTES, bytes_of(bytes));
    return call;
}

static OTF2_CallbackCode on_send(CALLBACK_ARGUMENTS, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    BEGIN_CALLBACK;
    add_send(calls, "send", receiver, comm, tag, bytes);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_isend(CALLBACK_ARGUMENTS, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t bytes, uint64_t id)
{
    BEGIN_CALLBACK;
    start(calls, id, add_send(calls, "isend", receiver, comm, tag, bytes), FALSE);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_receive(CALLBACK_ARGUMENTS, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                    uint64_t bytes)
{
    BEGIN_CALLBACK;
    guint32 call = find_call(calls, HIERA_KIND_RECEIVE, HIERA_ATTRIBUTE_REM, "receive");
    gboolean exchange = is_exchange(calls, call);
    add_number(calls, call, HIERA_ATTRIBUTE_REM, sender);
    add_number(calls, call, exchange ? HIERA_ATTRIBUTE_RTAG : HIERA_ATTRIBUTE_TAG, tag);
    add_comm(calls, call, comm);
    add_number(calls, call, exchange ? HIERA_ATTRIBUTE_RBYTES : HIERA_ATTRIBUTE_BYTES, bytes_of(bytes));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_irecv_request(CALLBACK_ARGUMENTS, uint64_t id)
{
    BEGIN_CALLBACK;
    start(calls, id, find_call(calls, HIERA_KIND_RECEIVE, HIERA_ATTRIBUTE_REQUEST, "irecv"), TRUE);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_irecv(CALLBACK_ARGUMENTS, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                                  uint64_t id)
{
    BEGIN_CALLBACK;
    guint32 call = complete(calls, id);
    if (call == NONE)
        return OTF2_CALLBACK_SUCCESS;
    append_word(calls->completed[HIERA_OTF2_SOURCES], sender);
    append_word(calls->completed[HIERA_OTF2_TAGS], tag);
    append_word(calls->completed[HIERA_OTF2_SIZES], bytes_of(bytes));
    add_number(calls, call, HIERA_ATTRIBUTE_REM, sender);
    add_number(calls, call, HIERA_ATTRIBUTE_TAG, tag);
    add_comm(calls, call, comm);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_completion(CALLBACK_ARGUMENTS, uint64_t id)
{
    BEGIN_CALLBACK;
    complete_without_message(calls, id);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_test(CALLBACK_ARGUMENTS, uint64_t id)
{
    BEGIN_CALLBACK;
    const HieraOtf2Request *request = g_hash_table_lookup(calls->active, &id);
    HieraKind kind;
    if (request && find_kind(calls, hiera_otf2_calls_top(calls), &kind) && kind == HIERA_KIND_COMPLETE)
        append_word(calls->tested, request->number);
    return OTF2_CALLBACK_SUCCESS;
}

/* Count the parts of a collective's data: a rank of a gather gets one part from each rank, and gives one. EZTrace
 * records one part for both. */
static void count_parts(const HieraOtf2Calls *calls, OTF2_CollectiveOp word, OTF2_CommRef comm, guint64 *sent,
                        guint64 *received)
{
    gboolean gathers = word == OTF2_COLLECTIVE_OP_GATHER || word == OTF2_COLLECTIVE_OP_ALLGATHER;
    guint64 *all = gathers ? received : sent;
    if (*sent != *received || (!gathers && word != OTF2_COLLECTIVE_OP_SCATTER))
        return;
    if (!g_uint64_checked_mul(all, *all, hiera_otf2_comm_size(calls->archive, comm)))
        *all = G_MAXUINT64;
}

static void add_collective(HieraOtf2Calls *calls, guint32 call, OTF2_CollectiveOp word, OTF2_CommRef comm, guint32 root,
                           guint64 sent, guint64 received)
{
    count_parts(calls, word, comm, &sent, &received);
    add_comm(calls, call, comm);
    if (root == OTF2_COLLECTIVE_ROOT_SELF)
        add_text(calls, call, HIERA_ATTRIBUTE_ROOT, "MPI_ROOT");
    else if (root == OTF2_COLLECTIVE_ROOT_THIS_GROUP)
        add_text(calls, call, HIERA_ATTRIBUTE_ROOT, "MPI_PROC_NULL");
    else if (root != OTF2_COLLECTIVE_ROOT_NONE)
        add_number(calls, call, HIERA_ATTRIBUTE_ROOT, root);
    add_number(calls, call, HIERA_ATTRIBUTE_BYTES, bytes_of(sent));
    add_number(calls, call, HIERA_ATTRIBUTE_RBYTES, bytes_of(received));
}

static OTF2_CallbackCode on_collective(CALLBACK_ARGUMENTS, OTF2_CollectiveOp word, OTF2_CommRef comm, uint32_t root,
                                       uint64_t sent, uint64_t received)
{
    BEGIN_CALLBACK;
    HieraKind kind;
    if (find_kind(calls, hiera_otf2_calls_top(calls), &kind) && comm != OTF2_UNDEFINED_COMM)
        add_collective(calls, hiera_otf2_calls_top(calls), word, comm, root, sent, received);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_request(CALLBACK_ARGUMENTS, uint64_t id)
{
    BEGIN_CALLBACK;
    HieraKind kind;
    if (find_kind(calls, hiera_otf2_calls_top(calls), &kind) &&
        !has(calls, hiera_otf2_calls_top(calls), HIERA_ATTRIBUTE_REQUEST))
        start(calls, id, hiera_otf2_calls_top(calls), FALSE);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_completion(CALLBACK_ARGUMENTS, OTF2_CollectiveOp word, OTF2_CommRef comm,
                                                  uint32_t root, uint64_t sent, uint64_t received, uint64_t id)
{
    BEGIN_CALLBACK;
    guint32 call = complete(calls, id);
    if (call == NONE)
        return OTF2_CALLBACK_SUCCESS;
    for (guint i = HIERA_OTF2_SOURCES; i < HIERA_OTF2_LISTS; i++)
        append_nothing(calls->completed[i]);
    add_collective(calls, call, word, comm, root, sent, received);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_transfer(CALLBACK_ARGUMENTS, OTF2_RmaWinRef window, uint32_t target, uint64_t bytes,
                                     uint64_t id)
{
    BEGIN_CALLBACK;
    (void)id;
    guint32 top = hiera_otf2_calls_top(calls);
    HieraKind kind;
    if (!find_kind(calls, top, &kind))
        return OTF2_CALLBACK_SUCCESS;
    add_number(calls, top, HIERA_ATTRIBUTE_TARGET_RANK, target);
    add_text(calls, top, HIERA_ATTRIBUTE_WIN, hiera_otf2_window_id(calls->rank, calls->archive, window));
    add_number(calls, top, HIERA_ATTRIBUTE_BYTES, bytes_of(bytes));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_window_collective(CALLBACK_ARGUMENTS, OTF2_CollectiveOp word, OTF2_RmaSyncLevel level,
                                              OTF2_RmaWinRef window, uint32_t root, uint64_t sent, uint64_t received)
{
    BEGIN_CALLBACK;
    (void)word, (void)level, (void)root, (void)sent, (void)received;
    HieraKind kind;
    if (find_kind(calls, hiera_otf2_calls_top(calls), &kind))
        add_text(calls, hiera_otf2_calls_top(calls), HIERA_ATTRIBUTE_WIN,
                 hiera_otf2_window_id(calls->rank, calls->archive, window));
    return OTF2_CALLBACK_SUCCESS;
}

void hiera_otf2_records_register(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_completion);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_receive);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(callbacks, on_test);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_completion);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_collective_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_collective_completion);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_transfer);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_transfer);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_window_collective);
}
