// GGUF files that become another format and GGUF again.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "convert/gguf/converted_file.h"
#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"
#include "formats/gguf/config.h"
#include "model/tokenizer/chat_templates.h"
#include "model/tokenizer/end_tokens.h"
#include "model/tokenizer/tokenizer_options.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using tensor::DType;

void expect_same_tensors(const File& a_file, const File& b_file) {
  const model::Model a = parsed(a_file, "gguf");
  const model::Model b = parsed(b_file, "gguf");
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const model::TensorEntry& tensor : a.tensors) {
    const model::TensorEntry& other = tensor_of(b, tensor.name);
    EXPECT_EQ(other.dtype, tensor.dtype) << tensor.name;
    EXPECT_EQ(other.shape, tensor.shape) << tensor.name;
    EXPECT_TRUE(std::ranges::equal(bytes_of(a_file, tensor), bytes_of(b_file, other)))
        << tensor.name;
  }
}

// The second file states everything that the first one states, but for `left_out`.
void expect_same_metadata(const model::Model& a, const model::Model& b,
                          std::initializer_list<std::string_view> left_out = {}) {
  for (const auto& [key, value] : a.metadata.members()) {
    if (std::ranges::find(left_out, key) != left_out.end()) continue;
    const io::Json* again = b.metadata.find(key);
    ASSERT_NE(again, nullptr) << key;
    EXPECT_EQ(again->dump(), value.dump()) << key;
  }
}

TEST(GgufRoundTrip, IsExactThroughAmb) {
  for (gg::GgufMaker maker : {llama(), gemma(), phi3(), gpt2()}) {
    const File before = maker.make();
    const File after = converted_file(converted_file(before, to("amb")), to("gguf"));
    expect_same_tensors(before, after);
    const model::Model a = parsed(before, "gguf");
    const model::Model b = parsed(after, "gguf");
    EXPECT_EQ(a.tokenizer->vocabulary, b.tokenizer->vocabulary);
    EXPECT_EQ(a.tokenizer->scores, b.tokenizer->scores);
    EXPECT_EQ(a.tokenizer->types, b.tokenizer->types);
    EXPECT_EQ(a.tokenizer->merges, b.tokenizer->merges);
    EXPECT_EQ(a.tokenizer->kind, b.tokenizer->kind);
    expect_same_metadata(a, b);
  }
}

TEST(GgufRoundTrip, KeepsTheEndsOfAnAnswer) {
  gg::GgufMaker maker = gpt2();
  maker.entry("tokenizer.ggml.eos_token_id") = gg::u32("tokenizer.ggml.eos_token_id", 1);
  maker.metadata.push_back(gg::u32("tokenizer.ggml.eot_token_id", 2));
  maker.metadata.push_back(gg::u32("tokenizer.ggml.eom_token_id", 4));
  const File amb = converted_file(maker.make(), to("amb"));
  const std::vector<uint32_t> ends = {1, 2, 4, 7};  // 7 is <|end|>
  EXPECT_EQ(model::end_ids(*parsed(amb, "amb").tokenizer), ends);
  const model::Model after = parsed(converted_file(amb, to("gguf")), "gguf");
  EXPECT_EQ(model::end_ids(*after.tokenizer), ends);
  EXPECT_EQ(after.metadata.find("tokenizer.ggml.eot_token_id")->uint(), 2U);
}

TEST(GgufRoundTrip, KeepsTheChatTemplates) {
  gg::GgufMaker maker = gpt2();
  maker.entry("tokenizer.chat_template") = gg::text("tokenizer.chat_template", "{{ 1 }}");
  maker.metadata.push_back(gg::text("tokenizer.chat_template.tool_use", "{{ 2 }}"));
  maker.metadata.push_back(gg::texts("tokenizer.chat_templates", {"tool_use"}));
  const File amb = converted_file(maker.make(), to("amb"));
  const model::Model between = parsed(amb, "amb");
  const auto templates =
      model::read_chat_templates(*between.config.find("tokenizer"), "config.tokenizer");
  ASSERT_TRUE(templates);
  EXPECT_EQ(*templates, (model::ChatTemplates{{"default", "{{ 1 }}"}, {"tool_use", "{{ 2 }}"}}));
  const io::Json after = parsed(converted_file(amb, to("gguf")), "gguf").metadata;
  EXPECT_EQ(after.find("tokenizer.chat_template")->string(), "{{ 1 }}");
  EXPECT_EQ(after.find("tokenizer.chat_template.tool_use")->string(), "{{ 2 }}");
  EXPECT_EQ(after.find("tokenizer.chat_templates")->dump(), R"(["tool_use"])");
}

TEST(GgufRoundTrip, KeepsTheContentThroughEmbd) {
  gg::GgufMaker maker = bert();
  const File before = maker.make();
  const File after = converted_file(converted_file(before, to("embd")), to("gguf"));
  expect_same_tensors(before, after);
  const model::Model a = parsed(before, "gguf");
  const model::Model b = parsed(after, "gguf");
  EXPECT_EQ(a.tokenizer->vocabulary, b.tokenizer->vocabulary);
  EXPECT_EQ(a.tokenizer->types, b.tokenizer->types);
  EXPECT_EQ(a.tokenizer->sep_id, b.tokenizer->sep_id);
  expect_same_metadata(a, b, {"general.quantization_version", "bert.attention.head_count_kv"});
}

TEST(GgufRoundTrip, KeepsTheContentThroughAlt) {
  gg::GgufMaker maker = plain_llama(kF16);
  const File before = maker.make();
  const File after = converted_file(converted_file(before, to("alt")), to("gguf"));
  expect_same_tensors(before, after);
  // ALT has neither scores nor types. They are made so that they have the same meaning as its rule.
  const model::Model a = parsed(before, "gguf");
  const model::Model b = parsed(after, "gguf");
  EXPECT_EQ(b.tokenizer->types, a.tokenizer->types);
  EXPECT_EQ(b.tokenizer->scores, a.tokenizer->scores);
}

}  // namespace
}  // namespace ambry::convert
