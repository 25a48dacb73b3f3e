#include "expression/variable.h"

const int dt_variable_traits[DT_VARIABLE_KINDS] = {
#define DT_TRAITS(kind, function, component, measure, subject, traits, family, part) \
    [DT_VARIABLE_##kind] = (traits),
    DT_VARIABLE_TABLE(DT_TRAITS)
#undef DT_TRAITS
};
