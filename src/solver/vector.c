#include "solver/vector.h"

#include <string.h>

typedef struct content content;

/* Starts like the content of a serial vector, so that its operations work on it. */
struct content {
    struct _N_VectorContent_Serial serial;
    dt_vector_family *family;
    content *next, *previous; /**< among those in use; next, among those to be used */
};

struct dt_vector_family {
    dt_arena *arena;
    SUNContext context;
    long longest, length;
    content *used, *unused;
};

static content *content_of(N_Vector v)
{
    return v->content;
}

/* Adds one to the unused. */
static bool add_unused(dt_vector_family *family)
{
    content *own = dt_arena_alloc(family->arena, 1, sizeof *own);
    double *data = dt_arena_alloc(family->arena, (size_t)family->longest, sizeof *data);
    if (!own || !data) {
        return false;
    }
    own->family = family;
    own->serial.data = data;
    own->next = family->unused;
    family->unused = own;
    return true;
}

/* From the unused to those in use; NULL when memory is out. */
static content *enter(dt_vector_family *family)
{
    if (!family->unused && !add_unused(family)) {
        return NULL;
    }
    content *own = family->unused;
    family->unused = own->next;
    own->serial.length = family->length;
    own->previous = NULL;
    own->next = family->used;
    if (family->used) {
        family->used->previous = own;
    }
    family->used = own;
    return own;
}

static void leave(content *own)
{
    dt_vector_family *family = own->family;
    if (own->previous) {
        own->previous->next = own->next;
    } else {
        family->used = own->next;
    }
    if (own->next) {
        own->next->previous = own->previous;
    }
    own->next = family->unused;
    family->unused = own;
}

static void destroy(N_Vector v)
{
    if (!v) {
        return;
    }
    if (v->content) {
        leave(v->content);
        v->content = NULL;
    }
    N_VFreeEmpty(v);
}

/* A vector of the family with the operations of `like`. */
static N_Vector member(dt_vector_family *family, N_Vector like)
{
    N_Vector v = N_VNewEmpty(family->context);
    if (!v) {
        return NULL;
    }
    if (N_VCopyOps(like, v) != 0 || !(v->content = enter(family))) {
        N_VFreeEmpty(v);
        return NULL;
    }
    return v;
}

static N_Vector clone(N_Vector like)
{
    return member(content_of(like)->family, like);
}

/*
 * z = c_0 X_0 + c_1 X_1 + ..., summed in this order, number by number; z may be one of X. The operation of serial vectors passes over z once
 * for each of X, which costs several times as much where vectors are short; for one or two it rounds in ways of its own, and is left to it.
 */
static int combine(int count, double *c, N_Vector *X, N_Vector z)
{
    enum { MOST = 16 };
    const double *x[MOST];
    double *out = NV_DATA_S(z);
    const long length = NV_LENGTH_S(z), even = length - length % 2;
    if (count < 3 || count > MOST) {
        return N_VLinearCombination_Serial(count, c, X, z);
    }
    for (int i = 0; i < count; i++) {
        x[i] = NV_DATA_S(X[i]);
    }
    for (long k = 0; k < even; k += 2) {
        double one = c[0] * x[0][k], other = c[0] * x[0][k + 1];
        for (int i = 1; i < count; i++) {
            one += c[i] * x[i][k];
            other += c[i] * x[i][k + 1];
        }
        out[k] = one;
        out[k + 1] = other;
    }
    for (long k = even; k < length; k++) {
        double sum = c[0] * x[0][k];
        for (int i = 1; i < count; i++) {
            sum += c[i] * x[i][k];
        }
        out[k] = sum;
    }
    return 0;
}

dt_vector_family *dt_vector_family_create(dt_arena *arena, SUNContext context, long longest,
                                          int reserve)
{
    dt_vector_family *family = dt_arena_alloc(arena, 1, sizeof *family);
    if (!family) {
        return NULL;
    }
    *family = (dt_vector_family){
        .arena = arena, .context = context, .longest = longest, .length = longest};
    for (int k = 0; k < reserve; k++) {
        if (!add_unused(family)) {
            return NULL;
        }
    }
    return family;
}

N_Vector dt_vector_create(dt_vector_family *family)
{
    N_Vector like = N_VNewEmpty_Serial(0, family->context), v = NULL;
    if (!like) {
        return NULL;
    }
    like->ops->nvclone = clone;
    like->ops->nvcloneempty = NULL;
    like->ops->nvdestroy = destroy;
    N_VEnableFusedOps_Serial(like, 1);
    like->ops->nvlinearcombination = combine;
    v = member(family, like);
    N_VDestroy_Serial(like);
    return v;
}

void dt_vector_set_length(dt_vector_family *family, long length)
{
    family->length = length;
    for (content *own = family->used; own; own = own->next) {
        own->serial.length = length;
    }
}

dt_arena *dt_vector_arena(const dt_vector_family *family)
{
    return family->arena;
}
