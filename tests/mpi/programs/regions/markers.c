/* markers MODE: markers of other tools, declared here as in their headers. The case knows what the trace must
 * contain. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    union { uint64_t u64; double f64; } payload;
    int32_t message_type;
    union { const char *ascii; const void *registered; } message;
} Attributes;

int nvtxRangePushA(const char *);
int nvtxRangePushEx(const Attributes *);
int nvtxRangePop(void);
uint64_t nvtxRangeStartA(const char *);
void nvtxRangeEnd(uint64_t);
void *nvtxDomainCreateA(const char *);
void *nvtxDomainRegisterStringA(void *, const char *);
int nvtxDomainRangePushEx(void *, const Attributes *);
int nvtxDomainRangePop(void *);

void cali_begin_region(const char *);
void cali_end_region(const char *);
void cali_begin_byname(const char *);
void cali_begin_string_byname(const char *, const char *);
void cali_begin_int_byname(const char *, int);
void cali_end_byname(const char *);
void cali_begin_string(uint64_t, const char *);
void cali_end(uint64_t);
void cali_init(void);
extern uint64_t cali_function_attr_id;

static void call(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void nvtx(void)
{
    Attributes attributes = {.version = 3, .size = sizeof attributes, .message_type = 1, .message.ascii = "with attributes",
                             .payload_type = 1, .payload.u64 = 7};
    void *domain = nvtxDomainCreateA("solver");
    Attributes registered = {.version = 3, .size = sizeof registered, .message_type = 3};
    registered.message.registered = nvtxDomainRegisterStringA(domain, "registered");
    int first = nvtxRangePushA("outer");
    int second = nvtxRangePushEx(&attributes);
    int inside = nvtxDomainRangePushEx(domain, &registered);
    call();
    int inside_end = nvtxDomainRangePop(domain), second_end = nvtxRangePop(), first_end = nvtxRangePop();
    printf("levels %d %d %d, %d %d %d, none %d\n", first, second, inside, first_end, second_end, inside_end, nvtxRangePop() < 0);
    uint64_t range = nvtxRangeStartA("a range");
    call();
    nvtxRangeEnd(range);
    call();
}

static void caliper(void)
{
    cali_begin_region("outer");
    if (cali_function_attr_id == UINT64_MAX)
        cali_init();
    cali_begin_string(cali_function_attr_id, __func__);
    call();
    cali_begin_string_byname("kernel", "stencil");
    cali_begin_int_byname("step", 3);
    call();
    cali_end_byname("step");
    cali_end_byname("kernel");
    cali_end(cali_function_attr_id);
    cali_begin_byname("plain");
    cali_end_byname("plain");
    cali_end_region("outer");
    cali_end_region("outer");
    call();
}

/* What the header of NVTX 3 does at the first marker: it calls an injected library, which sets pointers to
 * functions. */
typedef void Function(void);

static int (*push)(const char *);
static int (*pop)(void);

static int get_table(int module, Function ****table, unsigned *n)
{
    static Function **core[16], **core2[16];
    core[9] = (Function **)&push;
    core[11] = (Function **)&pop;
    *table = module == 1 ? core : module == 5 ? core2 : NULL;
    *n = 16;
    return *table != NULL;
}

static const void *get_tables(uint32_t which)
{
    static const struct {
        size_t bytes;
        int (*get_table)(int, Function ****, unsigned *);
    } callbacks = {sizeof callbacks, get_table};
    return which == 1 ? &callbacks : NULL;
}

static void injected(void)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    int (*initialize)(const void *(*)(uint32_t)) = library ? (int (*)(const void *(*)(uint32_t)))dlsym(library, "InitializeInjectionNvtx2") : NULL;
    if (!initialize || initialize(get_tables) != 1 || !push || !pop)
        exit(3);
    push("injected");
    call();
    pop();
    call();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "nvtx") == 0)
        nvtx();
    if (argc > 1 && strcmp(argv[1], "caliper") == 0)
        caliper();
    if (argc > 1 && strcmp(argv[1], "injected") == 0)
        injected();
    MPI_Finalize();
    return 0;
}
