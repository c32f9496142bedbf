/* SPDX-License-Identifier: Apache-2.0 */
/* Plays the lines of a file through the driver and a simulated core, and prints what came of each.
   Every buffer is as long as what it holds, so that a sanitizer sees one byte too many. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gcm.h"
#include "more.h"
#include "simulated_core.h"

struct bytes {
    uint8_t *at;
    size_t count;
};

static struct gcm_core core;
static uint32_t seen, interrupts; /* causes, and how many there were */

static struct bytes room_for(size_t count)
{
    const struct bytes made = {malloc(count != 0 ? count : 1), count};

    memset(made.at, 0xa5, count);
    return made;
}

/* The next word of a line: hex, or - for no byte. */
static struct bytes next_bytes(void)
{
    const char *word = strtok(NULL, " \n");
    struct bytes made = room_for(strcmp(word, "-") == 0 ? 0 : strlen(word) / 2);

    for (size_t at = 0; at < made.count; at++) {
        unsigned byte = 0;
        if (sscanf(word + 2 * at, "%2x", &byte) != 1)
            exit(3);
        made.at[at] = (uint8_t)byte;
    }
    return made;
}

static uint32_t next_number(void)
{
    return (uint32_t)strtoul(strtok(NULL, " \n"), NULL, 0);
}

static void print_bytes(struct bytes bytes)
{
    printf(bytes.count != 0 ? " " : " -");
    for (size_t at = 0; at < bytes.count; at++)
        printf("%02x", bytes.at[at]);
}

/* seal CONTEXT IV AAD TEXT TAG_BYTES IN_PLACE, and open CONTEXT IV AAD TEXT TAG IN_PLACE */
static void play_packet(bool seals)
{
    struct gcm_packet packet = {.context = next_number()};
    struct bytes iv = next_bytes(), aad = next_bytes(), text = next_bytes();
    struct bytes tag = seals ? room_for(next_number()) : next_bytes();
    struct bytes out = next_number() != 0 ? text : room_for(text.count);
    enum gcm_status status;

    packet.iv = iv.at;
    packet.iv_bytes = iv.count;
    packet.aad = aad.count != 0 ? aad.at : NULL;
    packet.aad_bytes = aad.count;
    packet.text = text.count != 0 ? text.at : NULL;
    packet.text_bytes = text.count;
    packet.tag_bytes = tag.count;
    status = seals ? gcm_encrypt(&core, &packet, out.at, tag.at)
                   : gcm_decrypt(&core, &packet, tag.at, out.at);
    printf("%d", status);
    print_bytes(out);
    print_bytes(seals ? tag : (struct bytes){NULL, 0});
    free(iv.at);
    free(aad.at);
    free(tag.at);
    if (out.at != text.at)
        free(out.at);
    free(text.at);
}

/* late CONTEXT IV AAD TEXT: encrypted with data that hardware moves; answer TEXT_BYTES: its answer. */
static void send_late(void)
{
    struct gcm_packet packet = {.context = next_number(), .tag_bytes = 16};
    struct bytes iv = next_bytes(), aad = next_bytes(), text = next_bytes();
    const struct gcm_platform *to = &core.platform;

    packet.iv = iv.at;
    packet.iv_bytes = iv.count;
    printf("%d", gcm_command(&core, &packet, NULL));
    if (aad.count != 0)
        to->send(to->user, aad.at, aad.count, text.count != 0 ? 0 : GCM_SEND_LAST);
    if (text.count != 0)
        to->send(to->user, text.at, text.count, GCM_SEND_TEXT | GCM_SEND_LAST);
    free(iv.at);
    free(aad.at);
    free(text.at);
}

static void take_answer(void)
{
    struct bytes text = room_for(next_number()), tag = room_for(16);
    const struct gcm_platform *from = &core.platform;
    size_t done = 0;
    const enum gcm_status status = gcm_answer(&core, tag.at, tag.count);
    bool last = false, moves = status >= GCM_OK;

    printf("%d", status);
    while (!last && moves) {
        done += from->take(from->user, text.at + done, text.count - done, &last);
        moves = last || from->wait(from->user, GCM_UNTIL_DATA_MOVES);
    }
    print_bytes(text);
    print_bytes(tag);
    free(text.at);
    free(tag.at);
}

static void handler(void *argument)
{
    interrupts++;
    seen |= gcm_interrupt(argument);
}

static void play(char *line, struct simulated_core *simulated)
{
    const char *what = strtok(line, " \n");
    const struct gcm_platform platform = simulated_platform(simulated);

    if (strcmp(what, "init") == 0) {
        printf("%d", gcm_init(&core, &platform));
    } else if (strcmp(what, "test") == 0) {
        printf("%d", gcm_self_test(&core));
    } else if (strcmp(what, "key") == 0) {
        const uint32_t context = next_number();
        struct bytes key = next_bytes();
        printf("%d", gcm_load_key(&core, context, key.at, key.count));
        free(key.at);
    } else if (strcmp(what, "erase") == 0) {
        printf("%d", gcm_erase_key(&core, next_number()));
    } else if (strcmp(what, "seal") == 0 || strcmp(what, "open") == 0) {
        play_packet(what[0] == 's');
    } else if (strcmp(what, "late") == 0) {
        send_late();
    } else if (strcmp(what, "answer") == 0) {
        take_answer();
    } else if (strcmp(what, "interrupts") == 0) {
        const uint32_t causes = next_number();
        gcm_interrupts(&core, causes);
        simulated_on_irq(simulated, causes != 0 ? handler : NULL, &core);
        printf("%" PRIu32 " %" PRIu32, seen, interrupts);
        seen = interrupts = 0;
    } else if (strcmp(what, "counters") == 0) {
        struct gcm_counters counters;
        gcm_take_counters(&core, &counters);
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64, counters.packets, counters.forged,
               counters.refused);
        printf(" %" PRIu64 " %" PRIu64, counters.aad_bytes, counters.text_bytes);
    } else if (strcmp(what, "dma") == 0) {
        simulated_moves_as_dma(simulated, next_number() != 0);
        printf("0");
    } else if (strcmp(what, "stop") == 0) {
        simulated_stops(simulated);
        printf("0");
    } else if (strcmp(what, "zeroise") == 0) {
        simulated_zeroises(simulated, next_number());
        printf("0");
    } else if (strcmp(what, "reset") == 0) {
        simulated_resets(simulated);
        printf("0");
    } else {
        exit(3);
    }
    printf("\n");
}

int main(int count, char **words)
{
    struct simulated_core *simulated = simulated_start(count > 2 ? strtoull(words[2], NULL, 0) : 0);
    FILE *file = count > 1 ? fopen(words[1], "r") : NULL;
    static char line[1 << 17];

    if (file == NULL)
        return 2;
    while (fgets(line, sizeof line, file) != NULL)
        play(line, simulated);
    fclose(file);
    fprintf(stderr, "%" PRIu64 " cycles\n", simulated_cycles(simulated));
    simulated_end(simulated);
    return 0;
}
