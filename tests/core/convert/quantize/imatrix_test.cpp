#include "convert/quantize/imatrix.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"
#include "formats/gguf/make_gguf.h"

namespace ambry::convert {
namespace {

namespace gg = formats::gguf::testing;

// Files of the older form.
class OlderFile {
 public:
  explicit OlderFile(uint32_t n_entries) { number(n_entries); }

  OlderFile& entry(const std::string& name, uint32_t n_runs, const std::vector<float>& sums) {
    number(static_cast<uint32_t>(name.size()));
    bytes_.insert(bytes_.end(), name.begin(), name.end());
    number(n_runs);
    number(static_cast<uint32_t>(sums.size()));
    for (const float sum : sums) number(sum);
    return *this;
  }
  [[nodiscard]] std::vector<uint8_t> bytes() const { return bytes_; }

 private:
  template <class T>
  void number(T value) {
    bytes_.resize(bytes_.size() + sizeof(value));
    store_le(bytes_.data() + bytes_.size() - sizeof(value), value);
  }
  std::vector<uint8_t> bytes_;
};

std::vector<uint8_t> older_file() {
  return OlderFile(4)
      .entry("blk.1.attn_q.weight", 2, {2, 4})
      .entry("blk.0.ffn_down.weight", 4, {4, 8, 12})
      .entry("blk.0.ffn_down_exps.weight", 1, {7, 7})
      .entry("output.weight", 1, {5, 6})
      .bytes();
}

// A file of the newer form with the numbers of older_file().
std::vector<uint8_t> gguf_file() {
  gg::GgufMaker maker;
  maker.metadata = {gg::text("general.type", "imatrix")};
  maker.tensors = {{"blk.1.attn_q.weight.in_sum2", {1, 2}},
                   {"blk.1.attn_q.weight.counts", {1, 1}},
                   {"blk.0.ffn_down.weight.in_sum2", {1, 3}},
                   {"blk.0.ffn_down.weight.counts", {1, 1}},
                   {"blk.0.ffn_up_exps.weight.in_sum2", {2, 2}},
                   {"blk.0.ffn_up_exps.weight.counts", {2, 1}},
                   {"output.weight.in_sum2", {1, 2}},
                   {"output.weight.counts", {1, 1}}};
  const std::vector<std::vector<float>> values = {{2, 4},       {2},    {4, 8, 12}, {4},
                                                  {7, 7, 7, 7}, {1, 1}, {5, 6},     {1}};
  std::vector<uint8_t> file = maker.make();
  const model::Model parsed = testing::parsed(file, "gguf");
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t k = 0; k < values[i].size(); ++k) {
      store_le(file.data() + parsed.tensors[i].offset + k * sizeof(float), values[i][k]);
    }
  }
  return file;
}

TEST(Imatrix, IsReadInBothForms) {
  for (const std::vector<uint8_t>& file : {older_file(), gguf_file()}) {
    const auto read = read_imatrix(file);
    ASSERT_TRUE(read) << describe(read.error());
    ASSERT_EQ(read->layers.size(), 2U);
    EXPECT_TRUE(read->partial);
    EXPECT_EQ(read->layers[1].attention, (std::vector<float>{1, 2}));
    EXPECT_EQ(read->layers[0].mlp_hidden, (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(read->output, (std::vector<float>{5, 6}));
    EXPECT_TRUE(read->layers[0].attention.empty());
    EXPECT_TRUE(read->layers[0].mlp.empty());
  }
}

TEST(Imatrix, RefusesEveryPrefix) {
  for (const std::vector<uint8_t>& file : {older_file(), gguf_file()}) {
    // What GGUF has after its last value is padding.
    for (size_t n = 0; n + 32 < file.size(); ++n) {
      EXPECT_FALSE(read_imatrix(Bytes(file).first(n))) << n;
    }
  }
}

TEST(Imatrix, RefusesWhatIsNone) {
  const std::string text = "A letter, which is no file of llama-imatrix at all.";
  const auto refused = read_imatrix({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  ASSERT_FALSE(refused);
  const auto negative = read_imatrix(OlderFile(1).entry("blk.0.attn_q.weight", 1, {-1}).bytes());
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().path, "blk.0.attn_q.weight");
  const auto other = read_imatrix(OlderFile(1).entry("v.blk.0.attn_q.weight", 1, {1}).bytes());
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().path, "options.calibration");
}

}  // namespace
}  // namespace ambry::convert
