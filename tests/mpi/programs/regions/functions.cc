// C++ with -finstrument-functions: templates, members, exceptions, and an instrumented operator new.
#include <cstdlib>
#include <hiera.hpp>
#include <mpi.h>
#include <new>
#include <stdexcept>
#include <vector>

void *operator new(std::size_t bytes)
{
    void *memory = std::malloc(bytes);
    if (!memory)
        throw std::bad_alloc();
    return memory;
}

void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace shop {

template <typename T> struct Basket {
    std::vector<T> all;

    void add(T what)
    {
        all.push_back(what);
        MPI_Barrier(MPI_COMM_SELF);
    }
};

void weigh(double most)
{
    hiera::Region region("app", "weigh");
    MPI_Barrier(MPI_COMM_SELF);
    if (most > 1.0)
        throw std::runtime_error("too heavy");
}

} // namespace shop

void late(shop::Basket<int> &basket)
{
    for (int i = 0; i < 10; i++)
        basket.add(i);
    try {
        shop::weigh(2.0);
    } catch (const std::runtime_error &) {
        shop::weigh(0.5);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    shop::Basket<int> basket;
    late(basket);
    MPI_Finalize();
    return 0;
}
