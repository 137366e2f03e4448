/* Questions to the table that ranks share (shared_table.h), as its processes and the server (globals_server.h) ask
 * them. */
#ifndef HIERA_SHARED_QUESTIONS_H
#define HIERA_SHARED_QUESTIONS_H

#include "probes/probes.h"
#include "shared_table.h"

typedef enum HieraQuestionKind {
    HIERA_ASK_GET,    /* a variable */
    HIERA_ASK_CHANGE, /* it */
    HIERA_ASK_BRING,  /* set it, unless it has a value */
    HIERA_ASK_LOCK,   /* try to take a lock */
    HIERA_ASK_UNLOCK,
    HIERA_ASK_SPOIL,   /* mark all values of a name */
    HIERA_ASK_PUBLISH, /* keep the text of the rank `name` */
    HIERA_ASK_GATHER,  /* the texts of all other ranks */
    HIERA_N_ASK
} HieraQuestionKind;

/* A question. On a connection the key and the text of the value follow. */
typedef struct HieraQuestion {
    uint32_t kind, name, key_bytes, operator_, type;
    uint32_t looks;      /* LOCK: as HieraLockAsker */
    uint32_t text_bytes; /* of the value, or of what is published */
    HieraValue value;    /* of a text its length alone */
    int64_t waited_ns;
    HieraOwner asker;
} HieraQuestion;

/* On a connection the text follows. */
typedef struct HieraReply {
    uint32_t answer, text_bytes;
    HieraValue value;
} HieraReply;

/* Where texts of a reply go: a fixed room, or one that grows. */
typedef struct HieraReplyRoom {
    char *text;
    size_t room, n;
    void *(*grow)(void *memory, size_t old_bytes, size_t bytes); /* NULL: it is fixed */
} HieraReplyRoom;

/* Room for so many bytes behind what is there. @return  NULL if there is none */
char *hiera_reply_room(HieraReplyRoom *room, size_t bytes);

/* Answer a question, with the lock of the table. */
HieraReply hiera_shared_answer(HieraSharedTable *table, const HieraQuestion *question, const char *key,
                               const char *text, HieraReplyRoom *room);

#endif
