/* What constructs of OpenMP are for Paraver: events of Extrae's types, and states. */
#pragma once

#include "export/export_labels.h"
#include "prv_numbers.h"

typedef struct {
    const char *operation, *label; /* label: of the value; NULL: the value is the number of a place */
    guint32 type;                  /* type of its events; 0: none */
    guint32 value;
    HieraPrvState state; /* state of a thread in it */
} HieraPrvConstruct;

/* Return the construct of OpenMP of a call site; NULL: it is none. */
const HieraPrvConstruct *hiera_prv_construct(const HieraSite *site);
/* Return one of the constructs that there are, from 0; NULL: there are no more. */
const HieraPrvConstruct *hiera_prv_construct_at(guint index);
/* Return TRUE if there are sites of constructs with events of a type. */
gboolean hiera_prv_constructs_have(const HieraSiteOrder *order, guint32 type);
