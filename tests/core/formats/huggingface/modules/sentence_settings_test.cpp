// The settings of a sentence-transformers directory, in the forms of its versions.
#include "formats/huggingface/modules/sentence_settings.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/config/heads/head_settings.h"

namespace ambry::formats::huggingface {
namespace {

constexpr const char* kPooling = "1_Pooling/config.json";

Result<model::EncoderConfig> read_pooling_of(const std::string& text) {
  SideFiles files;
  files.add(kPooling, text);
  model::EncoderConfig config;
  config.hidden_size = 8;
  AMBRY_RETURN_IF_ERROR(read_pooling(files, kPooling, config));
  return config;
}

TEST(SentenceSettings, ReadThePoolingAsTextAndAsList) {
  for (const char* mode : {R"("cls")", R"(["cls"])"}) {
    const auto config = read_pooling_of(concat(
        {R"({"embedding_dimension":8,"pooling_mode":)", mode, R"(,"include_prompt":false})"}));
    ASSERT_TRUE(config) << describe(config.error());
    EXPECT_EQ(config->pooling, "cls");
    EXPECT_FALSE(config->include_prompt);
  }
  EXPECT_EQ(read_pooling_of(R"({"pooling_mode":"mean_sqrt_len_tokens"})")->pooling,
            "mean_sqrt_len");
}

TEST(SentenceSettings, RefuseOtherPoolings) {
  struct Row {
    const char* config;
    ErrorCode code;
    const char* path;
    const char* said;
  };
  const Row rows[] = {
      {R"({"pooling_mode":["mean","max"]})", ErrorCode::Unsupported, "pooling_mode",
       "several poolings at once (mean and max)"},
      {R"({"pooling_mode_cls_token":true,"pooling_mode_max_tokens":true})", ErrorCode::Unsupported,
       "pooling_mode", "several poolings at once (cls and max)"},
      {R"({})", ErrorCode::Unsupported, "pooling_mode", "no pooling"},
      {R"({"pooling_mode":[]})", ErrorCode::BadValue, "pooling_mode", "the name of a pooling"},
      {R"({"pooling_mode":[1]})", ErrorCode::BadValue, "pooling_mode", "the name of a pooling"},
      {R"({"pooling_mode":"mean","embedding_dimension":9})", ErrorCode::Mismatch,
       "embedding_dimension", "9, but the model's hidden_size is 8"},
      {R"({"pooling_mode":"mean","word_embedding_dimension":9})", ErrorCode::Mismatch,
       "word_embedding_dimension", "9, but the model's hidden_size is 8"}};
  for (const auto& [text, code, path, said] : rows) {
    const auto config = read_pooling_of(text);
    ASSERT_FALSE(config) << text;
    EXPECT_EQ(config.error().code, code) << text;
    EXPECT_EQ(config.error().path, concat({kPooling, ".", path}));
    EXPECT_NE(config.error().message.find(said), std::string::npos) << config.error().message;
  }
}

TEST(SentenceSettings, HaveAFileNamedByTheKindOfModel) {
  SideFiles files;
  EXPECT_FALSE(*read_sentence_file(files, ""));
  files.add("sentence_xlm-roberta_config.json", R"({"max_seq_length":12})");
  EXPECT_EQ((*read_sentence_file(files, ""))->name, "sentence_xlm-roberta_config.json");
  files.add("sentence_roberta_config.json", R"({"max_seq_length":34})");
  EXPECT_EQ((*read_sentence_file(files, ""))->name, "sentence_roberta_config.json");
  EXPECT_FALSE(*read_sentence_file(files, "0_Transformer/"));
  files.add("sentence_bert_config.json", "version https://git-lfs.github.com/spec/v1\n");
  const auto pointer = read_sentence_file(files, "");
  ASSERT_FALSE(pointer);
  EXPECT_EQ(pointer.error().path, "sentence_bert_config.json");
  EXPECT_NE(pointer.error().message.find("git lfs pull"), std::string::npos);
}

// The activation that counts where up to three places state one.
Result<std::optional<model::HeadConfig>> head_of(const std::string& config,
                                                 const std::string& own) {
  SideFiles files;
  if (!own.empty()) files.add(kSentenceTransformers, own);
  const io::Json json =
      io::parse_json(concat({R"({"architectures":["BertForSequenceClassification"],)",
                             R"("id2label":{"0":"LABEL_0"})", config, "}"}))
          .value();
  model::HeadLayout layout;
  layout.classifier = "classifier";
  return read_head(files, FileValues("config.json", json), layout);
}

TEST(SentenceSettings, OfThreeActivationsTheNewestPlaceCounts) {
  using model::DenseActivation;
  const std::string kOldest =
      R"(,"sbert_ce_default_activation_function":"torch.nn.modules.linear.Identity")";
  const std::string kNewer =
      R"(,"sentence_transformers":{"activation_fn":"torch.nn.modules.activation.Tanh"})";
  const std::string kHides = R"(,"sentence_transformers":{"activation_fn":null})";
  const std::string kOwn = R"({"activation_fn":"torch.nn.modules.linear.Identity"})";
  struct Row {
    std::string config;
    std::string own;
    DenseActivation activation;
  };
  const Row rows[] = {{"", kOwn, DenseActivation::Identity},
                      {kNewer, kOwn, DenseActivation::Identity},
                      {kNewer, R"({"activation_fn":null})", DenseActivation::Tanh},
                      {kOldest + kNewer, R"({"prompts":{}})", DenseActivation::Tanh},
                      {kOldest, "", DenseActivation::Identity},
                      {kOldest + kHides, "", DenseActivation::Sigmoid},
                      {"", R"({"activation_fn":"torch.nn.Identity"})", DenseActivation::Identity},
                      {"", "", DenseActivation::Sigmoid}};
  for (const auto& [config, own, activation] : rows) {
    const auto head = head_of(config, own);
    ASSERT_TRUE(head) << describe(head.error());
    EXPECT_EQ((*head)->score_activation, activation) << config << own;
  }
}

TEST(SentenceSettings, RefuseAnActivationByName) {
  for (const char* name : {R"("torch.nn.modules.activation.ReLU")", R"("mine.Identity")", "3"}) {
    const auto head = head_of("", concat({R"({"activation_fn":)", name, "}"}));
    ASSERT_FALSE(head) << name;
    EXPECT_EQ(head.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(head.error().path, "config_sentence_transformers.json.activation_fn");
    EXPECT_NE(head.error().message.find(name), std::string::npos) << head.error().message;
  }
}

}  // namespace
}  // namespace ambry::formats::huggingface
