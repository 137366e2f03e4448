/* Two sides that know only a port or a socket of each other create a communicator. The first rank accepts the others
 * one after the other, and sends on each communicator. Argument: ports (accept, connect) or sockets (join). */
#include <mpi.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int rank, size;

/* A message from the first rank to the other one, before the communicator is merged and after it. */
static void talk(MPI_Comm inter, int is_first)
{
    int number = 7;
    MPI_Comm both, copy;
    if (is_first)
        MPI_Send(&number, 1, MPI_INT, 0, 5, inter);
    else
        MPI_Recv(&number, 1, MPI_INT, 0, 5, inter, MPI_STATUS_IGNORE);
    MPI_Intercomm_merge(inter, !is_first, &both);
    MPI_Comm_dup(both, &copy);
    MPI_Barrier(copy);
    MPI_Bcast(&number, 1, MPI_INT, 0, both);
    if (is_first)
        MPI_Send(&number, 1, MPI_INT, 1, 5, copy);
    else
        MPI_Recv(&number, 1, MPI_INT, 0, 5, copy, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&both);
}

static void ports(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm inter, spare;
    MPI_Comm_dup(MPI_COMM_SELF, &spare); /* so that both sides have created different numbers of communicators */
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int other = 1; other < size; other++) {
        if (rank == 0)
            MPI_Comm_accept(port, MPI_INFO_NULL, 0, other == 1 ? MPI_COMM_SELF : spare, &inter);
        else if (rank == other)
            MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
        if (rank == 0 || rank == other) {
            talk(inter, rank == 0);
            MPI_Comm_disconnect(&inter);
        }
        MPI_Barrier(MPI_COMM_WORLD); /* Open MPI 4's launcher may crash if two ranks connect at the same time */
    }
    if (rank == 0)
        MPI_Close_port(port);
    MPI_Comm_free(&spare);
}

/* A TCP connection between the first rank and another one. */
static int dial(int other)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0), made = fd;
    if (rank == 0) {
        if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 1) || getsockname(fd, (struct sockaddr *)&at, &length))
            MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Send(&at, (int)sizeof at, MPI_BYTE, other, 6, MPI_COMM_WORLD);
        made = accept(fd, NULL, NULL);
        close(fd);
    } else {
        MPI_Recv(&at, (int)sizeof at, MPI_BYTE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (connect(fd, (struct sockaddr *)&at, sizeof at))
            MPI_Abort(MPI_COMM_WORLD, 4);
    }
    return made;
}

static void sockets(void)
{
    for (int other = 1; other < size; other++) {
        MPI_Comm inter;
        if (rank != 0 && rank != other)
            continue;
        int fd = dial(rank == 0 ? other : 0);
        MPI_Comm_join(fd, &inter);
        talk(inter, rank == 0);
        MPI_Comm_disconnect(&inter);
        close(fd);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && strcmp(argv[1], "sockets") == 0)
        sockets();
    else
        ports();
    MPI_Finalize();
    return 0;
}
