/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A core as Linux programs know ciphers from AF_ALG: bind "gcm(aes)", set a key and the length of
 * tags, send a request, read what comes of it. A call returns 0 or a number of bytes, or a negative
 * errno.
 */
#ifndef ALG_H
#define ALG_H

#include "gcm.h"

struct alg {
    struct gcm_core *core;
    uint32_t context;
    size_t tag_bytes; /* as ALG_SET_AEAD_AUTHSIZE */
    bool waits;       /* a request was sent and not yet read */
    struct alg_request {
        bool encrypt; /* ALG_SET_OP */
        const uint8_t *iv; /* ALG_SET_IV */
        size_t iv_bytes;
        size_t aad_bytes; /* ALG_SET_AEAD_ASSOCLEN */
        const uint8_t *data; /* AAD, text, and the tag when decrypting */
        size_t data_bytes;
    } request;
};

int alg_bind(struct alg *alg, struct gcm_core *core, uint32_t context);
int alg_set_key(struct alg *alg, const uint8_t *key, size_t key_bytes);
int alg_set_authsize(struct alg *alg, size_t tag_bytes);

/* Like sendmsg: what data points to stays until the answer is read. */
int alg_send(struct alg *alg, const struct alg_request *request);

/* AAD and text, and the tag when encrypting; -EBADMSG when the tag is wrong. */
long alg_read(struct alg *alg, uint8_t *out, size_t room);

/* The key is erased. */
int alg_close(struct alg *alg);

#endif
