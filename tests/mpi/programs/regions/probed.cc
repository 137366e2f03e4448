// The probes of probed.c in C++.
#include <hiera.h>
#include <mpi.h>
#include <string>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const double x = 0.5;
    const std::string who = "me";
    for (int n = 0; n < 6; n++) {
        HIERA_PROBE("bare");
        HIERA_PROBE("heat", n, 2 * x, "a, (text", who.c_str(), n > 2, static_cast<unsigned char>(n));
        HIERA_PROBE("unasked", n);
    }
    MPI_Finalize();
}
