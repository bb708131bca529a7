// The ONNX files among the fixtures, which exporters and quantizers have made, have no fault.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fixtures_folder.h"
#include "formats/read_format.h"

namespace ambry::formats::onnx {
namespace {

namespace fs = std::filesystem;

TEST(OnnxFixtures, AreSound) {
  const fs::path folder = ambry::testing::fixtures_folder() / "onnx";
  if (!fs::exists(folder)) GTEST_SKIP() << "there are no ONNX files in " << folder;
  size_t n_files = 0;
  for (const auto& each : fs::recursive_directory_iterator(folder)) {
    if (each.path().extension() != ".onnx") continue;
    std::ifstream stream(each.path(), std::ios::binary);
    const formats::testing::File file((std::istreambuf_iterator<char>(stream)), {});
    const io::MemorySource source(file);
    const auto format = recognise(source);
    ASSERT_TRUE(format) << each.path();
    EXPECT_EQ((*format)->facts.id, "onnx") << each.path();
    const auto outcome = formats::testing::read(source, **format);
    EXPECT_TRUE(outcome.clean()) << each.path() << "\n" << outcome.text();
    ++n_files;
  }
  EXPECT_GT(n_files, 0U);
}

}  // namespace
}  // namespace ambry::formats::onnx
