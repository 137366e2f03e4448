// Every use of hiera.h and hiera.hpp, in C and C++. With -DNOTHING: the same functions without these uses.
#ifndef NOTHING
#ifdef __cplusplus
#include <hiera.hpp>
#else
#include <hiera.h>
#endif
#define USE(...) __VA_ARGS__
#else
#define USE(...)
#endif

#ifdef __cplusplus
extern "C" {
#endif
int scopes(int n);
int ends(int n);
int objects(int n);

int scopes(int n)
{
    USE(HIERA_CALL("oops", "Grid::bcast", "root=%d", n));
    for (int i = 0; i < n; i++) {
        USE(HIERA_REGION("app", "scope", "n=%d", n));
        if (i % 3 == 0)
            continue;
        if (i % 7 == 0)
            return i;
    }
    return n;
}

int ends(int n)
{
    USE(hiera_pause(); hiera_resume();)
    USE(hiera_begin("app", "a", "n=%d", n); hiera_begin_at(HIERA_CALLER(), "app", "b", (char *)0);)
    n++;
    USE(hiera_end(); hiera_end_of("a");)
    return n;
}

int objects(int n)
{
#ifdef __cplusplus
    USE(hiera::Region region("app", "object"); hiera::Region other("app", "object", "n=%d", n);)
#endif
    return n + 2;
}
#ifdef __cplusplus
}
#endif
