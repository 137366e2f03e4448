static inline void in_header(void)
{
#pragma hiera assert MPITime < 1
    { }
}
