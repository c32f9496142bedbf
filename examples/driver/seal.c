/* SPDX-License-Identifier: Apache-2.0 */
/* seal KEY IV AAD TEXT: key and IV in hex. Encrypts in a simulated core, and decrypts again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alg.h"
#include "simulated_core.h"

enum { MOST = 512, TAG = 16 };

static void check(long result, const char *what)
{
    if (result < 0) {
        fprintf(stderr, "seal: %s: %s\n", what, strerror((int)-result));
        exit(1);
    }
}

static size_t unhex(const char *text, uint8_t *bytes, size_t room)
{
    size_t count = 0;

    for (unsigned byte; count < room && sscanf(text + 2 * count, "%2x", &byte) == 1; count++)
        bytes[count] = (uint8_t)byte;
    return count;
}

int main(int count, char **words)
{
    static struct gcm_core core;
    static uint8_t plain[MOST], sealed[MOST], opened[MOST];
    uint8_t key[32], iv[12];
    struct simulated_core *simulated;
    struct gcm_platform platform;
    struct alg alg;
    struct alg_request request = {.encrypt = true, .iv = iv, .iv_bytes = sizeof iv, .data = plain};
    size_t key_bytes;
    long bytes;

    if (count != 5 || unhex(words[2], iv, sizeof iv) != sizeof iv
        || strlen(words[3]) + strlen(words[4]) > MOST - TAG) {
        fprintf(stderr, "usage: seal KEY IV AAD TEXT (key and IV of 12 bytes in hex)\n");
        return 2;
    }
    key_bytes = unhex(words[1], key, sizeof key);
    request.aad_bytes = strlen(words[3]);
    request.data_bytes = request.aad_bytes + strlen(words[4]);
    memcpy(plain, words[3], request.aad_bytes);
    memcpy(plain + request.aad_bytes, words[4], strlen(words[4]));

    simulated = simulated_start(0);
    platform = simulated_platform(simulated);
    check(-(gcm_init(&core, &platform) != GCM_OK), "init");
    check(-(gcm_self_test(&core) != GCM_OK), "self-test");
    printf("self-test: passed\n");

    check(alg_bind(&alg, &core, 0), "bind");
    check(alg_set_key(&alg, key, key_bytes), "key");
    check(alg_send(&alg, &request), "send");
    bytes = alg_read(&alg, sealed, sizeof sealed);
    check(bytes, "read");
    printf("sealed:    ");
    for (long at = (long)request.aad_bytes; at < bytes; at++)
        printf("%02x", sealed[at]);

    request.encrypt = false;
    request.data = sealed;
    request.data_bytes = (size_t)bytes;
    check(alg_send(&alg, &request), "send");
    bytes = alg_read(&alg, opened, sizeof opened);
    check(bytes, "read");
    printf("\nopened:    %.*s\n", (int)(bytes - (long)request.aad_bytes), opened + request.aad_bytes);

    sealed[request.data_bytes - 1] ^= 1;
    check(alg_send(&alg, &request), "send");
    bytes = alg_read(&alg, opened, sizeof opened);
    printf("changed:   %s\n", bytes == -EBADMSG ? "refused (EBADMSG)" : "ACCEPTED");

    check(alg_close(&alg), "close");
    simulated_end(simulated);
    return bytes == -EBADMSG ? 0 : 1;
}
