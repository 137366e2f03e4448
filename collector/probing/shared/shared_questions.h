/* Questions to the table that ranks share (shared_table.h), from processes that map it and from the server
 * (globals_server.h). */
#pragma once

#include "probes/probes.h"
#include "shared_table.h"

typedef enum HieraQuestionKind {
    HIERA_ASK_GET,    /* get the value of a variable */
    HIERA_ASK_CHANGE, /* change the value of a variable */
    HIERA_ASK_BRING,  /* set a variable unless it has a value */
    HIERA_ASK_LOCK,   /* try to take a lock */
    HIERA_ASK_UNLOCK,
    HIERA_ASK_SPOIL,   /* mark all values of a name as incomplete */
    HIERA_ASK_PUBLISH, /* store the published text of the rank `name` */
    HIERA_ASK_GATHER,  /* get the published texts of all other ranks */
    HIERA_N_ASK
} HieraQuestionKind;

/* A question. On a connection it is followed by the key and the text of the value. */
typedef struct HieraQuestion {
    uint32_t kind, name, key_bytes, operator_, type;
    uint32_t looks;      /* for LOCK: as in HieraLockAsker */
    uint32_t text_bytes; /* length of the text of the value, or of the published text */
    HieraValue value;    /* value; for a text, only its length */
    int64_t waited_ns;
    HieraOwner asker;
} HieraQuestion;

/* A reply. On a connection it is followed by the text. */
typedef struct HieraReply {
    uint32_t answer, text_bytes;
    HieraValue value;
} HieraReply;

/* Buffer for texts of a reply: of fixed size, or growing. */
typedef struct HieraReplyRoom {
    char *text;
    size_t room, n;
    void *(*grow)(void *memory, size_t old_bytes, size_t bytes); /* enlarges the buffer; NULL: its size is fixed */
} HieraReplyRoom;

/* Make room for `bytes` bytes at the end. @return  NULL if there is none */
char *hiera_reply_room(HieraReplyRoom *room, size_t bytes);

/* Answer a question. Requires the lock of the table. */
HieraReply hiera_shared_answer(HieraSharedTable *table, const HieraQuestion *question, const char *key,
                               const char *text, HieraReplyRoom *room);
