// What every format must do, run over the registry: a new row is tested here once it has a fixture.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/allocation_meter.h"
#include "formats/embd/make_embd.h"
#include "formats/registry.h"
#include "formats/safetensors/make_safetensors.h"
#include "io/crc32.h"

namespace ambry::formats {
namespace {

using File = std::vector<uint8_t>;

struct Fixture {
  std::string id;
  std::string name;
  File file;
  bool sealed;  // checksums cover every byte
};

std::vector<Fixture> fixtures() {
  return {{"embd", "F0", embd::testing::make_f0(), true},
          {"embd", "F1", embd::testing::make_f1(), false},
          {"safetensors", "plain", safetensors::testing::make_safetensors(), false}};
}

struct Outcome {
  Result<model::Model> model;
  io::Diagnostics found;
};

Outcome read(const io::Source& source, const Format& format) {
  io::Diagnostics found;
  found.strictness = io::Strictness::Strict;
  auto model = format.parse(source, found, {});
  if (model) format.check(*model, found);
  return {std::move(model), std::move(found)};
}

Outcome read(const File& file, const Format& format) {
  const io::MemorySource source(file);
  return read(source, format);
}

void expect_placed(const Error& error, size_t size) {
  EXPECT_FALSE(error.path.empty()) << describe(error);
  EXPECT_FALSE(error.message.empty()) << describe(error);
  EXPECT_NE(error.code, ErrorCode::NeedBytes);
  EXPECT_TRUE(error.byte_offset == kNoOffset || error.byte_offset <= size) << describe(error);
}

void expect_placed(const Outcome& outcome, size_t size) {
  if (!outcome.model) {
    expect_placed(outcome.model.error(), size);
    EXPECT_NE(outcome.model.error().byte_offset, kNoOffset) << describe(outcome.model.error());
  }
  for (const Error& error : outcome.found.errors) expect_placed(error, size);
  for (const Error& warning : outcome.found.warnings) expect_placed(warning, size);
}

std::string summary(const Outcome& outcome) {
  if (!outcome.model) return describe(outcome.model.error());
  const model::Model& model = *outcome.model;
  std::string text = model.format + model.version + model.metadata.dump();
  for (const auto& t : model.tensors) {
    text += t.name + to_string(t.shape) + std::string(dtype_name(t.dtype)) + "@" +
            std::to_string(t.offset) + "+" + std::to_string(t.bytes) + "\n";
  }
  if (model.tokenizer) text += std::to_string(model.tokenizer->vocabulary.text_bytes());
  for (const Error& e : outcome.found.errors) text += describe(e) + "\n";
  for (const Error& w : outcome.found.warnings) text += describe(w) + "\n";
  return text;
}

// Reads through a source that holds nothing but what was asked for.
Outcome read_in_parts(const File& file, const Format& format) {
  io::PartialSource source(file.size());
  for (size_t round = 0; round < 1000; ++round) {
    Outcome outcome = read(source, format);
    if (outcome.model || outcome.model.error().code != ErrorCode::NeedBytes) return outcome;
    const Error& need = outcome.model.error();
    EXPECT_GT(need.need_size, 0U);
    EXPECT_TRUE(
        source.insert(need.byte_offset, Bytes(file).subspan(need.byte_offset, need.need_size)));
  }
  ADD_FAILURE() << "asks for bytes without end";
  return read(file, format);
}

bool checksums_hold(const model::Model& model, const File& file) {
  for (const model::ByteRangeCrc& crc : model.checksums) {
    const Bytes range = Bytes(file).subspan(crc.begin, crc.end - crc.begin);
    if (io::crc32(range) != crc.expected) return false;
  }
  return true;
}

class Conformance : public ::testing::TestWithParam<Fixture> {
 protected:
  const Fixture& fixture() const { return GetParam(); }
  const Format& format() const { return *find_format(GetParam().id); }
};

TEST(Registry, EveryFormatHasAFixtureAndAPage) {
  for (const Format& row : formats()) {
    const auto all = fixtures();
    EXPECT_TRUE(std::ranges::any_of(all, [&](const auto& f) { return f.id == row.id; })) << row.id;
    const auto root = std::filesystem::path(AMBRY_FIXTURES).parent_path().parent_path();
    const auto page = root / "core/formats" / std::string(row.id) / "README.md";
    EXPECT_TRUE(std::filesystem::exists(page)) << page;
    EXPECT_EQ(find_format(row.id), &row);
  }
  EXPECT_EQ(find_format("none"), nullptr);
}

TEST_P(Conformance, IsRecognisedByItsOwnProbeOnly) {
  const io::MemorySource source(fixture().file);
  for (const Format& row : formats()) {
    const auto probed = row.probe(source);
    ASSERT_TRUE(probed);
    EXPECT_EQ(*probed, row.id == fixture().id) << row.id;
  }
  const auto recognised = recognise(source);
  ASSERT_TRUE(recognised);
  EXPECT_EQ((*recognised)->id, fixture().id);
}

TEST_P(Conformance, ReadsItsFixtureTwiceAlike) {
  const Outcome outcome = read(fixture().file, format());
  ASSERT_TRUE(outcome.model) << describe(outcome.model.error());
  EXPECT_TRUE(outcome.found.errors.empty());
  EXPECT_EQ(outcome.model->file_bytes, fixture().file.size());
  EXPECT_EQ(outcome.model->format, fixture().id);
  EXPECT_EQ(summary(outcome), summary(read(fixture().file, format())));
}

TEST_P(Conformance, EveryPrefixFailsAtAPlaceInIt) {
  for (size_t size = 0; size < fixture().file.size(); ++size) {
    const File prefix(fixture().file.begin(),
                      fixture().file.begin() + static_cast<std::ptrdiff_t>(size));
    const Outcome outcome = read(prefix, format());
    EXPECT_TRUE(!outcome.model || !outcome.found.errors.empty()) << size;
    expect_placed(outcome, size);
    EXPECT_EQ(summary(outcome), summary(read_in_parts(prefix, format()))) << size;
  }
}

TEST_P(Conformance, EveryFlippedByteIsAnErrorOrAModel) {
  File file = fixture().file;
  for (size_t at = 0; at < file.size(); ++at) {
    const uint8_t good = file[at];
    for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      file[at] = static_cast<uint8_t>(good ^ flip);
      const Outcome outcome = read(file, format());
      expect_placed(outcome, file.size());
      const bool accepted = outcome.model && outcome.found.errors.empty();
      if (accepted && fixture().sealed) {
        EXPECT_FALSE(checksums_hold(*outcome.model, file)) << "byte " << at << " ^ " << flip;
      }
      if (flip == 255 || flip == 1) {
        EXPECT_EQ(summary(outcome), summary(read_in_parts(file, format()))) << at;
      }
    }
    file[at] = good;
  }
}

// Every four bytes in turn claim to be huge: memory must follow the file, not the claim.
TEST_P(Conformance, HostileNumbersTakeNoMoreThanTwiceTheFile) {
  constexpr size_t kFixed = 8 << 10;  // small vectors and the errors' texts
  File file = fixture().file;
  for (size_t at = 0; at + 4 <= file.size(); ++at) {
    const auto good = load_le<uint32_t>(file.data() + at);
    for (const uint32_t claim : {UINT32_MAX, 0x7FFFFFFFU, 0x10000U, good + 256, good * 2}) {
      store_le(file.data() + at, claim);
      const io::MemorySource source(file);
      io::Diagnostics found;
      const testing::AllocationMeter meter;
      const auto model = format().parse(source, found, {});
      EXPECT_LE(meter.largest(), 2 * file.size()) << "byte " << at << " claims " << claim;
      EXPECT_LE(meter.peak(), 2 * file.size() + kFixed) << "byte " << at << " claims " << claim;
    }
    store_le(file.data() + at, good);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Conformance, ::testing::ValuesIn(fixtures()),
                         [](const auto& row) { return row.param.id + "_" + row.param.name; });

// A vocabulary of empty tokens is the densest claim of entries that a file can back with bytes.
TEST(Memory, AVocabularyOfEmptyTokensTakesTwiceItsFile) {
  embd::testing::F0Maker maker;
  maker.tokens.assign(1'000'000, "");
  const File f0 = maker.make();
  const File f1 =
      embd::testing::make_f1(embd::testing::tiny_tensors(true), std::vector<std::string>(100'000));
  for (const File& file : {f0, f1}) {
    const io::MemorySource source(file);
    io::Diagnostics found;
    const testing::AllocationMeter meter;
    const auto model = find_format("embd")->parse(source, found, {});
    ASSERT_TRUE(model) << describe(model.error());
    EXPECT_LE(meter.peak(), 2 * file.size() + (64 << 10));
  }
}

TEST(Recognise, SaysWhatAForeignFileLooksLike) {
  const std::pair<std::string, std::string> kForeign[] = {
      {"<!DOCTYPE html><html>", "HTML"},
      {"\n  <HTML lang=en>", "HTML"},
      {"PK\x03\x04 archive", "ZIP"},
      {std::string("GGUF\x03\0\0\0", 8), "GGUF file version 3"},
      {"\x80\x02}q", "pickle"},
      {"\x08\x07\x12\x07pytorch", "ONNX"},
      {"{\"model_type\": \"bert\"}", "JSON"},
      {"version https://git-lfs.github.com/spec/v1", "Git LFS"},
      {"\x1F\x8B\x08 ", "gzip"},
      {"just words", "known here (embd, safetensors)"},
  };
  for (const auto& [bytes, expected] : kForeign) {
    const io::MemorySource source(as_bytes(bytes));
    const auto format = recognise(source);
    ASSERT_FALSE(format) << bytes;
    EXPECT_EQ(format.error().code, ErrorCode::BadMagic);
    EXPECT_NE(format.error().message.find(expected), std::string::npos) << format.error().message;
  }
  const io::MemorySource empty{Bytes{}};
  EXPECT_EQ(recognise(empty).error().code, ErrorCode::Truncated);
}

TEST(Recognise, AsksForTheFirstBytes) {
  const io::PartialSource source(1000);
  EXPECT_EQ(recognise(source).error().code, ErrorCode::NeedBytes);
}

}  // namespace
}  // namespace ambry::formats
