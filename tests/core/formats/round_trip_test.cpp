// What every writer must do, run over the registry: strict files survive reading and writing byte
// for byte, others keep their content and become strict.
#include <gtest/gtest.h>

#include <algorithm>

#include "formats/conformance.h"
#include "formats/sparse_source.h"
#include "formats/stream_layout.h"

namespace ambry::formats {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

class RoundTrip : public ::testing::TestWithParam<Fixture> {
 protected:
  const Fixture& fixture() const { return GetParam(); }
  const Format& format() const { return *find_format(GetParam().id); }
};

std::vector<Fixture> written_fixtures() {
  std::vector<Fixture> all = fixtures();
  std::erase_if(all, [](const Fixture& fixture) {
    return find_format(fixture.id)->lay_out == nullptr || fixture.rewritten == Rewritten::Converts;
  });
  return all;
}

Bytes bytes_of_tensor(const File& file, const model::TensorEntry& tensor) {
  return Bytes(file).subspan(static_cast<size_t>(tensor.offset), static_cast<size_t>(tensor.bytes));
}

void expect_same_content(const model::Model& a, const File& a_file, const model::Model& b,
                         const File& b_file) {
  EXPECT_EQ(a.metadata.dump(), b.metadata.dump());
  EXPECT_EQ(a.metadata_text, b.metadata_text);
  EXPECT_EQ(a.config.dump(), b.config.dump());
  EXPECT_EQ(a.tokenizer, b.tokenizer);
  EXPECT_EQ(a.linear_layout, b.linear_layout);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (size_t i = 0; i < a.tensors.size(); ++i) {
    const model::TensorEntry& x = a.tensors[i];
    const model::TensorEntry& y = b.tensors[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.dtype, y.dtype) << x.name;
    EXPECT_EQ(x.shape, y.shape) << x.name;
    EXPECT_EQ(x.quantization, y.quantization) << x.name;
    EXPECT_TRUE(std::ranges::equal(bytes_of_tensor(a_file, x), bytes_of_tensor(b_file, y)))
        << x.name;
  }
}

TEST_P(RoundTrip, WritesTheFileThatItRead) {
  const Outcome original = read(fixture().file, format(), {io::Strictness::Lenient});
  ASSERT_TRUE(original.accepted());
  model::Model model = *original.model;
  const auto layout = format().lay_out(model);
  ASSERT_TRUE(layout) << describe(layout.error());
  const File written = stream(*layout, *original.model, fixture().file);
  EXPECT_EQ(layout->total_bytes, written.size());
  EXPECT_EQ(model.file_bytes, written.size());
  EXPECT_EQ(written == fixture().file, fixture().rewritten == Rewritten::Same);

  const Outcome again = read(written, format());
  ASSERT_TRUE(again.model) << describe(again.model.error());
  for (const Error& error : again.found.errors) ADD_FAILURE() << describe(error);
  expect_same_content(*original.model, fixture().file, *again.model, written);
  EXPECT_TRUE(checksums_hold(*again.model, written));
  ASSERT_EQ(model.tensors.size(), again.model->tensors.size());
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    EXPECT_EQ(model.tensors[i].offset, again.model->tensors[i].offset);
    EXPECT_EQ(model.tensors[i].bytes, again.model->tensors[i].bytes);
  }
}

// Offsets past 4 GiB in a file whose huge tensor is zeros; where a format has no
// place for one more tensor, its own tests do it.
TEST_P(RoundTrip, PlacesTensorsPastFourGigabytes) {
  const model::Model original = *read(fixture().file, format()).model;
  model::Model model = original;
  model::TensorEntry huge;
  huge.name = "huge";
  huge.shape = {3 << 20, 1 << 10};  // 12 GiB
  model.tensors.insert(model.tensors.begin(), huge);
  const auto layout = format().lay_out(model);
  if (!layout) GTEST_SKIP() << describe(layout.error());
  SparseSource source(layout->total_bytes);
  uint64_t position = 0;
  for (const model::FilePiece& piece : layout->pieces) {
    const bool literal = piece.tensor == model::FilePiece::kLiteral;
    if (literal) source.put(position, piece.bytes);
    if (!literal && piece.tensor > 0) {
      const Bytes bytes = bytes_of_tensor(fixture().file, original.tensors[piece.tensor - 1]);
      source.put(position, {bytes.begin(), bytes.end()});
    }
    position += literal ? piece.bytes.size() : model.tensors[piece.tensor].bytes;
  }
  EXPECT_EQ(position, layout->total_bytes);
  io::Diagnostics found;
  const auto again = format().parse(source, found, {});
  ASSERT_TRUE(again) << describe(again.error());
  ASSERT_EQ(again->tensors.size(), model.tensors.size());
  EXPECT_EQ(again->tensors[0].bytes, 12ULL << 30);
  for (size_t i = 1; i < model.tensors.size(); ++i) {
    EXPECT_GT(again->tensors[i].offset, 12ULL << 30);
    EXPECT_EQ(again->tensors[i].offset, model.tensors[i].offset);
  }
  EXPECT_LT(source.largest_view(), fixture().file.size() + 4096);
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip, ::testing::ValuesIn(written_fixtures()),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace ambry::formats
