# Collectives and messages of R objects, Rmpi.
library(Rmpi)
rank <- mpi.comm.rank(0)
size <- mpi.comm.size(0)
x <- list(a = 1:10, b = "text")
x2 <- mpi.bcast.Robj(x, rank = 0, comm = 0)
sum <- mpi.allreduce(as.double(rank + 1), type = 2, op = "sum", comm = 0)
for (i in 1:20) {
    if (rank == 0) for (to in seq_len(size - 1)) mpi.send.Robj(i * to, to, i, comm = 0)
    if (rank > 0) y <- mpi.recv.Robj(0, i, comm = 0)
}
all <- mpi.gather(as.double(rank), type = 2, rdata = double(size), root = 0, comm = 0)
if (rank == 0) cat("sum", sum, "all", all, "text", x$b, "\n")
mpi.barrier(0)
mpi.quit()
