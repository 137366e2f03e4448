/* Questions to the table that ranks share (shared_table.h), from processes that map it and from the server
 * (globals_server.h). */
#pragma once

#include "probes/probes.h"
#include "shared_table.h"

typedef enum HieraQuestionKind {
    HIERA_ASK_GET,    /* get the value of a variable that ranks share */
    HIERA_ASK_CHANGE, /* change the value of a variable, by an operator */
    HIERA_ASK_BRING,  /* set a variable, unless the variable has a value already */
    HIERA_ASK_LOCK,   /* take a lock if it is free */
    HIERA_ASK_UNLOCK,
    HIERA_ASK_SPOIL,   /* mark all values of a variable's name as incomplete */
    HIERA_ASK_PUBLISH, /* store the text that the rank `name` publishes */
    HIERA_ASK_GATHER,  /* get the published texts of all other ranks */
    HIERA_N_ASK
} HieraQuestionKind;

/* A question to the table of shared variables. In a message to the server, key and text of the value follow it. */
typedef struct HieraQuestion {
    uint32_t kind, name, key_bytes, operator_, type;
    uint32_t looks;      /* for HIERA_ASK_LOCK: as in HieraLockAsker */
    uint32_t text_bytes; /* length of the text that follows: the variable's new value, or the text to be published */
    HieraValue value;    /* operand of a change; of a text, only the length is used */
    int64_t waited_ns;
    HieraOwner asker;
} HieraQuestion;

/* The reply to a question. In a message of the server, the text follows it. */
typedef struct HieraReply {
    uint32_t answer, text_bytes;
    HieraValue value;
} HieraReply;

/* Buffer for the texts of a reply; its capacity is fixed, or grows. */
typedef struct HieraReplyRoom {
    char *text;
    size_t room, n;
    void *(*grow)(void *memory, size_t old_bytes, size_t bytes); /* enlarges the buffer; NULL: its capacity is fixed */
} HieraReplyRoom;

/* Return the address of `bytes` new bytes at the end of the buffer's contents. @return  NULL: there is no room */
char *hiera_reply_room(HieraReplyRoom *room, size_t bytes);

/* Answer a question from the table. Requires the table's lock. */
HieraReply hiera_shared_answer(HieraSharedTable *table, const HieraQuestion *question, const char *key,
                               const char *text, HieraReplyRoom *room);
