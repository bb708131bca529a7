#include <gtest/gtest.h>

#include "formats/embd/embd_parse.h"
#include "formats/embd/read_embd.h"
#include "formats/expect_format.h"
#include "formats/sparse_source.h"

namespace ambry::formats::embd {
namespace {

using io::Diagnostics;
using testing::expect_tolerated;
using testing::F0Maker;
using testing::File;
using testing::has;
using testing::put_at;
using testing::Read;
using testing::read;

// core/formats/embd/README.md#f0-offsets: only section starts must lie below 4 GiB.
TEST(EmbdF0, PlacesTensorsPastFourGigabytes) {
  F0Maker maker;
  maker.flags &= ~kFlagChecksums;
  File file = maker.make();
  constexpr uint64_t kSize = 20ULL << 30;
  put_at(file, kTotalSizeAt, kSize);
  put_at(file, kDataSizeAt, kSize - kFooterBytes - maker.places.data);
  const uint64_t far = 9ULL << 30;
  put_at(file, maker.places.descriptor(20) + 24, far);
  const auto footer = file.end() - static_cast<std::ptrdiff_t>(kFooterBytes);
  formats::testing::SparseSource source;
  source.put(0, {file.begin(), footer});
  source.put(kSize - kFooterBytes, {footer, file.end()});
  Diagnostics found;
  const auto model = parse(source, found);
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ(model->tensors[20].offset, maker.places.data + far);
  EXPECT_TRUE(found.errors.empty());
}

// core/formats/embd/README.md#tensor-names
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

// core/formats/embd/README.md#name-hash
TEST(EmbdF0, HashesNamesWithFnv1a) {
  EXPECT_EQ(name_hash("embeddings.word_embeddings.weight"), 0xDB668D90U);
  F0Maker maker;
  File file = maker.make();
  file[maker.places.descriptor(2)] ^= 1;
  testing::seal(file);
  expect_tolerated(file, "tensors[2].name_hash", maker.places.descriptor(2));
}

// core/formats/embd/README.md#descriptor
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

// core/formats/embd/README.md#alignment
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

}  // namespace
}  // namespace ambry::formats::embd
