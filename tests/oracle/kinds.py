"""What each MPI call does, by the MPI standard: the kinds of calls that the oracle tells apart."""
import pathlib
import re

FUNCTIONS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "mpi-functions.md"


def words(text):
    return set(text.split())


LOCAL = set(re.findall(r"^\| `MPI_\w+` \| (\w+) \| local \|", FUNCTIONS.read_text(encoding="utf-8"), re.M))
SENDS = words("send bsend ssend rsend isend ibsend issend irsend")
RECEIVES = words("receive irecv mrecv imrecv")
SEND_RECEIVES = words("sendrecv isendrecv sendrecv_replace isendrecv_replace")
SEND_INITS = words("send_init bsend_init ssend_init rsend_init")
MATCHED_PROBES = words("mprobe improbe")
PROBES = MATCHED_PROBES | words("probe iprobe")
COMPLETIONS = words("wait test waitall testall waitany testany waitsome testsome")
COMPLETE_ANY = words("waitany testany waitsome testsome")
STARTS = words("start startall")

BARRIERS = words("barrier ibarrier")
ALL_TO_ALL = words("""barrier allgather allgatherv alltoall alltoallv alltoallw allreduce reduce_scatter reduce_scatter_block
    comm_dup comm_dup_with_info comm_idup comm_idup_with_info comm_create comm_split comm_split_type intercomm_merge
    comm_free cart_create cart_sub graph_create dist_graph_create dist_graph_create_adjacent win_create win_allocate
    win_allocate_shared win_create_dynamic win_free win_fence file_open file_close comm_disconnect
    ibarrier iallgather iallgatherv ialltoall ialltoallv ialltoallw iallreduce ireduce_scatter ireduce_scatter_block""")
ONE_TO_ALL = words("broadcast scatter scatterv ibcast iscatter iscatterv")
ALL_TO_ONE = words("gather gatherv reduce igather igatherv ireduce")
PREFIX = words("scan exscan iscan iexscan")
NEIGHBOR = {i + "neighbor_" + n for i in ("", "i") for n in
            ("allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw")}
# Made by the members of the new communicator alone, and counted on it.
OWN_MEMBERS = words("comm_create_group intercomm_create")
FILE_COLLECTIVES = words("""file_set_size file_preallocate file_set_info file_set_view file_set_atomicity file_sync
    file_seek_shared file_read_at_all file_read_all file_read_ordered file_iread_at_all file_iread_all
    file_write_at_all file_write_all file_write_ordered file_iwrite_at_all file_iwrite_all""")
COLLECTIVES = ALL_TO_ALL | ONE_TO_ALL | ALL_TO_ONE | PREFIX | NEIGHBOR | OWN_MEMBERS | FILE_COLLECTIVES
WINDOW_MAKERS = words("win_create win_allocate win_allocate_shared win_create_dynamic")

PUTS = words("put rput accumulate raccumulate")
GETS = words("get rget")
UPDATES = words("get_accumulate rget_accumulate fetch_and_op compare_and_swap")
ACCESSES = PUTS | GETS | UPDATES
SYNCHRONISATIONS = words("""win_fence win_post win_start win_complete win_wait win_test win_lock win_unlock win_lock_all
    win_unlock_all win_flush win_flush_all win_flush_local win_flush_local_all win_sync""")

# The oracle does not know these; a trace that has one is left out of measures that need partners.
UNKNOWN = words("""psend_init precv_init comm_spawn comm_spawn_multiple comm_accept comm_connect comm_join
    comm_create_from_group intercomm_create_from_groups cancel""")


def is_io(o):
    return o.is_mpi and o.name.startswith("file_")


def base(name):
    """Without the ending of the large-count functions."""
    return name[:-2] if name.endswith("_c") else name
