// Schemas as zod, pydantic, TypeBox, Valibot and OpenAPI write them.
#include <gtest/gtest.h>

#include "text/grammar/schema/json_schema.h"
#include "text/grammar/schema/schema_cases.h"

namespace ambry::text {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

TEST(JsonSchema, TakesIntegersAndNumbersOfTools) {
  expect_case({R"({"type": "integer", "minimum": -9007199254740991, "maximum": 9007199254740991})",
               {"9007199254740991", "-9007199254740991", "0"},
               {"9007199254740992", "1.5"}});
  expect_case({R"({"type": "integer", "exclusiveMinimum": 0, "maximum": 9007199254740991})",
               {"1", "9007199254740991"},
               {"0", "-1"}});
  expect_case({R"({"type": "integer", "format": "int32"})",
               {"2147483647", "-2147483648"},
               {"2147483648", "-2147483649"}});
  expect_case({R"({"type": "integer", "format": "uint8"})", {"0", "255"}, {"-1", "256"}});
  expect_case({R"({"type": "number", "minimum": -3.4028234663852886e38,
                   "maximum": 3.4028234663852886e38})",
               {"1.5", "-2"},
               {"1e39"}});
  expect_case({R"({"type": "number", "minimum": 0, "exclusiveMinimum": true})", {"0.1"}, {"0"}});
  expect_case({R"({"type": "integer", "multipleOf": 5, "minimum": 3, "maximum": 20})",
               {"5", "10", "20"},
               {"0", "7", "25"}});
  expect_case({R"({"type": "number", "multipleOf": 0.01, "minimum": 0})",
               {"0.07", "12.5", "3"},
               {"0.071", "-1"}});
  expect_case({R"({"allOf": [{"multipleOf": 2}, {"multipleOf": 3}, {"not": {"multipleOf": 4}}],
                   "type": "integer", "minimum": 0, "maximum": 40})",
               {"6", "18", "30"},
               {"12", "2", "0"}});
}

TEST(JsonSchema, TakesStringsOfTools) {
  expect_case({R"({"type": "string", "format": "email",
                   "pattern": "^(?!\\.)(?!.*\\.\\.)([a-z'+.]*)[a-z]@([a-z]+\\.)+[a-z]{2,}$"})",
               {R"("a.b@c.de")", R"("x@a.b.cd")"},
               {R"(".a@c.de")", R"("a..b@c.de")", R"("a@c")"}});
  expect_case({R"({"type": "string", "format": "uuid",
                   "pattern": "^([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$"})",
               {R"("123e4567-e89b-42d3-a456-426614174000")"},
               {R"("123e4567-e89b-12d3-a456-426614174000")"}});
  expect_case({R"({"type": "string", "minLength": 2, "maxLength": 4, "pattern": "^[a-zü]+$"})",
               {R"("ab")", R"("aüüb")"},
               {R"("a")", R"("abcde")", R"("a1")"}});
  expect_case({R"({"type": "string", "minLength": 3,
                   "allOf": [{"pattern": "^[a-z\n]+$"}, {"pattern": "b"}]})",
               {R"("abc")", R"("\nab")"},
               {R"("ab")", R"("acd")"}});
  expect_case({R"({"type": "string", "pattern": "^(?=.*[A-Z])(?=.*\\d).{3,}$"})",
               {R"("aB3")", R"("3xxB")"},
               {R"("ab3")", R"("B3")"}});
  expect_case({R"({"type": "string", "format": "base64", "pattern": "^[a-z]*$"})",
               {R"("abc")"},
               {R"("A")"}});
  expect_case({R"({"type": "string", "format": "password"})", {R"("x")"}, {"1"}});
  expect_case({R"({"enum": ["ab", "cd", "a"], "type": "string", "minLength": 2})",
               {R"("ab")", R"("cd")"},
               {R"("a")"}});
  expect_case({R"({"type": "string", "not": {"enum": ["a", "b"]}})",
               {R"("")", R"("c")", R"("ab")"},
               {R"("a")", R"("b")"}});
}

TEST(JsonSchema, TakesObjectsOfTools) {
  expect_case({R"({"type": "object", "propertyNames": {"type": "string"},
                   "additionalProperties": {"type": "integer"}})",
               {"{}", R"({"a":1,"b":2})"},
               {R"({"a":"x"})"}});
  expect_case({R"({"type": "object", "propertyNames": {"enum": ["a", "b"]}, "required": ["a"],
                   "additionalProperties": {"type": "integer"}})",
               {R"({"a":1})", R"({"a":1,"b":2})"},
               {"{}", R"({"a":1,"c":2})", R"({"a":1,"a":1})"}});
  expect_case({R"({"type": "object", "propertyNames": {"pattern": "^k_", "maxLength": 4},
                   "additionalProperties": {"type": "null"}})",
               {R"({"k_":null})", R"({"k_ab":null,"k_c":null})"},
               {R"({"k_abc":null})", R"({"a":null})"}});
  expect_case({R"({"type": "object", "patternProperties": {"^a": {"type": "integer"},
                   "b$": {"minimum": 5}}, "additionalProperties": false})",
               {R"({"a":1})", R"({"ab":5})", R"({"xb":6})"},
               {R"({"ab":4})", R"({"x":1})", R"({"a":"x"})"}});
  expect_case({R"({"type": "string", "nullable": true})", {"null", R"("a")"}, {"1"}});
  expect_case({R"({"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
                   "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/$defs/Cat"}},
                   "$defs": {"Cat": {"type": "object", "required": ["kind", "n"], "properties": {
                       "kind": {"const": "cat", "type": "string"}, "n": {"type": "integer"}}},
                     "Dog": {"type": "object", "required": ["kind"], "properties": {
                       "kind": {"const": "dog", "type": "string"}}}}})",
               {R"({"kind":"cat","n":1})", R"({"kind":"dog"})"},
               {R"({"kind":"cat"})", R"({"kind":"dog","n":1})"}});
  expect_case({R"({"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}},
                             {"type": "object", "properties": {"b": {"type": "null"}}}],
                   "unevaluatedProperties": false})",
               {R"({"a":1,"b":null})", "{}"},
               {R"({"c":1})"}});
  expect_case({R"({"$id": "T0", "type": "object", "required": ["nodes"], "properties": {
                   "nodes": {"type": "array", "items": {"$ref": "T0"}}}})",
               {R"({"nodes":[{"nodes":[]}]})"},
               {R"({"nodes":[1]})"}});
  expect_case({R"({"properties": {"n": {"$id": "T0", "type": "object", "properties": {
                   "n": {"$ref": "T0"}}}}, "required": ["n"]})",
               {R"({"n":{"n":{}}})"},
               {R"({"n":{"n":1}})"}});
  expect_case({R"({"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"},
                   "c": {"type": "null"}}, "minProperties": 1, "maxProperties": 2})",
               {R"({"a":null})", R"({"a":null,"c":null})"},
               {"{}", R"({"a":null,"b":null,"c":null})"}});
}

TEST(JsonSchema, TakesConditions) {
  expect_case({R"({"type": "object", "properties": {"a": {"enum": ["x", "y"]}, "b": {"const": 1}},
                   "required": ["a"], "if": {"properties": {"a": {"const": "x"}}},
                   "then": {"required": ["b"]}})",
               {R"({"a":"x","b":1})", R"({"a":"y"})", R"({"a":"y","b":1})"},
               {R"({"a":"x"})"}});
  expect_case({R"({"properties": {"a": {"const": 1}, "b": {"const": 2}, "c": {"const": 3}},
                   "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"b": {"required": ["c"]}}})",
               {"{}", R"({"a":1,"b":2,"c":3})", R"({"b":2,"c":3})", R"({"c":3})"},
               {R"({"a":1})", R"({"a":1,"b":2})", R"({"b":2})"}});
  expect_case({R"({"type": ["string", "integer", "null"], "not": {"type": "string"}})",
               {"1", "null"},
               {R"("a")"}});
  expect_case({R"({"type": "integer", "not": {"minimum": 3, "maximum": 5}})",
               {"2", "6", "-7"},
               {"3", "5"}});
  expect_case({R"({"type": "number", "not": {"const": 2}, "minimum": 1, "maximum": 3})",
               {"1", "2.5", "2.01"},
               {"2", "2.0"}});
  expect_case({R"({"not": {"anyOf": [{"type": "object"}, {"type": "array"}]}})",
               {"1", R"("a")"},
               {"{}", "[]"}});
  expect_case({R"({"enum": [[1], {"a": 1}, {"a": 2, "b": 3}], "not": {"const": {"a": 1}},
                   "maxProperties": 2})",
               {"[1]", R"({"a":2,"b":3})"},
               {R"({"a":1})"}});
  expect_case({R"({"type": "object", "not": {"required": ["a"]}, "properties": {
                   "a": {"type": "null"}, "b": {"type": "null"}}})",
               {"{}", R"({"b":null})"},
               {R"({"a":null})"}});
}

TEST(JsonSchema, TakesConditionsOnLists) {
  expect_case({R"({"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 5}})",
               {"[5]", "[1,7,2]"},
               {"[]", "[1,2]"}});
  expect_case({R"({"type": "array", "items": {"enum": [1, 2]}, "contains": {"const": 2},
                   "minContains": 1, "maxContains": 2, "maxItems": 4})",
               {"[2]", "[1,2,1,2]"},
               {"[1]", "[2,2,2]", "[1,2,1,2,1]"}});
  expect_case({R"({"type": "array", "uniqueItems": true, "items": {"anyOf": [
                   {"const": "a", "type": "string"}, {"const": "b", "type": "string"}]}})",
               {"[]", R"(["a"])", R"(["a","b"])"},
               {R"(["a","a"])"}});
  expect_case({R"({"type": "array", "uniqueItems": true, "minItems": 2, "maxItems": 2,
                   "items": {"enum": [1, 2, 3]}})",
               {"[1,2]", "[1,3]", "[2,3]"},
               {"[1]", "[1,2,3]", "[1,1]"}});
  expect_case({R"({"prefixItems": [{"const": 1}, {"const": 2}], "minItems": 1})",
               {"[1]", "[1,2]"},
               {"[]", "[2]"}});
  expect_case({R"({"prefixItems": [{"const": 1}], "unevaluatedItems": {"const": 2},
                   "allOf": [{"prefixItems": [true, {"const": 3}]}]})",
               {"[1,3]", "[1,3,2]"},
               {"[1,2]", "[1,3,3]"}});
}

}  // namespace
}  // namespace ambry::text
