/* SPDX-License-Identifier: MIT */
/* yaml_tree.c - turns what libyaml composed into JSON, with limits. */
#include "format/yaml_tree.h"

#include <string.h>
#include <yaml.h>

#include "base/number.h"
#include "nn/spec.h"

enum { DEEPEST = 32, MOST_NODES = 100000, MOST_BYTES = 4 << 20 };

typedef struct tree {
    yaml_document_t *document;
    size_t nodes;
    qs_error *err;
} tree;

static int line_of(const yaml_node_t *node)
{
    return (int)node->start_mark.line + 1;
}

static bool is(const yaml_node_t *node, const char *word)
{
    return node->data.scalar.length == strlen(word) &&
           !memcmp(node->data.scalar.value, word, node->data.scalar.length);
}

static bool any_of(const yaml_node_t *node, const char *const *words)
{
    for (; *words; words++)
        if (is(node, *words))
            return true;
    return false;
}

static json_t *plain_scalar(const yaml_node_t *node)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const trues[] = {"true", "True", "TRUE", NULL};
    static const char *const falses[] = {"false", "False", "FALSE", NULL};
    const char *text = (const char *)node->data.scalar.value;
    const size_t n = node->data.scalar.length;
    double x;
    int64_t whole;
    if (any_of(node, nulls))
        return json_null();
    if (any_of(node, trues))
        return json_true();
    if (any_of(node, falses))
        return json_false();
    if (qs_integer_parse(text, n, &whole))
        return json_integer(whole);
    if (qs_number_parse(text, n, &x) && x - x == 0)
        return json_real(x);
    return json_stringn(text, n);
}

static qs_status scalar(tree *t, const yaml_node_t *node, json_t **out)
{
    const bool plain = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    const char *tag = (const char *)node->tag;
    if (strcmp(tag, YAML_STR_TAG))
        return qs_fail(t->err, QS_E_FORMAT, "line %d: tags (%.40s) are not read", line_of(node),
                       tag);
    *out = plain ? plain_scalar(node)
                 : json_stringn((const char *)node->data.scalar.value, node->data.scalar.length);
    if (!*out)
        return qs_fail(t->err, QS_E_FORMAT, "line %d: text is not UTF-8", line_of(node));
    return QS_OK;
}

static qs_status convert(tree *t, int id, int depth, json_t **out);

static qs_status sequence(tree *t, const yaml_node_t *node, int depth, json_t **out)
{
    json_t *list = json_array();
    const yaml_node_item_t *item = node->data.sequence.items.start;
    for (; item < node->data.sequence.items.top; item++) {
        json_t *value = NULL;
        const qs_status status = convert(t, *item, depth, &value);
        if (status != QS_OK || json_array_append_new(list, value)) {
            json_decref(list);
            return status != QS_OK ? status : qs_fail_memory(t->err, 64, "a recipe");
        }
    }
    *out = list;
    return QS_OK;
}

/* [line of the key, lines of the items where the value is a list …] */
static json_t *lines_of(tree *t, const yaml_node_t *key, const yaml_node_t *value)
{
    json_t *lines = json_array();
    json_array_append_new(lines, json_integer(line_of(key)));
    if (value->type != YAML_SEQUENCE_NODE)
        return lines;
    const yaml_node_item_t *item = value->data.sequence.items.start;
    for (; item < value->data.sequence.items.top; item++)
        json_array_append_new(lines,
                              json_integer(line_of(yaml_document_get_node(t->document, *item))));
    return lines;
}

static qs_status check_key(tree *t, const yaml_node_t *key, const json_t *object)
{
    const char *name = (const char *)key->data.scalar.value;
    if (key->type != YAML_SCALAR_NODE || !key->data.scalar.length || *name == QS_HIDDEN ||
        strlen(name) != key->data.scalar.length)
        return qs_fail(t->err, QS_E_FORMAT, "line %d: a key must be a plain name", line_of(key));
    if (!strcmp(name, "<<"))
        return qs_fail(t->err, QS_E_FORMAT, "line %d: merge keys (<<) are not read", line_of(key));
    if (json_object_get(object, name))
        return qs_fail(t->err, QS_E_FORMAT, "line %d: '%.60s' is there twice", line_of(key), name);
    return QS_OK;
}

static qs_status add_pair(tree *t, const yaml_node_pair_t *pair, int depth, json_t *object,
                          json_t *lines)
{
    const yaml_node_t *key = yaml_document_get_node(t->document, pair->key);
    const yaml_node_t *node = yaml_document_get_node(t->document, pair->value);
    QS_TRY(check_key(t, key, object));
    const char *name = (const char *)key->data.scalar.value;
    json_t *value = NULL;
    QS_TRY(convert(t, pair->value, depth, &value));
    if (json_object_set_new(object, name, value) ||
        json_object_set_new(lines, name, lines_of(t, key, node)))
        return qs_fail(t->err, QS_E_FORMAT, "line %d: the key is not UTF-8, or memory ran out",
                       line_of(key));
    return QS_OK;
}

static qs_status mapping(tree *t, const yaml_node_t *node, int depth, json_t **out)
{
    json_t *object = json_object(), *lines = json_object();
    qs_status status = object && lines ? QS_OK : qs_fail_memory(t->err, 64, "a recipe");
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top && status == QS_OK; pair++)
        status = add_pair(t, pair, depth, object, lines);
    if (status == QS_OK && json_object_set(object, QS_HIDDEN_LINES, lines))
        status = qs_fail_memory(t->err, 64, "a recipe");
    json_decref(lines);
    if (status == QS_OK)
        *out = object;
    else
        json_decref(object);
    return status;
}

static qs_status convert(tree *t, int id, int depth, json_t **out)
{
    const yaml_node_t *node = yaml_document_get_node(t->document, id);
    if (depth > DEEPEST || t->nodes++ > MOST_NODES)
        return qs_fail(t->err, QS_E_FORMAT,
                       "line %d: nested deeper than %d, or more than %d values", line_of(node),
                       (int)DEEPEST, (int)MOST_NODES);
    switch (node->type) {
    case YAML_SEQUENCE_NODE:
        return sequence(t, node, depth + 1, out);
    case YAML_MAPPING_NODE:
        return mapping(t, node, depth + 1, out);
    case YAML_SCALAR_NODE:
    case YAML_NO_NODE:
        break;
    }
    return scalar(t, node, out);
}

static qs_status fail_syntax(const yaml_parser_t *parser, qs_error *err)
{
    if (parser->error == YAML_MEMORY_ERROR || parser->error == YAML_NO_ERROR)
        return qs_fail_memory(err, 64, "a recipe");
    const size_t line = parser->error == YAML_READER_ERROR ? 0 : parser->problem_mark.line + 1;
    return qs_fail(err, QS_E_FORMAT, "line %zu: not YAML: %s", line,
                   parser->problem ? parser->problem : "unknown problem");
}

/* A second document after the first. */
static qs_status check_end(yaml_parser_t *parser, qs_error *err)
{
    yaml_document_t more;
    if (!yaml_parser_load(parser, &more))
        return fail_syntax(parser, err);
    const yaml_node_t *root = yaml_document_get_root_node(&more);
    const int line = root ? line_of(root) : 0;
    yaml_document_delete(&more);
    return line ? qs_fail(err, QS_E_FORMAT, "line %d: a second document; a recipe is one", line)
                : QS_OK;
}

static qs_status load(yaml_parser_t *parser, json_t **out, qs_error *err)
{
    yaml_document_t document;
    if (!yaml_parser_load(parser, &document))
        return fail_syntax(parser, err);
    tree t = {.document = &document, .err = err};
    json_t *json = NULL;
    qs_status status = QS_OK;
    if (yaml_document_get_root_node(&document))
        status = convert(&t, 1, 0, &json);
    else
        status = qs_fail(err, QS_E_FORMAT, "there is nothing in it");
    yaml_document_delete(&document);
    if (status == QS_OK)
        status = check_end(parser, err);
    if (status == QS_OK)
        *out = json;
    else
        json_decref(json);
    return status;
}

/* How deep an event goes in, or out. */
static int descent(yaml_event_type_t type)
{
    const bool in = type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT;
    const bool out = type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT;
    return in - out;
}

/* libyaml takes time that grows with the square of the depth, so that is looked at first. What else
 * is wrong shows when the document is composed. */
static qs_status check_depth(const char *text, size_t bytes, qs_error *err)
{
    yaml_parser_t parser;
    yaml_event_t event;
    int depth = 0, line = 0;
    bool more = true;
    if (!yaml_parser_initialize(&parser))
        return qs_fail_memory(err, sizeof parser, "a recipe");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
    while (more && depth <= DEEPEST && yaml_parser_parse(&parser, &event)) {
        more = event.type != YAML_STREAM_END_EVENT;
        depth += descent(event.type);
        line = (int)event.start_mark.line + 1;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return depth <= DEEPEST
               ? QS_OK
               : qs_fail(err, QS_E_FORMAT, "line %d: nested deeper than %d", line, (int)DEEPEST);
}

qs_status qs_yaml_parse(const char *text, size_t bytes, json_t **out, qs_error *err)
{
    qs_json_setup();
    yaml_parser_t parser;
    if (bytes > MOST_BYTES)
        return qs_fail(err, QS_E_FORMAT, "%zu bytes are too long for a recipe", bytes);
    QS_TRY(check_depth(text, bytes, err));
    if (!yaml_parser_initialize(&parser))
        return qs_fail_memory(err, sizeof parser, "a recipe");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
    const qs_status status = load(&parser, out, err);
    yaml_parser_delete(&parser);
    return status;
}
