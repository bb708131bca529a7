// Schemas with what they allow, and faulty ones.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "text/grammar/accepts.h"
#include "text/grammar/schema/json_schema.h"

namespace ambry::text::testing {

struct SchemaCase {
  std::string_view schema;
  std::vector<std::string_view> allowed;
  std::vector<std::string_view> refused;
};

inline void expect_case(const SchemaCase& given) {
  SCOPED_TRACE(given.schema);
  const auto schema = io::parse_json(given.schema);
  ASSERT_TRUE(schema) << describe(schema.error());
  const auto grammar = parse_json_schema(*schema, "schema");
  ASSERT_TRUE(grammar) << describe(grammar.error());
  auto matcher = GrammarMatcher::create(*grammar, "schema");
  ASSERT_TRUE(matcher) << describe(matcher.error());
  for (const std::string_view text : given.allowed) {
    EXPECT_TRUE(accepts(*matcher, text)) << text;
    EXPECT_TRUE(io::parse_json(text)) << text;
  }
  for (const std::string_view text : given.refused) {
    EXPECT_FALSE(accepts(*matcher, text)) << text;
  }
}

struct SchemaFault {
  std::string_view schema;
  ErrorCode code;
  std::string_view path;
};

inline void expect_faults(const std::vector<SchemaFault>& faults) {
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

}  // namespace ambry::text::testing
