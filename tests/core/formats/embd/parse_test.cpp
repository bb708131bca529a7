#include "formats/embd/parse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/embd/make_embd.h"
#include "model/encoder_config.h"

namespace ambry::formats::embd {
namespace {

using io::Diagnostics;
using io::Strictness;
using model::LinearLayout;
using testing::F0Maker;
using testing::File;
using testing::make_f0;
using testing::make_f1;
using testing::put_at;
using testing::tiny_tensors;

struct Read {
  Result<model::Model> model = model::Model();
  Diagnostics found;

  [[nodiscard]] bool clean() const {
    return model.has_value() && found.errors.empty() && found.warnings.empty();
  }
};

Read read(const File& file, Strictness strictness = Strictness::Strict) {
  const io::MemorySource source(file);
  Read result;
  result.found.strictness = strictness;
  result.model = parse(source, result.found);
  if (result.model) check(*result.model, result.found);
  return result;
}

bool has(const std::vector<Error>& problems, std::string_view path) {
  return std::ranges::any_of(problems, [&](const Error& e) { return e.path == path; });
}

// Clean when read by both; strict error and lenient warning at this path otherwise.
void expect_tolerated(const File& file, std::string_view path, uint64_t offset) {
  const Read strict = read(file, Strictness::Strict);
  ASSERT_TRUE(strict.model) << describe(strict.model.error());
  ASSERT_EQ(strict.found.errors.size(), 1U);
  EXPECT_EQ(strict.found.errors[0].path, path);
  EXPECT_EQ(strict.found.errors[0].byte_offset, offset);
  const Read lenient = read(file, Strictness::Lenient);
  ASSERT_TRUE(lenient.model);
  EXPECT_TRUE(lenient.found.errors.empty());
  EXPECT_TRUE(has(lenient.found.warnings, path));
}

TEST(EmbdF0, ReadsAWholeFileWithoutComplaint) {
  F0Maker maker;
  const Read result = read(maker.make());
  ASSERT_TRUE(result.clean()) << (result.model ? "" : describe(result.model.error()));
  const model::Model& model = *result.model;
  EXPECT_EQ(model.format, "embd");
  EXPECT_EQ(model.version, "F0 1.0");
  EXPECT_EQ(model.metadata.find("model_name")->string(), "tiny");
  EXPECT_EQ(model.tokenizer->vocabulary.size(), 8U);
  EXPECT_EQ(model.tokenizer->vocabulary[7], "\xC3\xA9");
  EXPECT_EQ(model.tokenizer->sep_id, 3U);
  EXPECT_EQ(model.tokenizer->added_tokens.size(), 5U);
  EXPECT_EQ(model.tensors.size(), 21U);
  EXPECT_EQ(model.tensors[1].offset, maker.places.data + 128);
  EXPECT_EQ(model.tensors[1].bytes, 96U);
  EXPECT_EQ(model.linear_layout, LinearLayout::OutIn);
  ASSERT_EQ(model.checksums.size(), 2U);
  const File file = maker.make();
  for (const model::ByteRangeCrc& crc : model.checksums) {
    EXPECT_EQ(io::crc32(Bytes(file).subspan(crc.begin, crc.end - crc.begin)), crc.expected);
  }
}

TEST(EmbdF0, ReadsTheEncodersFacts) {
  const Read result = read(make_f0());
  const auto config = model::encoder_config(*result.model);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->num_heads, 2U);
  EXPECT_EQ(config->max_seq_length, 6U);
  EXPECT_EQ(config->pooling, "mean");
  EXPECT_TRUE(config->normalize);
}

// Pretends twenty gigabytes between the head and the footer of a small file.
class HugeSource final : public io::Source {
 public:
  explicit HugeSource(File head) : head_(std::move(head)) {}
  [[nodiscard]] uint64_t size() const override { return kSize; }
  static constexpr uint64_t kSize = 20ULL << 30;

 protected:
  [[nodiscard]] Bytes find(uint64_t offset, uint64_t size) const override {
    if (offset + size <= head_.size() - kFooterBytes) {
      return Bytes(head_).subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
    }
    if (offset < kSize - kFooterBytes) return {};
    return Bytes(head_)
        .last(kFooterBytes)
        .subspan(static_cast<size_t>(offset - (kSize - kFooterBytes)), static_cast<size_t>(size));
  }

 private:
  File head_;
};

// B1 row 1: only section starts must lie below 4 GiB.
TEST(EmbdF0, PlacesTensorsPastFourGigabytes) {
  F0Maker maker;
  maker.flags &= ~kFlagChecksums;
  File file = maker.make();
  put_at(file, kTotalSizeAt, HugeSource::kSize);
  put_at(file, kDataSizeAt, HugeSource::kSize - kFooterBytes - maker.places.data);
  const uint64_t far = 9ULL << 30;
  put_at(file, maker.places.descriptor(20) + 24, far);
  const HugeSource source(file);
  Diagnostics found;
  const auto model = parse(source, found);
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ(model->tensors[20].offset, maker.places.data + far);
  EXPECT_TRUE(found.errors.empty());
}

// B1 row 3: sizes in the header count the whole section, total_size only the entries.
TEST(EmbdF0, RefusesEntriesThatPassTheirSection) {
  F0Maker maker;
  File file = maker.make();
  const auto entries = load_le<uint32_t>(file.data() + maker.places.metadata + 4);
  put_at(file, maker.places.metadata + 4, entries + 1);
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().path, "metadata.total_size");
  file = maker.make();
  put_at(file, maker.places.vocabulary + 4, uint32_t{4000});
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().path, "vocabulary.total_size");
  maker.metadata.emplace_back("x", "y");  // now padding follows the section
  file = maker.make();
  put_at(file, kMetadataOffsetAt + 4, load_le<uint32_t>(file.data() + kMetadataOffsetAt + 4) + 1);
  testing::seal(file);
  expect_tolerated(file, "metadata.total_size", maker.places.metadata + 4);
}

// B1 rows 4 and 5.
TEST(EmbdF0, FindsSpecialIdsBeforeTheEntries) {
  F0Maker maker;
  maker.special_first = true;
  const Read result = read(maker.make());
  EXPECT_TRUE(result.clean());
  EXPECT_EQ(result.model->tokenizer->vocabulary[5], "a");
  EXPECT_EQ(result.model->tokenizer->mask_id, 4U);
}

TEST(EmbdF0, AcceptsSpecialIdsCountedFromTheSectionWithAWarning) {
  for (const bool first : {false, true}) {
    F0Maker maker;
    maker.metadata.emplace_back("padding", std::string(400, 'x'));
    maker.special_relative = true;
    maker.special_first = first;
    const Read result = read(maker.make());
    ASSERT_TRUE(result.model) << describe(result.model.error());
    EXPECT_TRUE(result.found.errors.empty());
    EXPECT_TRUE(has(result.found.warnings, "vocabulary.special_tokens"));
    EXPECT_EQ(result.model->tokenizer->cls_id, 2U);
    EXPECT_EQ(result.model->tokenizer->vocabulary[5], "a");
  }
}

TEST(EmbdF0, LooksSpecialTokensUpByTextWhenNoIdsAreStored) {
  F0Maker maker;
  maker.no_special = true;
  std::swap(maker.tokens[0], maker.tokens[5]);
  const Read result = read(maker.make());
  EXPECT_TRUE(result.clean());
  EXPECT_EQ(result.model->tokenizer->pad_id, 5U);
  EXPECT_EQ(result.model->tokenizer->mask_id, 4U);
}

TEST(EmbdF0, RefusesSpecialIdsOutsideTheirSectionOrVocabulary) {
  F0Maker maker;
  File file = maker.make();
  put_at(file, maker.places.vocabulary + 8, uint32_t{1'000'000});
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().byte_offset, maker.places.vocabulary + 8);
  file = maker.make();
  put_at(file, maker.places.vocabulary + 8, static_cast<uint32_t>(maker.places.vocabulary + 16));
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().path, "vocabulary.special_tokens");
  file = maker.make();
  put_at(file, maker.places.special + 8, uint32_t{8});
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().path, "vocabulary.cls_id");
  EXPECT_EQ(read(file).model.error().byte_offset, maker.places.special + 8);
}

// B1 row 6.
TEST(EmbdF0, ReadsAFileWithoutAVocabulary) {
  F0Maker maker;
  maker.flags &= ~kFlagVocabEmbedded;
  File file = maker.make();
  const Read result = read(file);
  ASSERT_TRUE(result.model);
  EXPECT_TRUE(result.found.errors.empty());
  EXPECT_FALSE(result.model->tokenizer);
  EXPECT_TRUE(has(result.found.warnings, "vocabulary"));
  put_at(file, kVocabularyOffsetAt, uint32_t{64});
  testing::seal(file);
  expect_tolerated(file, "header.vocab_offset", kVocabularyOffsetAt);
}

TEST(EmbdF0, WarnsWhenTheVocabularyIsNotAsLongAsTheWordEmbeddings) {
  F0Maker maker;
  maker.tokens.emplace_back("extra");
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model);
  EXPECT_TRUE(result.found.errors.empty());
  EXPECT_TRUE(has(result.found.warnings, "vocabulary.token_count"));
}

// B1 row 7.
TEST(EmbdF0, RefusesNamesThatRunIntoTheData) {
  F0Maker maker;
  File file = maker.make();
  put_at(file, maker.places.descriptor(0) + 6, uint16_t{5000});
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().path, "tensor_names");
  file = maker.make();
  file[maker.places.names + 3] = 0;
  testing::seal(file);
  const Error nul = read(file).model.error();
  EXPECT_EQ(nul.byte_offset, maker.places.names + 3);
  EXPECT_EQ(nul.path, "tensors[0].name");
  file[maker.places.names + 3] = 0xFF;
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().byte_offset, maker.places.names + 3);
  put_at(file, kIndexCountAt, uint32_t{1U << 20});
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().byte_offset, kIndexOffsetAt);
}

// B1 row 8.
TEST(EmbdF0, HashesNamesWithFnv1a) {
  EXPECT_EQ(name_hash("embeddings.word_embeddings.weight"), 0xDB668D90U);
  F0Maker maker;
  File file = maker.make();
  file[maker.places.descriptor(2)] ^= 1;
  testing::seal(file);
  expect_tolerated(file, "tensors[2].name_hash", maker.places.descriptor(2));
}

// B1 row 9.
TEST(EmbdF0, RefusesImpossibleDescriptors) {
  F0Maker maker;
  const File good = maker.make();
  const uint64_t at = maker.places.descriptor(3);
  const auto broken = [&](uint64_t where, auto value) {
    File file = good;
    put_at(file, where, value);
    testing::seal(file);
    return read(file).model.error();
  };
  EXPECT_EQ(broken(at + 4, uint8_t{9}).code, ErrorCode::Unsupported);
  EXPECT_EQ(broken(at + 4, uint8_t{9}).path, "tensors[3].dtype");
  EXPECT_EQ(broken(at + 5, uint8_t{0}).path, "tensors[3].ndim");
  EXPECT_EQ(broken(at + 5, uint8_t{5}).byte_offset, at + 5);
  EXPECT_EQ(broken(at + 6, uint16_t{0}).path, "tensors[3].name_length");
  EXPECT_EQ(broken(at + 8, uint32_t{0}).path, "tensors[3].shape[0]");
  EXPECT_EQ(broken(at + 8, uint32_t{100'000}).path, "tensors[3].data_offset");
  EXPECT_EQ(broken(at + 24, UINT64_MAX - 8).code, ErrorCode::Truncated);
  File file = good;
  put_at(file, at + 5, uint8_t{4});
  for (const uint64_t axis : {8U, 12U, 16U, 20U}) put_at(file, at + axis, UINT32_MAX);
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().code, ErrorCode::Overflow);
}

TEST(EmbdF0, ToleratesUnusedShapeSlotsThatAreNotZero) {
  F0Maker maker;
  File file = maker.make();
  put_at(file, maker.places.descriptor(3) + 16, uint32_t{7});
  testing::seal(file);
  expect_tolerated(file, "tensors[3].shape[2]", maker.places.descriptor(3) + 16);
}

TEST(EmbdF0, RefusesOverlappingTensors) {
  F0Maker maker;
  File file = maker.make();
  put_at(file, maker.places.descriptor(3) + 24, uint64_t{64});
  testing::seal(file);
  const Read result = read(file);
  ASSERT_TRUE(result.model);
  EXPECT_TRUE(has(result.found.errors, "tensors[3].data_offset"));
}

// B1 row 10.
TEST(EmbdF0, WarnsAboutAlignmentThatHoldsOnlyWithinTheData) {
  F0Maker maker;
  maker.data_shift = 8;
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model);
  EXPECT_TRUE(result.found.errors.empty());
  EXPECT_TRUE(has(result.found.warnings, "tensors[0].data_offset"));
}

TEST(EmbdF0, ToleratesMisalignedTensorsUnlessTheFlagIsClear) {
  F0Maker maker;
  File file = maker.make();
  const uint64_t field = maker.places.descriptor(20) + 24;
  put_at(file, field, load_le<uint64_t>(file.data() + field) + 4);
  testing::seal(file);
  expect_tolerated(file, "tensors[20].data_offset", field);
  put_at(file, kFlagsAt, kFlagVocabEmbedded | kFlagChecksums);
  testing::seal(file);
  EXPECT_TRUE(read(file).clean());
}

// B1 row 11.
TEST(EmbdF0, ComparesTheSizesOfFileAndHeader) {
  const File good = make_f0();
  File longer = good;
  longer.push_back(0);
  EXPECT_EQ(read(longer).model.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(read(longer).model.error().byte_offset, kTotalSizeAt);
  File shorter = good;
  shorter.pop_back();
  EXPECT_EQ(read(shorter).model.error().code, ErrorCode::Truncated);
  File uneven = good;
  put_at(uneven, kDataSizeAt, load_le<uint64_t>(uneven.data() + kDataSizeAt) - 64);
  testing::seal(uneven);
  EXPECT_EQ(read(uneven).model.error().path, "header.tensor_data_size");
  put_at(uneven, kDataSizeAt, UINT64_MAX - 20);
  testing::seal(uneven);
  EXPECT_EQ(read(uneven).model.error().path, "header.tensor_data_size");
}

// B1 rows 12 and 13.
TEST(EmbdF0, VerifiesTheHeadersChecksumAndStatesTheOthers) {
  File file = make_f0();
  file[kHeaderChecksumAt] ^= 1;
  const Read result = read(file);
  ASSERT_TRUE(result.model);
  EXPECT_TRUE(has(result.found.errors, "header.header_checksum"));
  EXPECT_EQ(result.model->checksums[0].path, "footer.data_checksum");
  EXPECT_EQ(result.model->checksums[1].field_offset, file.size() - 12);
}

TEST(EmbdF0, IgnoresChecksumsWhenTheFlagIsClear) {
  F0Maker maker;
  maker.flags &= ~kFlagChecksums;
  const Read result = read(maker.make());
  EXPECT_TRUE(result.clean());
  EXPECT_TRUE(result.model->checksums.empty());
}

// B1 row 14.
TEST(EmbdF0, RefusesCompressionByName) {
  F0Maker maker;
  maker.flags |= kFlagCompressed;
  const Error error = read(maker.make()).model.error();
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("COMPRESSED"), std::string::npos);
}

TEST(EmbdF0, ToleratesReservedBitsAndWords) {
  F0Maker maker;
  maker.flags |= 1U << 9;
  expect_tolerated(maker.make(), "header.flags", kFlagsAt);
  File file = make_f0();
  put_at(file, kReservedAt, uint32_t{1});
  testing::seal(file);
  expect_tolerated(file, "header.reserved", kReservedAt);
  file = make_f0();
  put_at(file, file.size() - 4, uint32_t{1});
  expect_tolerated(file, "footer.reserved", file.size() - 4);
}

// B1 row 15.
TEST(EmbdF0, RefusesAnotherMajorVersionAndWarnsAboutANewerMinorOne) {
  File file = make_f0();
  put_at(file, kVersionAt, uint16_t{2});
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().code, ErrorCode::UnsupportedVersion);
  EXPECT_EQ(read(file).model.error().byte_offset, kVersionAt);
  file = make_f0();
  put_at(file, kVersionAt + 2, uint16_t{3});
  testing::seal(file);
  const Read result = read(file);
  ASSERT_TRUE(result.model);
  EXPECT_TRUE(result.found.errors.empty());
  EXPECT_TRUE(has(result.found.warnings, "header.version_minor"));
  EXPECT_EQ(result.model->version, "F0 1.3");
}

// B1 row 16.
TEST(EmbdF0, RefusesDuplicateMetadataAndWarnsAboutMissingKeys) {
  F0Maker maker;
  maker.metadata.emplace_back("model_name", "again");
  const Read twice = read(maker.make());
  ASSERT_TRUE(twice.model);
  EXPECT_TRUE(has(twice.found.errors, "metadata[11].key"));
  F0Maker bare;
  std::erase_if(bare.metadata, [](const auto& entry) { return entry.first == "created_at"; });
  bare.metadata.emplace_back("my_key", "kept");
  const Read missing = read(bare.make());
  EXPECT_TRUE(missing.found.errors.empty());
  ASSERT_EQ(missing.found.warnings.size(), 1U);
  EXPECT_EQ(missing.found.warnings[0].path, "metadata.created_at");
  EXPECT_EQ(missing.model->metadata.find("my_key")->string(), "kept");
}

TEST(EmbdF0, RefusesMetadataThatIsNotUtf8AtItsByte) {
  F0Maker maker;
  maker.metadata = {{"k", "v\xFF"}};
  const Error error = read(maker.make()).model.error();
  EXPECT_EQ(error.path, "metadata[0].value");
  EXPECT_EQ(error.byte_offset, maker.places.metadata + 8 + 4 + 2);
}

// B1 row 17.
TEST(EmbdF0, ReadsSectionsInAnyOrder) {
  F0Maker maker;
  File file = maker.make();
  // Swaps metadata and vocabulary by moving a copy of the metadata behind the names.
  const auto size = load_le<uint32_t>(file.data() + kMetadataOffsetAt + 4);
  File moved(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(maker.places.data));
  const auto copy_at = static_cast<uint32_t>(moved.size());
  moved.insert(moved.end(), file.begin() + static_cast<std::ptrdiff_t>(maker.places.metadata),
               file.begin() + static_cast<std::ptrdiff_t>(maker.places.metadata + size));
  moved.resize((moved.size() + 63) / 64 * 64);
  put_at(moved, kMetadataOffsetAt, copy_at);
  put_at(moved, kDataOffsetAt, static_cast<uint32_t>(moved.size()));
  moved.insert(moved.end(), file.begin() + static_cast<std::ptrdiff_t>(maker.places.data),
               file.end());
  put_at(moved, kTotalSizeAt, static_cast<uint64_t>(moved.size()));
  testing::seal(moved);
  const Read result = read(moved);
  ASSERT_TRUE(result.clean()) << (result.model ? "" : describe(result.model.error()));
  EXPECT_EQ(result.model->metadata.find("model_name")->string(), "tiny");
}

TEST(EmbdF0, RefusesSectionsThatOverlapOrPassTheEnd) {
  F0Maker maker;
  File file = maker.make();
  put_at(file, kMetadataOffsetAt, static_cast<uint32_t>(maker.places.vocabulary));
  testing::seal(file);
  const Read overlap = read(file);
  EXPECT_TRUE(!overlap.model || !overlap.found.errors.empty());
  file = maker.make();
  put_at(file, kVocabularyOffsetAt, static_cast<uint32_t>(file.size()));
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().path, "header.vocab_offset");
  EXPECT_EQ(read(file).model.error().byte_offset, kVocabularyOffsetAt);
}

// B1 row 18.
TEST(EmbdF0, ReadsIntegerWeightsWithTheirScales) {
  F0Maker maker;
  maker.tensors[0].dtype = 5;
  maker.tensors.push_back({"embeddings.word_embeddings.weight.scale", {8}});
  EXPECT_TRUE(read(maker.make()).clean());
  maker.tensors.back().shape = {1};
  EXPECT_TRUE(read(maker.make()).clean());
  maker.tensors.back().shape = {4};
  EXPECT_TRUE(has(read(maker.make()).found.errors, "tensors[21].shape"));
  maker.tensors.back() = {"embeddings.word_embeddings.weight.scale", {8}, 1};
  File half = maker.make();
  expect_tolerated(half, "tensors[21].dtype", maker.places.descriptor(21));
  maker.tensors.pop_back();
  const Read bare = read(maker.make());
  EXPECT_TRUE(bare.found.errors.empty());
  EXPECT_TRUE(has(bare.found.warnings, "tensors[0]"));
}

TEST(EmbdF0, ReadsEveryDataType) {
  for (uint8_t dtype = 0; dtype < 9; ++dtype) {
    F0Maker maker;
    maker.tensors.push_back({"extra", {3, 2}, dtype});
    const Read result = read(maker.make());
    ASSERT_TRUE(result.clean());
    EXPECT_EQ(result.model->tensors.back().dtype, kDTypes[dtype]);
    EXPECT_EQ(result.model->tensors.back().bytes, 6 * testing::element_size(dtype));
  }
}

// B1 row 19.
TEST(EmbdF0, NamesTheExpectedShapeOfAMisshapenTensor) {
  F0Maker maker;
  maker.tensors[15].shape = {4, 6};
  maker.tensors[20].name = "encoder.layer.0.output.LayerNorm.beta";
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model);
  ASSERT_EQ(result.found.errors.size(), 2U);
  EXPECT_NE(result.found.errors[0].message.find("expected [6, 4]"), std::string::npos);
  EXPECT_EQ(result.found.errors[0].path, "tensors[15].shape");
  EXPECT_NE(result.found.errors[1].message.find("output.LayerNorm.bias [4] is missing"),
            std::string::npos);
}

TEST(EmbdF0, CollectsIndependentProblems) {
  F0Maker maker;
  maker.tensors[5].name = maker.tensors[7].name;
  maker.metadata.emplace_back("vocab_size", "9");
  maker.flags |= 1U << 20;
  File file = maker.make();
  file[maker.places.descriptor(0)] ^= 1;
  testing::seal(file);
  file[file.size() - 8] = 'X';
  const Read result = read(file);
  ASSERT_TRUE(result.model);
  for (const char* path : {"header.flags", "footer.magic_end", "metadata[11].key",
                           "tensors[0].name_hash", "tensors[7].name", "tensors"}) {
    EXPECT_TRUE(has(result.found.errors, path)) << path;
  }
}

// B1 row 20 and the facts that make no sense.
TEST(EmbdF0, RefusesUnknownFactsByName) {
  const std::pair<std::string, std::string> kBad[] = {
      {"architecture", "gpt2"},       {"hidden_act", "swish"},
      {"pooling_mode", "sum"},        {"normalize", "perhaps"},
      {"num_attention_heads", "3"},   {"num_layers", "1e9"},
      {"num_layers", "4000000000"},   {"layer_norm_eps", "small"},
      {"hidden_size", "0"},           {"prompts", "[]"},
      {"default_prompt_name", "none"}};
  for (const auto& [key, value] : kBad) {
    F0Maker maker;
    std::erase_if(maker.metadata, [&](const auto& entry) { return entry.first == key; });
    maker.metadata.emplace_back(key, value);
    const Read result = read(maker.make());
    ASSERT_TRUE(result.model) << key;
    ASSERT_TRUE(has(result.found.errors, "metadata." + key)) << key << "=" << value;
    EXPECT_LT(result.found.errors[0].byte_offset, maker.make().size());
  }
}

TEST(EmbdF1, ReadsBothOrientations) {
  const Read usual = read(make_f1());
  ASSERT_TRUE(usual.model) << describe(usual.model.error());
  EXPECT_EQ(usual.model->version, "F1");
  EXPECT_EQ(usual.model->linear_layout, LinearLayout::InOut);
  EXPECT_EQ(usual.model->tokenizer->vocabulary[7], "\xC3\xA9");
  EXPECT_EQ(usual.model->tokenizer->cls_id, 2U);
  EXPECT_EQ(usual.model->tensors[0].offset, 12U + 4 + 33 + 4 + 8);
  const Read first = read(make_f1(tiny_tensors(false)));
  ASSERT_TRUE(first.model);
  EXPECT_EQ(first.model->linear_layout, LinearLayout::OutIn);
}

TEST(EmbdF1, AssumesTransposedWhereEverythingIsSquareAndSaysSo) {
  const Read square = read(make_f1(tiny_tensors(true, 4)));
  ASSERT_TRUE(square.model);
  EXPECT_EQ(square.model->linear_layout, LinearLayout::InOut);
  EXPECT_TRUE(has(square.found.warnings, "linear_layout"));
}

TEST(EmbdF1, MayHaveNoVocabulary) {
  const Read result = read(make_f1(tiny_tensors(true), {}));
  ASSERT_TRUE(result.model);
  EXPECT_FALSE(result.model->tokenizer);
}

TEST(EmbdF1, RefusesWhatMayNotBe) {
  File trailing = make_f1();
  trailing.push_back(0);
  EXPECT_EQ(read(trailing).model.error().byte_offset, trailing.size() - 1);

  auto tensors = tiny_tensors(true);
  tensors[1].name = tensors[0].name;
  EXPECT_TRUE(has(read(make_f1(tensors)).found.errors, "tensors[1].name"));

  File ndim = make_f1();
  put_at(ndim, 12 + 4 + 33, uint32_t{5});
  EXPECT_EQ(read(ndim).model.error().path, "tensors[0].ndim");
  put_at(ndim, 12 + 4 + 33, uint32_t{2});
  put_at(ndim, 12 + 4 + 33 + 4, uint32_t{0});
  EXPECT_EQ(read(ndim).model.error().path, "tensors[0].shape[0]");
  put_at(ndim, 12 + 4 + 33 + 4, UINT32_MAX);
  EXPECT_EQ(read(ndim).model.error().code, ErrorCode::Truncated);

  File version = make_f1();
  put_at(version, 4, uint32_t{2});
  EXPECT_EQ(read(version).model.error().code, ErrorCode::UnsupportedVersion);
}

TEST(EmbdF1, HoldsTheReadersLimits) {
  const std::vector<std::string> many(100'001);
  EXPECT_EQ(read(make_f1(tiny_tensors(true), many)).model.error().code, ErrorCode::LimitExceeded);
  const std::vector<std::string> most(100'000);
  EXPECT_TRUE(read(make_f1(tiny_tensors(true), most)).model);
  const std::vector<std::string> wide = {std::string((1U << 20) + 1, 'x')};
  const Error error = read(make_f1(tiny_tensors(true), wide)).model.error();
  EXPECT_EQ(error.code, ErrorCode::LimitExceeded);
  EXPECT_EQ(error.path, "vocabulary[0].token_length");
}

TEST(EmbdF2, IsRefusedByName) {
  File file;
  testing::put_text(file, "EMBD");
  testing::put(file, uint32_t{1});
  testing::put(file, uint32_t{2});
  testing::put(file, uint32_t{16 + 200});
  testing::put_text(file, "embeddings.word");
  file.resize(16 + 200 + 64);
  const Error error = read(file).model.error();
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("F2"), std::string::npos);
}

TEST(Embd, RefusesAnotherMagic) {
  File file = make_f0();
  file[0] = 'X';
  EXPECT_EQ(read(file).model.error().code, ErrorCode::BadMagic);
  EXPECT_EQ(read(file).model.error().byte_offset, 0U);
  EXPECT_EQ(read({'E', 'M'}).model.error().code, ErrorCode::Truncated);
}

}  // namespace
}  // namespace ambry::formats::embd
