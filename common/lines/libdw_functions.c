#include "libdw_functions.h"

HieraLibdw hiera_dw;

#define IS_THERE(f) hiera_dw.f &&

bool hiera_dw_has_needed(void)
{
    return HIERA_DW_NEEDED(IS_THERE) true;
}

bool hiera_dw_has_units(void)
{
    return HIERA_DW_UNITS(IS_THERE) true;
}

bool hiera_dw_has_tree(void)
{
    return HIERA_DW_TREE(IS_THERE) true;
}
