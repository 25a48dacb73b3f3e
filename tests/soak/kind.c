#include "kind.h"

#define ROW(name) &sketch_##name,
const sketch_kind *const sketch_kinds[SKETCH_KINDS] = {SKETCH_KIND_TABLE(ROW)};
#undef ROW
