// Version 1: a strict file, and the rows of the notes' table of ambiguities that speak of it.
#include <bit>

#include "formats/alt/layout.h"
#include "formats/alt/read_alt.h"

namespace ambry::formats::alt {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's
using io::Strictness;

TEST(AltV1, ReadsAWholeFileWithoutComplaint) {
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

// Row 1.
TEST(AltRow01Magic, AcceptsTheOtherByteOrderWithAWarning) {
  V1Maker maker;
  maker.magic = "altc";
  expect_tolerated(maker.make(), "start.magic", 0);
}

TEST(AltRow01Magic, RefusesAnotherOne) {
  V1Maker maker;
  maker.magic = "ctlb";
  const File file = maker.make();
  EXPECT_EQ(expect_refused(file, "start.magic", 0).code, ErrorCode::BadMagic);
  const io::MemorySource source(file);
  EXPECT_FALSE(*probe(source));
}

// Row 2: what sizes count.
TEST(AltRow02Size, AcceptsEveryConventionWithWarnings) {
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
    EXPECT_TRUE(lenient.valid()) << lenient.text();
    EXPECT_EQ(lenient.found.warnings.size(), 3U) << lenient.text();
    EXPECT_EQ(lenient.model->tokenizer, read(V1Maker().make()).model->tokenizer);
    EXPECT_EQ(lenient.model->tensors, read(V1Maker().make()).model->tensors);
  }
}

TEST(AltRow02Size, ReadsByFieldsWhenTheSizeIsNoConventions) {
  for (const int64_t size : {int64_t{-1}, int64_t{0}, int64_t{3}, int64_t{1} << 40, INT64_MAX}) {
    V1Maker maker;
    maker.make();
    for (const uint64_t at :
         {maker.places.parameters, maker.places.tokenizer, maker.places.tensors}) {
      File file = maker.make();
      put_at(file, at + 8, size);
      const char* path = at == maker.places.parameters  ? "parameters.size"
                         : at == maker.places.tokenizer ? "tokenizer.size"
                                                        : "tensors.size";
      expect_tolerated(file, path, at + 8);
    }
  }
}

// Row 3: the second size in the tokenizer.
TEST(AltRow03HeaderSize, IsReadWhenItIsThere) {
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

TEST(AltRow03HeaderSize, MayCountWhatTheSizeDoesNot) {
  V1Maker maker;
  maker.second_size = true;
  maker.second_size_off_by = 16;
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.header_size", maker.places.tokenizer + 16);
}

TEST(AltRow03HeaderSize, IsNotMistakenForCounts) {
  for (const int32_t bos : {-1, 0, 1}) {
    V1Maker maker;
    maker.bos = bos;
    const Read result = read(maker.make());
    EXPECT_TRUE(result.clean()) << result.text();
    EXPECT_EQ(result.model->tokenizer->vocabulary.size(), 9U);
  }
}

// Row 4: the end marker.
TEST(AltRow04End, MayHaveEightBytesWithAWarning) {
  V1Maker maker;
  maker.end_bytes = 8;
  const File file = maker.make();
  expect_tolerated(file, "end.marker", maker.places.end);
}

TEST(AltRow04End, MayBeAllOnesWithAWarning) {
  V1Maker maker;
  maker.end_marker = UINT32_MAX;
  const File file = maker.make();
  expect_tolerated(file, "end.marker", maker.places.end);
}

TEST(AltRow04End, MayBeFollowedByBytesWithAWarning) {
  for (const int more : {1, 3, 8, 100}) {
    V1Maker maker;
    File file = maker.make();
    file.insert(file.end(), static_cast<size_t>(more), 7);
    expect_tolerated(file, "end.trailing", maker.places.end + 4);
  }
}

TEST(AltRow04End, MustBeThere) {
  V1Maker maker;
  maker.end_bytes = 0;
  const File file = maker.make();
  EXPECT_EQ(expect_refused(file, "end.marker", file.size()).code, ErrorCode::Truncated);
}

// Row 5.
TEST(AltRow05Theta, MayBeAnIntegerWithAWarning) {
  V1Maker maker;
  maker.rope_theta = std::bit_cast<float>(1'000'000);
  const File file = maker.make();
  expect_tolerated(file, "parameters.rope_theta", maker.field(6));
  EXPECT_EQ(read_leniently(file).model->config.find("rope_theta")->number(), 1e6);
}

// Row 6: alignment and padding.
TEST(AltRow06Alignment, MayBeMissingWithWarnings) {
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
  EXPECT_TRUE(lenient.valid()) << lenient.text();
  EXPECT_EQ(lenient.model->tokenizer, read(V1Maker().make()).model->tokenizer);
  EXPECT_EQ(lenient.model->tensors.size(), 11U);
}

TEST(AltRow06Alignment, ToleratesPaddingThatIsNotZero) {
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

TEST(AltRow06Alignment, JumpsBySizeOverFieldsThatNobodyKnows) {
  V1Maker maker;
  const File file = maker.make();
  File longer(file.begin(), file.begin() + 128);
  longer.resize(128 + 64);
  longer.insert(longer.end(), file.begin() + 128, file.end());
  put_at(longer, 40, int64_t{55 + 64});
  const Read result = read_leniently(longer);
  EXPECT_TRUE(result.valid()) << result.text();
  EXPECT_NE(find(result.found.warnings, "parameters"), nullptr) << result.text();
  EXPECT_FALSE(read(longer).valid());
}

// Row 7.
TEST(AltRow07Terminator, IsStrippedWithAWarning) {
  V1Maker maker;
  maker.model_type = std::string("mistral\0", 8);
  const File file = maker.make();
  expect_tolerated(file, "parameters.model_type", 32 + 16 + 4 + 7);
  EXPECT_EQ(read_leniently(file).model->config.find("model_type")->string(), "mistral");
}

TEST(AltRow07Terminator, IsStrippedFromPiecesAndNames) {
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

// Row 8.
TEST(AltRow08ShapeCount, IsComparedWithAWarning) {
  V1Maker maker;
  File file = maker.make();
  put_at(file, maker.places.tensors + 24, int64_t{11});
  expect_tolerated(file, "tensors.shape_count", maker.places.tensors + 24);
}

// Row 9.
TEST(AltRow09Order, ReportsATransposedMatrix) {
  V1Maker maker;
  maker.tensors[9].shape = {6, 4};
  const File file = maker.make();
  const Error error = expect_refused(file, "tensors[9].shape", maker.places.records[9]);
  EXPECT_NE(error.message.find("other way round"), std::string::npos) << error.message;
}

// Row 10.
TEST(AltRow10DataAlignment, IsNone) {
  V1Maker maker;
  const Read result = read(maker.make());
  EXPECT_TRUE(std::ranges::any_of(result.model->tensors,
                                  [](const auto& tensor) { return tensor.offset % 4 != 0; }));
}

// Row 11.
TEST(AltRow11DataType, OfTensorsRulesAndTheGlobalOneInforms) {
  V1Maker maker;
  for (Tensor& tensor : maker.tensors) tensor.data_type = tensor.shape.size() == 2 ? 1 : 0;
  maker.data_type = 1;
  const Read result = read(maker.make());
  EXPECT_TRUE(result.clean()) << result.text();
  EXPECT_EQ(result.model->tensors[0].dtype, tensor::DType::F16);
  EXPECT_EQ(result.model->tensors[1].dtype, tensor::DType::F32);
  for (const int32_t wrong : {0, 2, 77, -1}) {
    maker.data_type = wrong;
    const File file = maker.make();
    expect_tolerated(file, "config.data_type", maker.field(9));
  }
}

// Row 12.
V1Maker quantised() {
  V1Maker maker;
  maker.hidden_size = 32;
  maker.n_heads = 1;
  maker.head_size = 32;
  maker.intermediate_size = 32;
  for (Tensor& tensor : maker.tensors) {
    const bool embedding = tensor.shape[0] == 9;
    for (int32_t& extent : tensor.shape) extent = 32;
    if (embedding) tensor.shape[0] = 9;
    if (tensor.shape.size() == 2) tensor.data_type = 2;
  }
  maker.data_type = 2;
  return maker;
}

TEST(AltRow12Qint8, IsReadWhenItsLayoutMatchesToTheByte) {
  V1Maker maker = quantised();
  const Read result = read(maker.make());
  EXPECT_TRUE(result.valid()) << result.text();
  EXPECT_NE(find(result.found.warnings, "tensors.data_type"), nullptr);
  EXPECT_EQ(result.model->tensors[0].dtype, tensor::DType::Q8_0);
  EXPECT_EQ(result.model->tensors[0].bytes, 9U * 34U);
}

TEST(AltRow12Qint8, IsRefusedOtherwise) {
  V1Maker maker = quantised();
  File file = maker.make();
  const auto size = load_le<int64_t>(file.data() + maker.places.tensors + 8);
  put_at(file, maker.places.tensors + 8, size + 16);
  EXPECT_EQ(expect_refused(file, "tensors.data_type", maker.places.records[0] + 8).code,
            ErrorCode::Unsupported);
  maker.tensors[0].data = std::string(9 * 32, '\x7F');  // without scales
  maker.tensors[0].data_type = 2;
  file = maker.make();
  file.erase(file.begin() + static_cast<std::ptrdiff_t>(maker.places.records[1]) - 18,
             file.begin() + static_cast<std::ptrdiff_t>(maker.places.records[1]));
  EXPECT_EQ(expect_refused(file, "tensors.data_type", maker.places.records[0] + 8).code,
            ErrorCode::Unsupported);
  maker.tensors[4].shape = {33, 31};
  file = maker.make();
  EXPECT_EQ(expect_refused(file, "tensors[4].data_type", maker.places.records[4] + 8).code,
            ErrorCode::Unsupported);
}

TEST(AltRow12Qint8, OtherTypesAreRefusedByName) {
  V1Maker maker;
  maker.tensors[2].data_type = 3;
  File file = maker.make();
  Error error = expect_refused(file, "tensors[2].data_type", maker.places.records[2] + 8);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("qint4"), std::string::npos);
  for (const int32_t unknown : {13, -1}) {
    maker.tensors[2].data_type = unknown;
    file = maker.make();
    error = expect_refused(file, "tensors[2].data_type", maker.places.records[2] + 8);
    EXPECT_EQ(error.code, ErrorCode::BadValue);
  }
}

// Row 13.
TEST(AltRow13Window, OfZeroOrMoreThanTheContextIsNone) {
  for (const int32_t window : {0, 16, 4096}) {
    V1Maker maker;
    maker.sliding_window = window;
    const Read result = read(maker.make());
    EXPECT_TRUE(result.clean()) << result.text();
    EXPECT_EQ(result.model->config.find("sliding_window")->uint(), static_cast<uint64_t>(window));
  }
}

TEST(AltRow13Window, ThatIsNegativeIsNoneWithAWarning) {
  V1Maker maker;
  maker.sliding_window = -1;
  const File file = maker.make();
  expect_tolerated(file, "parameters.sliding_window", maker.field(5));
  EXPECT_EQ(read_leniently(file).model->config.find("sliding_window")->uint(), 0U);
}

// Row 14.
TEST(AltRow14Tied, TheOutputMatrixMayBeThereOrNot) {
  V1Maker maker;
  EXPECT_TRUE(read(maker.make()).clean());
  maker.tensors.push_back({"lm_head.weight", {9, 4}});
  EXPECT_TRUE(read(maker.make()).clean()) << read(maker.make()).text();
  maker.tensors.back().shape = {9, 5};
  const File file = maker.make();
  expect_refused(file, "tensors[11].shape", maker.places.records[11]);
}

// Row 15.
TEST(AltRow15Vocabulary, MayHaveFewerTokensThanRowsWithAWarning) {
  V1Maker maker;
  maker.tensors = tiny_tensors(12);
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.vocab_size", maker.places.records[0]);
}

TEST(AltRow15Vocabulary, MustNotHaveMore) {
  V1Maker maker;
  maker.tensors = tiny_tensors(8);
  const File file = maker.make();
  expect_refused(file, "tensors[0].shape", maker.places.records[0]);
}

// Row 16.
TEST(AltRow16Ids, BelowZeroAreNone) {
  V1Maker maker;
  maker.pad = -7;
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.pad_id", maker.places.tokenizer + 16 + 12);
  EXPECT_FALSE(read_leniently(file).model->tokenizer->pad_id);
}

// Row 17.
TEST(AltRow17Pieces, WithSpacesAreSpelledAsSentencePieceDoes) {
  V1Maker maker;
  maker.tokens[5].piece = " a";
  maker.tokens[8].piece = "  ";
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.tokens", maker.places.tokens[0]);
  const auto pieces = read_leniently(file).model->tokenizer->vocabulary;
  EXPECT_EQ(pieces[5],
            "\xE2\x96\x81"
            "a");
  EXPECT_EQ(pieces[8], "\xE2\x96\x81\xE2\x96\x81");
  maker.tokens[5].piece = std::string(kSpaceMark) + "a";
  EXPECT_TRUE(read(maker.make()).clean());  // a space beside U+2581 is one
}

// Row 18: the marker's bytes within data end nothing.
TEST(AltRow18End, IsLookedForAtTheEndOnly) {
  V1Maker maker;
  File file = maker.make();
  const uint64_t data = maker.places.records[3] + 12 + 8 + maker.tensors[3].name.size();
  put_at(file, data, kEnd);
  EXPECT_TRUE(read(file).clean());
}

// Row 19.
TEST(AltRow19HeadSize, IsTrustedWhereTheQueriesHaveThatManyRows) {
  V1Maker maker;
  maker.head_size = 4;
  maker.tensors[2].shape = {8, 4};
  maker.tensors[3].shape = {4, 4};
  maker.tensors[4].shape = {4, 4};
  maker.tensors[5].shape = {4, 8};
  const Read result = read(maker.make());
  EXPECT_TRUE(result.clean()) << result.text();
  maker.tensors = tiny_tensors();
  const File file = maker.make();
  expect_refused(file, "tensors[2].shape", maker.places.records[2]);
  maker.with_tensors = false;
  EXPECT_NE(find(read(maker.make()).found.warnings, "config.head_size"), nullptr);
}

// Row 20.
TEST(AltRow20ByteOrder, IsLittleEndian) {
  V1Maker maker;
  maker.hidden_size = static_cast<int32_t>(0x04000000);
  EXPECT_FALSE(read_leniently(maker.make()).valid());
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
  EXPECT_TRUE(result.valid()) << result.text();
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
  EXPECT_TRUE(read_leniently(file).valid());
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
