#include "text/grammar/matcher/grammar_matcher.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <string>
#include <vector>

#include "base/random.h"
#include "repetitions.h"
#include "text/grammar/accepts.h"
#include "text/grammar/form/gbnf.h"
#include "text/grammar/matcher/reference_matcher.h"

namespace ambry::text {
namespace {

Result<GrammarMatcher> gbnf_matcher(std::string_view text) {
  const auto grammar = parse_gbnf(text, "grammar");
  if (!grammar) return grammar.error();
  return GrammarMatcher::create(*grammar, "grammar");
}

// Grammars of few rules over a, b and c. Every reference but the last of a rule comes after a byte.
class RandomGrammar {
 public:
  explicit RandomGrammar(uint64_t seed) : random_(seed) {
    for (size_t i = 0; i < kRules; ++i)
      static_cast<void>(grammar_.add_rule(std::string(1, 'A' + static_cast<char>(i))));
    for (Grammar::Rule rule = 0; rule < kRules; ++rule) grammar_.define(rule, expression(3));
  }

  Grammar take() { return std::move(grammar_); }
  Random& random() { return random_; }

 private:
  static constexpr size_t kRules = 4;

  Grammar::Expression expression(int depth) {
    switch (random_.below(depth > 0 ? 8 : 3)) {
      case 0:
        return grammar_.literal(random_.below(2) == 0 ? "a" : "bc");
      case 1:
        return grammar_.bytes('a', random_.below(2) == 0 ? 'b' : 'c');
      case 2:
        return random_.below(3) == 0 ? Grammar::kEmpty : grammar_.literal("c");
      case 3:
      case 4:
        return grammar_.choice({expression(depth - 1), expression(depth - 1)});
      case 5: {
        const auto least = static_cast<uint32_t>(random_.below(3));
        const bool is_endless = random_.below(2) == 0;
        const auto more = static_cast<uint32_t>(random_.below(4));
        return grammar_.repeat(expression(depth - 1), least,
                               is_endless ? Grammar::kUnbounded : least + more);
      }
      case 6:
        return grammar_.sequence(
            {expression(depth - 1),
             grammar_.reference(static_cast<Grammar::Rule>(random_.below(kRules))),
             expression(depth - 1)});
      default:
        return grammar_.sequence({expression(depth - 1), expression(depth - 1)});
    }
  }

  Grammar grammar_;
  Random random_;
};

std::vector<std::string> texts_up_to(size_t length) {
  std::vector<std::string> texts = {""};
  for (size_t begin = 0, n = 1; n <= length; ++n) {
    const size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (const char c : {'a', 'b', 'c'}) texts.push_back(texts[begin] + c);
    }
  }
  return texts;
}

// The shortest text that leads from a state to an end.
std::string completion(GrammarMatcher& matcher, GrammarMatcher::State from) {
  std::vector<std::pair<GrammarMatcher::State, std::string>> open = {{from, ""}};
  std::vector<GrammarMatcher::State> seen = {from};
  for (size_t i = 0; i < open.size() && i < 5000; ++i) {
    const auto [state, text] = open[i];
    if (matcher.can_end(state)) return text;
    for (const char c : {'a', 'b', 'c'}) {
      const auto next = matcher.next(state, static_cast<uint8_t>(c));
      if (next == GrammarMatcher::kDead || std::ranges::count(seen, next) > 0) continue;
      seen.push_back(next);
      open.emplace_back(next, text + c);
    }
  }
  return "no completion";
}

TEST(GrammarMatcher, AgreesWithTheReferenceOnRandomGrammars) {
  const std::vector<std::string> texts = texts_up_to(5);
  size_t n_grammars = 0;
  size_t n_accepted = 0;
  constexpr uint64_t kGrammars = ambry::testing::repetitions(400);
  for (uint64_t seed = 0; seed < kGrammars; ++seed) {
    const Grammar grammar = RandomGrammar(seed).take();
    auto matcher = GrammarMatcher::create(grammar, "random");
    if (!matcher) continue;
    ++n_grammars;
    for (const std::string& text : texts) {
      const bool expected = testing::ReferenceMatcher(grammar, text).matches();
      ASSERT_EQ(testing::accepts(*matcher, text), expected) << seed << " " << text;
      n_accepted += expected ? 1 : 0;
      // A text that can begin an answer can be completed to one.
      const auto state = matcher->next(matcher->start(), text);
      if (state == GrammarMatcher::kDead || text.size() > 2) continue;
      const std::string whole = text + completion(*matcher, state);
      ASSERT_TRUE(testing::ReferenceMatcher(grammar, whole).matches()) << seed << " " << whole;
    }
  }
  EXPECT_GT(n_grammars, kGrammars / 4);
  EXPECT_GT(n_accepted, 5 * kGrammars / 2);
}

TEST(GrammarMatcher, RefusesRulesThatBeginWithThemselves) {
  const auto expect_circle = [](std::string_view grammar, std::string_view circle) {
    const auto matcher = gbnf_matcher(grammar);
    ASSERT_FALSE(matcher) << grammar;
    EXPECT_EQ(matcher.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(matcher.error().path, "grammar");
    EXPECT_NE(matcher.error().message.find(circle), std::string::npos) << matcher.error().message;
  };
  expect_circle("root ::= root \"a\" | \"b\"", "root → root");
  expect_circle("root ::= \"x\" a\na ::= b \"1\" | \"2\"\nb ::= a", "a → b → a");
  expect_circle("root ::= e root | \"a\"\ne ::= \"\" | \"b\"", "root → root");
  expect_circle("root ::= (\" \"* root){3} | \"a\"", "root → root");
}

TEST(GrammarMatcher, RefusesAGrammarThatAllowsNothing) {
  for (const char* grammar :
       {"root ::= \"a\" root", "root ::= []", "root ::= \"a\" b\nb ::= \"(\" b \")\""}) {
    const auto matcher = gbnf_matcher(grammar);
    ASSERT_FALSE(matcher) << grammar;
    EXPECT_EQ(matcher.error().code, ErrorCode::BadValue);
    EXPECT_EQ(matcher.error().message, "no text has this form");
  }
}

TEST(GrammarMatcher, CutsOffBranchesWithoutAnEnd) {
  auto matcher = gbnf_matcher("root ::= \"a\" | \"b\" never\nnever ::= \"c\" never");
  ASSERT_TRUE(matcher);
  EXPECT_NE(matcher->next(matcher->start(), "a"), GrammarMatcher::kDead);
  EXPECT_EQ(matcher->next(matcher->start(), "b"), GrammarMatcher::kDead);
}

TEST(GrammarMatcher, KnowsWhetherTheTextMayEndOrGoOn) {
  auto matcher = gbnf_matcher("root ::= \"ab\" \"c\"?");
  ASSERT_TRUE(matcher);
  const auto ab = matcher->next(matcher->start(), "ab");
  EXPECT_FALSE(matcher->can_end(matcher->start()));
  EXPECT_TRUE(matcher->can_end(ab));
  EXPECT_TRUE(matcher->can_go_on(ab));
  const auto abc = matcher->next(ab, "c");
  EXPECT_TRUE(matcher->can_end(abc));
  EXPECT_FALSE(matcher->can_go_on(abc));
}

// A list that is written by recursion comes back to the same state, as a repetition does.
TEST(GrammarMatcher, ComesBackToTheSameState) {
  for (const char* grammar : {"root ::= \"a\"*", "root ::= \"a\" root | \"\"",
                              "root ::= \"a\" x | \"a\"\nx ::= \"a\" root | \"a\""}) {
    auto matcher = gbnf_matcher(grammar);
    ASSERT_TRUE(matcher);
    const auto some = matcher->next(matcher->start(), "aaaa");
    EXPECT_EQ(matcher->next(some, "aa"), some) << grammar;
  }
}

// Every prefix of this text is read in 2^n ways.
TEST(GrammarMatcher, ReadsAmbiguousGrammarsInPolynomialTime) {
  const std::vector<std::string> grammars = {
      "root ::= \"a\" x | \"a\" y | \"\"\nx ::= root \"x\"\ny ::= root \"y\"",
      "root ::= (\"a\"? \"a\"? \"a\"?)*",
      "root ::= \"a\" root root | \"a\"",
      "root ::= \"a\" | \"(\" root root? root? \")\" | root2\nroot2 ::= \"a\" root?",
  };
  for (const std::string& grammar : grammars) {
    auto matcher = gbnf_matcher(grammar);
    ASSERT_TRUE(matcher) << grammar;
    auto state = matcher->start();
    for (int i = 0; i < 200; ++i) state = matcher->next(state, 'a');
    EXPECT_NE(state, GrammarMatcher::kDead) << grammar;
    EXPECT_FALSE(matcher->is_exhausted()) << grammar;
  }
}

// Each rule calls the next one in two ways before a byte is read: 2^30 stacks of calls.
TEST(GrammarMatcher, SharesCallsAtTheSamePlace) {
  std::string grammar = "root ::= r0\n";
  for (int i = 0; i < 30; ++i) {
    const std::string next = "r" + std::to_string(i + 1);
    grammar += "r" + std::to_string(i) + " ::= " + next + " \"x\" | " + next + " \"y\"\n";
  }
  grammar += "r30 ::= \"a\"\n";
  auto matcher = gbnf_matcher(grammar);
  ASSERT_TRUE(matcher);
  EXPECT_TRUE(testing::accepts(*matcher, "a" + std::string(15, 'x') + std::string(15, 'y')));
  EXPECT_FALSE(testing::accepts(*matcher, "a" + std::string(29, 'x')));
}

TEST(GrammarMatcher, KeepsAStateWhenItForgetsTheOthers) {
  auto matcher = gbnf_matcher("root ::= \"(\" root* \")\" | \"x\"");
  ASSERT_TRUE(matcher);
  const auto deep = matcher->keep_only(matcher->next(matcher->start(), "(x(((x"));
  EXPECT_FALSE(matcher->can_end(deep));
  EXPECT_TRUE(matcher->can_end(matcher->next(deep, "))))")));
  EXPECT_EQ(matcher->next(deep, ")))))"), GrammarMatcher::kDead);
  const auto again = matcher->keep_only(matcher->next(deep, "x))"));
  EXPECT_TRUE(matcher->can_end(matcher->next(again, "))")));
}

// Open calls fill the memory, and the matcher stops instead of growing.
TEST(GrammarMatcher, StopsAtItsLimits) {
  auto matcher = gbnf_matcher("root ::= \"(\" root* \")\" | [^()]");
  ASSERT_TRUE(matcher);
  auto state = matcher->start();
  size_t depth = 0;
  while (state != GrammarMatcher::kDead && depth < 10'000'000) {
    state = matcher->next(state, '(');
    ++depth;
  }
  EXPECT_TRUE(matcher->is_exhausted());
  EXPECT_LT(depth, 10'000'000U);
}

TEST(GrammarMatcher, RefusesANetworkThatIsTooLarge) {
  const auto matcher = gbnf_matcher(
      "root ::= (\"a\" | \"b\"){100000} (\"c\" | \"d\"){100000} (\"e\" | \"f\"){100000} (\"e\" | "
      "\"h\"){100000} (\"g\" | \"f\"){100000} (\"e\" | \"f\"){100000}");
  ASSERT_FALSE(matcher);
  EXPECT_EQ(matcher.error().code, ErrorCode::LimitExceeded);
}

}  // namespace
}  // namespace ambry::text
