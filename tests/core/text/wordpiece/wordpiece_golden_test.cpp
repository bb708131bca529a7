// Compares with Hugging Face's tokenizer on the cases in tests/fixtures/wordpiece.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/json/json.h"
#include "text/test_files.h"
#include "text/wordpiece/wordpiece.h"

namespace ambry::text {
namespace {

bool flag(const io::Json& object, std::string_view key, bool otherwise) {
  const io::Json* value = object.find(key);
  return value != nullptr && value->is_bool() ? value->boolean() : otherwise;
}

model::TokenizerData read_tokenizer(const io::Json& set, std::string_view vocabulary) {
  const io::Json& options = *set.find("options");
  model::TokenizerData data;
  data.vocabulary = vocabulary_of_lines(vocabulary);
  data.lowercase = flag(options, "lowercase", true);
  data.clean_text = flag(options, "cleanText", true);
  data.handle_chinese_chars = flag(options, "handleChineseChars", true);
  if (const io::Json* strip = options.find("stripAccents")) data.strip_accents = strip->boolean();
  if (const io::Json* max = options.find("maxInputChars")) {
    data.max_input_chars_per_word = static_cast<uint32_t>(max->uint());
  }
  if (set.find("added")->is_null()) return data;
  for (const io::Json& added : set.find("added")->items()) {
    data.added_tokens.push_back(
        {static_cast<uint32_t>(added.find("id")->uint()), added.find("content")->string(),
         flag(added, "special", true), flag(added, "lstrip", false), flag(added, "rstrip", false),
         flag(added, "single_word", false), flag(added, "normalized", false)});
  }
  return data;
}

void check_case(const Tokenizer& tokenizer, const io::Json& expected) {
  EncodeOptions options;
  options.add_special = flag(expected, "special", true);
  if (const io::Json* max = expected.find("max")) {
    options.max_length = static_cast<uint32_t>(max->uint());
  }
  const std::string& text = expected.find("text")->string();
  const io::Json* pair = expected.find("pair");
  const Encoding encoding = pair != nullptr ? *tokenizer.encode_pair(text, pair->string(), options)
                                            : tokenizer.encode(text, options);
  std::vector<uint32_t> bytes;
  std::vector<uint32_t> utf16;
  for (const TextSpan& span : encoding.spans) {
    bytes.insert(bytes.end(), {span.begin.byte, span.end.byte});
    utf16.insert(utf16.end(), {span.begin.utf16, span.end.utf16});
  }
  EXPECT_EQ(encoding.ids, numbers(*expected.find("ids"))) << expected.dump();
  EXPECT_EQ(encoding.type_ids, numbers(*expected.find("types"))) << expected.dump();
  EXPECT_EQ(bytes, numbers(*expected.find("bytes"))) << expected.dump();
  EXPECT_EQ(utf16, numbers(*expected.find("utf16"))) << expected.dump();
}

TEST(WordPieceGolden, MatchesHuggingFace) {
  const auto vocabulary = read_fixture("vocab.txt");
  const auto cases = read_fixture("cases.json");
  ASSERT_TRUE(vocabulary && cases);
  const auto json = io::parse_json(*cases);
  ASSERT_TRUE(json) << describe(json.error());
  size_t n_cases = 0;
  for (const io::Json& set : json->find("sets")->items()) {
    SCOPED_TRACE(set.find("options")->dump());
    const auto made = WordPiece::create(read_tokenizer(set, *vocabulary));
    ASSERT_TRUE(made) << describe(made.error());
    const Tokenizer& tokenizer = **made;
    for (const io::Json& expected : set.find("cases")->items()) {
      check_case(tokenizer, expected);
      ++n_cases;
    }
    for (const io::Json& expected : set.find("decoded")->items()) {
      EXPECT_EQ(tokenizer.decode(numbers(*expected.find("ids")), flag(expected, "skip", true)),
                expected.find("text")->string());
    }
  }
  EXPECT_GT(n_cases, 150U);
}

}  // namespace
}  // namespace ambry::text
