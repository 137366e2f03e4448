/* Files of /proc: lines of fixed text, shares of time, energy whose number begins anew. */
#include "counters/proc_cpu.h"
#include "counters/proc_energy.h"
#include "counters/proc_files.h"

#include "harness/plain.h"

typedef struct Told {
    char text[1024];
} Told;

static void tell(void *data, const HieraProcNumber *number)
{
    Told *told = data;
    char key[64], value[96];
    hiera_proc_key(number, key, sizeof key);
    expect_number(__LINE__, key, true, hiera_proc_is(number, key));
    snprintf(value, sizeof value, "%s=%llu%s%s ", key, (unsigned long long)number->whole,
             number->is_kilobytes ? "kB" : "", number->is_real ? "/100" : "");
    strncat(told->text, value, sizeof told->text - strlen(told->text) - 1);
}

static void check_line(const char *file, const char *line, const char *expected)
{
    Told told = {""};
    const char *key;
    char name[64];
    snprintf(name, sizeof name, "%s/", file);
    hiera_proc_line(&hiera_proc_files[hiera_proc_file_of(name, &key)].format, line, strlen(line), tell, &told);
    expect_text(__LINE__, line, expected, told.text);
}

static void check_lines(void)
{
    check_line("self/status", "VmRSS:\t    2048 kB", "VmRSS=2048kB ");
    check_line("self/status", "Threads:\t3", "Threads=3 ");
    check_line("self/status", "Name:\tsh: 12", "");
    check_line("self/status", "State:\tR (running)", "");
    check_line("self/status", "Uid:\t0\t0\t0\t0", "");
    check_line("self/status", "VmRSS:", "");
    check_line("self/status", "", "");
    check_line("self/io", "read_bytes: 4096", "read_bytes=4096 ");
    check_line("self/statm", "100 20 3 4 0 50 0", "size=100 resident=20 shared=3 text=4 data=50 ");
    check_line("self/statm", "100 20", "size=100 resident=20 ");
    check_line("vmstat", "pgfault 18446744073709551615", "pgfault=18446744073709551615 ");
    check_line("meminfo", "MemFree:         1000 kB", "MemFree=1000kB ");
    check_line("loadavg", "0.20 1.18 10.02 1/80 11206", "1min=20/100 5min=118/100 15min=1002/100 ");
    check_line(
        "net/dev", "  eth0: 10 2 0 0 0 0 0 0 30 4 1 0 0 0 0 0",
        "eth0/rx_bytes=10 eth0/rx_packets=2 eth0/rx_errors=0 eth0/rx_dropped=0 eth0/tx_bytes=30 eth0/tx_packets=4 "
        "eth0/tx_errors=1 eth0/tx_dropped=0 ");
    check_line("net/dev", " face |bytes    packets errs drop fifo frame", "");
    check_line(
        "stat", "cpu  1 2 3 4 5 6 7 8 9 10",
        "cpu/user=1 cpu/nice=2 cpu/system=3 cpu/idle=4 cpu/iowait=5 cpu/irq=6 cpu/softirq=7 cpu/steal=8 cpu/guest=9 "
        "cpu/guest_nice=10 ");
    check_line("self/stat", "12 (a b) c) R 1 12 12 0 -1 4194304 100 0 5 0 70 80 0 0 20 0 1",
               "minflt=100 majflt=5 utime=70 stime=80 num_threads=1 ");
    check_line("self/stat", "12 no parentheses", "");
}

static void check_shares(void)
{
    uint64_t before[3] = {0, 0, 0};
    EXPECT(25, hiera_proc_share(before, 25, 100));
    EXPECT(50, hiera_proc_share(before, 75, 200));
    EXPECT(50, hiera_proc_share(before, 75, 200)); /* no time has passed */
    EXPECT(0, hiera_proc_share(before, 75, 300));
    EXPECT(100, hiera_proc_share(before, 500, 400)); /* files are not read at one moment */
    EXPECT(100, hiera_proc_share(before, 0, 300));   /* a reading from before, of another thread */
}

static void check_energy(void)
{
    uint64_t total = 90;
    EXPECT(95, hiera_energy_go_on(&total, 95, 100));
    EXPECT(103, hiera_energy_go_on(&total, 3, 100));  /* it began anew */
    EXPECT(103, hiera_energy_go_on(&total, 99, 100)); /* a reading from before */
    EXPECT(150, hiera_energy_go_on(&total, 50, 100));
}

int main(void)
{
    check_lines();
    check_shares();
    check_energy();
    return n_failed != 0;
}
