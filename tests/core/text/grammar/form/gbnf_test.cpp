#include "text/grammar/form/gbnf.h"

#include <gtest/gtest.h>

#include <string>

#include "text/grammar/accepts.h"

namespace ambry::text {
namespace {

bool gbnf_accepts(std::string_view grammar, std::string_view text) {
  const auto parsed = parse_gbnf(grammar, "grammar");
  if (!parsed) {
    ADD_FAILURE() << describe(parsed.error());
    return false;
  }
  return testing::accepts(*parsed, text);
}

struct GbnfFault {
  std::string_view grammar;
  ErrorCode code;
  uint64_t offset;
  std::string_view in_message;
};

void expect_fault(const GbnfFault& fault) {
  SCOPED_TRACE(fault.grammar);
  const auto parsed = parse_gbnf(fault.grammar, "options.format.grammar");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, fault.code);
  EXPECT_EQ(parsed.error().byte_offset, fault.offset);
  EXPECT_EQ(parsed.error().path, "options.format.grammar");
  EXPECT_NE(parsed.error().message.find(fault.in_message), std::string::npos)
      << parsed.error().message;
}

TEST(Gbnf, ReadsLiteralsAndTheirEscapes) {
  EXPECT_TRUE(gbnf_accepts(R"(root ::= "a\tb\n\"\\\x41\u00e9\U0001F600")", "a\tb\n\"\\Aé😀"));
  EXPECT_FALSE(gbnf_accepts(R"(root ::= "abc")", "ab"));
  EXPECT_FALSE(gbnf_accepts(R"(root ::= "abc")", "abcd"));
  EXPECT_TRUE(gbnf_accepts(R"(root ::= "")", ""));
}

TEST(Gbnf, ReadsClasses) {
  EXPECT_TRUE(gbnf_accepts("root ::= [a-cx]+", "abcx"));
  EXPECT_FALSE(gbnf_accepts("root ::= [a-cx]+", "d"));
  EXPECT_TRUE(gbnf_accepts(R"(root ::= [^"\\]+)", "it's äöü 😀"));
  EXPECT_FALSE(gbnf_accepts(R"(root ::= [^"\\]+)", "\""));
  EXPECT_TRUE(gbnf_accepts("root ::= [α-ω]", "λ"));
  EXPECT_FALSE(gbnf_accepts("root ::= [α-ω]", "Λ"));
  EXPECT_TRUE(gbnf_accepts(R"(root ::= [\]a-]*)", "]-a"));
  EXPECT_TRUE(gbnf_accepts("root ::= .", "\n"));
  EXPECT_FALSE(gbnf_accepts("root ::= .", "\xC3"));
}

TEST(Gbnf, ReadsRepetitions) {
  EXPECT_TRUE(gbnf_accepts(R"(root ::= "ab"? "c"* "d"+)", "ccd"));
  EXPECT_FALSE(gbnf_accepts(R"(root ::= "ab"? "c"* "d"+)", "abab"));
  const std::string counted = R"(root ::= "a"{2} | "b"{2,} | "c"{1,3})";
  for (const char* text : {"aa", "bb", "bbbbbb", "c", "ccc"}) {
    EXPECT_TRUE(gbnf_accepts(counted, text)) << text;
  }
  for (const char* text : {"", "a", "aaa", "b", "cccc"}) {
    EXPECT_FALSE(gbnf_accepts(counted, text)) << text;
  }
  EXPECT_TRUE(gbnf_accepts(R"(root ::= ("a" "b"){3})", "ababab"));
}

TEST(Gbnf, ReadsRulesOverSeveralLines) {
  const std::string arithmetic =
      "# sums of products\n"
      "root ::= term (\n"
      "    [-+] term\n"
      "  )* # more of them\n"
      "term ::=\n"
      "  number |\n"
      "  \"(\" root \")\"\n\r\n"
      "number ::= [0-9]+";
  EXPECT_TRUE(gbnf_accepts(arithmetic, "12+(3-(4))"));
  EXPECT_FALSE(gbnf_accepts(arithmetic, "12+(3-(4)"));
  EXPECT_FALSE(gbnf_accepts(arithmetic, "12+"));
}

TEST(Gbnf, NamesWhatIsWrongAndWhere) {
  const GbnfFault faults[] = {
      {"", ErrorCode::NotFound, 0, "root"},
      {"a ::= \"a\"", ErrorCode::NotFound, 0, "root"},
      {"root ::= \"x\" missing", ErrorCode::NotFound, 13, "missing"},
      {"root ::= \"a\"\nroot ::= \"b\"", ErrorCode::BadValue, 13, "twice"},
      {"root \"a\"", ErrorCode::BadValue, 5, "::="},
      {"::= \"a\"", ErrorCode::BadValue, 0, "name"},
      {"root ::= \"a", ErrorCode::BadValue, 9, "not closed"},
      {"root ::= [a", ErrorCode::BadValue, 9, "not closed"},
      {"root ::= [z-a]", ErrorCode::BadValue, 10, "range"},
      {"root ::= (\"a\"", ErrorCode::BadValue, 13, ")"},
      {"root ::= \"a\" )", ErrorCode::BadValue, 13, "end of the line"},
      {"root ::= \"\\q\"", ErrorCode::BadValue, 10, "\\"},
      {"root ::= \"\\x4\"", ErrorCode::BadValue, 12, "hexadecimal"},
      {"root ::= \"\\uD800\"", ErrorCode::BadValue, 10, "Unicode"},
      {"root ::= \"a\"{3,2}", ErrorCode::BadValue, 13, "larger"},
      {"root ::= \"a\"{,2}", ErrorCode::BadValue, 13, "number"},
      {"root ::= \"a\"{2", ErrorCode::BadValue, 14, "}"},
      {"root ::= \"a\"{100001}", ErrorCode::LimitExceeded, 13, "100000"},
      {"root ::= \"\xFF\"", ErrorCode::BadValue, 10, "UTF-8"},
  };
  for (const GbnfFault& fault : faults) expect_fault(fault);
}

TEST(Gbnf, RefusesGroupsThatAreTooDeep) {
  const std::string deep = "root ::= " + std::string(65, '(') + "\"a\"" + std::string(65, ')');
  expect_fault({deep, ErrorCode::LimitExceeded, 74, "64 groups"});
  const std::string allowed = "root ::= " + std::string(64, '(') + "\"a\"" + std::string(64, ')');
  EXPECT_TRUE(gbnf_accepts(allowed, "a"));
}

TEST(Gbnf, RefusesATextThatIsTooLong) {
  expect_fault({std::string((1 << 20) + 1, ' '), ErrorCode::LimitExceeded, 1 << 20, "longer"});
}

}  // namespace
}  // namespace ambry::text
