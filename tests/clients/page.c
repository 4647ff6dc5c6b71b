/* Prints what a page says, for tests/page.rs: the C header against a page that Rust wrote. */
#include <stdio.h>

#include "dcm_page.h"

int main(int count, char **words) {
    struct dcm_page page;
    const char *wrong = count == 2 ? dcm_page_open(&page, words[1]) : "name a page";
    if (wrong) {
        fprintf(stderr, "%s\n", wrong);
        return 1;
    }
    for (int tries = 0; tries < 1000; tries++) {
        const uint64_t *frame;
        uint64_t turn = dcm_page_begin(&page, &frame);
        if (turn == 0) continue;
        uint64_t now = dcm_load(frame + DCM_NOW), state = dcm_load(frame + DCM_STATE);
        double sent = dcm_value(frame, dcm_actuator(&page, 0) + DCM_SENT);
        double sensor = dcm_value(frame, dcm_sensor(&page, 0));
        uint64_t acks = dcm_load(frame + dcm_board(&page, 0));
        if (!dcm_page_end(frame, turn)) continue;
        printf("%s turn %llu now %llu state %llu sent %g sensor %g acks %llu\n",
               dcm_name(dcm_label(&page, 0)), (unsigned long long)turn, (unsigned long long)now,
               (unsigned long long)state, sent, sensor, (unsigned long long)acks);
        dcm_page_close(&page);
        return 0;
    }
    fprintf(stderr, "there is no frame to be had\n");
    return 2;
}
