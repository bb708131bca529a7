#include "model/tokenizer/post_processor_json.h"

#include <gtest/gtest.h>

#include <string>

#include "base/concat.h"

namespace ambry::model {
namespace {

using Kind = TemplatePart::Kind;

Result<PostProcessor> read(const std::string& post) {
  const auto root = io::parse_json(concat({R"({"post_processor":)", post, "}"}));
  EXPECT_TRUE(root) << post;
  return read_post_processor(root ? *root : io::Json());
}

// `a b:1 7` for the texts and the special tokens of a template, with types other than 0.
std::string spelled(const Template& parts) {
  std::string text;
  const auto add = [&](const std::string& word, uint32_t type_id) {
    if (!text.empty()) text += ' ';
    text += word;
    if (type_id != 0) text += ":" + std::to_string(type_id);
  };
  for (const TemplatePart& part : parts) {
    if (part.kind != Kind::Special) add(part.kind == Kind::First ? "a" : "b", part.type_id);
    for (const uint32_t id : part.ids) add(std::to_string(id), part.type_id);
  }
  return text;
}

constexpr const char* kWhisper = R"({"type":"TemplateProcessing",
  "single":[{"SpecialToken":{"id":"<s>","type_id":0}},{"SpecialToken":{"id":"<n>","type_id":0}},
            {"Sequence":{"id":"A","type_id":2}},{"SpecialToken":{"id":"<e>","type_id":0}}],
  "pair":[{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}},
          {"Sequence":{"id":"B","type_id":1}},{"SpecialToken":{"id":"<e>","type_id":1}}],
  "special_tokens":{"<s>":{"ids":[7]},"<n>":{"ids":[8,8]},"<e>":{"ids":[9]}}})";
constexpr const char* kEnds = R"("sep":["</s>",2],"cls":["<s>",0])";

TEST(PostProcessorJson, ReadsEachKind) {
  struct Row {
    std::string post;
    const char* single;
    const char* pair;
  };
  const Row kRows[] = {
      {"null", "a", "a b:1"},
      {R"({"type":"ByteLevel","trim_offsets":true})", "a", "a b:1"},
      {concat({R"({"type":"BertProcessing",)", kEnds, "}"}), "0 a 2", "0 a 2 b:1 2:1"},
      {concat({R"({"type":"RobertaProcessing","trim_offsets":true,)", kEnds, "}"}), "0 a 2",
       "0 a 2 2 b 2"},
      {kWhisper, "7 8 8 a:2 9", "7 a b:1 9:1"},
      {concat({R"({"type":"Sequence","processors":[{"type":"ByteLevel"},)", kWhisper, "]}"}),
       "7 8 8 a:2 9", "7 a b:1 9:1"},
      {R"({"type":"Sequence","processors":[]})", "a", "a b:1"}};
  for (const Row& row : kRows) {
    const auto post = read(row.post);
    ASSERT_TRUE(post) << describe(post.error());
    EXPECT_EQ(spelled(post->single), row.single) << row.post;
    EXPECT_EQ(spelled(post->pair), row.pair) << row.post;
  }
}

TEST(PostProcessorJson, RefusesWhatItCannotRunByName) {
  const auto single = [](const std::string& parts, const char* ids = "[1]") {
    return concat({R"({"type":"TemplateProcessing","single":)", parts,
                   R"(,"special_tokens":{"x":{"ids":)", ids, "}}}"});
  };
  const std::string a = R"({"Sequence":{"id":"A","type_id":0}})";
  const std::string x = R"({"SpecialToken":{"id":"x","type_id":0}})";
  const std::string bert = concat({R"({"type":"BertProcessing",)", kEnds, "}"});
  std::string many = "1";
  for (int i = 0; i < 1024; ++i) many += ",1";
  struct Row {
    std::string post;
    ErrorCode code;
    const char* path;
  };
  const Row kRows[] = {
      {"7", ErrorCode::BadValue, ""},
      {R"({"type":"Magic"})", ErrorCode::Unsupported, ""},
      {R"({"type":"Sequence"})", ErrorCode::BadValue, ".processors"},
      {concat({R"({"type":"Sequence","processors":[)", bert, ",", bert, "]}"}),
       ErrorCode::Unsupported, ""},
      {R"({"type":"BertProcessing","sep":["[SEP]",1]})", ErrorCode::BadValue, ".cls"},
      {R"({"type":"RobertaProcessing","sep":[1],"cls":["a",0]})", ErrorCode::BadValue, ".sep"},
      {R"({"type":"TemplateProcessing"})", ErrorCode::BadValue, ".single"},
      {single("[]"), ErrorCode::Unsupported, ".single"},
      {single("[" + a + "," + a + "]"), ErrorCode::Unsupported, ".single"},
      {single(R"([{"Sequence":{"id":"C","type_id":0}}])"), ErrorCode::BadValue, ".single"},
      {single(R"([{"Other":{"id":"A"}}])"), ErrorCode::BadValue, ".single"},
      {single("[" + a + R"(,{"SpecialToken":{"id":"y","type_id":0}}])"), ErrorCode::BadValue,
       ".special_tokens.y"},
      {single("[" + x + "," + a + "]", "[-1]"), ErrorCode::BadValue, ".special_tokens.x"},
      {single("[" + x + "," + a + "]", concat({"[", many, "]"}).c_str()), ErrorCode::LimitExceeded,
       ".special_tokens.x"}};
  for (const Row& row : kRows) {
    const auto post = read(row.post);
    ASSERT_FALSE(post) << row.post;
    EXPECT_EQ(post.error().code, row.code) << describe(post.error());
    EXPECT_EQ(post.error().path, concat({"tokenizer.json.post_processor", row.path}));
    EXPECT_NE(post.error().byte_offset, kNoOffset);
  }
}

TEST(PostProcessor, HasTextEndsIfOneTokenIsOnEachSide) {
  EXPECT_FALSE(text_ends(*read(kWhisper)));
  EXPECT_FALSE(text_ends(surround({1, 2}, {})));
  const auto ends = text_ends(surround({}, {5}));
  ASSERT_TRUE(ends);
  EXPECT_EQ(ends->before, std::nullopt);
  EXPECT_EQ(ends->after, 5U);
}

TEST(PostProcessorJson, IsReadBackAsItWasWritten) {
  for (const PostProcessor& post : {bert_post_processor(2, 3), roberta_post_processor(0, 2),
                                    surround({}, {1}), surround({4, 5}, {})}) {
    io::Json root = io::Json::object();
    root.set("post_processor", post_processor_json(post));
    const auto again = read_post_processor(root);
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(*again, post);
  }
}

TEST(PostProcessorJson, NamesTheFileInErrors) {
  const auto root = io::parse_json(R"({"post_processor":{"type":"Magic"}})");
  ASSERT_TRUE(root);
  EXPECT_EQ(read_post_processor(*root, "some.file").error().path, "some.file.post_processor");
}

}  // namespace
}  // namespace ambry::model
