#include "import/mjcf.h"

detent_status dt_mjcf_fail(const dt_mjcf *m, const dt_xml *at, const char *text)
{
    const char *name = dt_xml_attribute(at, "name");
    return dt_fail(m->error, DETENT_ERROR_MODEL, &at->where, "<%s>%s%s%s: %s", at->name,
                   name ? " '" : "", name ? name : "", name ? "'" : "", text);
}

detent_status dt_mjcf_no_memory(const dt_mjcf *m)
{
    return dt_fail(m->error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}
