// Version 1: a strict file, and its sections.
#include <bit>

#include "formats/alt/alt_layout.h"
#include "formats/alt/read_alt.h"
#include "formats/expect_format.h"

namespace ambry::formats::alt {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

TEST(AltV1, ReadsAValidFile) {
  V1Maker maker;
  const File file = maker.make();
  const Read result = read(file);
  ASSERT_TRUE(result.clean()) << result.text();
  const model::Model& model = *result.model;
  EXPECT_EQ(model.format, "alt");
  EXPECT_EQ(model.version, "v1");
  EXPECT_EQ(
      model.config.dump(),
      R"({"model_type":"mistral","hidden_size":4,"num_hidden_layers":1,"intermediate_size":6,)"
      R"("num_attention_heads":2,"num_key_value_heads":1,"sliding_window":0,)"
      R"("rope_theta":10000.0,"rms_norm_eps":0.00001,"head_size":2,"data_type":0,)"
      R"("context_length":16,"vocab_size":9})");
  EXPECT_EQ(model.metadata.dump(), "{}");
  ASSERT_EQ(model.tensors.size(), 11U);
  EXPECT_EQ(model.tensors[3].name, "model.layers.0.self_attn.k_proj.weight");
  EXPECT_EQ(model.tensors[3].shape, (tensor::Shape{2, 4}));
  EXPECT_EQ(model.tensors[3].dtype, tensor::DType::F32);
  EXPECT_EQ(model.tensors[3].index_offset, maker.places.records[3]);
  EXPECT_EQ(model.tensors[3].offset,
            maker.places.records[3] + 12 + 8 + model.tensors[3].name.size());
  EXPECT_EQ(model.tensors[3].bytes, 32U);
}

TEST(AltV1, ReadsTheTokenizer) {
  const Read result = read(V1Maker().make());
  const model::TokenizerData tokenizer = *result.model->tokenizer;
  EXPECT_EQ(tokenizer.kind, model::TokenizerKind::SentencePieceBpe);
  ASSERT_EQ(tokenizer.vocabulary.size(), 9U);
  EXPECT_EQ(tokenizer.vocabulary[7], "\xC3\xA9");
  EXPECT_EQ(tokenizer.bos_id, 1U);
  EXPECT_EQ(tokenizer.eos_id, 2U);
  EXPECT_FALSE(tokenizer.pad_id);
  EXPECT_EQ(tokenizer.unk_id, 0U);
  EXPECT_TRUE(tokenizer.scores.empty());
  EXPECT_TRUE(tokenizer.types.empty());
  EXPECT_TRUE(tokenizer.ids.empty());
}

TEST(AltV1, MapsTheFileIntoRegions) {
  V1Maker maker;
  const File file = maker.make();
  const Read result = read(file);
  const auto regions = result.model->regions;
  ASSERT_EQ(regions.size(), 5 + maker.tensors.size());
  EXPECT_EQ(regions[0], (model::Region{"start", 0, 32}));
  EXPECT_EQ(regions[1], (model::Region{"parameters", 32, 16 + 55}));
  EXPECT_EQ(regions[2].offset, maker.places.tokenizer);
  EXPECT_EQ(regions[3], (model::Region{"tensors", maker.places.tensors, 32}));
  EXPECT_EQ(regions[4].name, "record header");
  EXPECT_EQ(regions[4].offset, maker.places.records[0]);
  EXPECT_EQ(regions.back(), (model::Region{"end", file.size() - 4, 4}));
  for (size_t i = 1; i < regions.size(); ++i) {
    EXPECT_GE(regions[i].offset, regions[i - 1].offset + regions[i - 1].bytes);
  }
}

TEST(AltV1, KeepsFloatsToTheBit) {
  for (const float eps : {1e-5F, 1e-6F, 9.999999e-6F, 1.1754944e-38F, 0.1F, 0.0078125F}) {
    V1Maker maker;
    maker.rms_norm_eps = eps;
    const Read result = read(maker.make());
    ASSERT_TRUE(result.model) << result.text();
    const double value = result.model->config.find("rms_norm_eps")->number();
    EXPECT_EQ(std::bit_cast<uint32_t>(static_cast<float>(value)), std::bit_cast<uint32_t>(eps));
  }
}

// The core's rule: sections by their markers.
TEST(AltSections, MayComeInAnotherOrderWithAWarning) {
  V1Maker maker;
  maker.tokenizer_first = true;
  const File file = maker.make();
  expect_tolerated(file, "parameters.marker", maker.places.parameters);
  EXPECT_EQ(read_leniently(file).model->tokenizer->vocabulary.size(), 9U);
}

TEST(AltSections, MustNotComeTwice) {
  V1Maker maker;
  const File file = maker.make();
  const auto begin = file.begin() + static_cast<std::ptrdiff_t>(maker.places.tokenizer);
  const auto end = file.begin() + static_cast<std::ptrdiff_t>(maker.places.tensors);
  File twice(file.begin(), end);
  twice.insert(twice.end(), begin, file.end());
  expect_refused(twice, "tokenizer.marker", maker.places.tensors);
}

TEST(AltSections, WithoutTensorsAreATokenizer) {
  V1Maker maker;
  maker.with_tensors = false;
  const Read result = read(maker.make());
  EXPECT_TRUE(result.accepted()) << result.text();
  EXPECT_NE(find(result.found.warnings, "tensors"), nullptr);
}

TEST(AltSections, SignExtendedMarkersAreTolerated) {
  V1Maker maker;
  maker.sign_extended = true;
  maker.with_tensors = false;
  const File file = maker.make();
  const Read strict = read(file);
  EXPECT_EQ(strict.found.errors.size(), 2U) << strict.text();
  EXPECT_EQ(find(strict.found.errors, "parameters.marker")->byte_offset, 32U);
  EXPECT_TRUE(read_leniently(file).accepted());
}

TEST(AltSections, RefuseAnUnknownMarker) {
  V1Maker maker;
  const File good = maker.make();
  const std::pair<uint64_t, std::string_view> kMarkers[] = {
      {maker.places.parameters, "parameters.marker"},
      {maker.places.tokenizer, "tokenizer.marker"},
      {maker.places.tensors, "tensors.marker"}};
  for (const auto& [at, path] : kMarkers) {
    File file = good;
    file[at] ^= 0x10;
    EXPECT_EQ(expect_refused(file, path, at).code, ErrorCode::BadMagic);
    file[at] ^= 0x10;
    file[at + 4] = 1;
    EXPECT_EQ(expect_refused(file, path, at).code, ErrorCode::BadMagic);
  }
}

TEST(AltSections, CutOffAtEveryEdgeAreRefused) {
  V1Maker maker;
  const File good = maker.make();
  for (const uint64_t edge :
       {maker.places.parameters, maker.places.tokenizer, maker.places.tensors, maker.places.end}) {
    const File cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(edge));
    EXPECT_EQ(expect_refused(cut, "end.marker", edge).code, ErrorCode::Truncated);
  }
}

}  // namespace
}  // namespace ambry::formats::alt
