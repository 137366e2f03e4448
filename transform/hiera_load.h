/** Reading traces: from the paths that a user names to operations. The operations go to sinks while they are read; one
 * sink, the builder, keeps them as a HieraTrace. */
#ifndef HIERA_LOAD_H
#define HIERA_LOAD_H

#include "hiera_pack.h"
#include "hiera_summed.h"
#include "hiera_trace.h"

/** Return the trace files that a user's arguments name.
 *
 * @param arguments  NULL-terminated: trace files, a hieraCollector.xml, or a folder that holds one (or trace*.xml)
 * @param findings   takes the files that could not be opened; the rest is still returned
 * @return           the paths, in a GPtrArray of strings that it owns; empty if there are none */
HIERA_API GPtrArray *hiera_trace_paths_expand(const char *const *arguments, HieraFindings *findings);

/** The trace files of one run. */
typedef struct {
    char *name;       /* the folder or configuration file as the user wrote it; of loose trace files the first one */
    GPtrArray *paths; /* paths of the trace files: strings, owned by the array */
    char *job;        /* attribute `job` of the run's first trace; NULL if the trace has none */
} HieraRunPaths;

/** Like hiera_trace_paths_expand, but grouped by run: each folder and each configuration file is one run; loose trace
 * files belong together if they have the same attribute `job`, or no such attribute and the same folder.
 *
 * @return the runs in the order in which they are named: a GPtrArray of HieraRunPaths that it owns */
HIERA_API GPtrArray *hiera_run_paths_expand(const char *const *arguments, HieraFindings *findings);

/** A sink: callbacks that take the operations of one rank as they are read. All functions get the state that `begin`
 * returned. One state is used by one thread at a time. `begin` may be called in any order of ranks; `end` is called by
 * rank, in the thread that called hiera_load, once per state; `keep` is false if the file turned out to be unusable. */
typedef struct {
    gpointer (*begin)(gpointer user, const HieraProcessor *processor);
    void (*operation)(gpointer state, const HieraOperation *operation);
    void (*end)(gpointer user, gpointer state, const HieraProcessor *processor, gboolean keep);
    gpointer user;
    /* The following callbacks may be NULL. */
    void (*filtered)(gpointer state, const HieraFiltered *filtered); /* calls that the collector only counted */
    void (*asserted)(gpointer state, const HieraAsserted *asserted); /* assertion about an operation passed before */
    void (*counted)(gpointer state, const HieraCounted *counted);    /* counter value of an operation passed before */
    void (*saved)(gpointer state, const char *line); /* line of a probe script's result, owned by the catalog */
#define X(type, name, texts) void (*name)(gpointer state, const type *name); /* a record of the type `type` */
    HIERA_RECORDS(X)
#undef X
    void (*summed)(gpointer state, const HieraSummed *summed); /* an operation that stands for several calls */
    /* For several processes; set both or none. `pack`: pack a state when its file has been read. `unpack`: make from
     * these bytes, in another process, a state for `end`. Without them the operations are packed, and passed to the
     * sink in the other process. */
    void (*pack)(gpointer state, const HieraProcessor *processor, HieraPacker *to);
    gpointer (*unpack)(gpointer user, const HieraProcessor *processor, HieraUnpacker *from);
} HieraSink;

/** Called at intervals, in the thread that called hiera_load, with the number of bytes read so far and in total. */
typedef void (*HieraProgress)(guint64 done_bytes, guint64 total_bytes, gpointer user);

typedef struct {
    guint threads; /* number of files read at the same time; 0: as many as --threads says, or one per CPU */
    HieraProgress progress;
    gpointer progress_user;
    gboolean validate;   /* whether the files are also checked against the DTD */
    gboolean keep_lines; /* whether the trace gets the column element_line */
    gboolean in_blocks;  /* each process reads traces of consecutive ranks: most messages stay within a process */
    guint besides; /* with in_blocks: other work of process 0, in percent of the work for all traces; it gets fewer of
                    * them */
    const char *name; /* name of the run, for findings about the whole run; NULL: there is only one run */
    void (*file_read)(
        gpointer user); /* called for each file that has been read, by the thread that read the file; may be NULL */
    void (*too_few)(gpointer user); /* called if fewer threads could be started than were asked for; may be NULL */
    gpointer file_user;
} HieraLoadOptions;

/** Read trace files once, in parallel, and hand every operation to each sink. Memory does not grow with the number of
 * operations, but for what the sinks keep.
 *
 * @param paths     trace files
 * @param options   may be NULL
 * @param sinks     n_sinks of them
 * @param catalog   takes strings, sites and communicators
 * @param findings  takes everything that is wrong with the files
 * @return          the processors that were read, by rank; a GArray of HieraProcessor, empty if there are none. In a
 * process of hiera-transform that only helps another one it is always empty */
HIERA_API GArray *hiera_load(const GPtrArray *paths, const HieraLoadOptions *options, const HieraSink *sinks,
                             guint n_sinks, HieraCatalog *catalog, HieraFindings *findings);

/** A sink of hiera_load that puts operations into the columns of a HieraTrace while they are read. */
typedef struct HieraBuilder HieraBuilder;

/** Make a builder.
 *
 * @param catalog     must outlive the builder and the trace
 * @param keep        HIERA_KEEP_…
 * @return the builder, to be freed by hiera_builder_free */
HIERA_API HieraBuilder *hiera_builder_new(HieraCatalog *catalog, guint keep);

/** Free a builder, and its operations unless hiera_builder_take_trace took them. NULL is allowed. */
HIERA_API void hiera_builder_free(HieraBuilder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraBuilder, hiera_builder_free)

/** Return the sink for hiera_load that fills the builder; valid as long as the builder. */
HIERA_API HieraSink hiera_builder_sink(HieraBuilder *builder);

/** Return the trace of the operations that were read; the builder is empty afterwards.
 *
 * @param processors  the result of hiera_load; copied
 * @param error       HIERA_GRAPH_ERROR_MEMORY if there are more than 2^32 - 2 operations, or requests
 * @return the trace, to be freed by hiera_trace_free, or NULL */
HIERA_API HieraTrace *hiera_builder_take_trace(HieraBuilder *builder, const GArray *processors, GError **error);

#endif
