// Wrong checksums of sources: refused, or converted with a warning.
#include "convert/checked_job.h"

#include <gtest/gtest.h>

#include "convert/run_conversion.h"
#include "formats/amb/make_amb.h"
#include "formats/embd/make_embd.h"
#include "formats/expect_format.h"
#include "formats/pytorch/make_pytorch.h"
#include "formats/registry.h"

namespace ambry::convert {
namespace {

using testing::File;

struct Damaged {
  File file;
  model::ByteRangeCrc crc;  // the last that the file states
  model::TensorEntry tensor;
};

// Flips a bit of the file's last tensor.
Damaged damage(File file, const char* format) {
  const auto model = testing::sound_model(file, format);
  EXPECT_FALSE(model->checksums.empty());
  Damaged damaged{file, model->checksums.back(), model->tensors.back()};
  damaged.file[damaged.tensor.offset + damaged.tensor.bytes - 1] ^= 1U;
  return damaged;
}

void expect_refused(const Damaged& damaged, Options options) {
  const auto refused = testing::run(damaged.file, {}, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Mismatch) << describe(refused.error());
  EXPECT_EQ(refused.error().byte_offset, damaged.crc.field_offset);
  EXPECT_EQ(refused.error().path, damaged.crc.path);
  options.lossy = true;
  std::vector<Error> warnings;
  const auto converted = testing::run(damaged.file, {}, options, &warnings);
  ASSERT_TRUE(converted) << describe(converted.error());
  ASSERT_FALSE(warnings.empty());
  EXPECT_EQ(warnings.back().code, ErrorCode::Mismatch);
  EXPECT_EQ(warnings.back().path, damaged.crc.path);
}

TEST(CheckedJob, RefusesDamagedWeights) {
  const Damaged amb = damage(formats::amb::testing::make_amb(), "amb");
  expect_refused(amb, testing::to("safetensors"));
  expect_refused(amb, testing::to("amb"));
  expect_refused(damage(formats::pytorch::testing::make_state_dict(), "pytorch"),
                 testing::to("safetensors"));
}

TEST(CheckedJob, RefusesToQuantizeDamagedWeights) {
  Options options = testing::to("embd");
  options.quantize.emplace();
  options.quantize->type = "int8";
  const File file = formats::embd::testing::make_f0();
  ASSERT_TRUE(testing::run(file, {}, options));
  // The first of several wrong checksums is the error.
  Damaged damaged = damage(file, "embd");
  damaged.crc = testing::sound_model(file, "embd")->checksums.front();
  const auto refused = testing::run(damaged.file, {}, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(refused.error().path, damaged.crc.path);
}

// A rewrite keeps a model that is not whole, and says so.
TEST(CheckTarget, WarnsOfAnInvalidFileThatIsRewritten) {
  formats::embd::testing::F0Maker maker;
  maker.tensors.pop_back();
  std::vector<Error> warnings;
  const auto again = testing::run(maker.make(), {}, testing::to("embd"), &warnings);
  ASSERT_TRUE(again) << describe(again.error());
  ASSERT_FALSE(warnings.empty());
  EXPECT_TRUE(warnings.back().message.starts_with("the target will be invalid"));
}

// Nothing of the header becomes part of the target, but the file is damaged all the same.
TEST(CheckedJob, ReadsWhatTheConversionDoesNotNeed) {
  File file =
      formats::pytorch::testing::from_tensors({{"a", "FloatStorage", {2}, std::string(16, '\1')}})
          .make();
  ASSERT_TRUE(testing::run(file, {}, testing::to("safetensors")));
  const io::MemorySource source(file);
  io::Diagnostics found;
  auto model = formats::find_format("pytorch")->parse(source, found, {});
  ASSERT_TRUE(model);
  file[model->tensors[0].offset + 12] ^= 1U;  // in the storage, behind the tensor
  const auto refused = testing::run(file, {}, testing::to("safetensors"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "archive/data/0.crc32");
}

}  // namespace
}  // namespace ambry::convert
