/* source: found from outside, R3
 * ingredient: functions of the program that MPI calls make MPI calls: of attributes, an error handler, a generalized request, an
 *     operation, and attributes that MPI_Finalize deletes
 * expect: calls send 5
 * expect: calls receive 5
 * expect: calls allreduce 6
 * expect: answer grep -c '^    <hieraMPI operation="send"' trace0.xml => ^5$
 * expect: answer hiera-transform --validate . => errors: 0
 */
#include <mpi.h>
#include <stdio.h>

static int rank, sends;
static MPI_Comm kept;

static void tell(int tag)
{
    if (rank == 0) {
        MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
        sends++;
    }
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int size;
    MPI_Type_size(*type, &size);
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i] + size - (int)sizeof(int);
}

static void on_error(MPI_Comm *comm, int *error, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(*error, text, &length);
    (void)comm;
    tell(42);
}

static int on_copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    int sum, one = 1;
    MPI_Request request;
    (void)comm, (void)key, (void)extra;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, kept);
    MPI_Ibarrier(kept, &request);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    tell(43);
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    tell(44);
    return MPI_SUCCESS;
}

static int on_end(MPI_Comm comm, int key, void *value, void *extra)
{
    int sum, one = 1;
    (void)comm, (void)key, (void)value, (void)extra;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, kept);
    printf("rank %d: %d in MPI_Finalize\n", rank, sum);
    MPI_Comm_free(&kept);
    return MPI_SUCCESS;
}

static int on_query(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 0;
    status->MPI_TAG = 1;
    return MPI_SUCCESS;
}

/* While it runs, the list of the outer MPI_Waitall is in use. */
static int on_free(void *extra)
{
    MPI_Request requests[3];
    (void)extra;
    for (int i = 0; i < 3; i++)
        MPI_Ibarrier(kept, &requests[i]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    tell(45);
    return MPI_SUCCESS;
}

static int on_cancel(void *extra, int done)
{
    (void)extra, (void)done;
    return MPI_SUCCESS;
}

static void use_attributes(void)
{
    int key, at_end;
    MPI_Comm copy;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &at_end, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, at_end, &at_end);
    MPI_Comm_create_keyval(on_copy, on_delete, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
}

static void use_request(void)
{
    int value = rank;
    MPI_Request requests[3];
    MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Grequest_start(on_query, on_free, on_cancel, NULL, &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    MPI_Grequest_complete(requests[1]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int value = 1, sum, received = 0;
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &kept);
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    use_attributes();
    use_request();
    for (int tag = 42; rank == 1 && tag <= 45; tag++)
        for (int i = 0; i < (tag == 44 ? 2 : 1); i++, received++)
            MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: sum %d sends %d received %d\n", rank, sum, sends, received);
    MPI_Finalize();
    return 0;
}
