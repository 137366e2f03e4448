/* Functions are moved on x86-64 alone. Elsewhere each part says so, and nothing is touched. */
#include "loops/moved.h"
#include "loops/stop_threads.h"
#include "loops/timing.h"

#include "base/settings.h"
#include "harness/plain.h"

HieraSettings hiera_settings;

#ifdef __x86_64__
enum { MOVES = 1 };
#else
enum { MOVES = 0 };
#endif

int main(void)
{
    EXPECT(MOVES, hiera_timing_event() != NULL);
    EXPECT(MOVES, hiera_timing_unwind() != NULL);
    EXPECT(0, hiera_timing_lost());
    EXPECT(0, hiera_timing_function(1).executions);
    if (!MOVES)
        EXPECT_TEXT("threads are stopped on x86-64 alone", hiera_stop_threads(NULL, NULL));
    return n_failed > 0;
}
