// C++: exceptions pass a HIERA_REGION, an object of hiera.hpp and a region with an explicit end.
#include <hiera.hpp>

#include <mpi.h>
#include <stdexcept>

namespace {

struct Holder {
    hiera::Region region{"app", "object"};
};

void leave()
{
    HIERA_REGION("app", "scope", NULL);
    Holder holder;
    hiera_begin("app", "bare", NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    throw std::runtime_error("on the way");
}

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    {
        hiera::Region around("app", "around");
        for (int i = 0; i < 3; i++)
            try {
                leave();
            } catch (const std::runtime_error &) {
            }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
