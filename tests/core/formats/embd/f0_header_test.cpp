#include <gtest/gtest.h>

#include "formats/embd/read_embd.h"
#include "formats/expect_format.h"

namespace ambry::formats::embd {
namespace {

using testing::expect_tolerated;
using testing::F0Maker;
using testing::File;
using testing::has;
using testing::make_f0;
using testing::put_at;
using testing::Read;
using testing::read;

// core/formats/embd/README.md#f0-sizes
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

// core/formats/embd/README.md#checksums
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

// core/formats/embd/README.md#f0-flags
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

// core/formats/embd/README.md#f0-header
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

// core/formats/embd/README.md#f0-section-order
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

}  // namespace
}  // namespace ambry::formats::embd
