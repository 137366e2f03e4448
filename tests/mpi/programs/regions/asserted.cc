// C++: assertions in blocks that exceptions leave, in templates, lambdas and methods. The comments are those of asserted.c.
#include <hiera.hpp>

#include <mpi.h>
#include <stdexcept>

namespace {

enum class Colour : int { red, green };

void barrier()
{
    MPI_Barrier(MPI_COMM_WORLD);
}

int leave(bool &left)
{
    HIERA_ASSERT("calls == 1 & $left == 1", left); /* 3 ok */
    left = true;
    barrier();
    throw std::runtime_error("on the way");
}

template <typename T> T twice(T value)
{
    HIERA_ASSERT("calls == 1 & $value == 2 * 1.25 | $value == 4", value); /* 2 ok */
    value = value + value;
    barrier();
    return value;
}

struct Grid {
    long n = 3;
    Colour colour = Colour::green;
    const double &part;

    int count() const
    {
        HIERA_ASSERT("$n == 3 & $colour == 1 & $part == 0.5 & calls == 2", n, colour, part); /* 1 ok */
        auto inner = [this](int k) {
            HIERA_ASSERT("$k <= $n & calls == 1", k, this->n); /* 2 ok */
            barrier();
            return k;
        };
        return inner(1) + inner(2);
    }
};

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm world = MPI_COMM_WORLD;
    {
        HIERA_ASSERT("calls == 7 & nMPIProcesses($world) == nMPIProcesses($MPI_COMM_WORLD)", world); /* 1 ok */
        for (int i = 0; i < 3; i++) {
            bool left = false;
            try {
                leave(left);
            } catch (const std::runtime_error &) {
            }
        }
        twice(1.25);
        twice(2);
        double part = 0.5;
        Grid grid{3, Colour::green, part};
        grid.count();
    }
    MPI_Finalize();
    return 0;
}
