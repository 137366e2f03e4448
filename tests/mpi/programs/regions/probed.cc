// The probes of probed.c in C++.
#include <hiera.h>
#include <mpi.h>
#include <string>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const double x = 0.5;
    const std::string who = "me";
    unsigned long large = (1UL << 63) - 3; /* from 2^63 on it is no integer of scripts */
    unsigned long long longer = (1ULL << 63) - 3;
    const unsigned most = ~0u;
    for (int n = 0; n < 6; n++) {
        HIERA_PROBE("bare");
        HIERA_PROBE("heat", n, 2 * x, "a, (text", who.c_str(), n > 2, static_cast<unsigned char>(n));
        HIERA_PROBE("unasked", n);
        HIERA_PROBE("large", large, longer, most);
        large++;
        longer++;
    }
    MPI_Finalize();
}
