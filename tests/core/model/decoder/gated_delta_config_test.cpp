#include "model/decoder/config/gated_delta_config.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/concat.h"

namespace ambry::model {
namespace {

Result<GatedDeltaConfig> read(std::string_view key_heads, std::string_view value_heads,
                              std::string_view key_dim, std::string_view more = "") {
  return gated_delta_config(io::parse_json(concat({R"({"linear_num_key_heads": )", key_heads,
                                                   R"(, "linear_num_value_heads": )", value_heads,
                                                   R"(, "linear_key_head_dim": )", key_dim,
                                                   R"(, "linear_value_head_dim": 5)", more, "}"}))
                                .value());
}

TEST(GatedDeltaConfig, HasTheSizesOfWhatIsKept) {
  const auto sizes = read("2", "6", "3");
  ASSERT_TRUE(sizes) << describe(sizes.error());
  EXPECT_EQ(sizes->keys(), 6U);
  EXPECT_EQ(sizes->values(), 30U);
  EXPECT_EQ(sizes->channels(), 42U);
  EXPECT_EQ(sizes->matrix_floats(), 90U);
}

TEST(GatedDeltaConfig, SaysWhichKeysAHeadOfValuesHas) {
  const auto grouped = read("2", "6", "3");
  const auto tiled = read("2", "6", "3", R"(, "linear_tiled": true)");
  ASSERT_TRUE(grouped && tiled);
  for (const uint32_t head : {0U, 1U, 2U, 3U, 4U, 5U}) {
    EXPECT_EQ(grouped->key_head_of(head), head / 3) << head;
    EXPECT_EQ(tiled->key_head_of(head), head % 2) << head;
  }
}

TEST(GatedDeltaConfig, RefusesSizesByName) {
  const auto expect = [](const Result<GatedDeltaConfig>& sizes, ErrorCode code,
                         std::string_view key) {
    ASSERT_FALSE(sizes);
    EXPECT_EQ(sizes.error().code, code) << describe(sizes.error());
    EXPECT_EQ(sizes.error().path, concat({"config.", key}));
  };
  expect(read("4", "6", "3"), ErrorCode::BadValue, "linear_num_key_heads");
  expect(read("0", "6", "3"), ErrorCode::BadValue, "linear_num_key_heads");
  expect(read("2", "null", "3"), ErrorCode::NotFound, "linear_num_value_heads");
  expect(read("2", "6.5", "3"), ErrorCode::BadValue, "linear_num_value_heads");
  expect(read("2", "6", "4097"), ErrorCode::LimitExceeded, "linear_key_head_dim");
  expect(read("4096", "4096", "4096"), ErrorCode::LimitExceeded, "linear_num_value_heads");
}

}  // namespace
}  // namespace ambry::model
