#include "formats/tinyruntime/find_variant.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>

#include "formats/conformance.h"
#include "formats/tinyruntime/make_tinyruntime.h"
#include "repetitions.h"

namespace ambry::formats::tinyruntime {
namespace {

using testing::File;
using testing::make;
using testing::Maker;
using testing::put;

std::optional<CnnVariant> variant_of(const File& file) {
  const io::MemorySource source(file);
  const auto found = find_variant(source);
  EXPECT_TRUE(found);
  return *found;
}

TEST(TinyRuntimeVariant, AddsUpInExactlyOne) {
  for (const CnnVariant variant : kVariants) EXPECT_EQ(variant_of(make(variant)), variant);
  EXPECT_EQ(variant_of(make(CnnVariant::Dq8, false)), CnnVariant::Dq8);
}

// An MLP or a batch norm alone has little to go by, but adds up.
TEST(TinyRuntimeVariant, AddsUpForFewLayers) {
  for (const CnnVariant variant : kVariants) {
    Maker maker;
    maker.variant = variant;
    maker.convs.clear();
    EXPECT_EQ(variant_of(maker.make()), variant);
    maker.linears.clear();
    EXPECT_EQ(variant_of(maker.make()), variant);
  }
}

// A cut-off download shall be told so, once two layers of it are there.
TEST(TinyRuntimeVariant, KnowsTruncatedFiles) {
  for (const CnnVariant variant : kVariants) {
    const File file = make(variant);
    const uint64_t least = header_bytes(variant) + 2 * entry_bytes(variant, CnnKind::Conv);
    for (size_t size = 0; size < file.size(); size += size < 256 ? 1 : 97) {
      const File prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      const auto found = variant_of(prefix);
      if (size < least) {
        EXPECT_EQ(found, std::nullopt) << size;
      } else {
        EXPECT_EQ(found, variant) << size;
      }
    }
  }
}

TEST(TinyRuntimeVariant, ClaimsNoForeignFile) {
  for (const formats::testing::Fixture& fixture : formats::testing::fixtures()) {
    if (fixture.id == "tinyruntime") continue;
    EXPECT_EQ(variant_of(fixture.file), std::nullopt) << name_of(fixture);
  }
  for (const size_t size : {1U, 16U, 28U, 72U, 4096U, 100000U}) {
    EXPECT_EQ(variant_of(File(size, 0)), std::nullopt) << size;
    EXPECT_EQ(variant_of(File(size, 0xFF)), std::nullopt) << size;
    EXPECT_EQ(variant_of(File(size, ' ')), std::nullopt) << size;
    EXPECT_EQ(variant_of(File(size, 1)), std::nullopt) << size;
  }
}

TEST(TinyRuntimeVariant, ClaimsNoRandomBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    File file(16 + random() % 2048);
    for (uint8_t& byte : file) byte = static_cast<uint8_t>(random());
    EXPECT_EQ(variant_of(file), std::nullopt);
  }
}

// Arrays of small 32-bit numbers are what could look like tables: labels, token ids, counters.
TEST(TinyRuntimeVariant, ClaimsNoArraysOfSmallNumbers) {
  std::mt19937 random(11);
  int claimed = 0;
  for (size_t round = 0; round < ambry::testing::repetitions(20'000); ++round) {
    File file;
    const auto most = static_cast<uint32_t>(2 + random() % 300);
    const size_t count = 8 + random() % 500;
    for (size_t i = 0; i < count; ++i) put(file, static_cast<int32_t>(random() % most));
    if (variant_of(file)) ++claimed;
  }
  EXPECT_LE(claimed, 4) << "of 20000";
  for (int32_t start = 0; start < 300; ++start) {
    File file;
    for (int32_t i = 0; i < 500; ++i) put(file, start + i);
    EXPECT_EQ(variant_of(file), std::nullopt) << start;
    file.clear();
    for (int32_t i = 0; i < 500; ++i) put(file, start);
    EXPECT_EQ(variant_of(file), std::nullopt) << start;
  }
}

// What is asked of a remote file: the tables, and of a foreign one only the head.
TEST(TinyRuntimeVariant, AsksForLittle) {
  Maker maker;
  maker.variant = CnnVariant::Sq8;
  const File file = maker.make();
  uint64_t asked = 0;
  const auto outcome =
      formats::testing::read_in_parts(file, *find_format("tinyruntime"), {}, &asked);
  EXPECT_TRUE(outcome.accepted());
  EXPECT_EQ(asked, maker.places.data);
  io::PartialSource foreign(1 << 30);
  ASSERT_TRUE(foreign.insert(0, File(72, 'x')));
  EXPECT_TRUE(find_variant(foreign));
}

// Nothing adds up before the size is known.
TEST(TinyRuntimeVariant, WaitsForTheSize) {
  const File file = make(CnnVariant::Vanilla);
  io::PartialSource source(io::Source::kUnknownSize);
  ASSERT_TRUE(source.insert(0, file));
  const auto waiting = find_variant(source);
  ASSERT_FALSE(waiting);
  EXPECT_EQ(waiting.error().code, ErrorCode::NeedBytes);
  source.set_size(file.size());
  EXPECT_EQ(*find_variant(source), CnnVariant::Vanilla);
}

}  // namespace
}  // namespace ambry::formats::tinyruntime
