// The option `format` with a small llama (make_amb.h). Its tokens are a, b, ab, a space, "ab ", c,
// <s> and </s>.
#include "api/decoder/answer_format.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "api/decoder/open_generator.h"
#include "formats/amb/make_amb.h"

namespace ambry::api {
namespace {

using formats::amb::testing::AmbMaker;
using formats::amb::testing::tiny_config;
using testing::File;

File form_file() {
  AmbMaker maker;
  maker.config = tiny_config("");
  return maker.make();
}

// With pieces that mark spaces, whose decoder drops the first space of a text.
File pieces_file() {
  AmbMaker maker;
  maker.config = tiny_config("");
  maker.tokenizer = formats::amb::testing::custom_tokenizer(
      R"({"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["▁", -1], ["a", -2],
          ["b", -3], ["ab", -4], ["c", -5], ["<s>", -6], ["</s>", -7]]},
          "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
          "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}})");
  return maker.make();
}

struct FormedAnswer {
  std::string text;
  std::string stop;
  bool is_complete = false;
};

Result<FormedAnswer> formed(std::string_view format, int seed, std::string_view more = "",
                            const File& file = form_file()) {
  AMBRY_TRY(GeneratorModel session, testing::open_generator(file));
  const std::string options =
      concat({R"({"temperature": 2, "topP": 1, "seed": )", static_cast<uint64_t>(seed), more,
              R"(, "format": )", format, "}"});
  AMBRY_TRY(GenerateJob job, GenerateJob::begin(session.generator(), "a", options));
  AMBRY_RETURN_IF_ERROR(testing::run(job, session, file, [](const io::Json&) {}));
  AMBRY_TRY(const io::Json results, io::parse_json(job.result()));
  const io::Json& result = results.items().front();
  return FormedAnswer{result.find("text")->string(), result.find("stop")->string(),
                      result.find("complete")->boolean()};
}

void expect_bad_format(std::string_view format, ErrorCode code, std::string_view path) {
  SCOPED_TRACE(format);
  const auto made = formed(format, 0);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, code) << made.error().message;
  EXPECT_EQ(made.error().path, path);
}

TEST(AnswerFormat, GivesOneOfTheChoices) {
  std::set<std::string> texts;
  for (int seed = 0; seed < 30; ++seed) {
    const auto made = formed(R"({"choices": ["abab", " c", "ab cab"]})", seed);
    ASSERT_TRUE(made) << describe(made.error());
    EXPECT_EQ(made->stop, "format");
    EXPECT_TRUE(made->is_complete);
    texts.insert(made->text);
  }
  EXPECT_EQ(texts, (std::set<std::string>{"abab", " c", "ab cab"}));
}

// Where the text may end and go on, the model chooses between the two.
TEST(AnswerFormat, EndsWithTheTokenThatEndsTexts) {
  std::set<std::string> stops;
  for (int seed = 0; seed < 30; ++seed) {
    const auto made = formed(R"({"regex": "ab(ab)*c{0,2}"})", seed);
    ASSERT_TRUE(made) << describe(made.error());
    EXPECT_EQ(made->is_complete, made->stop == "eos" || made->stop == "format") << made->text;
    EXPECT_TRUE(made->text.starts_with("ab") || made->stop == "context") << made->text;
    stops.insert(made->stop);
  }
  EXPECT_TRUE(stops.contains("eos"));
  EXPECT_TRUE(stops.contains("format"));
}

// The prompt is a token without text.
TEST(AnswerFormat, KeepsTheFirstSpace) {
  const auto made = formed(R"({"choices": [" ab"]})", 0, R"(, "ids": [0])", pieces_file());
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->text, " ab");
  EXPECT_EQ(made->stop, "format");
}

TEST(AnswerFormat, SaysWhenTheAnswerWasCut) {
  const auto made = formed(R"({"grammar": "root ::= \"ab\" [abc]{9}"})", 1, R"(, "maxTokens": 2)");
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->stop, "length");
  EXPECT_FALSE(made->is_complete);
  const auto stopped = formed(R"({"regex": "a*"})", 1, R"(, "stop": ["aa"])");
  ASSERT_TRUE(stopped) << describe(stopped.error());
  EXPECT_TRUE(stopped->stop == "eos" || !stopped->is_complete);
}

TEST(AnswerFormat, NamesWhatIsWrong) {
  expect_bad_format("3", ErrorCode::BadValue, "options.format");
  expect_bad_format("{}", ErrorCode::BadValue, "options.format");
  expect_bad_format(R"({"regex": "a", "choices": ["a"]})", ErrorCode::BadValue, "options.format");
  expect_bad_format(R"({"xml": "a"})", ErrorCode::BadValue, "options.format.xml");
  expect_bad_format(R"({"choices": []})", ErrorCode::BadValue, "options.format.choices");
  expect_bad_format(R"({"choices": ["a", ""]})", ErrorCode::BadValue, "options.format.choices[1]");
  expect_bad_format(R"({"choices": [1]})", ErrorCode::BadValue, "options.format.choices");
  expect_bad_format(R"({"regex": 3})", ErrorCode::BadValue, "options.format.regex");
  expect_bad_format(R"({"regex": "(a"})", ErrorCode::BadValue, "options.format.regex");
  expect_bad_format(R"({"grammar": "root ::= b"})", ErrorCode::NotFound, "options.format.grammar");
  expect_bad_format(R"({"grammar": "root ::= root \"a\" | \"b\""})", ErrorCode::Unsupported,
                    "options.format.grammar");
  expect_bad_format(R"({"schema": {"properties": {"a": {"$vocabulary": {}}}}})",
                    ErrorCode::Unsupported, "options.format.schema.properties.a.$vocabulary");
  expect_bad_format(R"({"schema": false})", ErrorCode::BadValue, "options.format.schema");
}

// The vocabulary has no digits and no quotes.
TEST(AnswerFormat, RefusesWhatTheVocabularyCannotWrite) {
  expect_bad_format(R"({"schema": {"type": "integer"}})", ErrorCode::BadValue, "options.format");
}

}  // namespace
}  // namespace ambry::api
