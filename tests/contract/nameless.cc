// Functions that are recorded or counted, and unmatched begins and ends. The program runs without symbols.
#include <hiera.h>

namespace space {
static volatile int sum;

__attribute__((noinline)) static void work(int n)
{
    sum = sum + n;
}
} // namespace space

extern "C" __attribute__((noinline)) void plain(void)
{
    space::work(3);
    hiera_begin("app", "open", nullptr);
}

int main()
{
    plain();
    hiera_end();
    hiera_end();
}
