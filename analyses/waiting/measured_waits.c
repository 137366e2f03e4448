#include "measured_waits.h"
#include <string.h>

typedef struct {
    HieraMeasuredWaitVisit visit;
    gpointer user;
} Visitor;

static void visit_one(const Visitor *visitor, guint32 node, HieraWaitClass class, const HieraWaited *waited)
{
    if (node != 0 && waited->count != 0)
        visitor->visit(node, class, waited, visitor->user);
}

static void visit_both(const HieraSummed *summed, const HieraSummedPath *path, gpointer user)
{
    gboolean is_barrier = strcmp(summed->site->operation, "barrier") == 0;
    visit_one(user, path->node, is_barrier ? HIERA_WAIT_BARRIER : HIERA_WAIT_N_X_N, &summed->members);
    visit_one(user, path->node, is_barrier ? HIERA_WAIT_BARRIER_COMPLETION : HIERA_WAIT_N_X_N_COMPLETION,
              &summed->completion);
}

void hiera_measured_waits_visit(HieraCallPaths *paths, const HieraScope *scope, guint32 processor,
                                HieraMeasuredWaitVisit visit, gpointer user)
{
    Visitor visitor = {visit, user};
    hiera_summed_paths_visit(paths, scope, processor, visit_both, &visitor);
}
