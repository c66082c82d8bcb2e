/* SPDX-License-Identifier: MIT */
/* keras_chain.c - finds the order of a Functional model that is a chain, and refuses any other. */
#include <string.h>

#include "format/keras_config.h"

static const char *name_of(const json_t *layer)
{
    const char *name = json_string_value(json_object_get(layer, "name"));
    if (!name)
        name = json_string_value(json_object_get(json_object_get(layer, "config"), "name"));
    return name ? name : "?";
}

/* [name, node, tensor] is the first tensor of the first node. */
static qs_status read_reference(const json_t *reference, const char **name, qs_error *err)
{
    *name = json_string_value(json_array_get(reference, 0));
    if (!*name)
        return qs_fail(err, QS_E_FORMAT, "a reference to a layer is malformed");
    for (size_t i = 1; i <= 2; i++)
        if (json_integer_value(json_array_get(reference, i)) != 0)
            return qs_fail(err, QS_E_UNSUPPORTED,
                           "layer '%.60s' is used more than once or has several outputs: only "
                           "chains are supported",
                           *name);
    return QS_OK;
}

/* Arguments of a call that are null or empty change nothing. */
static qs_status check_kwargs(const json_t *kwargs, const char *layer, qs_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)kwargs, key, value) {
        if (!json_is_null(value))
            return qs_fail(err, QS_E_UNSUPPORTED,
                           "layer '%.60s' is called with the argument '%.40s', which is not "
                           "supported",
                           layer, key);
    }
    return QS_OK;
}

static qs_status fail_branch(const char *layer, qs_error *err)
{
    return qs_fail(err, QS_E_UNSUPPORTED,
                   "layer '%.60s' has several inputs (a branch): only chains are supported", layer);
}

/* Keras 3: {"args": [{"class_name": "__keras_tensor__", "config": {"keras_history": […]}}], …} */
static qs_status read_call(const json_t *node, const char *layer, const char **from, qs_error *err)
{
    const json_t *args = json_object_get(node, "args");
    const json_t *tensor = json_array_get(args, 0);
    if (json_array_size(args) != 1 || json_is_array(tensor))
        return fail_branch(layer, err);
    QS_TRY(check_kwargs(json_object_get(node, "kwargs"), layer, err));
    const json_t *config = json_object_get(tensor, "config");
    return read_reference(json_object_get(config, "keras_history"), from, err);
}

/* Keras 2: [[name, node, tensor, kwargs]] */
static qs_status read_old_call(const json_t *node, const char *layer, const char **from,
                               qs_error *err)
{
    const json_t *reference = node;
    if (json_is_array(json_array_get(node, 0))) {
        if (json_array_size(node) != 1)
            return fail_branch(layer, err);
        reference = json_array_get(node, 0);
    }
    QS_TRY(check_kwargs(json_array_get(reference, 3), layer, err));
    return read_reference(reference, from, err);
}

/* Which layer feeds this one; NULL for an input. */
static qs_status read_input(const json_t *layer, const char **from, qs_error *err)
{
    const json_t *nodes = json_object_get(layer, "inbound_nodes");
    const char *name = name_of(layer);
    *from = NULL;
    if (json_array_size(nodes) == 0)
        return QS_OK;
    if (json_array_size(nodes) > 1)
        return qs_fail(err, QS_E_UNSUPPORTED,
                       "layer '%.60s' is shared, used %zu times: only chains are supported", name,
                       json_array_size(nodes));
    const json_t *node = json_array_get(nodes, 0);
    return json_is_object(node) ? read_call(node, name, from, err)
                                : read_old_call(node, name, from, err);
}

/* The one name of ["a", 0, 0] or [["a", 0, 0]]. */
static qs_status read_end(const json_t *config, const char *key, const char **name, qs_error *err)
{
    const json_t *list = json_object_get(config, key);
    if (json_is_array(json_array_get(list, 0))) {
        if (json_array_size(list) != 1)
            return qs_fail(err, QS_E_UNSUPPORTED, "the model has %zu %s, only one is supported",
                           json_array_size(list), key);
        list = json_array_get(list, 0);
    }
    return qs_context(err, read_reference(list, name, err), "%s", key);
}

static qs_status fail_two(const char *from, const json_t *a, const json_t *b, qs_error *err)
{
    if (!from)
        return qs_fail(err, QS_E_UNSUPPORTED,
                       "the model has several inputs ('%.60s', '%.60s'): only one is supported",
                       name_of(a), name_of(b));
    return qs_fail(err, QS_E_UNSUPPORTED,
                   "layer '%.60s' feeds '%.60s' and '%.60s' (a branch): only chains are supported",
                   from, name_of(a), name_of(b));
}

/* The layer that `from` feeds (NULL: the input), *index of it; -1: none. Errors: several. */
static qs_status find_next(const json_t *layers, const char *from, long *index, qs_error *err)
{
    *index = -1;
    for (size_t i = 0; i < json_array_size(layers); i++) {
        const json_t *layer = json_array_get(layers, i);
        const char *input = NULL;
        QS_TRY(read_input(layer, &input, err));
        if (from ? !input || strcmp(input, from) : input != NULL)
            continue;
        if (*index >= 0)
            return fail_two(from, json_array_get(layers, (size_t)*index), layer, err);
        *index = (long)i;
    }
    return QS_OK;
}

qs_status qs_keras_chain(const json_t *config, const json_t **layer, size_t *count, qs_error *err)
{
    const json_t *layers = json_object_get(config, "layers");
    const size_t n = json_array_size(layers);
    const char *first = NULL, *last = NULL, *from = NULL;
    QS_TRY(read_end(config, "input_layers", &first, err));
    QS_TRY(read_end(config, "output_layers", &last, err));
    size_t found = 0;
    for (; found < n; found++) {
        long index = -1;
        QS_TRY(find_next(layers, from, &index, err));
        if (index < 0)
            break;
        layer[found] = json_array_get(layers, (size_t)index);
        from = name_of(layer[found]);
    }
    if (!from || strcmp(from, last) || strcmp(name_of(layer[0]), first))
        return qs_fail(err, QS_E_UNSUPPORTED,
                       "the model's output is '%.60s' but its chain of layers ends in '%.60s'",
                       last, from ? from : "nothing");
    if (found < n)
        return qs_fail(err, QS_E_UNSUPPORTED,
                       "%zu of the %zu layers are not on the way from input to output: only chains "
                       "are supported",
                       n - found, n);
    *count = n;
    return QS_OK;
}
