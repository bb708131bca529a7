#include "text/grammar/schema/json_schema.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/grammar/schema/schema_cases.h"

namespace ambry::text {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

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
