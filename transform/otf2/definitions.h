/* Definitions of an OTF2 archive: hosts, processes and threads, and what the numbers in events stand for. */
#pragma once

#include <glib.h>
#include <otf2/otf2.h>

/* A property of a process or a thread that stands for an attribute of a trace. Strings belong to the archive. */
typedef struct {
    const char *name, *text;
} HieraOtf2Property;

/* A thread, which OTF2 calls a location. */
typedef struct {
    OTF2_LocationRef location;
    guint64 n_events;
    const char *id; /* attribute `id` of the thread's element, if Hiera wrote the archive; else NULL */
} HieraOtf2Thread;

/* A process, which OTF2 calls a location group. */
typedef struct {
    OTF2_SystemTreeNodeRef node;
    guint32 rank;
    const char *host;   /* name of the process's host; "": not known */
    GArray *threads;    /* HieraOtf2Thread, the main thread first */
    GArray *properties; /* HieraOtf2Property: only of archives that Hiera wrote */
} HieraOtf2Process;

/* A node of OTF2's system tree: the machine or a part of it. */
typedef struct {
    const char *name, *class_name;
    OTF2_SystemTreeNodeRef parent;
} HieraOtf2Node;

typedef struct {
    const char *name, *canonical_name, *file;
    OTF2_Paradigm paradigm;
    OTF2_RegionRole role;
    guint32 line; /* 0: not known */
} HieraOtf2Region;

typedef struct {
    const char *name;
    OTF2_GroupRef group, remote; /* groups of members; `remote` of an intercommunicator, else OTF2_UNDEFINED_GROUP */
} HieraOtf2Comm;

typedef struct {
    OTF2_GroupType type;
    guint32 n;
    guint64 *members; /* world rank of each member */
} HieraOtf2Group;

typedef struct {
    gint reference_count;
    char *path;             /* path of the anchor file */
    guint64 size, mtime;    /* size and modification time of the anchor file when it was read */
    guint64 resolution;     /* ticks of the archive's clock per second */
    guint64 offset;         /* ticks of the archive's clock at time 0 of the traces */
    guint64 id;             /* id that OTF2 gives the trace */
    guint32 n_ranks;        /* number of ranks of the job */
    GArray *rank_locations; /* OTF2_LocationRef of each rank's main thread, as far as the archive says */
    GPtrArray *processes;   /* HieraOtf2Process, by rank */
    GHashTable *by_group;   /* OTF2_LocationGroupRef → HieraOtf2Process */
    GHashTable *nodes;      /* OTF2_SystemTreeNodeRef → HieraOtf2Node */
    GHashTable *strings;    /* OTF2_StringRef → text */
    GHashTable *attributes; /* OTF2_AttributeRef → name of the attribute in a trace, if Hiera wrote the archive */
    GHashTable *parameters; /* OTF2_ParameterRef: set of the parameters named HIERA_OTF2_NOTE */
    GHashTable *regions;    /* OTF2_RegionRef → HieraOtf2Region */
    GHashTable *comms;      /* OTF2_CommRef → HieraOtf2Comm */
    GHashTable *groups;     /* OTF2_GroupRef → HieraOtf2Group */
    GHashTable *windows;    /* OTF2_RmaWinRef → OTF2_CommRef of the window's communicator */
    GPtrArray *metrics;     /* names of metrics; the archive owns the strings */
} HieraOtf2Archive;

/* Return the string that has a number; "": there is none. */
const char *hiera_otf2_archive_text(const HieraOtf2Archive *archive, OTF2_StringRef string);
/* Return the definition that has a number in one of the archive's hash tables; NULL: there is none. */
gpointer hiera_otf2_archive_find(GHashTable *definitions, guint64 number);
