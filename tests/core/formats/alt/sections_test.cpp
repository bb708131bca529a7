// What version 1 leaves open about sections, sizes, markers and texts (core/formats/alt/README.md).
#include <bit>

#include "formats/alt/read_alt.h"
#include "formats/expect_format.h"
#include "formats/registry.h"

namespace ambry::formats::alt {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

// core/formats/alt/README.md#magic
TEST(AltMagic, AcceptsTheOtherByteOrderWithAWarning) {
  V1Maker maker;
  maker.magic = "altc";
  expect_tolerated(maker.make(), "start.magic", 0);
}

TEST(AltMagic, RefusesAnotherOne) {
  V1Maker maker;
  maker.magic = "ctlb";
  const File file = maker.make();
  EXPECT_EQ(expect_refused(file, "start.magic", 0).code, ErrorCode::BadMagic);
  const io::MemorySource source(file);
  EXPECT_EQ(recognise(source, decoder_formats()).error().code, ErrorCode::BadMagic);
}

// core/formats/alt/README.md#section-sizes
TEST(AltSectionSize, AcceptsEveryConventionWithWarnings) {
  const SizeRule rules[] = {[](int64_t payload, int64_t /*pad*/) { return payload + 16; },
                            [](int64_t payload, int64_t pad) { return payload + pad; },
                            [](int64_t payload, int64_t pad) { return payload + 16 + pad; }};
  for (const SizeRule& rule : rules) {
    V1Maker maker;
    maker.size = rule;
    const File file = maker.make();
    const Read strict = read(file);
    ASSERT_TRUE(strict.model) << strict.text();
    EXPECT_EQ(strict.found.errors.size(), 3U) << strict.text();
    EXPECT_EQ(find(strict.found.errors, "parameters.size")->byte_offset, 40U);
    const Read lenient = read_leniently(file);
    EXPECT_TRUE(lenient.accepted()) << lenient.text();
    EXPECT_EQ(lenient.found.warnings.size(), 3U) << lenient.text();
    EXPECT_EQ(lenient.model->tokenizer, read(V1Maker().make()).model->tokenizer);
    EXPECT_EQ(lenient.model->tensors, read(V1Maker().make()).model->tensors);
  }
}

struct SizeField {
  uint64_t at;
  const char* path;
};
std::vector<SizeField> size_fields(const Places& places) {
  return {{places.parameters + 8, "parameters.size"},
          {places.tokenizer + 8, "tokenizer.size"},
          {places.tensors + 8, "tensors.size"}};
}

TEST(AltSectionSize, ReadsByFieldsWhenTheSizeIsNoConventions) {
  for (const int64_t size : {0, 3, 1000}) {
    V1Maker maker;
    const File good = maker.make();
    for (const SizeField& field : size_fields(maker.places)) {
      if (field.at == maker.places.tensors + 8 && size == 1000) continue;  // leads out of the file
      File file = good;
      put_at(file, field.at, size);
      expect_tolerated(file, field.path, field.at);
    }
  }
}

TEST(AltSectionSize, RejectsASizePastTheEndAndContinues) {
  for (const int64_t size : {int64_t{-1}, INT64_MIN, int64_t{1} << 40, INT64_MAX}) {
    V1Maker maker;
    const File good = maker.make();
    for (const SizeField& field : size_fields(maker.places)) {
      File file = good;
      put_at(file, field.at, size);
      expect_refused(file, field.path, field.at);
      EXPECT_EQ(read(file).model->tensors.size(), 11U);
      EXPECT_EQ(read(file).model->tokenizer->vocabulary.size(), 9U);
    }
  }
}

// core/formats/alt/README.md#second-size
TEST(AltSecondSize, IsReadIfPresent) {
  for (const SizeRule& rule :
       {SizeRule(payload_only),
        SizeRule([](int64_t payload, int64_t /*pad*/) { return payload - 8; })}) {
    V1Maker maker;
    maker.second_size = true;
    maker.size = [&](int64_t payload, int64_t pad) {
      return payload == 55 ? payload : rule(payload, pad);
    };
    maker.with_tensors = false;
    const File file = maker.make();
    expect_tolerated(file, "tokenizer.header_size", maker.places.tokenizer + 16);
    EXPECT_EQ(read_leniently(maker.make()).model->tokenizer,
              read(V1Maker().make()).model->tokenizer);
  }
}

TEST(AltSecondSize, MayIncludeFieldsThatTheFirstSizeOmits) {
  V1Maker maker;
  maker.second_size = true;
  maker.second_size_off_by = 16;
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.header_size", maker.places.tokenizer + 16);
}

TEST(AltSecondSize, IsDistinguishedFromOtherFields) {
  for (const int32_t bos : {-1, 0, 1}) {
    V1Maker maker;
    maker.bos = bos;
    const Read result = read(maker.make());
    EXPECT_TRUE(result.clean()) << result.text();
    EXPECT_EQ(result.model->tokenizer->vocabulary.size(), 9U);
  }
}

// core/formats/alt/README.md#end-marker
TEST(AltEndMarker, MayHaveEightBytesWithAWarning) {
  V1Maker maker;
  maker.end_bytes = 8;
  const File file = maker.make();
  expect_tolerated(file, "end.marker", maker.places.end);
}

TEST(AltEndMarker, MayBeAllOnesWithAWarning) {
  V1Maker maker;
  maker.end_marker = UINT32_MAX;
  const File file = maker.make();
  expect_tolerated(file, "end.marker", maker.places.end);
}

TEST(AltEndMarker, MayBeFollowedByBytesWithAWarning) {
  for (const int more : {1, 3, 8, 100}) {
    V1Maker maker;
    File file = maker.make();
    file.insert(file.end(), static_cast<size_t>(more), 7);
    expect_tolerated(file, "end.trailing", maker.places.end + 4);
  }
}

TEST(AltEndMarker, MustBeThere) {
  V1Maker maker;
  maker.end_bytes = 0;
  const File file = maker.make();
  EXPECT_EQ(expect_refused(file, "end.marker", file.size()).code, ErrorCode::Truncated);
}

// core/formats/alt/README.md#rope-theta
TEST(AltRopeTheta, MayBeAnIntegerWithAWarning) {
  V1Maker maker;
  maker.rope_theta = std::bit_cast<float>(1'000'000);
  const File file = maker.make();
  expect_tolerated(file, "parameters.rope_theta", maker.field(6));
  EXPECT_EQ(read_leniently(file).model->config.find("rope_theta")->number(), 1e6);
}

// core/formats/alt/README.md#alignment
TEST(AltAlignment, MayBeMissingWithWarnings) {
  V1Maker maker;
  maker.alignment = 1;
  maker.sign_extended = false;
  const File file = maker.make();
  const Read strict = read(file);
  ASSERT_TRUE(strict.model) << strict.text();
  EXPECT_EQ(find(strict.found.errors, "parameters.marker")->byte_offset, 4U);
  EXPECT_EQ(find(strict.found.errors, "tokenizer.marker")->byte_offset, maker.places.tokenizer);
  EXPECT_NE(find(strict.found.errors, "tensors.marker"), nullptr);
  EXPECT_NE(find(strict.found.errors, "end.marker"), nullptr);
  const Read lenient = read_leniently(file);
  EXPECT_TRUE(lenient.accepted()) << lenient.text();
  EXPECT_EQ(lenient.model->tokenizer, read(V1Maker().make()).model->tokenizer);
  EXPECT_EQ(lenient.model->tensors.size(), 11U);
}

TEST(AltAlignment, ToleratesPaddingThatIsNotZero) {
  V1Maker maker;
  const File good = maker.make();
  const std::pair<uint64_t, std::string_view> kGaps[] = {
      {20, "start.padding"},
      {maker.places.tokenizer - 1, "parameters.padding"},
      {maker.places.tensors - 1, "tokenizer.padding"},
      {maker.places.end - 1, "tensors.padding"}};
  for (const auto& [at, path] : kGaps) {
    ASSERT_EQ(good[at], 0);
    File file = good;
    file[at] = 1;
    expect_tolerated(file, path, at);
  }
}

TEST(AltAlignment, SkipsUnknownFieldsByTheSectionSize) {
  V1Maker maker;
  const File file = maker.make();
  File longer(file.begin(), file.begin() + 128);
  longer.resize(128 + 64);
  longer.insert(longer.end(), file.begin() + 128, file.end());
  put_at(longer, 40, int64_t{55 + 64});
  const Read result = read_leniently(longer);
  EXPECT_TRUE(result.accepted()) << result.text();
  EXPECT_NE(find(result.found.warnings, "parameters"), nullptr) << result.text();
  EXPECT_FALSE(read(longer).accepted());
}

// core/formats/alt/README.md#strings
TEST(AltTerminator, IsStrippedWithAWarning) {
  V1Maker maker;
  maker.model_type = std::string("mistral\0", 8);
  const File file = maker.make();
  expect_tolerated(file, "parameters.model_type", 32 + 16 + 4 + 7);
  EXPECT_EQ(read_leniently(file).model->config.find("model_type")->string(), "mistral");
}

TEST(AltTerminator, IsStrippedFromPiecesAndNames) {
  V1Maker maker;
  maker.tokens[6].piece += '\0';
  File file = maker.make();
  expect_tolerated(file, "tokenizer.tokens[6].piece", maker.places.tokens[6] + 5);
  EXPECT_EQ(read_leniently(file).model->tokenizer->vocabulary[6], "b");
  maker = V1Maker();
  maker.tensors[10].name += '\0';
  file = maker.make();
  expect_tolerated(file, "tensors[10].name", maker.places.records[10] + 12 + 4 + 17);
}

// core/formats/alt/README.md#shape-count
TEST(AltShapeCount, IsComparedWithAWarning) {
  V1Maker maker;
  File file = maker.make();
  put_at(file, maker.places.tensors + 24, int64_t{11});
  expect_tolerated(file, "tensors.shape_count", maker.places.tensors + 24);
}

}  // namespace
}  // namespace ambry::formats::alt
