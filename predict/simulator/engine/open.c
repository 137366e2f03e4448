#include "open.h"

#define OPEN_FUNCTIONS(Type, Name, name)                                                                               \
    guint32 name##_new(Name *all)                                                                                      \
    {                                                                                                                  \
        guint32 place = all->free;                                                                                     \
        if (all->n_used++ == all->n) {                                                                                 \
            if (all->n == all->capacity) {                                                                             \
                all->capacity = all->capacity > 0 ? all->capacity * 2 : 64;                                            \
                all->at = g_renew(Type, all->at, all->capacity);                                                       \
            }                                                                                                          \
            place = all->n++;                                                                                          \
        } else {                                                                                                       \
            all->free = all->at[place].next;                                                                           \
        }                                                                                                              \
        all->at[place] = (Type){.next = NONE};                                                                         \
        return place;                                                                                                  \
    }                                                                                                                  \
    void name##_free(Name *all, guint32 place)                                                                         \
    {                                                                                                                  \
        all->at[place].next = all->free;                                                                               \
        all->free = place;                                                                                             \
        all->n_used--;                                                                                                 \
    }
OPEN_FUNCTIONS(Message, Messages, message)
OPEN_FUNCTIONS(Request, Requests, request)
