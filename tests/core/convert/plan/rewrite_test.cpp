#include "convert/plan/rewrite.h"

#include <gtest/gtest.h>

#include "convert/run_conversion.h"
#include "formats/embd/make_embd.h"
#include "formats/registry.h"

namespace ambry::convert {
namespace {

namespace embd = formats::embd::testing;
using testing::File;
using testing::run;

TEST(Rewrite, KeepsAStrictFileByteForByte) {
  const File file = embd::make_f0();
  const auto again = run(file, {}, {});
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, file);
}

TEST(Rewrite, MakesAnUntidyFileStrictWithTheSameContent) {
  embd::F0Maker maker;
  maker.special_relative = true;
  maker.special_first = true;
  maker.data_shift = 4;
  // This tensor is not part of a BERT. A rewrite keeps what it does not know.
  maker.tensors.push_back({"something.else", {3, 5}});
  maker.tensors.push_back({"words", {7}, 8});
  File file = maker.make();
  embd::put_at(file, formats::embd::kReservedAt, uint32_t{7});
  embd::seal(file);
  const auto again = run(file, {}, {});
  ASSERT_TRUE(again) << describe(again.error());

  const formats::Format& format = *formats::find_format("embd");
  io::Diagnostics lenient;
  const auto before = format.parse(io::MemorySource(file), lenient, {});
  io::Diagnostics strict;
  strict.strictness = io::Strictness::Strict;
  const auto after = format.parse(io::MemorySource(*again), strict, {});
  ASSERT_TRUE(before && after);
  EXPECT_TRUE(strict.errors.empty());
  EXPECT_TRUE(testing::checksums_hold(*after, *again));
  EXPECT_EQ(after->metadata.dump(), before->metadata.dump());
  EXPECT_EQ(after->tokenizer, before->tokenizer);
  ASSERT_EQ(after->tensors.size(), before->tensors.size());
  for (size_t i = 0; i < after->tensors.size(); ++i) {
    const model::TensorEntry& old = before->tensors[i];
    const model::TensorEntry& now = after->tensors[i];
    EXPECT_EQ(now.name, old.name);
    EXPECT_EQ(now.dtype, old.dtype);
    EXPECT_EQ(now.shape, old.shape);
    ASSERT_EQ(now.bytes, old.bytes);
    EXPECT_TRUE(std::equal(again->begin() + static_cast<std::ptrdiff_t>(now.offset),
                           again->begin() + static_cast<std::ptrdiff_t>(now.offset + now.bytes),
                           file.begin() + static_cast<std::ptrdiff_t>(old.offset)));
  }
}

TEST(Rewrite, RejectsUnsupportedTargets) {
  Options options;
  options.to = "tinyruntime";
  const auto other = run(embd::make_f0(), {}, options);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(other.error().path, "options.to");
}

}  // namespace
}  // namespace ambry::convert
