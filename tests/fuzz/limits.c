/* Limits for the sanitizers, so that an input that needs gigabytes is an error. libFuzzer has options of its own. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "max_allocation_size_mb=1024:hard_rss_limit_mb=3000:quarantine_size_mb=16:detect_leaks=1";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "halt_on_error=1:print_stacktrace=1";
}
