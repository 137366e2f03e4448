/* Datatypes of all kinds with their sizes; pack, operations, attributes, infos and error handlers. */
#include "expect.h"
#include "unseen.h"

#include <stdint.h>

static int rank;
static MPI_Datatype made[32];

#define T "P%d_dtype"

static void free_type(MPI_Datatype *type)
{
    EXPECT("type_free", "type=*");
    MPI_Type_free(type);
}

static void name_type(MPI_Datatype type, const char *name)
{
    EXPECT("type_set_name", "type=* type_name=%s", name);
    MPI_Type_set_name(type, name);
}

/* The contents of the struct (3) and of the type made of type 1 (5). Freeing the returned handles must not free the
 * originals. */
static void contents(void)
{
    int integers[8];
    MPI_Aint addresses[8];
    MPI_Datatype types[8];
    EXPECT("type_get_contents", "type=" T "3 max_integers=8 max_addresses=8 max_datatypes=2 integers='2 1 1' addresses='0 8'", rank);
    ALSO("datatypes='MPI_DOUBLE MPI_INT'");
    MPI_Type_get_contents(made[2], 8, 8, 2, integers, addresses, types);
    EXPECT("type_get_contents", "type=" T "5 max_integers=2 max_addresses=1 max_datatypes=1 integers='2 1' addresses=100", rank);
    ALSO("datatypes=*");
    MPI_Type_get_contents(made[4], 2, 1, 1, integers, addresses, types);
    free_type(&types[0]);
    EXPECT("type_size", "type=" T "1 size=12", rank);
    MPI_Type_size(made[0], integers);
}

/* The usual ones, with a name. */
static void named_types(void)
{
    MPI_Datatype pair[2] = {MPI_DOUBLE, MPI_INT};
    MPI_Aint places[2] = {0, 8};
    EXPECT("type_contiguous", "count=3 oldtype=MPI_INT newtype=" T "1", rank);
    MPI_Type_contiguous(3, MPI_INT, &made[0]);
    name_type(made[0], "contiguous");
    EXPECT("type_vector", "count=3 blocklength=2 stride=6 oldtype=MPI_FLOAT newtype=" T "2", rank);
    MPI_Type_vector(3, 2, 6, MPI_FLOAT, &made[1]);
    name_type(made[1], "vector");
    EXPECT("type_create_struct", "count=2 blocklengths='1 1' displacements='0 8' types='MPI_DOUBLE MPI_INT' newtype=" T "3", rank);
    MPI_Type_create_struct(2, (int[]){1, 1}, places, pair, &made[2]);
    name_type(made[2], "struct");
    EXPECT("type_create_resized", "oldtype=MPI_INT lb=0 extent=64 newtype=" T "4", rank);
    MPI_Type_create_resized(MPI_INT, 0, 64, &made[3]);
    name_type(made[3], "resized");
}

/* All other constructors; they use the usual ones. */
static void derived_types(void)
{
    MPI_Aint places[2] = {0, 8};
    EXPECT("type_create_hvector", "count=2 blocklength=1 stride=100 oldtype=" T "1 newtype=" T "5", rank, rank);
    MPI_Type_create_hvector(2, 1, 100, made[0], &made[4]);
    EXPECT("type_indexed", "count=2 blocklengths='1 2' displacements='0 4' oldtype=MPI_INT newtype=" T "6", rank);
    MPI_Type_indexed(2, (int[]){1, 2}, (int[]){0, 4}, MPI_INT, &made[5]);
    EXPECT("type_create_hindexed", "count=2 blocklengths='1 2' displacements='0 8' oldtype=MPI_INT newtype=" T "7", rank);
    MPI_Type_create_hindexed(2, (int[]){1, 2}, places, MPI_INT, &made[6]);
    EXPECT("type_create_indexed_block", "count=2 blocklength=3 displacements='0 4' oldtype=MPI_INT newtype=" T "8", rank);
    MPI_Type_create_indexed_block(2, 3, (int[]){0, 4}, MPI_INT, &made[7]);
    EXPECT("type_create_hindexed_block", "count=2 blocklength=1 displacements='0 8' oldtype=MPI_INT newtype=" T "9", rank);
    MPI_Type_create_hindexed_block(2, 1, places, MPI_INT, &made[8]);
    EXPECT("type_create_subarray", "ndims=2 gsizes='4 5' subsizes='2 3' starts='1 0' order=%d oldtype=MPI_INT newtype=" T "10", MPI_ORDER_C, rank);
    MPI_Type_create_subarray(2, (int[]){4, 5}, (int[]){2, 3}, (int[]){1, 0}, MPI_ORDER_C, MPI_INT, &made[9]);
    EXPECT("type_create_darray", "size=1 rank=0 ndims=1 gsizes=8 distribs=%d dargs=%d psizes=1", MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG);
    ALSO("order=%d oldtype=MPI_INT newtype=" T "11", MPI_ORDER_C, rank);
    MPI_Type_create_darray(1, 0, 1, (int[]){8}, (int[]){MPI_DISTRIBUTE_BLOCK}, (int[]){MPI_DISTRIBUTE_DFLT_DARG}, (int[]){1}, MPI_ORDER_C, MPI_INT, &made[10]);
    EXPECT("type_dup", "oldtype=" T "3 newtype=" T "12", rank, rank);
    MPI_Type_dup(made[2], &made[11]);
}

static void sizes_of_types(void)
{
    MPI_Datatype matched;
    MPI_Aint lb, extent;
    int size, got[4];
    EXPECT("type_commit", "type=" T "2", rank);
    MPI_Type_commit(&made[1]);
    EXPECT("type_size", "type=" T "2 size=24", rank);
    MPI_Type_size(made[1], &size);
    EXPECT("type_get_extent", "type=" T "3 lb=0 extent=16", rank);
    MPI_Type_get_extent(made[2], &lb, &extent);
    EXPECT("type_get_true_extent", "type=" T "3 true_lb=0 true_extent=12", rank);
    MPI_Type_get_true_extent(made[2], &lb, &extent);
    EXPECT("type_get_envelope", "type=" T "1 num_integers=1 num_addresses=0 num_datatypes=1 combiner=%d", rank, MPI_COMBINER_CONTIGUOUS);
    MPI_Type_get_envelope(made[0], &got[0], &got[1], &got[2], &got[3]);
    contents();
    EXPECT("type_match_size", "typeclass=%d size=8 type=*", MPI_TYPECLASS_REAL);
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &matched);
}

static void use_and_free_types(void)
{
    int length, buffer[64] = {0};
    EXPECT("sendrecv", "scount=2 stype=" T "2 dest=%d stag=0 rcount=48 rtype=MPI_BYTE rem=%d rtag=0", rank, rank, rank);
    ALSO("comm=MPI_COMM_WORLD bytes=48 rbytes=48");
    MPI_Sendrecv(buffer, 2, made[1], rank, 0, &(char[64]){0}, 48, MPI_BYTE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 12; i++)
        free_type(&made[i]);
    EXPECT("type_contiguous", "count=7 oldtype=MPI_BYTE newtype=*"); /* MPI may use a freed handle again */
    MPI_Type_contiguous(7, MPI_BYTE, &made[0]);
    EXPECT("type_get_name", "type=* type_name='' resultlen=0");
    MPI_Type_get_name(made[0], (char[MPI_MAX_OBJECT_NAME]){""}, &length);
    free_type(&made[0]);
}

static void packing(void)
{
    char buffer[256];
    int data[8] = {0}, position = 0, size, value;
    MPI_Aint far = 0, far_size, address;
    MPI_Status status;
    EXPECT("pack", "incount=3 type=MPI_INT outsize=256 position=12 comm=MPI_COMM_WORLD");
    MPI_Pack(data, 3, MPI_INT, buffer, 256, &position, MPI_COMM_WORLD);
    position = 0;
    EXPECT("unpack", "insize=256 position=8 outcount=2 type=MPI_INT comm=MPI_COMM_WORLD");
    MPI_Unpack(buffer, 256, &position, data, 2, MPI_INT, MPI_COMM_WORLD);
    EXPECT("pack_size", "incount=3 type=MPI_INT comm=MPI_COMM_WORLD size=*");
    MPI_Pack_size(3, MPI_INT, MPI_COMM_WORLD, &size);
    EXPECT("pack_external", "datarep=external32 incount=3 type=MPI_INT outsize=256 position=12");
    MPI_Pack_external("external32", data, 3, MPI_INT, buffer, 256, &far);
    far = 0;
    EXPECT("unpack_external", "datarep=external32 insize=256 position=8 outcount=2 type=MPI_INT");
    MPI_Unpack_external("external32", buffer, 256, &far, data, 2, MPI_INT);
    EXPECT("pack_external_size", "datarep=external32 incount=3 type=MPI_INT size=12");
    MPI_Pack_external_size("external32", 3, MPI_INT, &far_size);
    EXPECT("get_address", "address=%ld", (long)(intptr_t)data);
    MPI_Get_address(data, &address);
#ifndef MPI_Aint_add /* a macro in Open MPI, so there is no call */
    EXPECT("aint_add", "base=100 disp=4");
    address = MPI_Aint_add(100, 4);
    EXPECT("aint_diff", "addr1=100 addr2=4");
    address = MPI_Aint_diff(100, 4);
#endif
    UNSEEN(Sendrecv)(data, 3, MPI_INT, rank, 0, buffer, 64, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &status);
    EXPECT("get_count", "type=MPI_INT count=3");
    MPI_Get_count(&status, MPI_INT, &value);
    EXPECT("get_elements", "type=MPI_BYTE count=12");
    MPI_Get_elements(&status, MPI_BYTE, &value);
    EXPECT("test_cancelled", "flag=0");
    MPI_Test_cancelled(&status, &value);
    EXPECT("status_set_elements", "type=MPI_INT count=5");
    MPI_Status_set_elements(&status, MPI_INT, 5);
    EXPECT("status_set_cancelled", "flag=1");
    MPI_Status_set_cancelled(&status, 1);
}

void add(void *in, void *inout, int *n, MPI_Datatype *type);
void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void operators(void)
{
    MPI_Op op;
    int flag, value = 1, sum;
    EXPECT("op_create", "user_fn=add commute=1 op=P%d_op1", rank);
    MPI_Op_create(add, 1, &op);
    EXPECT("op_commutative", "op=P%d_op1 commute=1", rank);
    MPI_Op_commutative(op, &flag);
    EXPECT("allreduce", "count=1 type=MPI_INT op=P%d_op1 comm=MPI_COMM_WORLD bytes=4 rbytes=4", rank);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    EXPECT("op_free", "op=P%d_op1", rank);
    MPI_Op_free(&op);
}

static void attributes(void)
{
    int key, flag;
    void *value;
    EXPECT("comm_create_keyval", "comm_copy_attr_fn=* comm_delete_attr_fn=* comm_keyval=*");
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    EXPECT("comm_set_attr", "comm=MPI_COMM_WORLD comm_keyval=%d", key);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    EXPECT("comm_get_attr", "comm=MPI_COMM_WORLD comm_keyval=%d flag=1", key);
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
    EXPECT("comm_delete_attr", "comm=MPI_COMM_WORLD comm_keyval=%d", key);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    EXPECT("comm_free_keyval", "comm_keyval=%d", MPI_KEYVAL_INVALID);
    MPI_Comm_free_keyval(&key);
    EXPECT("comm_get_name", "comm=MPI_COMM_WORLD comm_name=MPI_COMM_WORLD resultlen=14");
    MPI_Comm_get_name(MPI_COMM_WORLD, (char[MPI_MAX_OBJECT_NAME]){""}, &flag);
}

static void infos(void)
{
    MPI_Info info, copy;
    int n, flag;
    char text[256];
    EXPECT("info_create", "info=P%d_info1", rank);
    MPI_Info_create(&info);
    EXPECT("info_set", "info=P%d_info1 key=colour value='red & <green>'", rank);
    MPI_Info_set(info, "colour", "red & <green>");
    EXPECT("info_get", "info=P%d_info1 key=colour valuelen=255 value='red & <green>' flag=1", rank);
    MPI_Info_get(info, "colour", 255, text, &flag);
    EXPECT("info_get", "info=P%d_info1 key=none valuelen=255 flag=0", rank);
    MPI_Info_get(info, "none", 255, text, &flag);
    EXPECT("info_get_valuelen", "info=P%d_info1 key=colour valuelen=13 flag=1", rank);
    MPI_Info_get_valuelen(info, "colour", &n, &flag);
    EXPECT("info_get_nkeys", "info=P%d_info1 nkeys=1", rank);
    MPI_Info_get_nkeys(info, &n);
    EXPECT("info_get_nthkey", "info=P%d_info1 n=0 key=colour", rank);
    MPI_Info_get_nthkey(info, 0, text);
    EXPECT("info_dup", "info=P%d_info1 newinfo=P%d_info2", rank, rank);
    MPI_Info_dup(info, &copy);
    EXPECT("info_delete", "info=P%d_info2 key=colour", rank);
    MPI_Info_delete(copy, "colour");
    EXPECT("info_free", "info=P%d_info2", rank);
    MPI_Info_free(&copy);
    EXPECT("info_free", "info=P%d_info1", rank);
    MPI_Info_free(&info);
}

static void handlers(void)
{
    MPI_Errhandler handler;
    int class, code;
    EXPECT("comm_set_errhandler", "comm=MPI_COMM_WORLD errhandler=MPI_ERRORS_RETURN");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    EXPECT("comm_get_errhandler", "comm=MPI_COMM_WORLD errhandler=MPI_ERRORS_RETURN");
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    EXPECT("error_class", "errorcode=%d errorclass=%d", MPI_ERR_TAG, MPI_ERR_TAG);
    MPI_Error_class(MPI_ERR_TAG, &class);
    EXPECT("add_error_class", "errorclass=*");
    MPI_Add_error_class(&class);
    EXPECT("add_error_code", "errorclass=%d errorcode=*", class);
    MPI_Add_error_code(class, &code);
    EXPECT("add_error_string", "errorcode=%d string='out of \"cheese\"'", code);
    MPI_Add_error_string(code, "out of \"cheese\"");
    EXPECT("error_string", "errorcode=%d string='out of \"cheese\"' resultlen=15", code);
    MPI_Error_string(code, (char[MPI_MAX_ERROR_STRING]){""}, &class);
}

static void environment(void)
{
    int n, m, flag;
    EXPECT("initialized", "flag=1");
    MPI_Initialized(&flag);
    EXPECT("finalized", "flag=0");
    MPI_Finalized(&flag);
    EXPECT("is_thread_main", "flag=1");
    MPI_Is_thread_main(&flag);
    EXPECT("query_thread", "provided=*");
    MPI_Query_thread(&n);
    EXPECT("get_version", "version=%d subversion=%d", MPI_VERSION, MPI_SUBVERSION);
    MPI_Get_version(&n, &m);
    EXPECT("get_processor_name", "name=* resultlen=*");
    MPI_Get_processor_name((char[MPI_MAX_PROCESSOR_NAME]){""}, &n);
    EXPECT("comm_rank", "comm=MPI_COMM_WORLD rank=%d", rank);
    MPI_Comm_rank(MPI_COMM_WORLD, &n);
    EXPECT("comm_size", "comm=MPI_COMM_SELF size=1");
    MPI_Comm_size(MPI_COMM_SELF, &n);
    EXPECT("wtime", " ");
    MPI_Wtime();
    EXPECT("wtick", " ");
    MPI_Wtick();
}

int main(int argc, char **argv)
{
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    named_types();
    derived_types();
    sizes_of_types();
    use_and_free_types();
    packing();
    operators();
    attributes();
    infos();
    handlers();
    environment();
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
