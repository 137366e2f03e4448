/* What goes before a trace that begins later: channels are counted and forgotten, calls are kept until nobody needs
 * them, and beyond the limits it is said that not all is there. */
#include "latest/channels.h"
#include "base/settings.h"
#include "latest/kept_calls.h"

#include "harness/plain.h"

HieraSettings hiera_settings;

static uint64_t total;

static void add_to_total(const HieraChannel *channel, void *user)
{
    (void)user;
    total += channel->count;
}

static uint64_t sum(void)
{
    total = 0;
    hiera_channels_visit(add_to_total, NULL);
    return total;
}

static void check_channels(void)
{
    hiera_channel_find(HIERA_CHANNEL_SENT, 1, 2, 7)->count = 5;
    hiera_channel_find(HIERA_CHANNEL_RECEIVED, 1, 2, 7)->count = 3;
    hiera_channel_find(HIERA_CHANNEL_WINDOW, 1, 0, 0)->count = 1;
    EXPECT(5, hiera_channel_find(HIERA_CHANNEL_SENT, 1, 2, 7)->count);
    EXPECT(0, hiera_channel_find(HIERA_CHANNEL_SENT, 1, 2, 8)->count);
    EXPECT(9, sum());
    hiera_channel_drop(HIERA_CHANNEL_WINDOW, 1);
    EXPECT(8, sum());
}

/* The channels of a freed communicator stay for as long as a call that is kept names it. */
static void check_freed(void)
{
    HieraRecord record = {.bytes = sizeof record, .call = HIERA_RECORD_CALLS};
    HieraKeptCall *kept = hiera_kept_call_add(HIERA_KEPT_REQUEST, 4, &record, sizeof record);
    kept->comm = 1;
    hiera_channel_find(HIERA_CHANNEL_SENT, 3, 0, 0)->count = 100;
    hiera_channels_free_comm(1);
    hiera_channels_free_comm(3);
    hiera_channels_tidy();
    EXPECT(8, sum());
    hiera_kept_call_remove(hiera_kept_call_find(HIERA_KEPT_REQUEST, 4));
    EXPECT(1, hiera_kept_call_find(HIERA_KEPT_REQUEST, 4) == NULL);
    hiera_channels_tidy();
    EXPECT(0, sum());
}

static void check_kept(void)
{
    HieraRecord record = {.bytes = sizeof record, .call = HIERA_RECORD_CALLS};
    for (uint32_t i = 1; i <= 3; i++)
        hiera_kept_call_add(HIERA_KEPT_REQUEST, i, &record, sizeof record)->thread = i;
    hiera_kept_call_add(HIERA_KEPT_EARLY, 9, NULL, 0);
    hiera_kept_end_thread(2);
    hiera_kept_settle();
    EXPECT(1, hiera_kept_call_find(HIERA_KEPT_EARLY, 9) == NULL);
    EXPECT(0, hiera_kept_call_find(HIERA_KEPT_REQUEST, 2)->thread);
    hiera_kept_call_remove(hiera_kept_call_find(HIERA_KEPT_REQUEST, 2));
    EXPECT(3, hiera_kept_next(hiera_kept_next(NULL))->number);
    EXPECT(1, hiera_kept_next(hiera_kept_call_find(HIERA_KEPT_REQUEST, 3)) == NULL);
    hiera_kept_call_remove(hiera_kept_next(NULL));
    hiera_kept_call_remove(hiera_kept_next(NULL));
    EXPECT(1, hiera_kept_next(NULL) == NULL);
}

static void check_limits(void)
{
    uint32_t n = 0;
    while (n < 2 * HIERA_CHANNELS_MOST && hiera_channel_find(HIERA_CHANNEL_SENT, 5, 1, (int32_t)n))
        n++;
    EXPECT(HIERA_CHANNELS_MOST, n);
    EXPECT(1, hiera_channels_are_incomplete);
    EXPECT(1, hiera_channel_find(HIERA_CHANNEL_SENT, 5, 1, 77) != NULL);
    hiera_channels_free_comm(5);
    hiera_channels_tidy();
    EXPECT(1, hiera_channel_find(HIERA_CHANNEL_SENT, 6, 1, 1) != NULL);
    for (n = 0; n < 2 * HIERA_KEPT_MOST && hiera_kept_call_add(HIERA_KEPT_EARLY, n + 1, NULL, 0);)
        n++;
    EXPECT(HIERA_KEPT_MOST, n);
    EXPECT(1, hiera_kept_is_incomplete);
    hiera_kept_settle();
    hiera_settings.mode.window_bytes = 100000; /* a small window has no room for many */
    for (n = 0; hiera_channel_find(HIERA_CHANNEL_SENT, 7, 1, (int32_t)n);)
        n++;
    EXPECT(99, n);
}

int main(void)
{
    check_channels();
    check_freed();
    check_kept();
    check_limits();
    return n_failed != 0;
}
