#include "integrator/vector.h"

#include <stdlib.h>
#include <string.h>

/** Starts like the content of a serial vector, so that its operations work on it. */
typedef struct content {
    struct _N_VectorContent_Serial serial;
    dt_vector_family *family;
    N_Vector next, previous; /**< in the family */
} content;

struct dt_vector_family {
    SUNContext context;
    long longest, length;
    N_Vector first;
};

static content *content_of(N_Vector v)
{
    return v->content;
}

static void enter(dt_vector_family *family, N_Vector v)
{
    content *own = content_of(v);
    own->family = family;
    own->next = family->first;
    if (family->first) {
        content_of(family->first)->previous = v;
    }
    family->first = v;
}

static void leave(N_Vector v)
{
    content *own = content_of(v);
    if (own->previous) {
        content_of(own->previous)->next = own->next;
    } else {
        own->family->first = own->next;
    }
    if (own->next) {
        content_of(own->next)->previous = own->previous;
    }
}

static void destroy(N_Vector v)
{
    if (!v) {
        return;
    }
    if (v->content) {
        leave(v);
        free(content_of(v)->serial.data);
        free(v->content);
        v->content = NULL;
    }
    N_VFreeEmpty(v);
}

/** An empty vector of the family with the operations of `like`. */
static N_Vector member(dt_vector_family *family, N_Vector like)
{
    N_Vector v = N_VNewEmpty(family->context);
    content *own = calloc(1, sizeof *own);
    double *data = calloc((size_t)family->longest, sizeof *data);
    if (!v || !own || !data || N_VCopyOps(like, v) != 0) {
        free(own);
        free(data);
        if (v) {
            N_VFreeEmpty(v);
        }
        return NULL;
    }
    own->serial.length = family->length;
    own->serial.own_data = 1;
    own->serial.data = data;
    v->content = own;
    enter(family, v);
    return v;
}

static N_Vector clone(N_Vector like)
{
    return member(content_of(like)->family, like);
}

dt_vector_family *dt_vector_family_create(SUNContext context, long longest)
{
    dt_vector_family *family = calloc(1, sizeof *family);
    if (family) {
        *family = (dt_vector_family){.context = context, .longest = longest, .length = longest};
    }
    return family;
}

void dt_vector_family_free(dt_vector_family *family)
{
    free(family);
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
    v = member(family, like);
    N_VDestroy_Serial(like);
    return v;
}

void dt_vector_set_length(dt_vector_family *family, long length)
{
    family->length = length;
    for (N_Vector v = family->first; v; v = content_of(v)->next) {
        content_of(v)->serial.length = length;
    }
}
