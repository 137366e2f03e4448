/* Answers the HTTP requests of the page. */
#pragma once

#include "gate.h"
#include "serve.h"

typedef struct {
    const HieraServe *what;
    HieraGate gate;
    char *policy;     /* Content-Security-Policy of the page */
    char *place;      /* path of the page: "/", or for a page that renews "/N/", another one for each page */
    gboolean is_seen; /* the browser has the page */
    gboolean is_over; /* a page that renews is asked for again; SIGUSR1 tells the process */
} HieraAnswers;

/* MHD_AccessHandlerCallback: answer a request whose headers have arrived. @param user  HieraAnswers */
enum MHD_Result hiera_answers_give(void *user, struct MHD_Connection *connection, const char *path, const char *method,
                                   const char *version, const char *body, size_t *n_body, void **state);
