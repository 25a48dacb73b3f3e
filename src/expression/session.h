/**
 * @file session.h
 * What is shared while one program is parsed: its graph, its sources (its own text and those of the
 * signals that it uses), the names seen so far. Everything lives in a scratch arena that is freed
 * when the program is done.
 */
#ifndef DT_EXPRESSION_SESSION_H
#define DT_EXPRESSION_SESSION_H

#include "base/arena.h"
#include "base/name_map.h"
#include "expression/graph.h"
#include "expression/program.h"
#include "expression/source.h"

#define DT_EXPRESSION_OPERATIONS_MAX 100000  /**< most operations of one program */
#define DT_EXPRESSION_TOGETHER_MAX   2000000 /**< of all that dt_program_parse_together() is given */
#define DT_EXPRESSION_LENGTH_MAX     1048576 /**< longest text, bytes */
#define DT_EXPRESSION_DEPTH_MAX      200     /**< deepest nesting of operands */
#define DT_EXPRESSION_NAME_MAX       255     /**< longest name, indices included, bytes */

/** A parsed part of an expression. */
typedef struct dt_operand {
    int node;
    dt_dimension dimension;
    size_t offset; /**< where it starts in its source */
} dt_operand;

typedef enum dt_name_state {
    DT_NAME_PLAIN,   /**< unknown, a constant or a variable */
    DT_NAME_WAITING, /**< a signal that has not been parsed */
    DT_NAME_OPEN,    /**< a signal whose own signals are being parsed */
    DT_NAME_DONE     /**< a signal with its value */
} dt_name_state;

/** A plain name and what it stands for. */
typedef struct dt_name {
    const char *text;
    dt_symbol symbol;
    dt_name_state state;
    dt_operand value; /**< DONE */
} dt_name;

typedef struct dt_session {
    dt_arena *scratch;
    const dt_scope *scope;
    dt_unit_system *units;
    detent_error *error;
    dt_graph graph;
    const dt_source_text *sources; /**< all, newest first */
    size_t next_place;
    dt_name_map map; /**< index of `names` */
    dt_name *names;
    size_t name_count, name_capacity;
} dt_session;

/** Nothing is allocated yet. */
void dt_session_init(dt_session *session, dt_arena *scratch, const dt_scope *scope,
                     dt_unit_system *units, detent_error *error);

/** A source of the session, checked for its length. `where` may be NULL. */
detent_status dt_session_add_source(dt_session *session, const char *text, const dt_location *where,
                                    const dt_source_text **source);

/** The source and the byte that belong to a place of the graph. */
const dt_source_text *dt_session_find(const dt_session *session, size_t place, size_t *offset);

/**
 * The entry of a plain name in `names`, looked up in the scope when it is first seen; -1 when
 * memory is out.
 */
int dt_session_name(dt_session *session, const char *text);

/** Fills the session's error: out of memory. */
detent_status dt_session_out_of_memory(dt_session *session);

/**
 * Applies a function to `count` operands with its dimension rule. `offset` is where the function or
 * operator stands in `source`. DETENT_ERROR_MODEL if the dimensions do not fit.
 */
detent_status dt_session_apply(dt_session *session, const dt_source_text *source, dt_opcode code,
                               const dt_operand *operands, int count, size_t offset,
                               dt_operand *result);

/** Applies a table to as many operands as it has variables. */
detent_status dt_session_table(dt_session *session, const dt_source_text *source,
                               const dt_curve *curve, const dt_operand *operands, size_t offset,
                               dt_operand *result);

/** Calls a function of the program with as many operands as it takes, of any dimension; that of the value is not known. */
detent_status dt_session_call(dt_session *session, const dt_source_text *source,
                              const dt_callback *callback, const dt_operand *operands,
                              size_t offset, dt_operand *result);

/**
 * The operations that results need: `registers` (last + 1) is 1 for the nodes of these, else 0, and takes the register of every node, -1
 * for those that are not needed. `last` is the last result.
 */
detent_status dt_session_write(dt_session *session, int last, int *registers, dt_arena *arena,
                               dt_program *program);
/** The operations of one node as a program, its text and dimension left as they are. DETENT_ERROR_MODEL: it can have no finite value. */
detent_status dt_session_program(dt_session *session, int node, dt_arena *arena,
                                 dt_program *program);

/** Adds a number. `result->node` is -1 on failure. */
detent_status dt_session_constant(dt_session *session, const dt_source_text *source, double value,
                                  const dt_dimension *dimension, size_t offset, dt_operand *result);

/** Adds a variable. */
detent_status dt_session_variable(dt_session *session, const dt_source_text *source,
                                  dt_variable variable, const dt_dimension *dimension,
                                  size_t offset, dt_operand *result);

/**
 * Parses a source and, before it, all signals that it uses. Signals may use each other to any
 * depth.
 */
detent_status dt_session_parse(dt_session *session, const dt_source_text *source,
                               dt_operand *result);

#endif
