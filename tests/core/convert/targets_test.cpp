#include "convert/targets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "formats/embd/make_embd.h"
#include "formats/finalfusion/make_fifu.h"

namespace ambry::convert {
namespace {

namespace embd = formats::embd::testing;
namespace fifu = formats::finalfusion::testing;

const Target* find(const Targets& targets, std::string_view to) {
  const auto found = std::ranges::find(targets.targets, to, &Target::to);
  return found == targets.targets.end() ? nullptr : &*found;
}

TEST(ConversionTargets, IncludeTheSourcesOwnFormat) {
  const auto file = fifu::make_simple();
  const io::MemorySource source(file);
  const SideFiles none;
  const auto targets = find_targets(SourceFiles(source, none), {});
  ASSERT_TRUE(targets);
  EXPECT_EQ(targets->from, "finalfusion");
  const Target* itself = find(*targets, "finalfusion");
  ASSERT_NE(itself, nullptr);
  EXPECT_FALSE(itself->obstacle);
}

TEST(ConversionTargets, AreListedOnce) {
  const auto file = embd::make_f0();
  const io::MemorySource source(file);
  const SideFiles none;
  const auto targets = find_targets(SourceFiles(source, none), {});
  ASSERT_TRUE(targets);
  EXPECT_EQ(std::ranges::count(targets->targets, "embd", &Target::to), 1);
}

TEST(ConversionTargets, GiveTheObstacle) {
  auto file = embd::make_f0();
  file[formats::embd::kHeaderChecksumAt] ^= 1;
  const io::MemorySource source(file);
  const SideFiles none;
  const auto targets = find_targets(SourceFiles(source, none), {});
  ASSERT_TRUE(targets);
  const Target* itself = find(*targets, "embd");
  ASSERT_NE(itself, nullptr);
  ASSERT_TRUE(itself->obstacle);
  EXPECT_EQ(itself->obstacle->path, "header.header_checksum");
}

TEST(ConversionTargets, AreNoneWithAnOptionThatIsNotForTheSource) {
  const auto file = embd::make_f0();
  const io::MemorySource source(file);
  const SideFiles none;
  Options options;
  options.lowercase = true;
  const auto targets = find_targets(SourceFiles(source, none), options);
  ASSERT_TRUE(targets);
  for (const Target& target : targets->targets) {
    ASSERT_TRUE(target.obstacle) << target.to;
    EXPECT_EQ(target.obstacle->path, "options.lowercase");
  }
}

TEST(ConversionTargets, AreNoneForAnEncoderThatCannotBeCut) {
  const auto file = embd::make_f0();
  const io::MemorySource source(file);
  const SideFiles none;
  Options options;
  options.dim = 2;
  const auto targets = find_targets(SourceFiles(source, none), options);
  ASSERT_TRUE(targets);
  for (const Target& target : targets->targets) {
    ASSERT_TRUE(target.obstacle) << target.to;
    EXPECT_EQ(target.obstacle->path, "options.dim");
  }
}

TEST(ConversionTargets, AskForMissingBytes) {
  const auto file = embd::make_f0();
  const io::PartialSource source(file.size());
  const SideFiles none;
  EXPECT_EQ(find_targets(SourceFiles(source, none), {}).error().code, ErrorCode::NeedBytes);
}

TEST(ConversionTargets, RejectAnUnknownFile) {
  const std::vector<uint8_t> file(64, 1);
  const io::MemorySource source(file);
  const SideFiles none;
  EXPECT_EQ(find_targets(SourceFiles(source, none), {}).error().code, ErrorCode::BadMagic);
}

}  // namespace
}  // namespace ambry::convert
