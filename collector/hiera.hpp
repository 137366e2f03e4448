/** Hiera: regions of a C++ program as objects. Everything that hiera.h says holds here.
 *
 *     hiera::Region region("app", "time step", "step=%d", step);
 *
 * The region lasts as long as the object, also if an exception ends it. With -DHIERA_DISABLE it does nothing. */
#ifndef HIERA_HPP
#define HIERA_HPP

#include "hiera.h"

#if __cplusplus < 201103L
#error "hiera.hpp needs C++11; before, there are hiera.h and its HIERA_REGION"
#endif

namespace hiera
{

/** One region. It can be neither copied nor moved, because a region is a span of time in one thread and belongs to a
 * scope. It must end in the thread in which it began. Objects on the heap or in other objects may overlap without one
 * being inside the other: their regions end together, and the trace says so (hieraUnbalanced). */
class Region
{
  public:
#ifdef HIERA_DISABLE
    template <typename... Arguments> explicit Region(const Arguments &...) noexcept
    {
    }
    ~Region()
    {
    } // not trivial: so that an unused object is no warning, as without HIERA_DISABLE
#else
    /** Level and name are those of hiera_begin(). */
    __attribute__((always_inline, no_instrument_function)) Region(const char *level, const char *name) noexcept
    {
        hiera_open_scope(this, nullptr, level, name, nullptr);
    }

    /** With arguments: a printf format and its values. */
    template <typename... Arguments>
    __attribute__((always_inline, no_instrument_function))
    Region(const char *level, const char *name, const char *format, Arguments... arguments) noexcept
    {
        hiera_open_scope(this, nullptr, level, name, format, arguments...);
    }

    __attribute__((always_inline, no_instrument_function)) ~Region()
    {
        hiera_close_scope(this);
    }
#endif

    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;
};

} // namespace hiera

#endif
