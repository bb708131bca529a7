#include "infer/decoder/saving/saved_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "infer/decoder/synthetic_decoder.h"
#include "io/crc32.h"
#include "repetitions.h"

namespace ambry::infer {
namespace {

using testing::DecoderRun;
using testing::SyntheticDecoder;
using File = std::vector<uint8_t>;

File saved_from(Decoder& decoder, size_t n_tokens, std::string_view note = "note") {
  DecoderRun run(decoder);
  std::vector<uint32_t> ids(n_tokens);
  for (size_t i = 0; i < n_tokens; ++i) ids[i] = static_cast<uint32_t>(i * 3 + 1) % 37;
  if (n_tokens > 0) {
    EXPECT_TRUE(run.feed(ids));
  }
  const auto bytes = SavedState::write(decoder, run.state(), note);
  EXPECT_TRUE(bytes) << describe(bytes.error());
  return {bytes->bytes().begin(), bytes->bytes().end()};
}

// Makes the checksum right again.
void seal(File& file) {
  const uint64_t size = file.size();
  std::memcpy(file.data() + 16, &size, sizeof size);
  const uint32_t checksum = io::crc32(Bytes(file).subspan(16));
  std::memcpy(file.data() + 12, &checksum, sizeof checksum);
}

template <class T>
void set(File& file, size_t at, T value) {
  std::memcpy(file.data() + at, &value, sizeof value);
}

Error refusal(const Decoder& decoder, const File& file) {
  const auto read = SavedState::read(decoder, file);
  EXPECT_FALSE(read);
  return read ? Error() : read.error();
}

class SavedStateTest : public ::testing::Test {
 protected:
  SyntheticDecoder made_ = SyntheticDecoder::read("llama");
  Decoder decoder_ = made_.build();
};

TEST_F(SavedStateTest, KeepsAnEmptySequence) {
  const File file = saved_from(decoder_, 0, "");
  auto read = SavedState::read(decoder_, file);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->state().position(), 0U);
  EXPECT_EQ(read->note(), "");
}

TEST_F(SavedStateTest, TheSameSequenceGivesTheSameBytes) {
  const File file = saved_from(decoder_, 50);
  EXPECT_EQ(saved_from(decoder_, 50), file);
  auto read = SavedState::read(decoder_, file);
  ASSERT_TRUE(read);
  const auto again = SavedState::write(decoder_, read->state(), read->note());
  EXPECT_TRUE(std::ranges::equal(again->bytes(), file));
}

TEST_F(SavedStateTest, TypesOfTheCacheDifferInSize) {
  Decoder half = made_.build({KvType::F16, 0, 0});
  Decoder quarter = made_.build({KvType::Int8, 0, 0});
  const size_t whole = saved_from(decoder_, 50).size();
  EXPECT_LT(saved_from(half, 50).size(), whole * 6 / 10);
  EXPECT_LT(saved_from(quarter, 50).size(), whole * 5 / 10);
}

TEST_F(SavedStateTest, BadBytesAreReportedByTheirPlace) {
  const File good = saved_from(decoder_, 20);
  struct Fault {
    const char* name;
    std::function<void(File&)> make;
    ErrorCode code;
    const char* path;
  };
  const Fault kFaults[] = {
      {"no bytes", [](File& f) { f.clear(); }, ErrorCode::Truncated, "saved.magic"},
      {"another file", [](File& f) { f[0] = 'A'; }, ErrorCode::BadMagic, "saved.magic"},
      {"a later version", [](File& f) { set<uint32_t>(f, 8, 2); }, ErrorCode::UnsupportedVersion,
       "saved.version"},
      {"a cut end", [](File& f) { f.pop_back(); }, ErrorCode::Truncated, "saved.size"},
      {"more bytes", [](File& f) { f.push_back(0); }, ErrorCode::BadValue, "saved.size"},
      {"a flipped bit", [](File& f) { f.back() ^= 1; }, ErrorCode::BadValue, "saved.checksum"},
      {"another kv", [](File& f) { set<uint32_t>(f, 24, 7), seal(f); }, ErrorCode::Mismatch,
       "saved.kv"},
      {"other weights", [](File& f) { set<uint32_t>(f, 28, 9), seal(f); }, ErrorCode::Mismatch,
       "saved.weights"},
      {"other numerics", [](File& f) { set<uint32_t>(f, 32, 9), seal(f); }, ErrorCode::Mismatch,
       "saved.numerics"},
      {"another config", [](File& f) { set<uint32_t>(f, 36, 9), seal(f); }, ErrorCode::Mismatch,
       "saved.model"},
      {"too many tensors", [](File& f) { set<uint32_t>(f, 40, UINT32_MAX), seal(f); },
       ErrorCode::Truncated, "saved.tensors"},
      {"more layers", [](File& f) { set<uint32_t>(f, 44, 4), seal(f); }, ErrorCode::Mismatch,
       "saved.model"},
      {"too many ids", [](File& f) { set<uint64_t>(f, 48, UINT64_MAX), seal(f); },
       ErrorCode::LimitExceeded, "saved.context"},
      {"ids that are not there",
       [](File& f) { set<uint64_t>(f, 48, 60), set<uint64_t>(f, 56, 60), seal(f); },
       ErrorCode::BadValue, "saved.ids"},
      {"more ids than rows", [](File& f) { set<uint64_t>(f, 56, 3), seal(f); }, ErrorCode::BadValue,
       "saved.written"},
      {"a huge note", [](File& f) { set<uint64_t>(f, 72, UINT64_MAX / 2), seal(f); },
       ErrorCode::Truncated, "saved.note"},
      {"a note that is no text", [](File& f) { f[80] = 0xFF, seal(f); }, ErrorCode::BadValue,
       "saved.note"},
      {"rows that end early", [](File& f) { f.resize(f.size() - 8), seal(f); },
       ErrorCode::Truncated, "saved.rows"},
      {"bytes after the rows", [](File& f) { f.resize(f.size() + 8), seal(f); },
       ErrorCode::BadValue, "saved.end"},
  };
  for (const Fault& fault : kFaults) {
    File file = good;
    fault.make(file);
    const Error error = refusal(decoder_, file);
    EXPECT_EQ(error.code, fault.code) << fault.name << ": " << describe(error);
    EXPECT_EQ(error.path, fault.path) << fault.name << ": " << describe(error);
  }
  EXPECT_TRUE(SavedState::read(decoder_, good));
}

TEST_F(SavedStateTest, EveryCutAndEveryFlippedByteIsRefused) {
  const File good = saved_from(decoder_, 2);
  for (size_t n = 0; n < good.size(); n += 7) {
    EXPECT_FALSE(SavedState::read(decoder_, Bytes(good).first(n))) << n;
  }
  for (size_t i = 0; i < good.size(); i += 5) {
    File file = good;
    file[i] ^= 0x40;
    EXPECT_FALSE(SavedState::read(decoder_, file)) << i;
  }
}

// The checksum is no protection from someone who makes one: whatever the fields say, reading ends.
TEST_F(SavedStateTest, SealedNonsenseIsBounded) {
  const File good = saved_from(decoder_, 2);
  for (size_t i = 24; i < std::min<size_t>(good.size(), 600); ++i) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      File file = good;
      file[i] = static_cast<uint8_t>(file[i] ^ flip);
      seal(file);
      auto read = SavedState::read(decoder_, file);
      if (!read) continue;
      EXPECT_LE(read->state().position(), 2U);
    }
  }
}

void expect_that_nonsense_can_go_on(Decoder& decoder) {
  const File good = saved_from(decoder, 90);
  Random random(3);
  size_t n_restored = 0;
  for (size_t i = 0; i < ambry::testing::repetitions(3000); ++i) {
    File file = good;
    for (uint64_t n = 1 + random.below(3); n > 0; --n) {
      // Mostly the fields.
      const uint64_t end = random.below(2) == 0 ? 160 : file.size();
      file[static_cast<size_t>(24 + random.below(end - 24))] =
          static_cast<uint8_t>(random.below(256));
    }
    if (random.below(8) == 0) file.resize(static_cast<size_t>(24 + random.below(file.size())));
    seal(file);
    auto read = SavedState::read(decoder, file);
    if (!read) continue;
    ++n_restored;
    DecoderRun run(decoder);
    run.state() = std::move(read->state());
    run.state().truncate(static_cast<size_t>(random.below(run.state().position() + 1)));
    static_cast<void>(run.feed(std::vector<uint32_t>{1, 2, 3}));
  }
  EXPECT_GT(n_restored, 100U);
}

TEST_F(SavedStateTest, WhatSealedNonsenseRestoresCanGoOn) {
  Decoder ring = SyntheticDecoder::read("mistral_ring").build({KvType::Int8, 150, 0});
  expect_that_nonsense_can_go_on(ring);
  Decoder hybrid = SyntheticDecoder::read("lfm2").build();
  expect_that_nonsense_can_go_on(hybrid);
  Decoder deltas = SyntheticDecoder::read("qwen3_5").build();
  expect_that_nonsense_can_go_on(deltas);
}

TEST_F(SavedStateTest, KeepsStatesInPlaceOfKeysAndValues) {
  const SyntheticDecoder made = SyntheticDecoder::read("lfm2");
  Decoder decoder = made.build();
  const File file = saved_from(decoder, 90);
  EXPECT_EQ(file[8], 2);  // the version
  auto read = SavedState::read(decoder, file);
  ASSERT_TRUE(read) << describe(read.error());
  const auto again = SavedState::write(decoder, read->state(), read->note());
  EXPECT_TRUE(std::ranges::equal(again->bytes(), file));
  File other = file;
  other[8] = 1;
  EXPECT_EQ(refusal(decoder, other).path, "saved.version");
  EXPECT_EQ(refusal(decoder_, file).path, "saved.version");
  for (size_t cut = 8; cut < 2000; cut += 8) {
    File shorter(file.begin(), file.end() - static_cast<std::ptrdiff_t>(cut));
    seal(shorter);
    EXPECT_FALSE(SavedState::read(decoder, shorter)) << cut;
  }
}

TEST_F(SavedStateTest, RefusesAnotherModelOfTheSameShape) {
  const File file = saved_from(decoder_, 10);
  SyntheticDecoder other = made_;
  const size_t tensor = other.find("model.layers.2.mlp.down_proj.weight");
  other.bytes[tensor][100] ^= 1;
  const Error error = refusal(other.build(), file);
  EXPECT_EQ(error.code, ErrorCode::Mismatch);
  EXPECT_EQ(error.path, "saved.model");
}

TEST_F(SavedStateTest, RefusesAnotherConfiguration) {
  const File file = saved_from(decoder_, 10);
  SyntheticDecoder other = made_;
  other.model.config.append_member("rope_freq_base", 5000);
  EXPECT_EQ(refusal(other.build(), file).path, "saved.model");
}

TEST_F(SavedStateTest, RefusesAnotherTypeOfTheCache) {
  const File file = saved_from(decoder_, 10);
  EXPECT_EQ(refusal(made_.build({KvType::F16, 0, 0}), file).path, "saved.kv");
  EXPECT_EQ(refusal(made_.build({KvType::Int8, 0, 0}), file).path, "saved.kv");
}

TEST_F(SavedStateTest, RefusesOtherActivations) {
  const File file = saved_from(decoder_, 10);
  const Decoder other = made_.build({KvType::F32, 0, 0, kernels::ActivationPrecision::F32});
  EXPECT_EQ(refusal(other, file).path, "saved.weights");
}

TEST_F(SavedStateTest, RefusesMoreTokensThanTheContextHas) {
  const File file = saved_from(decoder_, 30);
  const Decoder shorter = made_.build({KvType::F32, 29, 0});
  const Error error = refusal(shorter, file);
  EXPECT_EQ(error.code, ErrorCode::LimitExceeded);
  EXPECT_EQ(error.path, "saved.context");
  EXPECT_TRUE(SavedState::read(made_.build({KvType::F32, 30, 0}), file));
}

// Tensors that a model has not read yet do not count.
TEST_F(SavedStateTest, AModelThatIsReadInPartsTakesItsOwnBytes) {
  const File file = saved_from(decoder_, 10);
  Decoder streamed = made_.build({KvType::F32, 0, decoder_.weight_bytes() / 3});
  ASSERT_TRUE(streamed.is_streamed());
  auto read = SavedState::read(streamed, file);
  ASSERT_TRUE(read) << describe(read.error());
  DecoderRun run(streamed, made_.tensor_bytes());
  run.state() = std::move(read->state());
  DecoderRun cold(decoder_);
  std::vector<uint32_t> ids(run.state().ids().begin(), run.state().ids().end());
  ids.push_back(4);
  ASSERT_TRUE(cold.feed(ids));
  ASSERT_TRUE(run.feed({&ids.back(), 1}));
  EXPECT_TRUE(std::ranges::equal(run.logits(), cold.logits()));
}

TEST(TensorSample, SeesTheEndsOfLargeTensors) {
  File bytes(1 << 20, 3);
  const uint32_t sample = tensor_sample(bytes);
  for (const size_t at : {size_t{0}, bytes.size() - 1}) {
    bytes[at] = 4;
    EXPECT_NE(tensor_sample(bytes), sample);
    bytes[at] = 3;
  }
  EXPECT_NE(tensor_sample({}), 0U);
}

}  // namespace
}  // namespace ambry::infer
