/* Prints what a page says, for tests/clients/page.rs: the C header against a page that Rust wrote.
 * With the word `wait` it prints the turns for which it waits, until the page is closed. With another second word it tries
 * to write to the page, which must be its end. */
#include <stdio.h>
#include <sys/resource.h>

#include "dcm_page.h"

static int write_to(const struct dcm_page *page) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (mprotect((void *)page->words, page->bytes, PROT_READ | PROT_WRITE) == 0) {
        fprintf(stderr, "the mapping could be made writable\n");
        return 3;
    }
    *(volatile uint64_t *)(page->words + DCM_LATEST) = 7;
    fprintf(stderr, "the page was written to\n");
    return 3;
}

static int wait_for_turns(const struct dcm_page *page) {
    uint64_t turn = 0;
    while ((turn = dcm_page_wait(page, turn, 30000000000u)) != 0) {
        const uint64_t *frame;
        if (dcm_page_begin_turn(page, turn, &frame) != turn || dcm_load(frame + DCM_TURN) != turn
            || !dcm_page_end(frame, turn))
            return 4;
        printf("%llu\n", (unsigned long long)turn);
    }
    return 0;
}

int main(int count, char **words) {
    struct dcm_page page;
    const char *wrong = count > 1 ? dcm_page_open(&page, words[1]) : "name a page";
    if (wrong) {
        fprintf(stderr, "%s\n", wrong);
        return 1;
    }
    if (count > 2) return strcmp(words[2], "wait") == 0 ? wait_for_turns(&page) : write_to(&page);
    for (int tries = 0; tries < 1000; tries++) {
        const uint64_t *frame;
        uint64_t turn = dcm_page_begin(&page, &frame);
        if (turn == 0) continue;
        uint64_t now = dcm_load(frame + DCM_NOW), state = dcm_load(frame + DCM_STATE);
        double sent = dcm_value(frame, dcm_actuator(&page, 0) + DCM_SENT);
        double sensor = dcm_value(frame, dcm_sensor(&page, 0));
        uint64_t acks = dcm_load(frame + dcm_board(&page, 0));
        if (!dcm_page_end(frame, turn)) continue;
        printf("%s turn %llu now %llu state %llu sent %g sensor %g acks %llu realtime %llu\n",
               dcm_name(dcm_label(&page, 0)), (unsigned long long)turn, (unsigned long long)now,
               (unsigned long long)state, sent, sensor, (unsigned long long)acks,
               (unsigned long long)dcm_count(&page, DCM_REALTIME));
        dcm_page_close(&page);
        return 0;
    }
    fprintf(stderr, "no frame is available\n");
    return 2;
}
