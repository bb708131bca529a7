#include <gtest/gtest.h>

#include "formats/embd/embd_parse.h"
#include "formats/embd/read_embd.h"

namespace ambry::formats::embd {
namespace {

using io::Diagnostics;
using model::LinearLayout;
using testing::F0Maker;
using testing::File;
using testing::has;
using testing::make_f0;
using testing::make_f1;
using testing::put_at;
using testing::Read;
using testing::read;

TEST(EmbdF0, ReadsAValidFile) {
  F0Maker maker;
  const Read result = read(maker.make());
  ASSERT_TRUE(result.clean()) << (result.model ? "" : describe(result.model.error()));
  const model::Model& model = *result.model;
  EXPECT_EQ(model.format, "embd");
  EXPECT_EQ(model.version, "F0 1.0");
  EXPECT_EQ(model.metadata.find("model_name")->string(), "tiny");
  EXPECT_EQ(model.tokenizer->vocabulary.size(), 8U);
  EXPECT_EQ(model.tokenizer->vocabulary[7], "\xC3\xA9");
  EXPECT_EQ(model.tokenizer->sep_id, 3U);
  EXPECT_EQ(model.tokenizer->added_tokens.size(), 5U);
  EXPECT_EQ(model.tensors.size(), 21U);
  EXPECT_EQ(model.tensors[1].offset, maker.places.data + 128);
  EXPECT_EQ(model.tensors[1].bytes, 96U);
  EXPECT_EQ(model.linear_layout, LinearLayout::OutIn);
  ASSERT_EQ(model.checksums.size(), 2U);
  const File file = maker.make();
  for (const model::ByteRangeCrc& crc : model.checksums) {
    EXPECT_EQ(io::crc32(Bytes(file).subspan(crc.begin, crc.end - crc.begin)), crc.expected);
  }
}

TEST(EmbdF0, CollectsIndependentProblems) {
  F0Maker maker;
  maker.tensors[5].name = maker.tensors[7].name;
  maker.metadata.emplace_back("vocab_size", "9");
  maker.flags |= 1U << 20;
  File file = maker.make();
  file[maker.places.descriptor(0)] ^= 1;
  testing::seal(file);
  file[file.size() - 8] = 'X';
  const Read result = read(file);
  ASSERT_TRUE(result.model);
  for (const char* path : {"header.flags", "footer.magic_end", "metadata[11].key",
                           "tensors[0].name_hash", "tensors[7].name", "tensors"}) {
    EXPECT_TRUE(has(result.found.errors, path)) << path;
  }
}

TEST(EmbdF2, IsRefusedByName) {
  File file;
  testing::put_text(file, "EMBD");
  testing::put(file, uint32_t{1});
  testing::put(file, uint32_t{2});
  testing::put(file, uint32_t{16 + 200});
  testing::put_text(file, "embeddings.word");
  file.resize(16 + 200 + 64);
  const Error error = read(file).model.error();
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("F2"), std::string::npos);
}

TEST(Embd, RefusesAnotherMagic) {
  File file = make_f0();
  file[0] = 'X';
  EXPECT_EQ(read(file).model.error().code, ErrorCode::BadMagic);
  EXPECT_EQ(read(file).model.error().byte_offset, 0U);
  EXPECT_EQ(read({'E', 'M'}).model.error().code, ErrorCode::Truncated);
}

// core/formats/embd/README.md#detection: the footer and the size, or the header's checksum, make a
// file F0; either suffices, so that one damaged field is reported as what it is.
TEST(Embd, DetectsF0ByFooterOrHeaderChecksum) {
  File file = make_f0();
  file[kReservedAt - 4] ^= 1;  // the header's checksum
  EXPECT_TRUE(has(read(file).found.errors, "header.header_checksum"));
  file = make_f0();
  file[file.size() - 8] ^= 1;  // DBME
  EXPECT_TRUE(has(read(file).found.errors, "footer.magic_end"));
  file = make_f0();
  file.push_back(0);
  const Read longer = read(file);
  ASSERT_FALSE(longer.model);
  EXPECT_EQ(longer.model.error().path, "header.total_file_size");
}

// Neither F0 nor F1 nor F2 is read as F0, whose parser names the place.
TEST(Embd, ReadsUnknownLayoutsAsF0) {
  File file = make_f1();
  put_at(file, kF1HeaderBytes, uint32_t{0});  // the length of the first name
  const Read result = read(file);
  ASSERT_FALSE(result.model);
  EXPECT_EQ(result.model.error().path, "header.total_file_size");
}

TEST(Embd, ReadsTheVocabularyOnlyOnRequest) {
  model::ReadOptions options;
  options.vocabulary = false;
  for (const File& file : {make_f0(), make_f1()}) {
    const io::MemorySource source(file);
    Diagnostics found;
    const auto model = parse(source, found, options);
    ASSERT_TRUE(model && model->tokenizer);
    EXPECT_EQ(model->tokenizer->vocabulary.size(), 0U);
    EXPECT_EQ(model->tokenizer->token_count(), 8U);
    EXPECT_TRUE(found.errors.empty());
  }
}

}  // namespace
}  // namespace ambry::formats::embd
