#include "text/grammar/regular/intersection.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "text/grammar/accepts.h"
#include "text/grammar/form/regex.h"

namespace ambry::text {
namespace {

struct Condition {
  std::string regex;
  Belongs belongs;
};

Grammar grammar_of(const std::string& regex) {
  Grammar grammar;
  const Grammar::Rule root = grammar.add_rule("root");
  grammar.define(root, *parse_regex(grammar, regex, "regex", RegexMatch::Whole, utf8_of));
  return grammar;
}

Intersection texts_of(const std::vector<Condition>& conditions) {
  Intersection texts("texts");
  for (const Condition& condition : conditions) {
    EXPECT_TRUE(texts.add(grammar_of(condition.regex), condition.belongs));
  }
  return texts;
}

// All texts of up to six letters of a, b and c.
std::vector<std::string> short_texts() {
  std::vector<std::string> texts = {""};
  for (size_t i = 0; texts[i].size() < 6; ++i) {
    for (const char c : {'a', 'b', 'c'}) texts.push_back(texts[i] + c);
  }
  return texts;
}

TEST(Intersection, HasExactlyTheTextsThatFitAllConditions) {
  const std::vector<std::vector<Condition>> cases = {
      {{"[a-c]*", Belongs::Yes}, {".*ab.*", Belongs::Yes}},
      {{"[a-c]*", Belongs::Yes}, {".*ab.*", Belongs::No}},
      {{"(?:ab|c)*", Belongs::Yes}, {".{2,4}", Belongs::Yes}, {".*cc.*", Belongs::No}},
      {{"a*b*c*", Belongs::Yes}, {"(?:..)*", Belongs::Yes}, {"a.*", Belongs::No}},
      {{"[a-c]*", Belongs::Yes}, {"a|b|abc", Belongs::No}},
  };
  for (const std::vector<Condition>& conditions : cases) {
    Intersection texts = texts_of(conditions);
    Grammar grammar;
    const Grammar::Rule root = grammar.add_rule("root");
    size_t n_states_left = 1000;
    const auto made = texts.build(grammar, n_states_left);
    ASSERT_TRUE(made);
    EXPECT_LT(n_states_left, 1000U);
    grammar.define(root, *made);
    auto matcher = GrammarMatcher::create(grammar, "texts");
    ASSERT_TRUE(matcher);
    for (const std::string& text : short_texts()) {
      bool fits = true;
      for (const Condition& condition : conditions) {
        const bool matches = std::regex_match(text, std::regex(condition.regex));
        fits = fits && matches == (condition.belongs == Belongs::Yes);
      }
      ASSERT_EQ(testing::accepts(*matcher, text), fits) << text;
      ASSERT_EQ(texts.has(text), fits) << text;
    }
  }
}

TEST(Intersection, IsNothingWhereNoTextFits) {
  for (const auto& conditions : std::vector<std::vector<Condition>>{
           {{"a+", Belongs::Yes}, {"b+", Belongs::Yes}},
           {{"a{3}", Belongs::Yes}, {"a*", Belongs::No}},
           {{"[]", Belongs::Yes}, {"a", Belongs::Yes}},
       }) {
    Intersection texts = texts_of(conditions);
    Grammar grammar;
    size_t n_states_left = 1000;
    const auto made = texts.build(grammar, n_states_left);
    ASSERT_TRUE(made);
    EXPECT_EQ(*made, Grammar::kNothing);
    EXPECT_FALSE(texts.has("a"));
  }
}

TEST(Intersection, StopsAtItsLimit) {
  Intersection texts = texts_of({{".*a.{12}", Belongs::Yes}, {".*b.{11}", Belongs::Yes}});
  Grammar grammar;
  size_t n_states_left = 1000;
  const auto made = texts.build(grammar, n_states_left);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(made.error().path, "texts");
}

}  // namespace
}  // namespace ambry::text
