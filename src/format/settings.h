/**
 * @file settings.h
 * The section `simulation`.
 */
#ifndef DT_FORMAT_SETTINGS_H
#define DT_FORMAT_SETTINGS_H

#include "format/form.h"

/** Reads it, where it is not NULL, and hands it to the builder. */
detent_status dt_read_settings(dt_reader *, const dt_yaml_node *node);

#endif
