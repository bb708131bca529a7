#include "formats/huggingface/tokenizer/stated_settings.h"

#include <gtest/gtest.h>

#include <utility>

namespace ambry::formats::huggingface {
namespace {

SideFiles files_of(std::initializer_list<std::pair<const char*, const char*>> given) {
  SideFiles files;
  for (const auto& [name, text] : given) files.add(name, text);
  return files;
}

TEST(StatedSettings, AreThoseOfTheFilesBeside) {
  std::vector<Error> warnings;
  const SideFiles files = files_of(
      {{"tokenizer_config.json",
        R"({"bos_token":{"content":"<s>"},"eos_token":"</s>","pad_token":null,"unk_token":3,
            "do_lower_case":true,"chat_template":[{"name":"rag","template":"r"}]})"},
       {"special_tokens_map.json", R"({"eos_token":"<end>","mask_token":"<mask>"})"}});
  const auto settings = read_stated_settings(files, warnings);
  ASSERT_TRUE(settings) << describe(settings.error());
  EXPECT_EQ(settings->special.dump(), R"({"eos":"</s>","mask":"<mask>","bos":"<s>"})");
  EXPECT_EQ(settings->lowercase, true);
  EXPECT_EQ(settings->templates, (model::ChatTemplates{{"rag", "r"}}));
  EXPECT_TRUE(warnings.empty());
  const auto none = read_stated_settings({}, warnings);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->special.dump(), "{}");
  EXPECT_FALSE(none->lowercase);
}

TEST(StatedSettings, AreRefusedByFileAndKey) {
  const std::pair<const char*, const char*> rows[] = {
      {"{", "tokenizer_config.json"},
      {"[]", "tokenizer_config.json"},
      {R"({"do_lower_case":1})", "tokenizer_config.json.do_lower_case"},
      {R"({"chat_template":1})", "tokenizer_config.json.chat_template"}};
  for (const auto& [text, path] : rows) {
    std::vector<Error> warnings;
    const auto refused =
        read_stated_settings(files_of({{"tokenizer_config.json", text}}), warnings);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().path, path);
  }
}

}  // namespace
}  // namespace ambry::formats::huggingface
