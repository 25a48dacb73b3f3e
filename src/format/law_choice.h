/**
 * @file law_choice.h
 * Friction laws that the caller chooses for joints, in place of what the file gives them (detent_load_options.laws).
 *
 * The item of the file is read as always. Of one with a law the word is changed; of stiction a definition of a law is made, from its kinetic and
 * static friction. Then come the keys that the caller gives, and what the law still has to have.
 */
#ifndef DT_FORMAT_LAW_CHOICE_H
#define DT_FORMAT_LAW_CHOICE_H

#include "format/sections.h"

/** Reads friction that stands in a primitive, with the law that was chosen for it, if one was. */
detent_status dt_law_choice_read(dt_reader *, const dt_section *, const dt_yaml_node *item,
                                 const char *primitive);

/** The same of stiction. */
detent_status dt_law_choice_read_stiction(dt_reader *, const dt_section *, const dt_yaml_node *item,
                                          const char *primitive);

/** When all is read: an error where a choice has found no joint with friction. */
detent_status dt_law_choices_check(dt_reader *);

#endif
