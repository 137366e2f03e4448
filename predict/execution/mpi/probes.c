/* Probes. A probe receives the message into a buffer of its own, where the receive finds it. A probe that does not wait
 * finds messages whose send has begun; if there is none, time passes, and the longer polls have failed, the more: a
 * poll costs as little as in a program, and yet loops of polls end after few of them. See world.h. */
#include "handlers.h"

#define FIRST_POLL_PS ((gint64)1000 * 1000)
/* A failed poll takes the time of all failed polls before, divided by this number. */
enum { POLLS = 16 };

static gboolean is_wanted(gint32 wanted, gint32 is)
{
    return wanted == HIERA_SIM_ANY || wanted == is;
}

/* @return index in call->probed of a probed message that matches; -1: there is none */
static gint find_probed(HieraWorld *world, guint32 rank, guint group, gint32 source, gint32 tag)
{
    const HieraCurrentCall *call = &world->calls[rank];
    for (guint i = 0; i < call->probed->len; i++) {
        const HieraProbedMessage *probed = &g_array_index(call->probed, HieraProbedMessage, i);
        guint64 key = hiera_parcel_key(rank, probed->token);
        const HieraParcel *parcel = g_hash_table_lookup(world->receives, &key);
        if (parcel && probed->message == 0 && probed->group == group && is_wanted(source, parcel->source) &&
            is_wanted(tag, parcel->tag))
            return (gint)i;
    }
    return -1;
}

guint64 hiera_mpi_take_probed(HieraWorld *world, guint32 rank, guint group, gint32 source, gint32 tag)
{
    HieraCurrentCall *call = &world->calls[rank];
    gint place = find_probed(world, rank, group, source, tag);
    if (place < 0)
        return 0;
    guint64 token = g_array_index(call->probed, HieraProbedMessage, place).token;
    g_array_remove_index(call->probed, (guint)place);
    return token;
}

void hiera_mpi_receive_probed(HieraWorld *world, guint32 rank, HieraOpenRequest *request, guint64 token,
                              const HieraMpiData *data)
{
    HieraCurrentCall *call = &world->calls[rank];
    guint64 key = hiera_parcel_key(rank, token);
    const HieraParcel *parcel = g_hash_table_lookup(world->receives, &key);
    if (parcel)
        hiera_mpi_unpack(world, rank, data, parcel->bytes, 0, parcel->n);
    if (request)
        request->probed = token;
    else
        g_array_append_val(call->tokens, token);
}

static gboolean has_come(HieraWorld *world, guint32 rank, guint group, gint32 source, gint32 tag)
{
    GHashTableIter iterator;
    gpointer value;
    g_hash_table_iter_init(&iterator, world->messages);
    while (g_hash_table_iter_next(&iterator, NULL, &value)) {
        const HieraParcel *message = value;
        if (message->dest == rank && message->group == group && is_wanted(source, message->source) &&
            is_wanted(tag, message->tag))
            return TRUE;
    }
    return FALSE;
}

void hiera_mpi_begin_probe(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    guint group = hiera_mpi_group_of_messages(world, call->group);
    gint32 peer = 0, tag = hiera_mpi_find_tag(world, rank, HIERA_P_TAG, TRUE);
    call->probe = 0;
    call->found = TRUE;
    if (!hiera_mpi_find_peer(world, rank, HIERA_P_REM, TRUE, &peer))
        return;
    gint place = find_probed(world, rank, group, peer, tag);
    if (place >= 0) {
        call->probe = g_array_index(call->probed, HieraProbedMessage, place).token;
        return;
    }
    if (hiera_mpi_has(call, HIERA_P_FLAG) && !has_come(world, rank, group, peer, tag)) {
        gint64 poll_ps = MAX(FIRST_POLL_PS, call->polled_ps / POLLS);
        call->found = FALSE;
        call->polled_ps += poll_ps;
        hiera_mpi_append(call, (HieraSimOperation){.kind = HIERA_SIM_DELAY, .duration_ps = poll_ps});
        return;
    }
    const HieraMpiData none = {.bytes = 0};
    HieraProbedMessage probed = {.token = hiera_mpi_new_token(world, rank), .group = group};
    guint64 number = ++call->next_request, key = hiera_parcel_key(rank, probed.token);
    call->polled_ps = 0;
    call->probe = probed.token;
    hiera_mpi_keep_receive(world, rank, call->group, probed.token, &none);
    ((HieraParcel *)g_hash_table_lookup(world->receives, &key))->keeps = TRUE;
    g_array_append_val(call->probed, probed);
    g_array_append_val(call->requests, number);
    hiera_mpi_append(call, (HieraSimOperation){.kind = HIERA_SIM_RECEIVE,
                                               .peer = peer,
                                               .tag = tag,
                                               .group = group,
                                               .request = number,
                                               .token = probed.token});
    hiera_mpi_append_wait(world, rank, HIERA_SIM_ALL);
}

void hiera_mpi_end_probe(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    guint64 key = hiera_parcel_key(rank, call->probe), status = hiera_mpi_status_at(world, rank, 0);
    const HieraParcel *parcel = call->probe > 0 ? g_hash_table_lookup(world->receives, &key) : NULL;
    hiera_mpi_write(world, rank, HIERA_P_FLAG, TRUE, (guint64)call->found);
    if (!parcel) {
        if (call->found)
            hiera_mpi_write_status_of_nobody(world, rank, status);
        return;
    }
    hiera_mpi_write_status(world, rank, status, parcel);
    for (guint i = 0; hiera_mpi_has(call, HIERA_P_MESSAGE) && i < call->probed->len; i++) {
        HieraProbedMessage *probed = &g_array_index(call->probed, HieraProbedMessage, i);
        if (probed->token != call->probe)
            continue;
        probed->message = ++call->next_request;
        hiera_mpi_write(world, rank, HIERA_P_MESSAGE, TRUE, probed->message);
    }
}

void hiera_mpi_begin_matched_receive(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraKnown message = hiera_mpi_handle(world, rank, HIERA_P_MESSAGE);
    HieraMpiData data = hiera_mpi_data(world, rank, HIERA_P_BUF, HIERA_P_COUNT, HIERA_P_TYPE);
    HieraOpenRequest *request = call->function->start == HIERA_MPI_BLOCKS ? NULL : hiera_mpi_open_request(world, rank);
    for (guint i = 0; i < call->probed->len; i++) {
        const HieraProbedMessage probed = g_array_index(call->probed, HieraProbedMessage, i);
        if (probed.message == 0 || (message.known && probed.message != message.bits))
            continue;
        g_array_remove_index(call->probed, i);
        hiera_mpi_receive_probed(world, rank, request, probed.token, &data);
        break;
    }
    hiera_mpi_write(world, rank, HIERA_P_MESSAGE, TRUE, hiera_mpi_no_message(world, rank));
}
