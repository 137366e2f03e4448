/** Reading traces: from what a user names to operations, which go to sinks while they are read; one of them, the
 * builder, keeps them as a HieraTrace. */
#ifndef HIERA_LOAD_H
#define HIERA_LOAD_H

#include "hiera_pack.h"
#include "hiera_summed.h"
#include "hiera_trace.h"

/** Turn what a user names into trace files.
 *
 * @param arguments  NULL-terminated: trace files, a hieraCollector.xml, or a folder that holds one (or trace*.xml)
 * @param findings   takes what could not be opened; the rest is still returned
 * @return           the paths, in a GPtrArray of strings that it owns; empty if there are none */
HIERA_API GPtrArray *hiera_trace_paths_expand(const char *const *arguments, HieraFindings *findings);

/** The traces of one run. */
typedef struct {
    char *name;       /* the folder or configuration file as the user wrote it; of loose files the first one */
    GPtrArray *paths; /* of strings that it owns */
    char *job;        /* as its first trace says; NULL if that does not */
} HieraRunPaths;

/** The same, by run: each folder and each configuration file is one; loose trace files belong together if they have the
 * same attribute `job`, or no such attribute and the same folder.
 *
 * @return the runs in the order in which they are named: a GPtrArray of HieraRunPaths that it owns */
HIERA_API GPtrArray *hiera_run_paths_expand(const char *const *arguments, HieraFindings *findings);

/** What takes the operations of one processor as they are read. All functions get the state that `begin` returned. One
 * state is used by one thread at a time. `begin` may be called in any order of ranks; `end` is called by rank, in the
 * thread that called hiera_load, once per state; `keep` is false if the file turned out to be unusable. */
typedef struct {
    gpointer (*begin)(gpointer user, const HieraProcessor *processor);
    void (*operation)(gpointer state, const HieraOperation *operation);
    void (*end)(gpointer user, gpointer state, const HieraProcessor *processor, gboolean keep);
    gpointer user;
    void (*filtered)(gpointer state, const HieraFiltered *filtered); /* what was only counted; may be NULL */
    void (*asserted)(gpointer state, const HieraAsserted *asserted); /* of the operation before; may be NULL */
    void (*counted)(gpointer state, const HieraCounted *counted);    /* of an operation that was told; may be NULL */
    void (*saved)(gpointer state, const char *line); /* of a hieraAggregation, which the catalog keeps; may be NULL */
#define X(type, name, texts) void (*name)(gpointer state, const type *name); /* a record of it; may be NULL */
    HIERA_RECORDS(X)
#undef X
    void (*summed)(gpointer state, const HieraSummed *summed); /* stands for several calls; may be NULL */
    /* For several processes, both or none: pack a state when its file has been read, and make of that, in another
     * process, a state for `end`. Without these two the operations are packed, and told to the sink there. */
    void (*pack)(gpointer state, const HieraProcessor *processor, HieraPacker *to);
    gpointer (*unpack)(gpointer user, const HieraProcessor *processor, HieraUnpacker *from);
} HieraSink;

/** Called now and then, in the thread that called hiera_load, with the bytes of the files read so far, and of all. */
typedef void (*HieraProgress)(guint64 done_bytes, guint64 total_bytes, gpointer user);

typedef struct {
    guint threads; /* files read at the same time; 0: as many as --threads says, or one per processor */
    HieraProgress progress;
    gpointer progress_user;
    gboolean validate;   /* also against the DTD */
    gboolean keep_lines; /* a trace gets the column element_line */
    gboolean in_blocks;  /* of several processes each reads traces that follow each other: most messages stay in it */
    guint besides; /* in blocks: what process 0 has to do besides, in percent of what all traces take; it gets less of
                      them */
    const char *name; /* of the run, in findings about it as a whole; NULL: there is only one run */
    void (*file_read)(
        gpointer user); /* called for each file when it has been read, by the thread that did; may be NULL */
    void (*too_few)(gpointer user); /* called if there are not as many threads as were asked for; may be NULL */
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

/** What puts operations into the columns of a trace while they are read. */
typedef struct HieraBuilder HieraBuilder;

/** Make a builder.
 *
 * @param catalog     must outlive the builder and the trace
 * @param keep        HIERA_KEEP_…
 * @return the builder, to be freed by hiera_builder_free */
HIERA_API HieraBuilder *hiera_builder_new(HieraCatalog *catalog, guint keep);

/** Free a builder and all operations whose trace was not taken. NULL is allowed. */
HIERA_API void hiera_builder_free(HieraBuilder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraBuilder, hiera_builder_free)

/** The sink for hiera_load; valid as long as the builder. */
HIERA_API HieraSink hiera_builder_sink(HieraBuilder *builder);

/** The trace of the operations that were read; the builder is empty afterwards.
 *
 * @param processors  what hiera_load returned; copied
 * @param error       HIERA_GRAPH_ERROR_MEMORY if there are more than 2^32 - 2 operations, or requests
 * @return the trace, to be freed by hiera_trace_free, or NULL */
HIERA_API HieraTrace *hiera_builder_take_trace(HieraBuilder *builder, const GArray *processors, GError **error);

#endif
