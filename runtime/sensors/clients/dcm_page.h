/* Reads the page of a running robot, in place. One header, no library: C99 and a POSIX system.
 *
 *     struct dcm_page page;
 *     const char *wrong = dcm_page_open(&page, "/dev/shm/dcm-run/nao.page");
 *     if (wrong) { fprintf(stderr, "%s\n", wrong); return 1; }
 *     const uint64_t *frame;
 *     uint64_t turn;
 *     double yaw;
 *     do {
 *         turn = dcm_page_begin(&page, &frame);
 *         if (turn == 0) continue;                    (no frame yet, or overwritten: try again)
 *         yaw = dcm_value(frame, dcm_actuator(&page, 0) + DCM_SENT);
 *     } while (turn == 0 || !dcm_page_end(frame, turn));
 *
 * The README of runtime/sensors describes the layout; this is version 3.
 */
#ifndef DCM_PAGE_H
#define DCM_PAGE_H

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DCM_PAGE_VERSION = 3, DCM_RING = 1024 };

/* Words of the header. */
enum {
    DCM_FILE_WORDS = 2, DCM_FRAME_WORDS = 4, DCM_ACTUATORS = 5, DCM_SENSORS = 6, DCM_BOARDS = 7,
    DCM_LABELS_AT = 8, DCM_RING_AT = 9, DCM_PERIOD = 10, DCM_UTC_AT_ZERO = 11, DCM_RUN = 12,
    DCM_WRITER = 13, DCM_LATEST = 14, DCM_CLOSED = 15, DCM_REALTIME = 16, DCM_HEADER_WORDS = 17
};

/* Words of a label. */
enum { DCM_NAME = 0, DCM_UNIT = 6, DCM_MIN = 7, DCM_MAX = 8, DCM_BOARD = 9, DCM_TRIM = 10, DCM_LABEL_WORDS = 11 };

/* Words of a frame. */
enum {
    DCM_STAMP = 0, DCM_TURN = 1, DCM_NOW = 2, DCM_ELAPSED = 3, DCM_WORK = 4, DCM_STATE = 5,
    DCM_POWER = 6, DCM_EVENTS = 7, DCM_FRAME_HEAD = 8
};

/* Words of an actuator in a frame. */
enum {
    DCM_COMMANDED = 0, DCM_LIMITED = 1, DCM_SENT = 2, DCM_ACKNOWLEDGED = 3, DCM_COVERAGE = 4,
    DCM_CLIPS = 5, DCM_ACTUATOR_WORDS = 6
};

struct dcm_page {
    const uint64_t *words;
    uint64_t bytes;
};

static inline uint64_t dcm_load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

/* Reads a word as an f64. */
static inline double dcm_value(const uint64_t *frame, uint64_t at) {
    uint64_t bits = dcm_load(frame + at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t dcm_count(const struct dcm_page *page, int what) { return dcm_load(page->words + what); }

/* The index of the first word of an actuator, a sensor or a board in a frame. */
static inline uint64_t dcm_actuator(const struct dcm_page *page, uint64_t actuator) {
    (void)page;
    return DCM_FRAME_HEAD + actuator * DCM_ACTUATOR_WORDS;
}
static inline uint64_t dcm_sensor(const struct dcm_page *page, uint64_t sensor) {
    return dcm_actuator(page, dcm_count(page, DCM_ACTUATORS)) + sensor;
}
static inline uint64_t dcm_board(const struct dcm_page *page, uint64_t board) {
    return dcm_sensor(page, dcm_count(page, DCM_SENSORS)) + board * 4;
}

/* The label of an actuator; sensors follow the actuators. Its name ends with a zero. */
static inline const uint64_t *dcm_label(const struct dcm_page *page, uint64_t place) {
    return page->words + dcm_count(page, DCM_LABELS_AT) + place * DCM_LABEL_WORDS;
}
static inline const char *dcm_name(const uint64_t *label) { return (const char *)(label + DCM_NAME); }

static inline void dcm_page_close(struct dcm_page *page) {
    if (page->words) munmap((void *)page->words, page->bytes);
    page->words = 0;
}

static inline uint64_t dcm_whole_lines(uint64_t words) { return (words + 7) / 8 * 8; }

/* Checks the header against itself and the file's length. Returns 0, or an error message. */
static inline const char *dcm_page_check(const struct dcm_page *page) {
    const uint64_t *words = page->words, most = 1 << 20;
    uint64_t actuators = words[DCM_ACTUATORS], sensors = words[DCM_SENSORS], boards = words[DCM_BOARDS];
    if (memcmp(words, "DCMPAGE", 8) != 0) return "the file is not a page: it does not begin with DCMPAGE";
    if (words[1] != DCM_PAGE_VERSION) return "the page has another version than this header";
    if (actuators > most || sensors > most || boards > most)
        return "the page is invalid: it claims too many actuators, sensors or boards";
    uint64_t frame = dcm_whole_lines(DCM_FRAME_HEAD + actuators * DCM_ACTUATOR_WORDS + sensors + boards * 4);
    uint64_t ring = dcm_whole_lines(DCM_HEADER_WORDS + (actuators + sensors) * DCM_LABEL_WORDS);
    if (words[3] != DCM_RING || words[DCM_FRAME_WORDS] != frame || words[DCM_LABELS_AT] != DCM_HEADER_WORDS
        || words[DCM_RING_AT] != ring || words[DCM_FILE_WORDS] != ring + DCM_RING * frame)
        return "the page is invalid: its header is inconsistent";
    if (words[DCM_FILE_WORDS] > page->bytes / 8) return "the page is invalid: the file is truncated";
    return 0;
}

/* Maps a page read-only: a write through it is a fault. Returns 0, or an error message. */
static inline const char *dcm_page_open(struct dcm_page *page, const char *path) {
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    page->words = 0;
    if (file < 0) return "the page cannot be opened: does the loop run?";
    if (fstat(file, &about) != 0 || about.st_size < DCM_HEADER_WORDS * 8) {
        close(file);
        return "the file is not a page: it is too short";
    }
    page->bytes = (uint64_t)about.st_size;
    void *mapped = mmap(0, page->bytes, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED) return "the page cannot be mapped";
    page->words = (const uint64_t *)mapped;
    const char *wrong = dcm_page_check(page);
    if (wrong) dcm_page_close(page);
    return wrong;
}

/* The turn of the newest complete frame; 0 for none. */
static inline uint64_t dcm_page_latest(const struct dcm_page *page) {
    return __atomic_load_n(page->words + DCM_LATEST, __ATOMIC_ACQUIRE);
}

/* Waits for a turn after this one, at most for this time. Returns the first of them that is still kept, or 0 if none came,
 * or if the loop has ended. Nobody is woken by the loop: this looks 20 times in each period. */
static inline uint64_t dcm_page_wait(const struct dcm_page *page, uint64_t after, uint64_t timeout_ns) {
    uint64_t nap = dcm_count(page, DCM_PERIOD) / 20;
    struct timespec begun, now, rest;
    nap = nap < 10000 ? 10000 : nap > 10000000 ? 10000000 : nap;
    rest.tv_sec = 0;
    rest.tv_nsec = (long)nap;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (;;) {
        /* In this order, so that the last turn before the end is not missed. */
        uint64_t over = __atomic_load_n(page->words + DCM_CLOSED, __ATOMIC_ACQUIRE), latest = dcm_page_latest(page);
        if (latest > after) {
            uint64_t oldest = latest < DCM_RING ? 1 : latest - DCM_RING + 1;
            return oldest > after ? oldest : after + 1;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        int64_t waited = (int64_t)(now.tv_sec - begun.tv_sec) * 1000000000 + (now.tv_nsec - begun.tv_nsec);
        if (over || waited < 0 || (uint64_t)waited >= timeout_ns) return 0;
        nanosleep(&rest, 0);
    }
}

/* Begins to read the frame of one turn in place. Returns the turn, or 0 if it is not there, or not any more. */
static inline uint64_t dcm_page_begin_turn(const struct dcm_page *page, uint64_t turn, const uint64_t **frame) {
    *frame = page->words + dcm_count(page, DCM_RING_AT)
           + turn % DCM_RING * dcm_count(page, DCM_FRAME_WORDS);
    uint64_t stamp = __atomic_load_n(*frame + DCM_STAMP, __ATOMIC_ACQUIRE);
    return stamp == (turn << 1 | 1) ? turn : 0;
}

/* Begins to read the newest frame in place. Returns its turn, or 0 if no complete frame is available now. */
static inline uint64_t dcm_page_begin(const struct dcm_page *page, const uint64_t **frame) {
    return dcm_page_begin_turn(page, dcm_page_latest(page), frame);
}

/* Whether all words that were read since dcm_page_begin belong to that turn. */
static inline int dcm_page_end(const uint64_t *frame, uint64_t turn) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return dcm_load(frame + DCM_STAMP) == (turn << 1 | 1);
}

#endif
