// All ways to make regions in C++. The expected place of each is the line that contains its name.
#include <hiera.hpp>

#include <memory>

#ifdef OPTIMISED
#include <optional>
#endif

template <typename Number> static Number twice(Number x)
{
    hiera::Region region("app", "in a template", "x=%d", static_cast<int>(x));
    return x + x;
}

struct Member {
    hiera::Region region;
    Member() : region("app", "member")
    {
    }
};

// clang-format off: compilers differ in whether the place is the member or the class
struct Initialised { hiera::Region region{"app", "initialised"}; };
// clang-format on

__attribute__((noinline)) static void helper()
{
    HIERA_CALL("app", "of the caller", nullptr);
    hiera_begin("app", "in a helper", nullptr);
    hiera_end();
}

static int in_lambda()
{
    auto work = [](int n) {
        hiera::Region region("app", "in a lambda");
        return n;
    };
    return work(2);
}

int main()
{
    {
        hiera::Region region("app", "plain");
    }
    {
        hiera::Region region("app", "arguments", "a=%d b=%s", 1, "two");
    }
    Member member;
    Initialised initialised;
    std::unique_ptr<hiera::Region> heap(new hiera::Region("app", "on the heap"));
    heap.reset();
    {
        HIERA_REGION("app", "macro", nullptr);
    }
    helper();
#ifdef OPTIMISED // for functions of the C++ library, only if the compiler inlines them
    std::optional<hiera::Region> optional;
    optional.emplace("app", "optional");
    optional.reset();
    auto unique = std::make_unique<hiera::Region>("app", "unique");
    unique.reset();
#endif
    return in_lambda() + twice(3) - 8;
}
