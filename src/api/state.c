/* The state of a simulation as bytes: a head that says which build and which mechanism they are from, and the
 * integrator's own bytes, which are believed once the head agrees and a sum over all finds no damage.
 *
 * The head's first members are the same in every version, so that bytes of another one are told from damaged ones. */

#include "api/build_id.h"
#include "api/handle.h"
#include "base/hash.h"

#include <string.h>

typedef struct state_head {
    char magic[8];
    uint64_t byte_order;
    uint64_t size;        /* of the whole */
    uint64_t sum;         /* of the whole with 0 here */
    char version[16];     /* of the library */
    uint64_t build;       /* of the library */
    uint64_t fingerprint; /* of the mechanism */
} state_head;

static const char state_magic[8] = "detent\n";
static const uint64_t byte_order = UINT64_C(0x0102030405060708);

static state_head expected_head(const detent_simulation *simulation)
{
    state_head head = {
        .byte_order = byte_order,
        .size = detent_state_size(simulation),
        .build = dt_build_id,
        .fingerprint = simulation->mechanism->fingerprint,
    };
    memcpy(head.magic, state_magic, sizeof head.magic);
    strncpy(head.version, detent_version(), sizeof head.version - 1);
    return head;
}

size_t detent_state_size(const detent_simulation *simulation)
{
    return simulation ? sizeof(state_head) + dt_simulation_state_size(simulation->core) : 0;
}

static uint64_t sum_of(const state_head *head, const unsigned char *body, size_t size)
{
    state_head plain = *head;
    plain.sum = 0;
    dt_hash hash = dt_hash_begin();
    dt_hash_bytes(&hash, &plain, sizeof plain);
    dt_hash_bytes(&hash, body, size - sizeof plain);
    return dt_hash_end(&hash);
}

static detent_status require_bytes(const detent_simulation *simulation, const void *bytes,
                                   detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    return status ? status : dt_require(bytes, "the place of the bytes", error);
}

detent_status detent_save_state(detent_simulation *simulation, void *bytes, size_t size,
                                detent_error *error)
{
    detent_status status = require_bytes(simulation, bytes, error);
    if (!status) {
        status = dt_require_count(size, detent_state_size(simulation), "bytes", error);
    }
    if (status) {
        return status;
    }
    state_head head = expected_head(simulation);
    unsigned char *body = (unsigned char *)bytes + sizeof head;
    status = dt_simulation_save(simulation->core, body, error);
    if (status) {
        return status;
    }
    head.sum = sum_of(&head, body, size);
    memcpy(bytes, &head, sizeof head);
    return DETENT_OK;
}

/* Whether the bytes are as somebody saved them. */
static detent_status check_intact(const state_head *given, const unsigned char *body, size_t size,
                                  detent_error *error)
{
    if (given->byte_order != byte_order) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the state cannot be restored: it was saved on a machine with another order "
                       "of bytes, or the bytes are damaged");
    }
    if (given->size != size) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the state cannot be restored: %zu bytes are given and %llu were saved",
                       size, (unsigned long long)given->size);
    }
    if (given->sum != sum_of(given, body, size)) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the state cannot be restored: its bytes are damaged");
    }
    return DETENT_OK;
}

/* Whether they are of this build and mechanism. */
static detent_status check_kinship(const detent_simulation *simulation, const state_head *given,
                                   detent_error *error)
{
    const state_head mine = expected_head(simulation);
    if (memcmp(given->version, mine.version, sizeof mine.version) != 0) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the state cannot be restored: it was saved by version %.15s, this is %s",
                       given->version, mine.version);
    }
    if (given->build != mine.build) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the state cannot be restored: it was saved by another build of version %s",
                       mine.version);
    }
    if (given->fingerprint != mine.fingerprint || given->size != mine.size) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the state cannot be restored: it is that of another mechanism, or a number "
                       "or law of this one has changed");
    }
    return DETENT_OK;
}

detent_status detent_restore_state(detent_simulation *simulation, const void *bytes, size_t size,
                                   detent_error *error)
{
    state_head given;
    detent_status status = require_bytes(simulation, bytes, error);
    if (status) {
        return status;
    }
    if (size >= sizeof given) {
        memcpy(&given, bytes, sizeof given);
    }
    if (size < sizeof given || memcmp(given.magic, state_magic, sizeof given.magic) != 0) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the state cannot be restored: the bytes are no state that was saved");
    }
    const unsigned char *body = (const unsigned char *)bytes + sizeof given;
    status = check_intact(&given, body, size, error);
    if (!status) {
        status = check_kinship(simulation, &given, error);
    }
    if (status) {
        return status;
    }
    simulation->after_event = false;
    return dt_simulation_restore(simulation->core, body, error);
}
