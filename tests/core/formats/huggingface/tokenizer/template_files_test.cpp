#include "formats/huggingface/tokenizer/template_files.h"

#include <gtest/gtest.h>

namespace ambry::formats::huggingface {
namespace {

using model::ChatTemplates;

struct FoundTemplates {
  ChatTemplates templates;
  std::vector<Error> warnings;
};

SideFiles template_side_files(std::initializer_list<std::pair<const char*, const char*>> given) {
  SideFiles files;
  for (const auto& [name, text] : given) files.add(name, text);
  return files;
}

FoundTemplates templates_of(const SideFiles& files, const char* settings = "{}") {
  FoundTemplates found;
  auto templates = read_chat_template_files(files, *io::parse_json(settings), found.warnings);
  EXPECT_TRUE(templates) << describe(templates.error());
  if (templates) found.templates = std::move(*templates);
  return found;
}

TEST(TemplateFiles, AreReadInAllForms) {
  EXPECT_EQ(templates_of({}, R"({"chat_template":"a"})").templates,
            (ChatTemplates{{"default", "a"}}));
  const ChatTemplates two = {{"default", "a"}, {"rag", "b"}};
  EXPECT_EQ(templates_of({}, R"({"chat_template":[{"name":"default","template":"a"},
                                          {"name":"rag","template":"b"}]})")
                .templates,
            two);
  EXPECT_EQ(templates_of({}, R"({"chat_template":{"default":"a","rag":"b"}})").templates, two);
  EXPECT_EQ(templates_of(template_side_files({{"chat_template.json", R"({"chat_template":"a"})"}}))
                .templates,
            (ChatTemplates{{"default", "a"}}));
  const SideFiles jinja = template_side_files({{"additional_chat_templates/tool_use.jinja", "c"},
                                               {"additional_chat_templates/notes.txt", "d"},
                                               {"chat_template.jinja", "a"},
                                               {"additional_chat_templates/rag.jinja", "b"}});
  EXPECT_EQ(templates_of(jinja).templates,
            (ChatTemplates{{"default", "a"}, {"rag", "b"}, {"tool_use", "c"}}));
  EXPECT_TRUE(templates_of({}).templates.empty());
}

// As in transformers, a file counts before the settings.
TEST(TemplateFiles, CountBeforeTheSettings) {
  const SideFiles both = template_side_files(
      {{"chat_template.jinja", "a\n"}, {"chat_template.json", R"({"chat_template":"b"})"}});
  const FoundTemplates found = templates_of(
      both,
      R"({"chat_template":[{"name":"default","template":"a"},{"name":"rag","template":"c"}]})");
  EXPECT_EQ(found.templates, (ChatTemplates{{"default", "a\n"}}));
  ASSERT_EQ(found.warnings.size(), 2U);
  EXPECT_EQ(found.warnings[0].path, "chat_template.json");
  EXPECT_EQ(found.warnings[1].path, "tokenizer_config.json");
  EXPECT_NE(found.warnings[1].message.find("\"rag\""), std::string::npos);
}

TEST(TemplateFiles, AreRefusedByName) {
  struct Bad {
    const char* file;
    const char* text;
    const char* path;
  };
  for (const auto& [file, text, path] : {
           Bad{"chat_template.json", "{", "chat_template.json"},
           Bad{"chat_template.json", "{}", "chat_template.json"},
           Bad{"chat_template.json", R"({"chat_template":1})", "chat_template.json.chat_template"},
           Bad{"chat_template.jinja", "a\xFF", "chat_template.jinja"},
           Bad{"additional_chat_templates/a.jinja", "\xFF", "additional_chat_templates/a.jinja"},
       }) {
    std::vector<Error> warnings;
    const auto refused =
        read_chat_template_files(template_side_files({{file, text}}), io::Json::object(), warnings);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(
        refused.error().code == ErrorCode::BadValue || refused.error().code == ErrorCode::Truncated,
        true)
        << describe(refused.error());
    EXPECT_TRUE(refused.error().path.starts_with(path)) << describe(refused.error());
  }
  const std::pair<const char*, const char*> kSettings[] = {
      {R"({"chat_template":[{"template":"a"}]})", "tokenizer_config.json.chat_template[0]"},
      {R"({"chat_template":[{"name":"a"}]})", "tokenizer_config.json.chat_template[0]"},
      {R"({"chat_template":["a"]})", "tokenizer_config.json.chat_template[0]"},
      {R"({"chat_template":{"a":1}})", "tokenizer_config.json.chat_template.a"}};
  for (const auto& [settings, path] : kSettings) {
    std::vector<Error> warnings;
    const auto refused = read_chat_template_files({}, *io::parse_json(settings), warnings);
    ASSERT_FALSE(refused) << settings;
    EXPECT_EQ(refused.error().path, path);
  }
}

}  // namespace
}  // namespace ambry::formats::huggingface
