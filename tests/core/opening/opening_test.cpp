// What files open as by their first bytes.
#include "opening/opening.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/bytes.h"
#include "formats/conformance.h"
#include "formats/embd/make_embd.h"
#include "formats/gguf/make_gguf.h"
#include "formats/gguf/names/encoder_names.h"
#include "formats/gguf/names/tensor_names.h"
#include "model/encoder/architectures/architectures.h"

namespace ambry::opening {
namespace {

namespace embd = formats::embd::testing;
namespace gg = formats::gguf::testing;
using formats::testing::File;
using formats::testing::Fixture;
using Facts = std::vector<std::pair<std::string, std::string>>;

std::string head_of(const File& file) {
  const size_t size = std::min<size_t>(file.size(), formats::kHeadBytes);
  return std::string(as_text(Bytes(file).first(size)));
}

Opening opening(const File& file, Runs wanted = Runs::Nothing) {
  const auto found = opening_of_head(head_of(file), wanted);
  EXPECT_TRUE(found);
  return found.value_or(Opening{});
}

File embd_file(Facts metadata) {
  embd::F0Maker maker;
  maker.metadata = std::move(metadata);
  return maker.make();
}

File gguf_file(std::string_view architecture) {
  gg::GgufMaker maker;
  maker.metadata[0] = gg::text("general.architecture", architecture);
  return maker.make();
}

File fasttext_file(uint8_t model) {
  File file(100);
  const std::string_view magic = formats::find_format("fasttext")->facts.magics[0];
  std::copy(magic.begin(), magic.end(), file.begin());
  file[36] = model;
  return file;
}

TEST(Opening, OfEveryFixtureIsWhatItsFormatRunsAs) {
  for (const Fixture& fixture : formats::testing::fixtures()) {
    SCOPED_TRACE(formats::testing::name_of(fixture));
    const formats::Format& format = *formats::find_format(fixture.id);
    const io::MemorySource source(fixture.file);
    const auto found = opening_of(source, format);
    ASSERT_TRUE(found);
    const bool words = fixture.id == "fasttext" && fixture.name == "words";
    EXPECT_EQ(found->runs, words ? Runs::Words : format.runs);
    EXPECT_EQ(found->converts, words || format.runs == Runs::Nothing);
  }
}

TEST(Opening, OfGgufSaysWhichArchitecturesAreEncoders) {
  for (const std::string_view name : formats::gguf::gguf_encoder_names()) {
    SCOPED_TRACE(name);
    const Opening found = opening(gguf_file(name));
    EXPECT_EQ(found.runs, Runs::Encoder);
    EXPECT_TRUE(found.converts);
  }
  for (const std::string_view name : formats::gguf::gguf_decoder_names()) {
    SCOPED_TRACE(name);
    const Opening found = opening(gguf_file(name));
    EXPECT_EQ(found.runs, Runs::Decoder);
    EXPECT_FALSE(found.converts);
  }
  EXPECT_EQ(opening(gguf_file("bert-like")).runs, Runs::Decoder);
}

TEST(Opening, OfAnEncoderSaysWhichCodeRunsIt) {
  EXPECT_EQ(opening(embd_file({})).code, Code::EncoderSmall);
  EXPECT_EQ(opening(embd_file({{"model_name", "x"}})).code, Code::EncoderSmall);
  for (const model::EncoderArchitecture* architecture : model::kEveryArchitecture) {
    const std::string name(architecture->name);
    const bool small = std::ranges::count(model::kBertFamily, architecture) > 0;
    const auto code = small ? Code::EncoderSmall : Code::Encoder;
    EXPECT_EQ(opening(embd_file({{"architecture", name}})).code, code) << name;
    EXPECT_EQ(opening(embd_file({{"architecture", name}, {"tokenizer_kind", "wordpiece"}})).code,
              code);
    EXPECT_EQ(opening(embd_file({{"architecture", name}, {"tokenizer_kind", "bpe"}})).code,
              Code::Encoder);
  }
  // The code that knows more says why it cannot run it.
  EXPECT_EQ(opening(embd_file({{"architecture", "unheard-of"}})).code, Code::Encoder);
  EXPECT_EQ(opening(embd_file({{"late_interaction", "{}"}})).code, Code::Encoder);
  EXPECT_EQ(opening(embd_file({{"architecture", "static"}})).code, Code::StaticSmall);
  EXPECT_EQ(opening(embd_file({{"architecture", "static"}, {"tokenizer_kind", "unigram"}})).code,
            Code::Static);
}

TEST(Opening, OfFastTextIsWordsWithoutLabels) {
  for (const uint8_t model : {uint8_t{1}, uint8_t{2}}) {
    EXPECT_EQ(opening(fasttext_file(model)).runs, Runs::Words);
    EXPECT_TRUE(opening(fasttext_file(model)).converts);
  }
  const Opening labels = opening(fasttext_file(3));
  EXPECT_EQ(labels.runs, Runs::TextClassifier);
  EXPECT_FALSE(labels.converts);
  const Opening words = opening(fasttext_file(3), Runs::Words);
  EXPECT_EQ(words.runs, Runs::Words);
  EXPECT_TRUE(words.converts);
}

TEST(Opening, OfATextClassifierIsAnEncoderOrFastTexts) {
  EXPECT_EQ(opening(fasttext_file(3), Runs::TextClassifier).runs, Runs::TextClassifier);
  const Opening head = opening(embd_file({{"architecture", "bert"}}), Runs::TextClassifier);
  EXPECT_EQ(head.runs, Runs::Encoder);
  EXPECT_FALSE(head.converts);
  EXPECT_EQ(head.code, Code::EncoderSmall);
  const Opening converted = opening(gguf_file("bert"), Runs::TextClassifier);
  EXPECT_EQ(converted.runs, Runs::Encoder);
  EXPECT_TRUE(converted.converts);
  EXPECT_EQ(opening(gguf_file("llama"), Runs::TextClassifier).runs, Runs::TextClassifier);
}

TEST(Opening, IsOfTheKindThatIsAskedFor) {
  const Opening language = opening(gguf_file("llama"), Runs::Encoder);
  EXPECT_EQ(language.runs, Runs::Decoder);  // it may make embeddings
  EXPECT_FALSE(language.converts);
  const Opening generator = opening(gguf_file("bert"), Runs::Decoder);
  EXPECT_EQ(generator.runs, Runs::Decoder);
  EXPECT_TRUE(generator.converts);
  const Opening words = opening(embd_file({{"architecture", "static"}}), Runs::Words);
  EXPECT_EQ(words.runs, Runs::Words);
  EXPECT_FALSE(words.converts);
  EXPECT_EQ(words.code, Code::Usual);
}

TEST(Opening, IsUnknownForTextAndForShortHeads) {
  EXPECT_FALSE(opening_of_head("2 2\neast 1 0\n"));
  EXPECT_FALSE(opening_of_head(""));
  EXPECT_FALSE(opening_of_head("EMB"));
  const std::string head = head_of(gguf_file("jina-bert-v3"));
  for (size_t size = 0; size < head.size(); ++size) {
    (void)opening_of_head(std::string_view(head).substr(0, size));
  }
}

TEST(Opening, AsksForTheFirstBytes) {
  const io::PartialSource source(5000);
  const auto found = opening_of(source, *formats::find_format("gguf"));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::NeedBytes);
  EXPECT_EQ(found.error().need_size, formats::kHeadBytes);
}

}  // namespace
}  // namespace ambry::opening
