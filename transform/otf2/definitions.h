/* The definitions of an OTF2 archive: hosts, processes and threads, and the meaning of numbers in events. */
#pragma once

#include <glib.h>
#include <otf2/otf2.h>

/* A property of a process or a thread that stands for an attribute of a trace. Strings belong to the archive. */
typedef struct {
    const char *name, *text;
} HieraOtf2Property;

/* A thread. */
typedef struct {
    OTF2_LocationRef location;
    guint64 n_events;
    const char *id; /* id as Hiera wrote it; or NULL */
} HieraOtf2Thread;

/* A process. */
typedef struct {
    OTF2_SystemTreeNodeRef node;
    guint32 rank;
    const char *host;   /* "" if it is not known */
    GArray *threads;    /* HieraOtf2Thread, the main thread first */
    GArray *properties; /* HieraOtf2Property: only of archives that Hiera wrote */
} HieraOtf2Process;

/* A node of the system tree: a part of the machine. */
typedef struct {
    const char *name, *class_name;
    OTF2_SystemTreeNodeRef parent;
} HieraOtf2Node;

typedef struct {
    const char *name, *canonical_name, *file;
    OTF2_Paradigm paradigm;
    guint32 line; /* 0: not known */
} HieraOtf2Region;

typedef struct {
    const char *name;
    OTF2_GroupRef group, remote; /* remote: the remote group of an intercommunicator, else OTF2_UNDEFINED_GROUP */
} HieraOtf2Comm;

typedef struct {
    OTF2_GroupType type;
    guint32 n;
    guint64 *members; /* world ranks */
} HieraOtf2Group;

typedef struct {
    gint reference_count;
    char *path;             /* path of the anchor file */
    guint64 size, mtime;    /* size and time of the anchor file when it was read */
    guint64 resolution;     /* ticks per second */
    guint64 offset;         /* ticks at time 0 */
    guint64 id;             /* id of the trace */
    guint32 n_ranks;        /* number of ranks of the job */
    GArray *rank_locations; /* OTF2_LocationRef of the main thread of each rank, as far as the archive says */
    GPtrArray *processes;   /* HieraOtf2Process, by rank */
    GHashTable *by_group;   /* OTF2_LocationGroupRef → HieraOtf2Process */
    GHashTable *nodes;      /* OTF2_SystemTreeNodeRef → HieraOtf2Node */
    GHashTable *strings;    /* OTF2_StringRef → text */
    GHashTable *attributes; /* OTF2_AttributeRef → name of an attribute of a trace */
    GHashTable *parameters; /* OTF2_ParameterRef: set of the parameters that are notes */
    GHashTable *regions;    /* OTF2_RegionRef → HieraOtf2Region */
    GHashTable *comms;      /* OTF2_CommRef → HieraOtf2Comm */
    GHashTable *groups;     /* OTF2_GroupRef → HieraOtf2Group */
    GHashTable *windows;    /* OTF2_RmaWinRef → OTF2_CommRef */
    GPtrArray *metrics;     /* names of metrics; strings belong to the archive */
} HieraOtf2Archive;

/* Return a string by its number; "" if there is none. */
const char *hiera_otf2_archive_text(const HieraOtf2Archive *archive, OTF2_StringRef string);
/* Return the definition with a number; NULL if there is none. */
gpointer hiera_otf2_archive_find(GHashTable *definitions, guint64 number);
