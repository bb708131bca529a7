#include "model/tokenizer/chat_templates.h"

#include <gtest/gtest.h>

namespace ambry::model {
namespace {

Result<ChatTemplates> templates_in(const char* options) {
  return read_chat_templates(*io::parse_json(options), "config.tokenizer");
}

TEST(ChatTemplates, AreWrittenAsTheyAreRead) {
  const auto templates =
      templates_in(R"({"chat_template":"a","chat_templates":{"tool_use":"b","rag":""}})");
  ASSERT_TRUE(templates);
  EXPECT_EQ(*templates, (ChatTemplates{{"default", "a"}, {"tool_use", "b"}, {"rag", ""}}));
  io::Json options = io::Json::object();
  put_chat_templates(*templates, options);
  EXPECT_EQ(options.dump(), R"({"chat_template":"a","chat_templates":{"tool_use":"b","rag":""}})");
  EXPECT_TRUE(templates_in("{}")->empty());
  EXPECT_TRUE(templates_in(R"({"chat_template":null,"chat_templates":null})")->empty());
}

TEST(ChatTemplates, AreTextsInAnObject) {
  const std::pair<const char*, const char*> kBad[] = {
      {R"({"chat_template":1})", "config.tokenizer.chat_template"},
      {R"({"chat_templates":["a"]})", "config.tokenizer.chat_templates"},
      {R"({"chat_templates":{"rag":[]}})", "config.tokenizer.chat_templates.rag"}};
  for (const auto& [options, path] : kBad) {
    const auto refused = templates_in(options);
    ASSERT_FALSE(refused) << options;
    EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
    EXPECT_EQ(refused.error().path, path);
    EXPECT_GT(refused.error().byte_offset, 0U);
  }
}

TEST(ChatTemplates, AreFewAndShort) {
  ChatTemplates templates;
  for (size_t i = 0; i < kMaxChatTemplates; ++i) {
    ASSERT_TRUE(add_template(std::to_string(i), "", "at", templates));
  }
  ASSERT_TRUE(add_template("7", "again", "at", templates));
  EXPECT_EQ(*find_template(templates, "7"), "again");
  EXPECT_EQ(add_template("more", "", "at", templates).error().code, ErrorCode::LimitExceeded);
  const std::string text(kMaxChatTemplateBytes + 1, 'a');
  EXPECT_EQ(add_template("7", text, "at", templates).error().code, ErrorCode::LimitExceeded);
}

}  // namespace
}  // namespace ambry::model
