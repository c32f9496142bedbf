/* SPDX-License-Identifier: Apache-2.0 */
#include "alg.h"

#include <errno.h>
#include <string.h>

static int number(enum gcm_status status)
{
    switch (status) {
    case GCM_OK:
        return 0;
    case GCM_AUTH_FAIL:
        return -EBADMSG;
    case GCM_NO_KEY:
        return -ENOKEY;
    case GCM_BAD_ARGUMENT:
        return -EINVAL;
    default:
        return -EIO;
    }
}

int alg_bind(struct alg *alg, struct gcm_core *core, uint32_t context)
{
    if (context >= GCM_CONTEXT_COUNT)
        return -ENOENT;
    *alg = (struct alg){.core = core, .context = context, .tag_bytes = 16};
    return 0;
}

int alg_set_key(struct alg *alg, const uint8_t *key, size_t key_bytes)
{
    return number(gcm_load_key(alg->core, alg->context, key, key_bytes));
}

int alg_set_authsize(struct alg *alg, size_t tag_bytes)
{
    if (tag_bytes != 4 && tag_bytes != 8 && (tag_bytes < 12 || tag_bytes > 16))
        return -EINVAL;
    alg->tag_bytes = tag_bytes;
    return 0;
}

int alg_send(struct alg *alg, const struct alg_request *request)
{
    const size_t tag_bytes = request->encrypt ? 0 : alg->tag_bytes;

    if (alg->waits)
        return -EBUSY;
    if (request->data_bytes < tag_bytes || request->data_bytes - tag_bytes < request->aad_bytes)
        return -EINVAL;
    alg->request = *request;
    alg->waits = true;
    return 0;
}

long alg_read(struct alg *alg, uint8_t *out, size_t room)
{
    const struct alg_request *request = &alg->request;
    const size_t sent = request->data_bytes - (request->encrypt ? 0 : alg->tag_bytes);
    const size_t answer = sent + (request->encrypt ? alg->tag_bytes : 0);
    const struct gcm_packet packet = {
        .context = alg->context,
        .iv = request->iv,
        .iv_bytes = request->iv_bytes,
        .aad = request->data,
        .aad_bytes = request->aad_bytes,
        .text = request->data + request->aad_bytes,
        .text_bytes = sent - request->aad_bytes,
        .tag_bytes = alg->tag_bytes,
    };
    enum gcm_status status;

    if (!alg->waits || room < answer)
        return -EINVAL;
    alg->waits = false;
    memcpy(out, packet.aad, packet.aad_bytes);
    if (request->encrypt)
        status = gcm_encrypt(alg->core, &packet, out + packet.aad_bytes, out + sent);
    else
        status = gcm_decrypt(alg->core, &packet, request->data + sent, out + packet.aad_bytes);
    return status == GCM_OK ? (long)answer : number(status);
}

int alg_close(struct alg *alg)
{
    return number(gcm_erase_key(alg->core, alg->context));
}
