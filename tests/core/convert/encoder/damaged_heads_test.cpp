// Heads for tokens whose tensors are missing or have other sizes: a conversion and a reader say so
// before a model runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "convert/encoder/tiny_encoder.h"
#include "convert/run_conversion.h"
#include "formats/expect_format.h"

namespace ambry::convert::damaged_heads {
namespace {

namespace embd = formats::embd::testing;
using testing::File;
using Tensors = std::vector<embd::Tensor>;

struct Head {
  const char* kind;
  const char* classes;
  const char* more;  // members of config.json
  const char* option;
  Tensors tensors;
  const char* needed;  // a tensor of the EMBD that the head cannot lack
};

const Tensors kMaskedParts = {{"cls.predictions.transform.dense.weight", {4, 4}},
                              {"cls.predictions.transform.dense.bias", {4}},
                              {"cls.predictions.transform.LayerNorm.weight", {4}},
                              {"cls.predictions.transform.LayerNorm.bias", {4}},
                              {"cls.predictions.bias", {8}}};

std::vector<Head> heads() {
  return {{"tokenClassifier",
           R"(["BertForTokenClassification"])",
           R"(,"id2label":{"0":"O","1":"B-PER","2":"I-PER"})",
           "",
           {{"classifier.weight", {3, 4}}, {"classifier.bias", {3}}},
           "token_head.classifier.weight"},
          {"questionAnswering",
           R"(["BertForQuestionAnswering"])",
           "",
           "",
           {{"qa_outputs.weight", {2, 4}}, {"qa_outputs.bias", {2}}},
           "token_head.classifier.weight"},
          {"fillMask", R"(["BertForMaskedLM"])", R"(,"tie_word_embeddings":false)", "fillMask",
           [] {
             Tensors tensors = kMaskedParts;
             tensors.push_back({"cls.predictions.decoder.weight", {8, 4}});
             return tensors;
           }(),
           "token_head.dense.weight"},
          {"sparseEncoder", R"(["BertForMaskedLM"])", "", "sparseEncoder", kMaskedParts,
           "token_head.dense.weight"}};
}

Result<File> converted(const Head& head, const Tensors& tensors) {
  Tensors all = embd::tiny_tensors();
  for (embd::Tensor& tensor : all) tensor.name.insert(0, "bert.");
  all.insert(all.end(), tensors.begin(), tensors.end());
  SideFiles files = testing::tiny_directory();
  files.add("config.json", std::string(R"({"model_type":"bert","vocab_size":8,"hidden_size":4,
    "num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":6,
    "max_position_embeddings":6,"architectures":)") +
                               head.classes + head.more + "}");
  Options options;
  options.head = head.option;
  return testing::run(testing::tiny_safetensors("", all), files, options);
}

TEST(DamagedHeads, AreSoundBefore) {
  for (const Head& head : heads()) {
    SCOPED_TRACE(head.kind);
    const auto file = converted(head, head.tensors);
    ASSERT_TRUE(file) << describe(file.error());
    EXPECT_NE(testing::sound_model(*file, "embd")->find(head.needed), nullptr);
  }
}

// The first tensor of a head, and each of its tensors with another size.
TEST(DamagedHeads, AreRefusedByConversion) {
  for (const Head& head : heads()) {
    SCOPED_TRACE(head.kind);
    const auto missing = converted(head, Tensors(head.tensors.begin() + 1, head.tensors.end()));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_NE(describe(missing.error()).find(head.tensors[0].name), std::string::npos)
        << describe(missing.error());
    for (size_t i = 0; i < head.tensors.size(); ++i) {
      SCOPED_TRACE(head.tensors[i].name);
      Tensors odd = head.tensors;
      odd[i].shape.back() += 1;
      const auto refused = converted(head, odd);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, ErrorCode::Mismatch) << describe(refused.error());
    }
  }
}

TEST(DamagedHeads, AreFoundByTheReader) {
  for (const Head& head : heads()) {
    SCOPED_TRACE(head.kind);
    const auto file = converted(head, head.tensors);
    ASSERT_TRUE(file) << describe(file.error());
    File damaged = *file;
    const std::string_view name = head.needed;
    const auto found = std::ranges::search(damaged, name);
    ASSERT_FALSE(found.empty());
    *found.begin() = 'T';
    const auto outcome = formats::testing::read(damaged, *formats::find_format("embd"));
    EXPECT_FALSE(outcome.accepted());
    EXPECT_FALSE(outcome.found.errors.empty());
  }
}

}  // namespace
}  // namespace ambry::convert::damaged_heads
