#include "api/loading/byte_sink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

namespace ambry::api {
namespace {

// Records what each tensor receives, and every mismatch.
class RecordingSink final : public ByteSink {
 public:
  explicit RecordingSink(bool whole)
      : ByteSink(whole ? TensorMemory::Whole : TensorMemory::Chunks) {}

  using ByteSink::lay_out;

  std::vector<std::vector<uint8_t>> tensors = std::vector<std::vector<uint8_t>>(8);
  std::vector<size_t> chunk_sizes;
  std::vector<Error> mismatches;
  bool refuse_mismatch = false;

 protected:
  Result<void> on_chunk(const Segment& segment, uint64_t offset, AlignedBuffer& chunk) override {
    chunk_sizes.push_back(chunk.size());
    if (segment.tensor == kNoTensor) return {};
    std::vector<uint8_t>& tensor = tensors[segment.tensor];
    EXPECT_EQ(tensor.size(), offset);
    tensor.insert(tensor.end(), chunk.bytes().begin(), chunk.bytes().end());
    return {};
  }
  Result<void> on_mismatch(Failure mismatch) override {
    mismatches.push_back(*mismatch);
    if (refuse_mismatch) return mismatch;
    return {};
  }
};

// Tensor 0 at 10..40, tensor 1 directly after it, an empty one, tensor 3 at 50..90; 100 bytes in
// total.
model::Model three_tensors() {
  model::Model model;
  model.file_bytes = 100;
  const auto add = [&](uint64_t offset, uint64_t bytes) {
    model::TensorEntry entry;
    entry.offset = offset;
    entry.bytes = bytes;
    model.tensors.push_back(entry);
  };
  add(10, 30);
  add(40, 5);
  add(45, 0);
  add(50, 40);
  return model;
}

std::vector<uint8_t> hundred_bytes() {
  std::vector<uint8_t> file(100);
  std::iota(file.begin(), file.end(), uint8_t{1});
  return file;
}

Result<void> stream(ByteSink& sink, const std::vector<uint8_t>& file, size_t piece) {
  while (sink.wanted() > 0) {
    const MutableBytes window = sink.window();
    const size_t n = std::min({window.size(), piece, static_cast<size_t>(sink.wanted())});
    if (n == 0) return make_error(ErrorCode::BadValue, "window", "empty while bytes are wanted");
    std::memcpy(window.data(), file.data() + sink.start(), n);
    AMBRY_RETURN_IF_ERROR(sink.commit(n));
  }
  return {};
}

TEST(ByteSink, GivesEachTensorItsBytesForAnySplit) {
  const auto file = hundred_bytes();
  for (const bool whole : {true, false}) {
    for (size_t piece = 1; piece <= 101; ++piece) {
      RecordingSink sink(whole);
      ASSERT_TRUE(sink.lay_out(three_tensors(), {3, 0, 1, 2}, 0, 100).has_value());
      ASSERT_TRUE(stream(sink, file, piece).has_value());
      EXPECT_EQ(sink.tensors[0], std::vector<uint8_t>(file.begin() + 10, file.begin() + 40));
      EXPECT_EQ(sink.tensors[1], std::vector<uint8_t>(file.begin() + 40, file.begin() + 45));
      EXPECT_TRUE(sink.tensors[2].empty());
      EXPECT_EQ(sink.tensors[3], std::vector<uint8_t>(file.begin() + 50, file.begin() + 90));
      EXPECT_EQ(sink.start(), 100U);
      EXPECT_TRUE(sink.window().empty());
    }
  }
}

// A loader moves a full tensor's memory away. The next segment still gets its own memory.
TEST(ByteSink, NeighboursDoNotShareMemory) {
  class TakingSink final : public ByteSink {
   public:
    TakingSink() : ByteSink(TensorMemory::Whole) {}
    using ByteSink::lay_out;
    std::vector<AlignedBuffer> taken;

   protected:
    Result<void> on_chunk(const Segment&, uint64_t, AlignedBuffer& chunk) override {
      taken.push_back(std::move(chunk));
      return {};
    }
    Result<void> on_mismatch(Failure mismatch) override { return mismatch; }
  };
  model::Model model;
  model.file_bytes = 100;
  for (const uint64_t offset : {0U, 50U}) {
    model::TensorEntry entry;
    entry.offset = offset;
    entry.bytes = 50;
    model.tensors.push_back(entry);
  }
  TakingSink sink;
  ASSERT_TRUE(sink.lay_out(model, {0, 1}, 0, 100));
  ASSERT_TRUE(stream(sink, hundred_bytes(), 30));
  ASSERT_EQ(sink.taken.size(), 2U);
  EXPECT_EQ(sink.taken[0].bytes()[0], 1);
  EXPECT_EQ(sink.taken[1].bytes()[0], 51);
}

TEST(ByteSink, ReadsChecksumsThatComeAfterTheirRange) {
  auto file = hundred_bytes();
  const Bytes bytes(file);
  const uint32_t sum = io::crc32(bytes.subspan(5, 85));
  model::Model model = three_tensors();
  model.checksums.push_back({5, 90, 0, 91, "footer.sum"});
  model.checksums.back().read_later = true;
  model.closing_magic = model::ClosingMagic{95, "DBME", "footer.magic_end"};
  for (const bool damaged : {false, true}) {
    for (size_t i = 0; i < 4; ++i) {
      file[91 + i] = static_cast<uint8_t>((sum >> (8 * i)) + (damaged ? 1 : 0));
      file[95 + i] = static_cast<uint8_t>(std::string_view(damaged ? "DBNE" : "DBME")[i]);
    }
    for (size_t piece = 1; piece <= 101; ++piece) {
      RecordingSink sink(true);
      ASSERT_TRUE(sink.lay_out(model, {0, 1, 3}, 0, 100));
      ASSERT_TRUE(stream(sink, file, piece));
      ASSERT_EQ(sink.mismatches.size(), damaged ? 2U : 0U);
      if (!damaged) continue;
      EXPECT_EQ(sink.mismatches[0].byte_offset, 91U);
      EXPECT_EQ(sink.mismatches[1].byte_offset, 95U);
      EXPECT_EQ(sink.mismatches[1].code, ErrorCode::BadMagic);
    }
  }
}

TEST(ByteSink, StreamsOnlyTheRequestedRange) {
  const auto file = hundred_bytes();
  RecordingSink sink(true);
  ASSERT_TRUE(sink.lay_out(three_tensors(), {3}, 50, 90).has_value());
  EXPECT_EQ(sink.start(), 50U);
  EXPECT_EQ(sink.wanted(), 40U);
  ASSERT_TRUE(stream(sink, file, 7).has_value());
  EXPECT_EQ(sink.chunk_sizes, std::vector<size_t>{40});
}

TEST(ByteSink, NeedsNothingForAnEmptyRange) {
  RecordingSink sink(true);
  ASSERT_TRUE(sink.lay_out(three_tensors(), {}, 0, 0).has_value());
  EXPECT_EQ(sink.wanted(), 0U);
  EXPECT_TRUE(sink.window().empty());
}

TEST(ByteSink, ChecksChecksumsOfOverlappingRanges) {
  const auto file = hundred_bytes();
  model::Model model = three_tensors();
  const Bytes bytes(file);
  model.checksums.push_back({0, 96, io::crc32(bytes.first(96)), 96, "footer.file_checksum"});
  model.checksums.push_back({10, 90, io::crc32(bytes.subspan(10, 80)), 92, "footer.data_checksum"});
  model.checksums.push_back({10, 20, 0xDEADBEEF, 99, "footer.wrong"});
  for (size_t piece = 1; piece <= 101; piece += 9) {
    RecordingSink sink(true);
    ASSERT_TRUE(sink.lay_out(model, {0, 1, 3}, 0, 100).has_value());
    ASSERT_TRUE(stream(sink, file, piece).has_value());
    ASSERT_EQ(sink.mismatches.size(), 1U);
    EXPECT_EQ(sink.mismatches[0].code, ErrorCode::Mismatch);
    EXPECT_EQ(sink.mismatches[0].byte_offset, 99U);
    EXPECT_EQ(sink.mismatches[0].path, "footer.wrong");
    EXPECT_NE(sink.mismatches[0].message.find("deadbeef"), std::string::npos);
  }
}

TEST(ByteSink, StopsAtARejectedMismatch) {
  model::Model model = three_tensors();
  model.checksums.push_back({0, 20, 1, 99, "sum"});
  RecordingSink sink(true);
  sink.refuse_mismatch = true;
  ASSERT_TRUE(sink.lay_out(model, {0, 1, 3}, 0, 100).has_value());
  const auto result = stream(sink, hundred_bytes(), 100);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::Mismatch);
}

}  // namespace
}  // namespace ambry::api
