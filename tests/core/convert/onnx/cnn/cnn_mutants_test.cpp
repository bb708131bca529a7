// Files that differ from a network's graph in one place. Each is refused, or gives what onnxruntime
// gives: a file that maps wrongly is impossible.
#include <gtest/gtest.h>

#include "base/base64.h"
#include "convert/onnx/cnn/onnx_networks.h"

namespace ambry::convert {
namespace {

using testing::File;

// The outputs are written with 6 digits.
constexpr double kMutantTolerance = 2e-5;

File patched(const File& base, const io::Json& patches) {
  File made;
  size_t at = 0;
  for (const io::Json& patch : patches.items()) {
    const auto begin = static_cast<size_t>(patch.items()[0].uint());
    const auto put = decode_base64(patch.items()[2].string());
    EXPECT_TRUE(put);
    made.insert(made.end(), base.begin() + static_cast<std::ptrdiff_t>(at),
                base.begin() + static_cast<std::ptrdiff_t>(begin));
    made.insert(made.end(), put->begin(), put->end());
    at = begin + static_cast<size_t>(patch.items()[1].uint());
  }
  made.insert(made.end(), base.begin() + static_cast<std::ptrdiff_t>(at), base.end());
  return made;
}

TEST(CnnMutants, AreRefusedOrGiveTheOutputsOfOnnxruntime) {
  const io::Json mutants = testing::network_json("mutants.json");
  size_t n_refused = 0;
  size_t n_equal = 0;
  for (const io::Json& mutant : mutants.items()) {
    const std::string label = mutant.find("base")->string() + ": " + mutant.find("name")->string();
    const File base = testing::network_file(mutant.find("base")->string() + ".onnx");
    const auto made = testing::RunnableNetwork::make(patched(base, *mutant.find("patches")));
    if (!made) {
      ++n_refused;
      EXPECT_FALSE(made.error().message.empty()) << label;
      continue;
    }
    const io::Json& expected = *mutant.find("output");
    ASSERT_FALSE(expected.is_null()) << label << ": onnxruntime refuses it";
    const auto output = made->run();
    ASSERT_TRUE(output) << label << ": " << describe(output.error());
    EXPECT_LE(testing::difference(*output, expected), kMutantTolerance) << label;
    ++n_equal;
  }
  EXPECT_EQ(n_refused + n_equal, mutants.items().size());
  EXPECT_GE(n_refused, 400U);
  EXPECT_GE(n_equal, 50U);
}

}  // namespace
}  // namespace ambry::convert
