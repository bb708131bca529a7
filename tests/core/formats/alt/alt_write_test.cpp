// Writing: strict files come out as they went in, tolerated ones become strict with their content.
#include "formats/alt/alt_write.h"

#include "formats/alt/read_alt.h"
#include "formats/stream_layout.h"

namespace ambry::formats::alt {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

File rewrite(const File& file) {
  const Read result = read_leniently(file);
  EXPECT_TRUE(result.accepted()) << result.text();
  if (!result.accepted()) return {};
  model::Model model = *result.model;
  const auto layout = lay_out(model);
  EXPECT_TRUE(layout) << describe(layout.error());
  if (!layout) return {};
  return formats::testing::stream(*layout, *result.model, file);
}

TEST(AltWrite, GivesStrictFilesBackByteForByte) {
  V1Maker v1;
  EXPECT_EQ(rewrite(v1.make()), v1.make());
  v1.with_tensors = false;
  EXPECT_EQ(rewrite(v1.make()), v1.make());
  v1 = V1Maker();
  for (Tensor& tensor : v1.tensors) tensor.data_type = tensor.shape.size() == 2 ? 1 : 0;
  v1.data_type = 1;
  v1.sliding_window = 4096;
  v1.bos = -1;
  EXPECT_EQ(rewrite(v1.make()), v1.make());
  V2Maker v2;
  EXPECT_EQ(rewrite(v2.make()), v2.make());
  v2.general[2] = "Andr\xC3\xA9";
  v2.tied = 0;
  v2.tokens[6].type = 3;
  EXPECT_EQ(rewrite(v2.make()), v2.make());
}

TEST(AltWrite, MakesToleratedFilesStrict) {
  const File strict = V1Maker().make();
  std::vector<V1Maker> tolerated(8);
  tolerated[0].size = [](int64_t payload, int64_t pad) { return payload + 16 + pad; };
  tolerated[1].alignment = 1;
  tolerated[2].end_bytes = 8;
  tolerated[3].second_size = true;
  tolerated[4].sign_extended = true;
  tolerated[5].tokenizer_first = true;
  tolerated[6].data_type = 1;
  tolerated[7].magic = "altc";
  for (V1Maker& maker : tolerated) EXPECT_EQ(rewrite(maker.make()), strict);
}

TEST(AltWrite, RepairsTheAuthorsFaults) {
  const File strict = V2Maker().make();
  std::vector<V2Maker> tolerated(6);
  tolerated[0].forget_ids = true;
  tolerated[1].layout = V2Tokens::Old;
  tolerated[2].theta_before_eps = true;
  tolerated[3].integer_theta = true;
  tolerated[4].alignment = 1;
  tolerated[5].start_size = 24;
  for (V2Maker& maker : tolerated) EXPECT_EQ(rewrite(maker.make()), strict);
  V2Maker window;
  window.sliding_window = 0;
  V2Maker omitted;
  omitted.omit_window = true;
  EXPECT_EQ(rewrite(omitted.make()), window.make());
  V2Maker displaced;
  displaced.ids = {0, 1, 2, 3, 4, 6, 5, 7, 8};
  std::swap(displaced.tokens[5], displaced.tokens[6]);
  EXPECT_EQ(rewrite(displaced.make()), strict);
}

TEST(AltWrite, RejectsModelsThatAltCannotStore) {
  const model::Model good = *read(V1Maker().make()).model;
  const auto refusal = [&](const std::function<void(model::Model&)>& change) {
    model::Model model = good;
    change(model);
    const auto layout = lay_out(model);
    EXPECT_FALSE(layout);
    return layout ? std::string() : layout.error().path;
  };
  EXPECT_EQ(refusal([](auto& m) { m.tensors[1].dtype = tensor::DType::BF16; }),
            good.tensors[1].name);
  EXPECT_EQ(refusal([](auto& m) { m.tensors[1].shape = {1ULL << 31}; }), good.tensors[1].name);
  EXPECT_EQ(refusal([](auto& m) { m.tensors[1].shape = {}; }), good.tensors[1].name);
  EXPECT_EQ(refusal([](auto& m) {
              m.tensors[1].shape = {33};
              m.tensors[1].dtype = tensor::DType::Q8_0;
            }),
            good.tensors[1].name);
  EXPECT_EQ(refusal([](auto& m) { m.tensors[1].name.clear(); }), "tensors");
  EXPECT_EQ(refusal([](auto& m) { m.tokenizer.reset(); }), "tokenizer");
  EXPECT_EQ(refusal([](auto& m) { m.tokenizer->kind = model::TokenizerKind::Bpe; }), "tokenizer");
  EXPECT_EQ(refusal([](auto& m) { m.tokenizer->ids = {0, 1, 2, 3, 4, 5, 6, 7, 9}; }), "tokenizer");
  EXPECT_EQ(refusal([](auto& m) { m.config = io::Json::object(); }), "config.model_type");
  EXPECT_EQ(refusal([](auto& m) { m.config.set("hidden_size", uint64_t{1} << 31); }),
            "config.hidden_size");
  EXPECT_EQ(refusal([](auto& m) { m.config.set("rope_theta", "much"); }), "config.rope_theta");
  EXPECT_EQ(refusal([](auto& m) { m.version = "v2"; }), "tensors");
}

TEST(AltWrite, MakesV1OfV2) {
  const Read result = read(V2Maker().make());
  model::Model model = *result.model;
  model.version = "v1";
  const auto layout = lay_out(model);
  ASSERT_TRUE(layout) << describe(layout.error());
  const Read again = read(formats::testing::stream(*layout, *result.model, V2Maker().make()));
  EXPECT_TRUE(again.accepted()) << again.text();
  EXPECT_EQ(again.model->tokenizer->vocabulary, result.model->tokenizer->vocabulary);
  EXPECT_EQ(again.model->config.find("context_length")->uint(), 16U);
}

TEST(AltWrite, StatesTheTypeOfTheMatrices) {
  V1Maker maker;
  for (Tensor& tensor : maker.tensors) tensor.data_type = 1;
  const Read result = read(rewrite(maker.make()));
  EXPECT_TRUE(result.clean()) << result.text();
  EXPECT_EQ(result.model->config.find("data_type")->uint(), 1U);
}

}  // namespace
}  // namespace ambry::formats::alt
