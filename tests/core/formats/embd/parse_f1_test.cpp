#include <gtest/gtest.h>

#include "formats/embd/read_embd.h"

namespace ambry::formats::embd {
namespace {

using model::LinearLayout;
using testing::File;
using testing::has;
using testing::make_f1;
using testing::put_at;
using testing::Read;
using testing::read;
using testing::tiny_tensors;

// core/formats/embd/README.md#f1
TEST(EmbdF1, ReadsBothOrientations) {
  const Read usual = read(make_f1());
  ASSERT_TRUE(usual.model) << describe(usual.model.error());
  EXPECT_EQ(usual.model->version, "F1");
  EXPECT_EQ(usual.model->linear_layout, LinearLayout::InOut);
  EXPECT_EQ(usual.model->tokenizer->vocabulary[7], "\xC3\xA9");
  EXPECT_EQ(usual.model->tokenizer->cls_id, 2U);
  EXPECT_EQ(usual.model->tensors[0].offset, 12U + 4 + 33 + 4 + 8);
  const Read first = read(make_f1(tiny_tensors(false)));
  ASSERT_TRUE(first.model);
  EXPECT_EQ(first.model->linear_layout, LinearLayout::OutIn);
}

// core/formats/embd/README.md#f1-orientation
TEST(EmbdF1, AssumesTransposedSquareMatricesWithAWarning) {
  const Read square = read(make_f1(tiny_tensors(true, 4)));
  ASSERT_TRUE(square.model);
  EXPECT_EQ(square.model->linear_layout, LinearLayout::InOut);
  EXPECT_TRUE(has(square.found.warnings, "linear_layout"));
}

TEST(EmbdF1, MayHaveNoVocabulary) {
  const Read result = read(make_f1(tiny_tensors(true), {}));
  ASSERT_TRUE(result.model);
  EXPECT_FALSE(result.model->tokenizer);
}

// Limits of shapes and names; nothing may follow.
TEST(EmbdF1, RejectsInvalidFields) {
  File trailing = make_f1();
  trailing.push_back(0);
  EXPECT_EQ(read(trailing).model.error().byte_offset, trailing.size() - 1);

  auto tensors = tiny_tensors(true);
  tensors[1].name = tensors[0].name;
  EXPECT_TRUE(has(read(make_f1(tensors)).found.errors, "tensors[1].name"));

  File ndim = make_f1();
  put_at(ndim, 12 + 4 + 33, uint32_t{5});
  EXPECT_EQ(read(ndim).model.error().path, "tensors[0].ndim");
  put_at(ndim, 12 + 4 + 33, uint32_t{2});
  put_at(ndim, 12 + 4 + 33 + 4, uint32_t{0});
  EXPECT_EQ(read(ndim).model.error().path, "tensors[0].shape[0]");
  put_at(ndim, 12 + 4 + 33 + 4, UINT32_MAX);
  EXPECT_EQ(read(ndim).model.error().code, ErrorCode::Truncated);

  File version = make_f1();
  put_at(version, 4, uint32_t{2});
  EXPECT_EQ(read(version).model.error().code, ErrorCode::UnsupportedVersion);
}

// core/formats/embd/README.md#f1-limits
TEST(EmbdF1, HoldsTheReadersLimits) {
  const std::vector<std::string> many(100'001);
  EXPECT_EQ(read(make_f1(tiny_tensors(true), many)).model.error().code, ErrorCode::LimitExceeded);
  const std::vector<std::string> most(100'000);
  EXPECT_TRUE(read(make_f1(tiny_tensors(true), most)).model);
  const std::vector<std::string> wide = {std::string((1U << 20) + 1, 'x')};
  const Error error = read(make_f1(tiny_tensors(true), wide)).model.error();
  EXPECT_EQ(error.code, ErrorCode::LimitExceeded);
  EXPECT_EQ(error.path, "vocabulary[0].token_length");
}

}  // namespace
}  // namespace ambry::formats::embd
