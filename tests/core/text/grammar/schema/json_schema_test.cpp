#include "text/grammar/schema/json_schema.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/grammar/accepts.h"

namespace ambry::text {
namespace {

struct SchemaCase {
  std::string_view schema;
  std::vector<std::string_view> allowed;
  std::vector<std::string_view> refused;
};

void expect_case(const SchemaCase& given) {
  SCOPED_TRACE(given.schema);
  const auto schema = io::parse_json(given.schema);
  ASSERT_TRUE(schema) << describe(schema.error());
  const auto grammar = parse_json_schema(*schema, "schema");
  ASSERT_TRUE(grammar) << describe(grammar.error());
  auto matcher = GrammarMatcher::create(*grammar, "schema");
  ASSERT_TRUE(matcher) << describe(matcher.error());
  for (const std::string_view text : given.allowed) {
    EXPECT_TRUE(testing::accepts(*matcher, text)) << text;
    EXPECT_TRUE(io::parse_json(text)) << text;
  }
  for (const std::string_view text : given.refused) {
    EXPECT_FALSE(testing::accepts(*matcher, text)) << text;
  }
}

struct SchemaFault {
  std::string_view schema;
  ErrorCode code;
  std::string_view path;
};

void expect_faults(const std::vector<SchemaFault>& faults) {
  for (const SchemaFault& fault : faults) {
    SCOPED_TRACE(fault.schema);
    const auto schema = io::parse_json(fault.schema);
    ASSERT_TRUE(schema) << describe(schema.error());
    const auto grammar = parse_json_schema(*schema, "schema");
    const auto matcher = grammar ? GrammarMatcher::create(*grammar, "schema") : grammar.error();
    ASSERT_FALSE(matcher);
    EXPECT_EQ(matcher.error().code, fault.code) << matcher.error().message;
    EXPECT_EQ(matcher.error().path, fault.path);
  }
}

TEST(JsonSchema, WritesTheTypes) {
  expect_case({R"({"type": "null"})", {"null"}, {"", "nul", "false"}});
  expect_case({R"({"type": "boolean"})", {"true", "false"}, {"null"}});
  expect_case({R"({"type": "integer"})", {"0", "-17"}, {"1.5", "\"1\""}});
  expect_case({R"({"type": "number"})", {"0", "-1.5e3"}, {"\"1\"", "-"}});
  expect_case({R"({"type": "string"})",
               {R"("")", R"("a\n\u00e9é\ud83d\ude00")"},
               {"\"\n\"", R"("\ud83d")", R"("\x")", "\"a"}});
  expect_case({R"({"type": "array"})", {"[]", "[1, [null,{}]]"}, {"[1,]", "[ ]"}});
  expect_case({R"({"type": "object"})", {"{}", R"({"a": {"b":[]}})"}, {"{a:1}", R"({"a"})"}});
  expect_case({R"({"type": ["string", "null"]})", {R"("a")", "null"}, {"1"}});
  expect_case({"true", {"1", "[{}]", R"("x")"}, {"", "x"}});
  expect_case({"{}", {"1", "null"}, {"undefined"}});
}

TEST(JsonSchema, WritesPropertiesInTheirOrder) {
  expect_case({R"({"type": "object", "required": ["b"], "properties": {
                   "a": {"type": "integer"}, "b": {"type": "null"}, "c": {"type": "boolean"}}})",
               {R"({"a":1,"b":null,"c":true})", R"({"b": null})", R"({"a": 1, "b": null})",
                R"({"b":null,"c":false})"},
               {R"({})", R"({"a":1})", R"({"b":null,"a":1})", R"({"b":null,})",
                R"({"b":null,"d":1})", R"({"a":1"b":null})"}});
  expect_case({R"({"properties": {"a": {"const": 1}, "b": {"const": 2}}})",
               {"{}", R"({"a":1})", R"({"b":2})", R"({"a":1,"b":2})"},
               {R"({,"b":2})", R"({"a":2})", "3"}});
  expect_case({R"({"type": "object", "properties": {"a\"\n": true, "ü": true}})",
               {R"({"a\"\n":1,"ü":2})"},
               {"{\"a\"\n\":1}"}});
  expect_case({R"({"type": "object", "required": ["x"]})", {R"({"x":[1]})"}, {"{}"}});
}

TEST(JsonSchema, WritesOtherProperties) {
  expect_case({R"({"type": "object", "additionalProperties": {"type": "integer"}})",
               {"{}", R"({"a":1,"b":2})"},
               {R"({"a":"x"})", R"({"a":1,})"}});
  expect_case({R"({"type": "object", "properties": {"ab": {"const": 1}, "abc": {"const": 2}},
                   "required": ["abc"], "additionalProperties": {"type": "null"}})",
               {R"({"abc":2})", R"({"ab":1,"abc":2,"a":null,"abcd":null,"x":null,"":null})"},
               {R"({"abc":2,"ab":null})", R"({"abc":2,"abc":null})", R"({"a":null,"abc":2})",
                R"({"abc":2,"\u0061b":null})"}});
  expect_case({R"({"type": "object", "additionalProperties": false})", {"{}"}, {R"({"a":1})"}});
  expect_case({R"({"type": "object", "minProperties": 1, "maxProperties": 2})",
               {R"({"a":1})", R"({"a":1,"b":2})"},
               {"{}", R"({"a":1,"b":2,"c":3})"}});
}

TEST(JsonSchema, WritesLists) {
  expect_case({R"({"items": {"type": "integer"}, "minItems": 1, "maxItems": 3})",
               {"[1]", "[1,2]", "[1, 2, 3]"},
               {"[]", "[1,2,3,4]", "[\"a\"]"}});
  expect_case({R"({"items": {"type": "integer"}, "maxItems": 1})", {"[]", "[1]"}, {"[1,2]"}});
  expect_case({R"({"type": "array", "maxItems": 0})", {"[]"}, {"[1]"}});
  expect_case({R"({"items": true, "minItems": 2})", {"[1,2]", "[1,2,3]"}, {"[1]", "[]"}});
  expect_case({R"({"prefixItems": [{"const": 1}, {"const": "b"}]})",
               {R"([1,"b"])"},
               {R"([1,"b",2])", R"(["b",1])"}});
  expect_case({R"({"prefixItems": [{"const": 1}], "items": {"const": 2}, "minItems": 2})",
               {"[1,2]", "[1,2,2]"},
               {"[1]", "[1,1]"}});
  expect_case(
      {R"({"items": [{"const": 1}], "additionalItems": {"const": 2}})", {"[1]", "[1,2]"}, {"[2]"}});
  expect_case(
      {R"({"prefixItems": [{"const": 1}, {"const": 2}], "maxItems": 1})", {"[1]"}, {"[1,2]"}});
  expect_case({R"({"type": "array", "maxItems": 1, "uniqueItems": true})", {"[1]"}, {"[1,1]"}});
}

TEST(JsonSchema, WritesFixedValues) {
  expect_case({R"({"enum": ["a\"b", 1, 1.5, null, [1, {"k": true}]]})",
               {R"("a\"b")", "1", "1.5", "null", R"([1,{"k":true}])", R"([1, {"k": true}])"},
               {"2", R"("a")", "[1]"}});
  expect_case({R"({"type": "string", "enum": ["a", 1]})", {R"("a")"}, {"1"}});
  expect_case({R"({"const": -3})", {"-3"}, {"3", "-30"}});
}

TEST(JsonSchema, WritesStringsOfALength) {
  expect_case({R"({"minLength": 2, "maxLength": 3})",
               {R"("ab")", R"("é\n😀")", R"("\ud83d\ude00x")"},
               {R"("a")", R"("abcd")", "5"}});
  expect_case({R"({"type": "string", "maxLength": 0})", {R"("")"}, {R"("a")"}});
}

TEST(JsonSchema, WritesPatternsAsJson) {
  expect_case({R"({"type": "string", "pattern": "^[a-c\"\\\\]+$"})",
               {R"("ab\"\\")"},
               {R"("a"b")", R"("")", R"("d")"}});
  expect_case({R"({"type": "string", "pattern": "b"})", {R"("abc")", R"("\"b\n")"}, {R"("ac")"}});
  expect_case({R"({"type": "string", "pattern": "^.\\n$"})", {R"("x\n")"}, {"\"x\n\""}});
}

TEST(JsonSchema, WritesFormats) {
  expect_case({R"({"type": "string", "format": "date"})",
               {R"("2024-02-29")", R"("2000-02-29")", R"("1999-12-31")", R"("2023-04-30")"},
               {R"("2023-02-29")", R"("1900-02-29")", R"("2023-04-31")", R"("2023-13-01")",
                R"("2023-1-01")", R"("2023-00-10")", R"("2023-01-00")"}});
  expect_case({R"({"type": "string", "format": "time"})",
               {R"("23:59:59Z")", R"("00:00:00.125+02:00")"},
               {R"("24:00:00Z")", R"("23:60:00Z")", R"("12:00:00")"}});
  expect_case({R"({"type": "string", "format": "date-time"})",
               {R"("2024-01-02T03:04:05Z")"},
               {R"("2024-01-02 03:04:05Z")"}});
  expect_case({R"({"type": "string", "format": "uuid"})",
               {R"("123e4567-e89b-12d3-a456-426614174000")"},
               {R"("123e4567-e89b-12d3-a456-42661417400")"}});
  expect_case({R"({"type": "string", "format": "ipv4"})",
               {R"("255.0.10.199")"},
               {R"("256.0.0.1")", R"("01.0.0.1")", R"("1.2.3")"}});
}

TEST(JsonSchema, WritesNumbersBetweenBounds) {
  expect_case({R"({"type": "integer", "minimum": -5, "exclusiveMaximum": 12})",
               {"-5", "0", "11"},
               {"-6", "12", "-0"}});
  expect_case({R"({"minimum": 0.5, "maximum": 1})",
               {"0.5", "0.75", "1", "1.00"},
               {"0.4", "0", "1.01", "true"}});
  expect_case({R"({"type": "integer", "minimum": 1, "exclusiveMinimum": 1})", {"2"}, {"1"}});
  expect_case({R"({"type": "integer", "minimum": 3, "exclusiveMinimum": 1})", {"3"}, {"2"}});
}

TEST(JsonSchema, FollowsReferences) {
  expect_case({R"({"$ref": "#/$defs/list", "$defs": {"list": {"type": "object",
                   "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/list"}},
                   "required": ["v"]}}})",
               {R"({"v":1})", R"({"v":1,"next":{"v":2,"next":{"v":3}}})"},
               {R"({"v":1,"next":{}})"}});
  expect_case({R"({"type": "array", "items": {"$ref": "#"}})", {"[]", "[[],[[]]]"}, {"[1]"}});
  expect_case(
      {R"({"definitions": {"a/b~c %": {"const": 1}}, "$ref": "#/definitions/a~1b~0c%20%25"})",
       {"1"},
       {"2"}});
  expect_case({R"({"$defs": {"n": {"type": "integer"}}, "$ref": "#/$defs/n", "maximum": 5,
                   "description": "beside"})",
               {"5"},
               {"6"}});
  expect_case(
      {R"({"prefixItems": [{"const": 1}, {"$ref": "#/prefixItems/0"}]})", {"[1,1]"}, {"[1,2]"}});
}

TEST(JsonSchema, CombinesSchemas) {
  expect_case({R"({"anyOf": [{"type": "integer"}, {"const": "x"}]})", {"1", R"("x")"}, {"null"}});
  expect_case({R"({"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2}},
                   "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})",
               {R"({"a":1})", R"({"b":2})", R"({"a":1,"b":2})"},
               {"{}"}});
  expect_case({R"({"allOf": [{"type": ["integer", "string"]}, {"type": "number"}, {"minimum": 3},
                             {"$ref": "#/$defs/small"}], "$defs": {"small": {"maximum": 5}}})",
               {"3", "5"},
               {"2", "6", "3.5", R"("a")"}});
  expect_case({R"({"allOf": [{"properties": {"a": {"type": "integer"}}, "required": ["a"]},
                             {"properties": {"a": {"minimum": 2}, "b": {"type": "null"}}}]})",
               {R"({"a":2})", R"({"a":2,"b":null})"},
               {R"({"a":1})", R"({"b":null})"}});
  expect_case(
      {R"({"allOf": [{"enum": [1, 2, 3]}, {"enum": [3, 2.0, 5]}]})", {"2", "3"}, {"1", "5"}});
}

TEST(JsonSchema, WritesOneOfWhereNoValueFitsTwo) {
  expect_case({R"({"oneOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]})",
               {R"("a")", "1", "null"},
               {"true"}});
  expect_case({R"({"oneOf": [{"const": 1}, {"enum": [2, "a"]}]})", {"1", "2", R"("a")"}, {"3"}});
  expect_case({R"({"oneOf": [
                   {"type": "object", "required": ["kind"],
                    "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}},
                   {"$ref": "#/$defs/b"}],
                   "$defs": {"b": {"type": "object", "required": ["kind"],
                                   "properties": {"kind": {"enum": ["b", "c"]}}}}})",
               {R"({"kind":"a","x":1})", R"({"kind":"c"})"},
               {R"({"kind":"b","x":1})"}});
  expect_case({R"({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 2}]})",
               {"1", "-3", "2.5"},
               {"2", "3", "1.5"}});
  expect_case({R"({"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2}},
                   "oneOf": [{"required": ["a"]}, {"required": ["b"]}]})",
               {R"({"a":1})", R"({"b":2})"},
               {"{}", R"({"a":1,"b":2})"}});
  expect_faults(
      {{R"({"oneOf": [{"const": 1}, {"const": 1.0}]})", ErrorCode::BadValue, "schema"},
       {R"({"oneOf": [{"type": "object"}, {"type": "object"}]})", ErrorCode::BadValue, "schema"}});
}

TEST(JsonSchema, IgnoresAnnotations) {
  expect_case({R"({"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "x",
                   "$comment": "c", "title": "t", "description": "d", "default": 7,
                   "examples": [8], "example": 8, "x-order": 1, "xml": {}, "deprecated": true, "readOnly": true, "type": "null"})",
               {"null"},
               {"7", "8"}});
}

TEST(JsonSchema, RefusesKeywordsByName) {
  for (const char* keyword :
       {"$recursiveRef", "$recursiveAnchor", "$vocabulary", "maxLenght", "id"}) {
    const std::string schema = std::string(R"({"properties": {"a": {")") + keyword + R"(": {}}}})";
    expect_faults(
        {{schema, ErrorCode::Unsupported, std::string("schema.properties.a.").append(keyword)}});
  }
}

// Assertions that a grammar cannot keep to are refused where they stand.
TEST(JsonSchema, RefusesWhatItCannotEnforce) {
  expect_faults({
      {R"({"items": {"type": "string"}, "uniqueItems": true})", ErrorCode::Unsupported,
       "schema.uniqueItems"},
      {R"({"allOf": [{"contains": {"const": 1}}, {"contains": {"const": 2}}]})",
       ErrorCode::Unsupported, "schema.allOf[1].contains"},
      {R"({"not": {"patternProperties": {"a": {"type": "null"}}}})", ErrorCode::Unsupported,
       "schema.not.patternProperties"},
      {R"({"not": {"uniqueItems": true}})", ErrorCode::Unsupported, "schema.not.uniqueItems"},
      {R"({"type": "string", "format": "iri"})", ErrorCode::Unsupported, "schema.format"},
      {R"({"pattern": "a(?=b)c"})", ErrorCode::Unsupported, "schema.pattern"},
      {R"({"pattern": "^(?=a)b|c"})", ErrorCode::Unsupported, "schema.pattern"},
      {R"({"not": {"pattern": "^(?=a)b"}})", ErrorCode::Unsupported, "schema.not.pattern"},
      {R"({"multipleOf": 12345.678})", ErrorCode::LimitExceeded, "schema.multipleOf"},
      {R"({"pattern": "^(?:.{500}|.{499})*$", "minLength": 900, "maxLength": 1000,
           "not": {"pattern": "^.*a.{12}$"}})",
       ErrorCode::LimitExceeded, "schema"},
      {R"({"minProperties": 2})", ErrorCode::Unsupported, "schema.minProperties"},
      {R"({"properties": {"a": {"$id": "https://example.com/a"}}})", ErrorCode::Unsupported,
       "schema.properties.a.$id"},
      {R"({"$ref": "other.json"})", ErrorCode::Unsupported, "schema.$ref"},
  });
}

// As zod, pydantic, TypeBox, Valibot and OpenAPI write schemas.
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

// Schemas that refer to themselves are compiled once, also where they are joined with others.
TEST(JsonSchema, JoinsSchemasThatReferToThemselves) {
  expect_case({R"({"$defs": {
                     "base": {"type": "object", "properties": {"v": {"type": "integer"},
                              "next": {"$ref": "#/$defs/base"}}},
                     "small": {"properties": {"v": {"maximum": 3}, "next": {"$ref": "#/$defs/small"}}}},
                   "allOf": [{"$ref": "#/$defs/base"}, {"$ref": "#/$defs/small"}],
                   "required": ["v"]})",
               {R"({"v":3,"next":{"v":2,"next":{}}})"},
               {R"({"v":3,"next":{"v":4}})", R"({"v":5})"}});
}

TEST(JsonSchema, NamesWhatIsWrongAndWhere) {
  expect_faults({
      {"3", ErrorCode::BadValue, "schema"},
      {R"({"type": "float"})", ErrorCode::BadValue, "schema.type"},
      {R"({"type": ["string", 3]})", ErrorCode::BadValue, "schema.type"},
      {R"({"properties": []})", ErrorCode::BadValue, "schema.properties"},
      {R"({"required": "a"})", ErrorCode::BadValue, "schema.required"},
      {R"({"required": [1]})", ErrorCode::BadValue, "schema.required"},
      {R"({"items": 3})", ErrorCode::BadValue, "schema.items"},
      {R"({"prefixItems": {}})", ErrorCode::BadValue, "schema.prefixItems"},
      {R"({"minItems": -1})", ErrorCode::BadValue, "schema.minItems"},
      {R"({"minLength": 1.5})", ErrorCode::BadValue, "schema.minLength"},
      {R"({"minItems": 100001})", ErrorCode::LimitExceeded, "schema.minItems"},
      {R"({"enum": {}})", ErrorCode::BadValue, "schema.enum"},
      {R"({"anyOf": []})", ErrorCode::BadValue, "schema.anyOf"},
      {R"({"allOf": {}})", ErrorCode::BadValue, "schema.allOf"},
      {R"({"pattern": 3})", ErrorCode::BadValue, "schema.pattern"},
      {R"({"pattern": "a\\b"})", ErrorCode::Unsupported, "schema.pattern"},
      {R"({"minimum": "a"})", ErrorCode::BadValue, "schema.minimum"},
      {R"({"minimum": 1e300})", ErrorCode::Unsupported, "schema.minimum"},
      {R"({"multipleOf": 0})", ErrorCode::BadValue, "schema.multipleOf"},
      {R"({"uniqueItems": "yes"})", ErrorCode::BadValue, "schema.uniqueItems"},
      {R"({"patternProperties": []})", ErrorCode::BadValue, "schema.patternProperties"},
      {R"({"dependentRequired": []})", ErrorCode::BadValue, "schema.dependentRequired"},
      {R"({"exclusiveMaximum": true})", ErrorCode::BadValue, "schema.exclusiveMaximum"},
      {R"({"$ref": "#/$defs/missing"})", ErrorCode::NotFound, "schema.$ref"},
      {R"({"$ref": 3})", ErrorCode::BadValue, "schema.$ref"},
  });
}

TEST(JsonSchema, RefusesASchemaThatAllowsNothing) {
  expect_faults({
      {"false", ErrorCode::BadValue, "schema"},
      {R"({"enum": []})", ErrorCode::BadValue, "schema"},
      {R"({"type": []})", ErrorCode::BadValue, "schema"},
      {R"({"type": "integer", "minimum": 3, "maximum": 2})", ErrorCode::BadValue, "schema"},
      {R"({"minLength": 3, "maxLength": 2})", ErrorCode::BadValue, "schema"},
      {R"({"minItems": 3, "maxItems": 2})", ErrorCode::BadValue, "schema"},
      {R"({"required": ["a"], "additionalProperties": false})", ErrorCode::BadValue, "schema"},
      {R"({"required": ["a"], "properties": {"a": false}})", ErrorCode::BadValue, "schema"},
      {R"({"required": ["a"], "properties": {"a": {"$ref": "#"}}})", ErrorCode::BadValue, "schema"},
      {R"({"allOf": [{"type": "string"}, {"type": "null"}]})", ErrorCode::BadValue, "schema"},
      {R"({"type": "string", "const": 1})", ErrorCode::BadValue, "schema"},
  });
  expect_case({R"({"properties": {"a": false}})", {"{}"}, {R"({"a":1})"}});
}

TEST(JsonSchema, RefusesTooManyNames) {
  std::string names;
  for (int i = 0; i <= 2000; ++i) names += (i > 0 ? ", \"" : "\"") + std::to_string(i) + "\"";
  const std::string list = "{\"required\": [" + names + "]}";
  expect_faults({{list, ErrorCode::LimitExceeded, "schema.required"}});
  const std::string nested = "{\"oneOf\": [{\"type\": \"null\"}, " + list + "]}";
  expect_faults({{nested, ErrorCode::LimitExceeded, "schema.oneOf[1].required"}});
}

TEST(JsonSchema, RefusesReferencesThatLeadNowhere) {
  expect_faults({
      {R"({"$ref": "#"})", ErrorCode::BadValue, "schema.$ref"},
      {R"({"anyOf": [{"$ref": "#/anyOf/0"}]})", ErrorCode::BadValue, "schema.anyOf[0].$ref"},
      {R"({"$ref": "#", "minimum": 3})", ErrorCode::BadValue, "schema.$ref"},
      {R"({"allOf": [{"$ref": "#"}]})", ErrorCode::BadValue, "schema.allOf[0].$ref"},
      {R"({"not": {"$ref": "#"}})", ErrorCode::BadValue, "schema.not.$ref"},
  });
}

}  // namespace
}  // namespace ambry::text
