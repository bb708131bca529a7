// Loads a sequential file: starts from its head, and checks the footer when it arrives.
#include "api/encoder/encoder_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/encoder/embed_job.h"
#include "api/model/load_model.h"
#include "api/tokenizer/token_lists.h"
#include "formats/embd/make_embd.h"
#include "formats/embd/make_tokenizers.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using formats::embd::testing::F0Maker;
using formats::embd::testing::File;

struct Begun {
  std::unique_ptr<Loader> loader;
  uint64_t asked_up_to = 0;
  Error error = {};
};

// Gives the requested bytes in order, as a connection would.
Begun begin(const File& file, bool size_known) {
  io::PartialSource source(size_known ? file.size() : io::Source::kUnknownSize, true);
  Begun begun;
  for (;;) {
    auto loader = EncoderModel::load(source, "{}");
    if (loader) {
      begun.loader = std::move(*loader);
      return begun;
    }
    begun.error = loader.error();
    if (begun.error.code != ErrorCode::NeedBytes || begun.error.byte_offset == kNoOffset) {
      return begun;
    }
    const uint64_t end = begun.error.byte_offset + begun.error.need_size;
    begun.asked_up_to = std::max(begun.asked_up_to, end);
    const uint64_t held = source.loaded_bytes();
    const uint64_t there = std::min<uint64_t>(end, file.size());
    EXPECT_TRUE(source.insert(held, Bytes(file).subspan(held, there - held)));
    if (there < end) source.set_size(file.size());
  }
}

Result<void> stream(Loader& loader, const File& file, size_t piece = 50) {
  while (loader.wanted() > 0) {
    const MutableBytes window = loader.window();
    const size_t n = std::min({window.size(), piece, static_cast<size_t>(loader.wanted())});
    std::memcpy(window.data(), file.data() + loader.start(), n);
    AMBRY_RETURN_IF_ERROR(loader.commit(n));
  }
  return {};
}

TEST(EncoderLoader, StartsFromTheHeadOfASequentialFile) {
  F0Maker maker;
  const File file = maker.make();
  for (const bool size_known : {true, false}) {
    Begun begun = begin(file, size_known);
    ASSERT_TRUE(begun.loader) << begun.error.message;
    EXPECT_LE(begun.asked_up_to, maker.places.data);
    EXPECT_EQ(begun.loader->start() + begun.loader->wanted(), file.size());
    ASSERT_TRUE(stream(*begun.loader, file));
    const auto session = testing::finish<EncoderModel>(*begun.loader);
    ASSERT_TRUE(session);
    EXPECT_NE(session->info().find("\"bytes\":" + std::to_string(file.size())), std::string::npos);
  }
}

TEST(EncoderLoader, ChecksTheFooterWhileStreaming) {
  const File good = F0Maker().make();
  const size_t footer = good.size() - formats::embd::kFooterBytes;
  const std::vector<std::pair<size_t, std::string>> kFaults = {
      {footer + 1, "footer.data_checksum"},
      {footer + 6, "footer.file_checksum"},
      {footer + 9, "footer.magic_end"},
      {footer - 1, "footer.data_checksum"}};
  for (const auto& [at, path] : kFaults) {
    for (const size_t piece : {size_t{1}, size_t{3}, good.size()}) {
      File file = good;
      file[at] ^= 0x10U;
      const Begun begun = begin(file, false);
      ASSERT_TRUE(begun.loader) << begun.error.message;
      const auto streamed = stream(*begun.loader, file, piece);
      ASSERT_FALSE(streamed) << path;
      EXPECT_EQ(streamed.error().path, path);
    }
  }
}

TEST(EncoderLoader, ChecksTheFooterWithoutChecksums) {
  F0Maker maker;
  maker.flags &= ~formats::embd::kFlagChecksums;
  File file = maker.make();
  std::fill_n(file.begin() + formats::embd::kHeaderChecksumAt, 4, uint8_t{0});
  ASSERT_TRUE(begin(file, false).loader);
  file[file.size() - formats::embd::kFooterBytes + 8] = 'X';
  const Begun begun = begin(file, false);
  ASSERT_TRUE(begun.loader);
  const auto streamed = stream(*begun.loader, file);
  ASSERT_FALSE(streamed);
  EXPECT_EQ(streamed.error().code, ErrorCode::BadMagic);
}

TEST(EncoderLoader, ReportsAFileThatEndsInItsHead) {
  F0Maker maker;
  File file = maker.make();
  file.resize(maker.places.names);
  const Begun begun = begin(file, false);
  EXPECT_FALSE(begun.loader);
  EXPECT_EQ(begun.error.code, ErrorCode::Truncated);
}

TEST(EncoderLoader, AsksForTheSizeFirstForLayoutF1) {
  const Begun begun = begin(formats::embd::testing::make_f1(), false);
  EXPECT_FALSE(begun.loader);
  EXPECT_EQ(begun.error.code, ErrorCode::NeedBytes);
  EXPECT_EQ(begun.error.byte_offset, kNoOffset);
}

Result<EncoderModel> session_of(const File& file) {
  Begun begun = begin(file, true);
  if (!begun.loader) return std::move(begun.error);
  AMBRY_RETURN_IF_ERROR(stream(*begun.loader, file));
  return testing::finish<EncoderModel>(*begun.loader);
}

// The parts of a tokenizer are the first tensors, so a stream brings them before the weights.
TEST(EncoderLoader, TakesTokenizersOfEveryKindFromASequentialFile) {
  namespace made = formats::embd::testing;
  struct Kind {
    F0Maker maker;
    size_t n_parts;
    const char* text;
    const char* ids;
  };
  for (auto& [maker, n_parts, text, ids] :
       {Kind{made::wordpiece_maker(), 1, "ab a", "[2,5,6,5,3]"},
        Kind{made::bpe_maker(), 2, "abba <mask>", "[2,7,6,5,4,3]"},
        Kind{made::unigram_maker(), 3, "\u00C1b", "[2,6,7,3]"},
        Kind{made::wide_unigram_maker(), 3, "ab", "[2,6,7,3]"},
        Kind{made::sentencepiece_maker(), 4, "\uFF21b", "[6,7,3]"}}) {
    F0Maker own = maker;
    const File file = own.make();
    Begun begun = begin(file, false);
    ASSERT_TRUE(begun.loader) << describe(begun.error);
    const uint64_t weights = load_le<uint64_t>(file.data() + own.places.descriptor(n_parts) + 24);
    EXPECT_LE(begun.asked_up_to, own.places.data + weights);
    ASSERT_TRUE(stream(*begun.loader, file));
    const auto session = testing::finish<EncoderModel>(*begun.loader);
    ASSERT_TRUE(session) << describe(session.error());
    const auto tokens = tokenize(**session->tokenizer(), text, nullptr, true);
    ASSERT_TRUE(tokens) << describe(tokens.error());
    EXPECT_NE(tokens->find(std::string(R"("ids":)") + ids), std::string::npos) << *tokens;
  }
}

TEST(EncoderLoader, SaysThatATokenizerCannotBeRun) {
  namespace made = formats::embd::testing;
  F0Maker maker = made::unigram_maker();
  std::string json = made::unigram_json();
  json.replace(json.find("NFKD"), 4, "Nmt!");
  maker.tensors[1] = made::text_part("tokenizer.json", json);
  const File file = maker.make();
  const Begun begun = begin(file, true);
  ASSERT_FALSE(begun.loader);
  EXPECT_EQ(begun.error.code, ErrorCode::Unsupported);
  EXPECT_EQ(begun.error.path, "tokenizer.json.normalizer");
  EXPECT_NE(begun.error.message.find("Nmt!"), std::string::npos);
  const uint64_t data = load_le<uint64_t>(file.data() + maker.places.descriptor(1) + 24);
  EXPECT_GT(begun.error.byte_offset, maker.places.data + data);
}

// The rows of one text.
Result<std::vector<float>> embed(const EncoderModel& session, std::string_view options) {
  AMBRY_TRY(EmbedJob job, EmbedJob::begin(session.runtime(), options));
  job.add("ab a");
  AMBRY_RETURN_IF_ERROR(job.start());
  for (;;) {
    AMBRY_TRY(const bool done, job.step());
    if (done) return std::vector<float>(job.result().begin(), job.result().end());
  }
}

// From 4 numbers to 6, by a matrix that repeats some and adds two of them.
F0Maker with_dense() {
  constexpr float kWeight[6][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0},
                                   {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 0, 0}};
  const float bias[6] = {0, 0, 0, 0, 0, 0.5F};
  F0Maker maker;
  const auto text_of = [](const auto& values) {
    return std::string(reinterpret_cast<const char*>(&values), sizeof values);
  };
  maker.tensors.push_back({"dense.0.weight", {6, 4}, 0, text_of(kWeight)});
  maker.tensors.push_back({"dense.0.bias", {6}, 0, text_of(bias)});
  maker.metadata.emplace_back("dense_activations", R"(["tanh"])");
  maker.metadata.emplace_back("normalize", "false");
  return maker;
}

TEST(EmbedJob, AppliesDenseLayersAfterThePooling) {
  const auto plain = session_of(F0Maker().make());
  const auto dense = session_of(with_dense().make());
  ASSERT_TRUE(plain);
  ASSERT_TRUE(dense) << describe(dense.error());
  const auto pooled = embed(*plain, R"({"normalize":false})");
  const auto vector = embed(*dense, "{}");
  ASSERT_TRUE(pooled);
  ASSERT_TRUE(vector) << describe(vector.error());
  ASSERT_EQ(pooled->size(), 4U);
  ASSERT_EQ(vector->size(), 6U);
  const auto& p = *pooled;
  const std::vector<float> expected = {p[0], p[1], p[2], p[3], p[0] + p[1], 0.5F};
  for (size_t i = 0; i < 6; ++i) EXPECT_NEAR((*vector)[i], std::tanh(expected[i]), 1e-6) << i;

  const auto unit = embed(*dense, R"({"normalize":true})");
  double square = 0;
  for (const float x : *unit) square += double{x} * double{x};
  EXPECT_NEAR(square, 1, 1e-6);
  const auto cut = embed(*dense, R"({"dim":5})");
  EXPECT_EQ(*cut, std::vector<float>(vector->begin(), vector->begin() + 5));
  EXPECT_EQ(embed(*dense, R"({"dim":7})").error().path, "options.dim");
}

// Dense layers take sentences' vectors only, so tokens' vectors keep their length.
TEST(EmbedJob, LeavesTokensAsTheyAre) {
  const auto plain = session_of(F0Maker().make());
  const auto dense = session_of(with_dense().make());
  ASSERT_TRUE(plain);
  ASSERT_TRUE(dense);
  const auto tokens = embed(*dense, R"({"pooling":"none"})");
  ASSERT_TRUE(tokens);
  EXPECT_EQ(*tokens, *embed(*plain, R"({"pooling":"none"})"));
  EXPECT_EQ(embed(*dense, R"({"pooling":"none","dim":5})").error().path, "options.dim");
}

TEST(EncoderModel, SaysHowLongItsVectorsAre) {
  const auto dense = session_of(with_dense().make());
  ASSERT_TRUE(dense);
  const auto info = io::parse_json(dense->info());
  ASSERT_TRUE(info);
  const io::Json* config = info->find("config");
  ASSERT_NE(config, nullptr);
  EXPECT_EQ(config->find("hiddenSize")->uint(), 4U);
  EXPECT_EQ(config->find("embeddingDim")->uint(), 6U);
  EXPECT_EQ(config->find("dense")->dump(),
            R"([{"inFeatures":4,"outFeatures":6,"activation":"tanh","bias":true}])");
  const auto plain = session_of(F0Maker().make());
  const auto other = io::parse_json(plain->info());
  EXPECT_EQ(other->find("config")->find("embeddingDim")->uint(), 4U);
  EXPECT_EQ(other->find("config")->find("dense"), nullptr);
}

#ifndef __EMSCRIPTEN__  // Tests in WebAssembly have no threads.
struct Embedding {
  std::vector<float> rows;
  std::vector<uint32_t> counts;
};

Embedding rows_of(const EmbedJob& job) {
  const auto rows = job.result();
  const auto counts = job.row_counts();
  return {{rows.begin(), rows.end()}, {counts.begin(), counts.end()}};
}

Result<EmbedJob> start(const EncoderModel& session, std::string_view options) {
  AMBRY_TRY(EmbedJob job, EmbedJob::begin(session.runtime(), options));
  for (size_t i = 0; i < 300; ++i) job.add(std::string(1 + i % 7, 'a').append(i % 3, ' '));
  AMBRY_RETURN_IF_ERROR(job.start());
  return job;
}

void expect_same_rows(const File& file) {
  const auto session = session_of(file);
  ASSERT_TRUE(session) << describe(session.error());
  for (const std::string_view options : {R"({})", R"({"pooling":"none"})"}) {
    std::vector<Embedding> embeddings(4);
    std::vector<std::thread> threads;
    for (Embedding& embedding : embeddings) {
      threads.emplace_back([&] {
        auto job = start(*session, options);
        while (!job->step().value()) {
        }
        embedding = rows_of(*job);
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_FALSE(embeddings[0].rows.empty());
    for (const Embedding& embedding : embeddings) {
      EXPECT_EQ(embedding.rows, embeddings[0].rows);
      EXPECT_EQ(embedding.counts, embeddings[0].counts);
    }
  }
}

TEST(EmbedJob, ThreadsThatEmbedAtTheSameTimeGetTheSameRows) {
  for (F0Maker maker :
       {F0Maker(), formats::embd::testing::bpe_maker(), formats::embd::testing::unigram_maker()}) {
    expect_same_rows(maker.make());
  }
}
#endif

}  // namespace
}  // namespace ambry::api
