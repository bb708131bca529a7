// The groups of JSON-Schema-Test-Suite, draft 2020-12. The suite is in the folder of test data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "data_files.h"
#include "text/grammar/accepts.h"
#include "text/grammar/schema/json_schema.h"

namespace ambry::text {
namespace {

namespace fs = std::filesystem;
using io::Json;

const std::string kSuite = "published/json-schema/tests/draft2020-12";

std::vector<fs::path> suite_files() {
  std::vector<fs::path> files;
  const fs::path folder = ::ambry::testing::data_folder() / kSuite;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// As JavaScript writes strings and numbers, which is how the grammar writes those that are given.
std::string scalar_text(const Json& value) {
  const bool is_whole = value.is_number() && std::abs(value.number()) < 1e15 &&
                        std::trunc(value.number()) == value.number();
  if (is_whole) return Json(static_cast<int64_t>(value.number())).dump();
  std::string text = value.dump();
  constexpr std::pair<std::string_view, std::string_view> kShorter[] = {{"\\u0008", "\\b"},
                                                                        {"\\u0009", "\\t"},
                                                                        {"\\u000a", "\\n"},
                                                                        {"\\u000c", "\\f"},
                                                                        {"\\u000d", "\\r"}};
  for (const auto& [from, to] : kShorter) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

std::string text_of(const Json& value) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ",") + part; };
  if (value.is_array()) {
    for (const Json& item : value.items()) add(text_of(item));
    return "[" + text + "]";
  }
  if (!value.is_object()) return scalar_text(value);
  for (const auto& [key, member] : value.members()) {
    add(scalar_text(Json(key)) + ":" + text_of(member));
  }
  return "{" + text + "}";
}

// Whether the object has a property that the schema does not name; such ones are written only where
// the schema speaks of them.
bool has_unnamed_property(const Json& value, const std::string& schema) {
  if (!value.is_object()) return false;
  return std::ranges::any_of(value.members(), [&](const Json::Member& member) {
    return schema.find(Json(member.first).dump()) == std::string::npos;
  });
}

struct Totals {
  int supported = 0;
  int empty = 0;  // allow nothing, or have a value that a keyword cannot have
  int refused = 0;
  int reached = 0;         // instances that the suite calls valid
  int unspoken_types = 0;  // valid, but of a type of which the schema does not speak
  int unnamed_properties = 0;
  int unreached = 0;  // valid, but not written for another reason (core/text/grammar/README.md)
};

void try_instances(const Json& group, GrammarMatcher& matcher, Totals& totals) {
  const std::string schema = group.find("schema")->dump();
  for (const Json& test : group.find("tests")->items()) {
    const Json& value = *test.find("data");
    const std::string text = text_of(value);
    const bool has = testing::accepts(matcher, text);
    if (!test.find("valid")->boolean()) {
      EXPECT_FALSE(has) << schema << " allows " << text;
    } else if (has) {
      ++totals.reached;
    } else if (matcher.next(matcher.start(), text.substr(0, 1)) == GrammarMatcher::kDead) {
      ++totals.unspoken_types;
    } else if (has_unnamed_property(value, schema)) {
      ++totals.unnamed_properties;
    } else {
      ++totals.unreached;
    }
  }
}

TEST(JsonSchemaSuite, RefusesASchemaByNameOrKeepsToIt) {
  AMBRY_NEEDS_DATA(kSuite);
  Totals totals;
  for (const fs::path& file : suite_files()) {
    const auto groups = io::parse_json(*::ambry::testing::read_text(file));
    ASSERT_TRUE(groups) << file;
    for (const Json& group : groups->items()) {
      SCOPED_TRACE(file.stem().string() + ": " + group.find("description")->string());
      const auto grammar = parse_json_schema(*group.find("schema"), "schema");
      auto matcher = grammar ? GrammarMatcher::create(*grammar, "schema") : grammar.error();
      if (matcher) {
        ++totals.supported;
        try_instances(group, *matcher, totals);
        continue;
      }
      EXPECT_TRUE(matcher.error().path.starts_with("schema")) << describe(matcher.error());
      ++(matcher.error().code == ErrorCode::BadValue ? totals.empty : totals.refused);
    }
  }
  EXPECT_GE(totals.supported, 347);
  EXPECT_LE(totals.empty, 16);
  EXPECT_LE(totals.refused, 98);
  EXPECT_GE(totals.reached, 603);
  EXPECT_LE(totals.unreached, 80);
  RecordProperty("supported", totals.supported);
  RecordProperty("refused", totals.refused);
  RecordProperty("reached", totals.reached);
  RecordProperty("unreached", totals.unreached);
}

}  // namespace
}  // namespace ambry::text
