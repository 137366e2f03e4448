/* The tool interface, and functions that return texts with a length: MPI_T_*, MPI_Info_get_string, sessions. */
#include "expect.h"
#include "unseen.h"

static int rank;

/* The expected text of a name and its length, which differ between MPIs. */
static const char *text(const char *value)
{
    static char quoted[4][600];
    static int next;
    next = (next + 1) % 4;
    snprintf(quoted[next], sizeof quoted[next], "'%s'", value);
    return quoted[next];
}

static void variables(void)
{
    char name[512], again[512];
    int n, length = sizeof name, bind, scope, verbosity, index;
    UNSEEN(T_cvar_get_num)(&n);
    EXPECT("t_cvar_get_num", "num_cvar=%d", n);
    MPI_T_cvar_get_num(&n);
    UNSEEN(T_cvar_get_info)(0, name, &length, &verbosity, NULL, NULL, NULL, NULL, &bind, &scope);
    int room = sizeof again;
    EXPECT("t_cvar_get_info", "cvar_index=0 name=%s name_len=%d verbosity=%d bind=%d scope=%d", text(name), length, verbosity, bind, scope);
    MPI_T_cvar_get_info(0, again, &room, &verbosity, NULL, NULL, NULL, NULL, &bind, &scope);
    EXPECT("t_cvar_get_index", "name=%s cvar_index=0", text(name));
    MPI_T_cvar_get_index(name, &index);
    room = 3;
    EXPECT("t_cvar_get_info", "cvar_index=0 name=%.2s name_len=*", name);
    MPI_T_cvar_get_info(0, again, &room, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
}

static void handles(void)
{
    MPI_T_pvar_session first, second;
    EXPECT("t_pvar_session_create", "session=P%d_pvar_session1", rank);
    MPI_T_pvar_session_create(&first);
    EXPECT("t_pvar_session_create", "session=P%d_pvar_session2", rank);
    MPI_T_pvar_session_create(&second);
    EXPECT("t_pvar_session_free", "session=P%d_pvar_session1", rank);
    MPI_T_pvar_session_free(&first);
    EXPECT("t_pvar_session_free", "session=P%d_pvar_session2", rank);
    MPI_T_pvar_session_free(&second);
}

/* A category with members, if this MPI has one. */
static void categories(void)
{
    int n, cvars = 0, indices[4] = {-7, -7, -7, -7};
    char list[64] = "";
    UNSEEN(T_category_get_num)(&n);
    for (int i = 0; i < n; i++) {
        UNSEEN(T_category_get_info)(i, NULL, NULL, NULL, NULL, &cvars, NULL, NULL);
        if (cvars == 0)
            continue;
        int shown = cvars < 4 ? cvars : 4;
        UNSEEN(T_category_get_cvars)(i, 4, indices);
        for (int j = 0; j < shown; j++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", j ? " " : "", indices[j]);
        EXPECT("t_category_get_cvars", "cat_index=%d len=4 indices='%s'", i, list);
        MPI_T_category_get_cvars(i, 4, indices);
        break;
    }
}

#if MPI_VERSION >= 4
static void texts_with_room(void)
{
    MPI_Info info;
    MPI_Session session;
    char value[16];
    int room = 0, flag, n;
    UNSEEN(Info_create)(&info);
    UNSEEN(Info_set)(info, "key", "a value");
    EXPECT("info_get_string", "info=* key=key buflen=8 flag=1");
    MPI_Info_get_string(info, "key", &room, value, &flag);
    EXPECT("info_get_string", "info=* key=key buflen=8 value='a value' flag=1");
    MPI_Info_get_string(info, "key", &room, value, &flag);
    EXPECT("info_get_string", "info=* key=none buflen=8 flag=0");
    MPI_Info_get_string(info, "none", &room, value, &flag);
    UNSEEN(Info_free)(&info);
    EXPECT("session_init", "info=MPI_INFO_NULL errhandler=MPI_ERRORS_RETURN session=P%d_session1", rank);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    UNSEEN(Session_get_num_psets)(session, MPI_INFO_NULL, &n);
    room = sizeof value;
    EXPECT("session_get_nth_pset", "session=P%d_session1 info=MPI_INFO_NULL n=0 pset_len=* pset_name=mpi://WORLD", rank);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &room, value);
    EXPECT("session_finalize", "session=P%d_session1", rank);
    MPI_Session_finalize(&session);
}
#endif

int main(int argc, char **argv)
{
    int provided;
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    EXPECT("t_init_thread", "required=%d provided=*", MPI_THREAD_SINGLE);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    variables();
    handles();
    categories();
    EXPECT("t_finalize", " ");
    MPI_T_finalize();
#if MPI_VERSION >= 4
    texts_with_room();
#endif
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
