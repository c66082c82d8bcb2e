/* SPDX-License-Identifier: MIT */
/* spec.h - a named thing with arguments: a layer, a loss, an optimizer, an initialiser … Private.
 *
 * Every such thing is a qs_kind in a registry; its table of attributes is the only description of
 * its arguments. All spellings are read and written by spec*.c alone:
 *
 *   command line  nadam:learning_rate=0.01,beta_1=0.9
 *                 piecewise_constant_decay:boundaries=[1,2],values=[3,2,1]
 *                 dense:units=3,kernel_regularizer=(l2:l2=0.1)
 *   recipe        nadam   ·   {nadam: {learning_rate: 0.01}}   ·   {dropout: 0.2}
 *   Keras         "Nadam" ·   {"class_name": "Nadam", "config": {…}}
 */
#ifndef QS_NN_SPEC_H
#define QS_NN_SPEC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/fail.h"

typedef enum qs_attr_type {
    QS_ATTR_NUMBER, /* words "schedules": or a spec of that registry; see also QS_ATTR_OWN */
    QS_ATTR_INTEGER,
    QS_ATTR_BOOL,
    QS_ATTR_TEXT, /* one of the words in `words`, separated by '|'; any text where words is NULL */
    QS_ATTR_NUMBERS, /* a list of numbers, or one number; words "integer": of integers, "bare": one
                        number is not made a list of one */
    QS_ATTR_SPEC,    /* of the registry `words` */
    QS_ATTR_FIXED    /* Keras writes it, quickstep has only the preset: another value is refused by
                        name */
} qs_attr_type;

typedef struct qs_attr {
    const char *name; /* Keras' name, which is also the recipe's; NULL ends a table */
    qs_attr_type type;
    const char *preset; /* as command-line text; "null" is None; NULL: must be given */
    double min, max;    /* inclusive, for numbers; both 0: any */
    const char *words;
    const char *help;
} qs_attr;

typedef struct qs_kind {
    const char *name;       /* "dense": snake case */
    const char *keras;      /* "Dense": Keras' class or function name */
    const char *also;       /* further names, separated by '|': "mse|MSE"; may be NULL */
    const qs_attr *attrs;   /* ends with a NULL name; NULL: no arguments */
    const char *help;       /* one line for --help and docs */
    const char *positional; /* attr that `{dropout: 0.2}` sets; NULL: none */
} qs_kind;

typedef struct qs_spec qs_spec;

typedef struct qs_value {
    bool null;        /* None */
    double number;    /* number, integer, bool */
    const char *text; /* text, fixed */
    const double *list;
    size_t count;
    bool bare; /* numbers: one number was given, not a list of one */
    const qs_spec *spec;
} qs_value;

struct qs_spec {
    const qs_kind *kind;
    const qs_value *value; /* one for each attr, in the table's order, presets filled in */
};

typedef struct qs_registry {
    const char *name;            /* "layers" */
    const char *noun;            /* "layer": for messages */
    const char *module;          /* "keras.layers": for Keras JSON */
    const qs_kind *const *kinds; /* ends with NULL; each is the first member of its descriptor */
} qs_registry;

const qs_registry *qs_registry_find(const char *name);                /* NULL: none */
const qs_kind *qs_kind_find(const qs_registry *in, const char *name); /* by any of its names */

/* Read the recipe or Keras form. json is borrowed; what is made lives in arena. Errors: unknown
 * name (with the nearest ones), unknown or missing argument, value of the wrong type or out of
 * range; the text names the argument and, where known, the line. `null` gives *out = NULL. */
qs_status qs_spec_read(qs_arena *arena, const qs_registry *in, const json_t *json,
                       const qs_spec **out, qs_error *err);

/* Read arguments alone, for a kind already known. */
qs_status qs_spec_read_args(qs_arena *arena, const qs_kind *kind, const json_t *args,
                            const qs_spec **out, qs_error *err);

/* Read the command-line form. */
qs_status qs_spec_parse(qs_arena *arena, const qs_registry *in, const char *text,
                        const qs_spec **out, qs_error *err);

/* Write; new references, NULL when memory runs out. spec NULL gives json null. */
json_t *
qs_spec_keras(const qs_registry *in,
              const qs_spec *spec); /* {"module", "class_name", "config", "registered_name"} */
json_t *qs_spec_config(const qs_spec *spec);    /* the "config" alone, all arguments */
bool qs_spec_beyond_keras(const qs_spec *spec); /* an argument is left out there: Keras has none */
json_t *qs_spec_recipe(const qs_spec *spec);    /* shortest recipe form: presets left out */
char *qs_spec_text(const qs_spec *spec); /* command-line form, presets left out; qs_free() it */

/* A list of specs in one text, "accuracy,top_k_categorical_accuracy:k=2": the part of it that
 * starts at *text. A comma followed by `argument=` goes on with the spec before it. Moves *text
 * past the part; false at the end. */
bool qs_spec_next(const char **text, const char **part, size_t *bytes);

/* Line of a recipe that `key` of `object` stands on, of item `index` where it is a list (else -1);
 * 0 where it is not known. The reader of recipes leaves it there under keys that begin with
 * QS_HIDDEN, which everybody else passes over. */
#define QS_HIDDEN       '\1'
#define QS_HIDDEN_LINES "\1lines"
int qs_json_line(const json_t *object, const char *key, int index);

/* Have jansson take its memory through base/alloc.h; before anything is made with it. */
void qs_json_setup(void);

#endif
