/* What MPI's families of functions bring: each family repeats a loop as often as its results say, and the program
 * prints how often. Values differ between ranks, so that a wrong partner, place or order is another number. usage:
 * families N */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64 };

static int rank, size;

#define FAMILY(name)                                                                                                   \
    static int name(int n);                                                                                            \
    __attribute__((noipa)) static void spin_##name(int times)                                                          \
    {                                                                                                                  \
        volatile int sink = 0;                                                                                         \
        for (int i = 0; i < times; i++)                                                                                \
            sink += i ^ __LINE__;                                                                                      \
    }                                                                                                                  \
    static void try_##name(int n)                                                                                      \
    {                                                                                                                  \
        int times = name(n);                                                                                           \
        spin_##name(times);                                                                                            \
        printf("%d %s %d\n", rank, #name, times);                                                                      \
    }                                                                                                                  \
    static int name(int n)

static int right_of(int number)
{
    return (number + 1) % size;
}

static int left_of(int number)
{
    return (number + size - 1) % size;
}

/* Columns, corners and structures travel round the ring. */
FAMILY(types)
{
    int matrix[4][4], got[16], sum = 0, one;
    int lengths[2] = {1, 2}, places[2] = {3, 8}, sizes[2] = {4, 4}, parts[2] = {2, 3}, starts[2] = {1, 1};
    MPI_Datatype column, list, corner, wide, pair, record, members[2] = {MPI_DOUBLE, MPI_INT};
    MPI_Aint low, extent, offsets[2] = {0, sizeof(double)};
    struct {
        double number;
        int tag;
    } records[3] = {{1, n}, {2, n + rank}, {3, n + 2 * rank}};
    for (int i = 0; i < 16; i++) {
        matrix[i / 4][i % 4] = n + 100 * rank + i;
        got[i] = 0;
    }
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Sendrecv(&matrix[0][2], 1, column, right_of(rank), 1, got, 4, MPI_INT, left_of(rank), 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    sum += got[0] + got[3];
    MPI_Sendrecv(&matrix[1][0], 4, MPI_INT, right_of(rank), 2, got, 1, column, left_of(rank), 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    sum += got[4] + got[12];
    MPI_Type_indexed(2, lengths, places, MPI_INT, &list);
    MPI_Type_commit(&list);
    MPI_Sendrecv(matrix, 1, list, right_of(rank), 3, got, 3, MPI_INT, left_of(rank), 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    sum += got[0] + 2 * got[2];
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &corner);
    MPI_Type_commit(&corner);
    MPI_Sendrecv(matrix, 1, corner, right_of(rank), 4, got, 6, MPI_INT, left_of(rank), 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    sum += got[0] + got[5];
    MPI_Type_create_resized(MPI_INT, 0, 8, &wide);
    MPI_Type_contiguous(2, wide, &pair);
    MPI_Type_commit(&pair);
    MPI_Sendrecv(matrix, 1, pair, right_of(rank), 5, got, 2, MPI_INT, left_of(rank), 5, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    sum += got[1];
    MPI_Type_get_extent(pair, &low, &extent);
    MPI_Type_size(pair, &one);
    sum += (int)extent + one;
    lengths[1] = 1;
    MPI_Type_create_struct(2, lengths, offsets, members, &record);
    MPI_Type_commit(&record);
    MPI_Type_get_extent(record, &low, &extent);
    MPI_Sendrecv_replace(records, 3, record, right_of(rank), 6, left_of(rank), 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += (int)extent + records[1].tag + records[2].tag + (int)records[2].number;
    MPI_Type_free(&record);
    MPI_Type_free(&column);
    MPI_Type_free(&list);
    MPI_Type_free(&corner);
    MPI_Type_free(&pair);
    MPI_Type_free(&wide);
    return sum;
}

/* Structures with holes, and what is packed. */
FAMILY(structures)
{
    struct {
        char letter;
        double real;
        int number;
    } mixed = {'a', 0.5, 10 * rank}, got;
    int matrix[4] = {n, n + 1, n + 2, n + 3}, at = 0, first = rank + 5, second = 0, blocks[2] = {1, 1}, sum = 0;
    char packed[64];
    MPI_Aint addresses[2], places[2];
    MPI_Datatype structure, column, kinds[2] = {MPI_CHAR, MPI_INT};
    MPI_Get_address(&mixed, &addresses[0]);
    MPI_Get_address(&mixed.number, &addresses[1]);
    places[0] = 0;
    places[1] = addresses[1] - addresses[0];
    MPI_Type_create_struct(2, blocks, places, kinds, &structure);
    MPI_Type_commit(&structure);
    memset(&got, 0, sizeof got);
    MPI_Sendrecv(&mixed, 1, structure, right_of(rank), 6, &got, 1, structure, left_of(rank), 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    sum += got.letter + got.number + (int)(2 * got.real);
    MPI_Type_vector(2, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Pack(&first, 1, MPI_INT, packed, sizeof packed, &at, MPI_COMM_WORLD);
    MPI_Pack(matrix, 1, column, packed, sizeof packed, &at, MPI_COMM_WORLD);
    sum += at;
    at = 8;
    MPI_Unpack(packed, sizeof packed, &at, &second, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Type_free(&column);
    MPI_Type_free(&structure);
    return sum + second + at;
}

/* A type is freed while a request needs it, and the next one has its place. */
FAMILY(freed)
{
    int matrix[4][4] = {{0}}, values[4] = {n + rank, n + 2, n + 3, 5}, others[3] = {0}, sum = 0;
    MPI_Datatype column, spread;
    MPI_Request request;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Irecv(&matrix[0][1], 1, column, left_of(rank), 8, MPI_COMM_WORLD, &request);
    MPI_Type_free(&column);
    MPI_Type_vector(2, 1, 2, MPI_INT, &spread);
    MPI_Type_commit(&spread);
    MPI_Send(values, 4, MPI_INT, right_of(rank), 8, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(values, 2, MPI_INT, right_of(rank), 9, others, 1, spread, left_of(rank), 9, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&spread);
    for (int i = 0; i < 4; i++)
        sum += (i + 1) * matrix[i][1] + 100 * matrix[i][2];
    return sum + others[0] + 3 * others[1] + 7 * others[2];
}

/* Rank 0 looks what comes before it receives it. */
FAMILY(probes)
{
    int sum = 0, values[8] = {0}, count, flag = 0;
    MPI_Status status;
    MPI_Message message;
    if (rank != 0) {
        for (int i = 0; i <= rank; i++)
            values[i] = n + rank + i;
        MPI_Send(values, rank + 1, MPI_INT, 0, 20 + rank, MPI_COMM_WORLD);
        MPI_Send(values, 1, MPI_INT, 0, 40, MPI_COMM_WORLD);
        MPI_Send(values, 2, MPI_INT, 0, 41, MPI_COMM_WORLD);
        MPI_Send(values, 3, MPI_INT, 0, 42, MPI_COMM_WORLD);
        return rank;
    }
    for (int i = 1; i < size; i++) {
        MPI_Probe(MPI_ANY_SOURCE, 20 + i, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        MPI_Recv(values, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += 100 * count + values[count - 1] + status.MPI_TAG;
        MPI_Mprobe(i, 40, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(values, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        sum += values[0] + status.MPI_SOURCE;
        for (flag = 0; !flag;)
            MPI_Iprobe(i, 41, MPI_COMM_WORLD, &flag, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        MPI_Recv(values, 2, MPI_INT, i, 41, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += count + values[1];
        for (flag = 0; !flag;)
            MPI_Improbe(i, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
        {
            MPI_Request request;
            MPI_Imrecv(values, 3, MPI_INT, &message, &request);
            MPI_Wait(&request, &status);
        }
        sum += values[2] + status.MPI_TAG;
    }
    return sum;
}

FAMILY(groups)
{
    MPI_Group all, even, odd, both, some;
    MPI_Comm evens, pairs, self;
    int members[MOST], n_even = 0, number = -1, sum = 0, result, translated[2], asked[2] = {0, 1};
    int range[1][3] = {{size - 1, 0, -1}};
    for (int i = 0; i < size; i += 2)
        members[n_even++] = i;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, n_even, members, &even);
    MPI_Group_excl(all, n_even, members, &odd);
    MPI_Group_union(odd, even, &both);
    MPI_Group_range_incl(all, 1, range, &some);
    MPI_Group_rank(both, &number);
    sum += 10 * number;
    MPI_Group_rank(some, &number);
    sum += 100 * number;
    MPI_Group_size(odd, &number);
    sum += number;
    MPI_Group_compare(all, some, &result);
    sum += result == MPI_SIMILAR || size == 1;
    if (size > 1) {
        MPI_Group_translate_ranks(some, 2, asked, all, translated);
        sum += translated[0] * 3 + translated[1];
    }
    MPI_Group_rank(odd, &number);
    MPI_Group_translate_ranks(all, 1, asked, odd, translated);
    sum += 2 * (number == MPI_UNDEFINED) + 4 * (translated[0] == MPI_UNDEFINED);
    MPI_Comm_create(MPI_COMM_WORLD, even, &evens);
    if (evens != MPI_COMM_NULL) {
        int mine = n + rank, most = 0;
        MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_SUM, evens);
        sum += most;
        MPI_Comm_create_group(evens, even, 7, &pairs);
        MPI_Comm_size(pairs, &number);
        sum += 1000 * number;
        MPI_Comm_free(&pairs);
        MPI_Comm_free(&evens);
    }
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_size(self, &number);
    MPI_Comm_compare(MPI_COMM_SELF, self, &result);
    sum += number + (result == MPI_CONGRUENT);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &pairs);
    MPI_Comm_rank(pairs, &number);
    return sum + 7 * number;
}

FAMILY(topologies)
{
    int dimensions[2] = {0, 0}, periods[2] = {0, 1}, kept[2] = {0, 1}, sum = 0, number, got[4] = {0, 0, 0, 0}, four[4];
    int in[2], out[1], n_in, n_out, weighted;
    MPI_Comm grid, row, graph;
    MPI_Request request;
    MPI_Dims_create(size, 2, dimensions);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periods, 0, &grid);
    MPI_Cart_sub(grid, kept, &row);
    MPI_Comm_rank(row, &number);
    MPI_Comm_size(row, &n_in);
    sum += 5 * number + n_in;
    number = n + 3 * rank;
    MPI_Neighbor_allgather(&number, 1, MPI_INT, got, 1, MPI_INT, grid);
    sum += got[0] + 2 * got[1] + 3 * got[2] + 4 * got[3];
    for (int i = 0; i < 4; i++)
        four[i] = 10 * rank + i;
    MPI_Neighbor_alltoall(four, 1, MPI_INT, got, 1, MPI_INT, grid);
    sum += got[0] + 2 * got[1] + 3 * got[2] + 4 * got[3];
    in[0] = left_of(rank);
    in[1] = left_of(left_of(rank));
    {
        int to[2] = {right_of(rank), right_of(right_of(rank))}, degree = size > 1 ? 2 : 1; /* two ways differ */
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, in, MPI_UNWEIGHTED, degree, to, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 0, &graph);
    }
    MPI_Ineighbor_alltoall(four, 1, MPI_INT, got, 1, MPI_INT, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += 3 * got[0] + got[1];
    MPI_Comm_free(&graph);
    out[0] = right_of(rank);
    n_out = 1;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &n_out, out, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &n_in, &n_out, &weighted);
    sum += 50 * n_in + n_out;
    MPI_Dist_graph_neighbors(graph, 1, in, MPI_UNWEIGHTED, 1, out, MPI_UNWEIGHTED);
    return sum + in[0] + 2 * out[0];
}

/* Two halves talk to each other. */
FAMILY(sides)
{
    MPI_Comm half, other, all;
    int number, n_remote, flag, got = 0, sum = 0, lower = rank < (size + 1) / 2;
    if (size == 1)
        return n;
    MPI_Comm_split(MPI_COMM_WORLD, lower, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, lower ? (size + 1) / 2 : 0, 9, &other);
    MPI_Comm_rank(other, &number);
    MPI_Comm_remote_size(other, &n_remote);
    MPI_Comm_test_inter(other, &flag);
    sum += 10 * n_remote + flag;
    if (number < n_remote) {
        int mine = n + rank;
        MPI_Sendrecv(&mine, 1, MPI_INT, number, 3, &got, 1, MPI_INT, number, 3, other, MPI_STATUS_IGNORE);
    }
    sum += got;
    MPI_Barrier(other);
    MPI_Intercomm_merge(other, lower, &all);
    MPI_Comm_rank(all, &number);
    return sum + 100 * number;
}

/* Collectives that are waited for, and those whose parts differ. */
FAMILY(collectives)
{
    int mine = n + rank, sum = 0, total = 0, told, before = 0, all[MOST], counts[MOST], places[MOST], out[MOST];
    int flag = rank != 1, both = 0, bits = 1 << rank, either = 0;
    MPI_Request requests[3];
    told = rank == 0 ? n : 0;
    MPI_Iallreduce(&mine, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(&told, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Iexscan(&mine, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    sum += total + told + (rank > 0 ? before : 0);
    MPI_Allreduce(&flag, &both, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    MPI_Allreduce(&bits, &either, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    sum += 9 * both + either;
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        places[i] = i * (i + 1) / 2;
    }
    for (int i = 0; i <= rank; i++)
        out[i] = 10 * rank + i;
    memset(all, 0, sizeof all);
    MPI_Allgatherv(out, rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    sum += all[0] + all[places[size - 1] + size - 1];
    MPI_Scatterv(all, counts, places, MPI_INT, out, rank + 1, MPI_INT, size - 1, MPI_COMM_WORLD);
    sum += out[rank];
    MPI_Igatherv(out, rank + 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    sum += all[size > 1 ? 2 : 0];
    for (int i = 0; i < size; i++)
        out[i] = 7 * rank + i;
    MPI_Alltoall(out, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    sum += all[0] + 2 * all[size - 1];
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = size - 1 - i;
    }
    MPI_Alltoallv(out, counts, places, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    sum += 3 * all[0];
    MPI_Reduce_scatter_block(out, &total, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    sum += total;
    MPI_Reduce_scatter(out, &total, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    sum += total;
    all[rank] = rank + 3;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return sum + all[size - 1] + mine;
}

/* Statuses of a communicator whose ranks are others than those of the world, and of messages of nobody. */
FAMILY(statuses)
{
    MPI_Comm turned;
    MPI_Request request;
    MPI_Status status;
    int own, got = 0, count = 1, sum, sent = n + rank;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    MPI_Comm_rank(turned, &own);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 5, turned, &request);
    MPI_Send(&sent, 1, MPI_INT, right_of(own), 5, turned);
    MPI_Wait(&request, &status);
    sum = got + 10 * status.MPI_SOURCE;
    MPI_Recv(&got, 1, MPI_INT, MPI_PROC_NULL, 5, turned, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Comm_free(&turned);
    return sum + 5 * (status.MPI_SOURCE == MPI_PROC_NULL) + 3 * (status.MPI_TAG == MPI_ANY_TAG) + count;
}

__attribute__((noipa)) static void compute_a_while(void)
{
    volatile int sink = 0;
    for (int i = 0; i < 100000; i++)
        sink += i;
}

/* Communicators with the same members, of which now the one, now the other is the first that has it; and copies of
 * copies. */
FAMILY(members)
{
    enum { COPIES = 20 };
    MPI_Group all;
    MPI_Comm made[2], copies[COPIES + 1] = {MPI_COMM_WORLD};
    int sum = 0, part;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int i = 0; i < 2; i++) {
        if (rank == (i == 0 ? size - 1 : 0))
            compute_a_while();
        MPI_Comm_create_group(MPI_COMM_WORLD, all, 3, &made[i]);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Allreduce(&n, &part, 1, MPI_INT, MPI_SUM, made[i]);
        sum += part;
        MPI_Comm_free(&made[i]);
    }
    MPI_Group_free(&all);
    for (int i = 0; i < COPIES; i++)
        MPI_Comm_dup(copies[i], &copies[i + 1]);
    for (int i = COPIES; i > 0; i--)
        MPI_Comm_free(&copies[i]);
    return sum;
}

static void keep_larger(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] = ((int *)in)[i] > ((int *)inout)[i] ? ((int *)in)[i] : ((int *)inout)[i];
}

/* Handles that decide about nothing; and texts with characters that XML escapes, or does not have. */
FAMILY(handles)
{
    MPI_Info info, copy;
    MPI_Op larger;
    int all, own = n;
    MPI_Info_create(&info);
    MPI_Info_set(info, "<a> & \"b\"", "\t1\n2\r3\1\2\177 \303\274 \374 \357\277\277");
    MPI_Info_dup(info, &copy);
    MPI_Info_free(&info);
    MPI_Info_free(&copy);
    MPI_Op_create(keep_larger, 1, &larger);
    MPI_Allreduce(&own, &all, 1, MPI_INT, larger, MPI_COMM_WORLD);
    MPI_Op_free(&larger);
    return n;
}

/* Requests: statuses of several, those that come first. */
FAMILY(requests)
{
    int got[3] = {0, 0, 0}, sum = 0, n_done, done[3], index, left = 3, sent = n + rank;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    for (int i = 0; i < 3; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, left_of(rank), 30 + i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 3; i++) {
        int value = sent + i;
        MPI_Send(&value, 1, MPI_INT, right_of(rank), 30 + i, MPI_COMM_WORLD);
    }
    while (left > 0) {
        MPI_Waitsome(3, requests, &n_done, done, statuses);
        for (int i = 0; i < n_done; i++)
            sum += statuses[i].MPI_TAG + statuses[i].MPI_SOURCE + done[i];
        left -= n_done;
    }
    sum += got[0] + got[2];
    MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    sum += index == MPI_UNDEFINED;
    return sum;
}

/* Persistent requests in both directions; those of MPI 4. */
FAMILY(persistent)
{
    int got[3] = {0, 0, 0}, sum = 0, count, sent = n + rank;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Recv_init(&got[0], 1, MPI_INT, left_of(rank), 33, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&sent, 1, MPI_INT, right_of(rank), 33, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; i++) {
        sent = n + 5 * rank + i;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
        MPI_Get_count(&statuses[0], MPI_INT, &count);
        sum += got[0] + count + statuses[0].MPI_SOURCE;
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#if MPI_VERSION >= 4
    MPI_Allreduce_init(&sent, &got[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    for (int i = 0; i < 2; i++) {
        sent = rank + i;
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        sum += got[1];
    }
    MPI_Request_free(&requests[0]);
    {
        int parts[4], come[4] = {0, 0, 0, 0}, flag;
        for (int i = 0; i < 4; i++)
            parts[i] = 4 * rank + i;
        MPI_Precv_init(come, 2, 2, MPI_INT, left_of(rank), 34, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
        MPI_Psend_init(parts, 2, 2, MPI_INT, right_of(rank), 34, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
        MPI_Startall(2, requests);
        MPI_Pready(1, requests[1]);
        MPI_Pready(0, requests[1]);
        do
            MPI_Parrived(requests[0], 1, &flag);
        while (!flag);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        sum += come[0] + 2 * come[3];
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
    }
    MPI_Isendrecv(&sent, 1, MPI_INT, right_of(rank), 35, &got[2], 1, MPI_INT, left_of(rank), 35, MPI_COMM_WORLD,
                  &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    sum += got[2];
#endif
    return sum;
}

FAMILY(windows)
{
    int memory[8], sum = 0, one = 1, old = 0, expected = 50, value = n + rank, *allocated, sides[2];
    MPI_Win window, other;
    MPI_Group all, left, right;
    if (size == 1) /* Open MPI 4.1 has no windows there */
        return n;
    for (int i = 0; i < 8; i++)
        memory[i] = 10 * rank + i;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&value, 1, MPI_INT, right_of(rank), 2, 1, MPI_INT, window);
    MPI_Get(&old, 1, MPI_INT, left_of(rank), 3, 1, MPI_INT, window);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 4, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    sum += memory[2] + old + memory[4];
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 5, MPI_SUM, window);
    MPI_Win_unlock(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    MPI_Get_accumulate(&one, 1, MPI_INT, &old, 1, MPI_INT, 0, 5, 1, MPI_INT, MPI_NO_OP, window);
    MPI_Win_flush(0, window);
    MPI_Win_unlock_all(window);
    sum += 100 * old;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &other);
    *allocated = 50;
    MPI_Win_fence(0, other);
    if (rank == size - 1)
        MPI_Compare_and_swap(&value, &expected, &old, MPI_INT, 0, 0, other);
    MPI_Win_fence(0, other);
    sum += *allocated;
    MPI_Win_free(&other);
    sides[0] = left_of(rank);
    sides[1] = right_of(rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &sides[0], &left);
    MPI_Group_incl(all, 1, &sides[1], &right);
    MPI_Win_post(left, 0, window);
    MPI_Win_start(right, 0, window);
    MPI_Put(&rank, 1, MPI_INT, right_of(rank), 7, 1, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    sum += memory[7];
    MPI_Win_free(&window);
    return sum;
}

/* The second tag depends on what nobody knows before the run. */
FAMILY(tags)
{
    int got = 0, sum = 0;
    MPI_Request request;
    volatile int times = 2; /* so that both messages are of one call */
    for (int i = 0; i < times; i++) {
        int sent = n + rank + i, tag = 5;
        if (i > 0)
            tag += (int)((unsigned)getpid() >> 31);
        MPI_Irecv(&got, 1, MPI_INT, left_of(rank), 5, MPI_COMM_WORLD, &request);
        MPI_Send(&sent, 1, MPI_INT, right_of(rank), tag, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum += got;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    try_types(n);
    try_structures(n);
    try_freed(n);
    try_probes(n);
    try_groups(n);
    try_topologies(n);
    try_sides(n);
    try_collectives(n);
    try_statuses(n);
    try_members(n);
    try_handles(n);
    try_requests(n);
    try_persistent(n);
    try_windows(n);
    try_tags(n);
    MPI_Finalize();
    return 0;
}
