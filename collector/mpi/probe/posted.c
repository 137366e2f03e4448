#include "posted.h"

#include <string.h>

static HieraItemMap all = {.item_bytes = sizeof(HieraPosted)};

static HieraItemKey key_of(HieraPostedOf of, uint32_t number)
{
    return (HieraItemKey){(uint64_t)of << 32 | number, 0};
}

HieraPosted *hiera_posted_find(HieraPostedOf of, uint32_t number)
{
    return hiera_item_find(&all, key_of(of, number));
}

HieraPosted *hiera_posted_make(HieraPostedOf of, uint32_t number)
{
    HieraPosted *posted = hiera_item_make(&all, key_of(of, number));
    if (posted)
        *posted = (HieraPosted){.key = posted->key};
    return posted;
}

void hiera_posted_remove(HieraPosted *posted)
{
    hiera_item_remove(&all, posted);
}
