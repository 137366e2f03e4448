/* Class Partner: one other process of a group, as the other end of messages. Hides the rank of this process. */
#include "internal.h"

#include <stdlib.h>

struct OopsPartner {
    OopsGroup *group;
    int rank;
};

int oops_partner_new(OopsGroup *group, int rank, OopsPartner **made)
{
    HIERA_CALL("oops", "Partner::Partner", "rank=%d", rank);
    if (!group || !made)
        return OOPS_ERR_OBJECT;
    *made = NULL;
    if (rank < 0 || rank >= group->size)
        return OOPS_ERR_RANGE;
    OopsPartner *partner = malloc(sizeof *partner);
    if (!partner)
        return OOPS_ERR_MEMORY;
    *partner = (OopsPartner){group, rank};
    *made = partner;
    return OOPS_SUCCESS;
}

int oops_partner_free(OopsPartner *partner)
{
    HIERA_CALL("oops", "Partner::free", NULL);
    free(partner);
    return OOPS_SUCCESS;
}

int oops_partner_send(OopsPartner *partner, const void *data, int count, OopsType type, int tag)
{
    HIERA_CALL("oops", "Partner::send", "tag=%d count=%d", tag, count);
    return partner ? oops_group_send(partner->group, data, count, type, partner->rank, tag) : OOPS_ERR_OBJECT;
}

int oops_partner_recv(OopsPartner *partner, void *data, int count, OopsType type, int tag)
{
    HIERA_CALL("oops", "Partner::recv", "tag=%d count=%d", tag, count);
    return partner ? oops_group_recv(partner->group, data, count, type, partner->rank, tag) : OOPS_ERR_OBJECT;
}
