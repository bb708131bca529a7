// What every format must do, run over the registry: a new row is tested here once it has a fixture.
#include "formats/conformance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "fixtures_folder.h"
#include "formats/allocation_meter.h"
#include "formats/embd/make_embd.h"

namespace ambry::formats {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

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

class Conformance : public ::testing::TestWithParam<Fixture> {
 protected:
  const Fixture& fixture() const { return GetParam(); }
  const Format& format() const { return *find_format(GetParam().id); }
};

TEST(Registry, EveryFormatHasAFixtureAndAPage) {
  for (const Format& row : formats()) {
    const auto all = fixtures();
    EXPECT_TRUE(std::ranges::any_of(all, [&](const auto& f) { return f.id == row.facts.id; }))
        << row.facts.id;
    const auto root = ambry::testing::fixtures_folder().parent_path().parent_path();
    const auto page = root / "core/formats" / std::string(row.facts.id) / "README.md";
    EXPECT_TRUE(std::filesystem::exists(page)) << page;
    EXPECT_EQ(find_format(row.facts.id), &row);
  }
  EXPECT_EQ(find_format("none"), nullptr);
}

TEST(Registry, EveryFormatStatesItsFacts) {
  std::set<std::string_view> seen;
  for (const Format& row : formats()) {
    EXPECT_FALSE(row.facts.id.empty() || row.facts.label.empty() || row.facts.file.empty())
        << row.facts.id;
    EXPECT_TRUE(row.facts.extensions[0].starts_with('.')) << row.facts.id;
    EXPECT_TRUE(seen.insert(row.facts.id).second) << row.facts.id;
    EXPECT_TRUE(row.probe != nullptr || !row.facts.magics[0].empty()) << row.facts.id;
    EXPECT_TRUE(row.parse != nullptr && row.check != nullptr) << row.facts.id;
  }
}

// A file that starts with a format's magic is taken for one of that format's, and for no other's.
TEST(Registry, MagicsAreTheirFormatsAlone) {
  for (const Format& owner : formats()) {
    for (const std::string_view magic : owner.facts.magics) {
      if (magic.empty()) continue;
      const std::string bytes = std::string(magic) + std::string(1000, '\1');
      const io::MemorySource source(as_bytes(bytes));
      for (const Format& row : formats()) {
        const auto yes = probe(row, source);
        ASSERT_TRUE(yes) << describe(yes.error());
        EXPECT_EQ(*yes, row.facts.id == owner.facts.id) << row.facts.id << " and " << magic;
      }
    }
  }
}

TEST(Registry, RunnableFormatsAreTheSameRowsWithoutWriters) {
  size_t n = 0;
  for (const auto rows : {encoder_formats(), decoder_formats(), word_formats(),
                          image_classifier_formats(), text_classifier_formats()}) {
    for (const Format& row : rows) {
      const Format& whole = *find_format(row.facts.id);
      EXPECT_EQ(row.runs, rows.front().runs);
      EXPECT_EQ(row.runs, whole.runs);
      EXPECT_EQ(row.parse, whole.parse);
      EXPECT_EQ(row.states_size, whole.states_size);
      EXPECT_EQ(row.lay_out, nullptr);
      ++n;
    }
  }
  EXPECT_EQ(n, std::ranges::count_if(formats(),
                                     [](const Format& row) { return row.runs != Runs::Nothing; }));
}

TEST_P(Conformance, IsRecognisedByItsOwnProbeOnly) {
  const io::MemorySource source(fixture().file);
  for (const Format& row : formats()) {
    const auto probed = probe(row, source);
    ASSERT_TRUE(probed);
    EXPECT_EQ(*probed, row.facts.id == fixture().id) << row.facts.id;
  }
  const auto recognised = recognise(source);
  ASSERT_TRUE(recognised);
  EXPECT_EQ((*recognised)->facts.id, fixture().id);
}

TEST_P(Conformance, ReadsItsFixtureTwiceWithTheSameResult) {
  const Outcome outcome = read(fixture().file, format());
  ASSERT_TRUE(outcome.model) << describe(outcome.model.error());
  EXPECT_TRUE(outcome.found.errors.empty());
  EXPECT_EQ(outcome.model->file_bytes, fixture().file.size());
  EXPECT_EQ(outcome.model->format, fixture().id);
  EXPECT_EQ(summary(outcome), summary(read(fixture().file, format())));
}

// ReadOptions::vocabulary: nothing but the vocabulary itself is missing, and no more is asked for.
TEST_P(Conformance, ReadsTheSameWithoutItsVocabulary) {
  const Reading without{io::Strictness::Strict, {.vocabulary = false}};
  uint64_t asked = 0;
  uint64_t asked_without = 0;
  const Outcome whole = read_in_parts(fixture().file, format(), {}, &asked);
  const Outcome outcome = read_in_parts(fixture().file, format(), without, &asked_without);
  ASSERT_TRUE(whole.accepted());
  ASSERT_TRUE(outcome.accepted());
  EXPECT_LE(asked_without, asked);
  EXPECT_EQ(outcome.model->tensors, whole.model->tensors);
  EXPECT_EQ(outcome.model->version, whole.model->version);
  EXPECT_EQ(outcome.model->metadata.dump(), whole.model->metadata.dump());
  EXPECT_EQ(outcome.model->config.dump(), whole.model->config.dump());
  EXPECT_EQ(outcome.model->regions, whole.model->regions);
  EXPECT_EQ(outcome.model->checksums, whole.model->checksums);
  ASSERT_EQ(outcome.model->tokenizer.has_value(), whole.model->tokenizer.has_value());
  if (!whole.model->tokenizer) return;
  EXPECT_EQ(token_count(*outcome.model), token_count(*whole.model));
  EXPECT_EQ(outcome.model->tokenizer->kind, whole.model->tokenizer->kind);
  // Where the ids are found by the tokens' names they are missing, but never others.
  for (const auto id : {&model::TokenizerData::unk_id, &model::TokenizerData::bos_id,
                        &model::TokenizerData::eos_id, &model::TokenizerData::pad_id}) {
    const auto stated = (*outcome.model->tokenizer).*id;
    if (stated) {
      EXPECT_EQ(stated, (*whole.model->tokenizer).*id);
    }
  }
}

TEST_P(Conformance, PartsOfTheMapLieInTheFileInOrder) {
  const Outcome outcome = read(fixture().file, format());
  ASSERT_TRUE(outcome.model);
  uint64_t end = 0;
  for (const model::Region& region : outcome.model->regions) {
    EXPECT_FALSE(region.name.empty());
    EXPECT_GE(region.offset, end) << region.name;
    end = region.offset + region.bytes;
    EXPECT_LE(end, fixture().file.size()) << region.name;
  }
}

TEST_P(Conformance, EveryPrefixFailsAtAPlaceInIt) {
  for (const size_t size : tried_positions(fixture().file.size())) {
    const File prefix(fixture().file.begin(),
                      fixture().file.begin() + static_cast<std::ptrdiff_t>(size));
    const Outcome outcome = read(prefix, format());
    EXPECT_FALSE(outcome.accepted()) << size;
    expect_placed(outcome, size);
    EXPECT_EQ(summary(outcome), summary(read_in_parts(prefix, format()))) << size;
  }
}

TEST_P(Conformance, EveryFlippedByteIsAnErrorOrAModel) {
  File file = fixture().file;
  for (const size_t at : tried_positions(file.size())) {
    const uint8_t good = file[at];
    for (const int flip : flips_at(at)) {
      file[at] = static_cast<uint8_t>(good ^ flip);
      const Outcome outcome = read(file, format());
      expect_placed(outcome, file.size());
      if (outcome.accepted() && fixture().sealed) {
        EXPECT_FALSE(checksums_hold(*outcome.model, file)) << "byte " << at << " ^ " << flip;
      }
      if (flip != 255) continue;
      EXPECT_EQ(summary(outcome), summary(read_in_parts(file, format()))) << at;
    }
    file[at] = good;
  }
}

// Every four bytes in turn claim to be huge: memory must follow the file, not the claim.
TEST_P(Conformance, HostileNumbersTakeNoMoreThanTwiceTheFile) {
  constexpr size_t kFixed = 9 << 10;  // small vectors, small JSON and the errors' texts
  File file = fixture().file;
  for (const size_t at : tried_positions(file.size() - 3)) {
    const auto good = load_le<uint32_t>(file.data() + at);
    for (const uint32_t claim : {UINT32_MAX, 0x7FFFFFFFU, 0x10000U, good + 256, good * 2}) {
      store_le(file.data() + at, claim);
      const io::MemorySource source(file);
      io::Diagnostics found;
      const ambry::testing::AllocationMeter meter;
      const auto model = format().parse(source, found, {});
      EXPECT_LE(meter.largest(), 2 * file.size()) << "byte " << at << " claims " << claim;
      EXPECT_LE(meter.peak(), 2 * file.size() + kFixed) << "byte " << at << " claims " << claim;
    }
    store_le(file.data() + at, good);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Conformance, ::testing::ValuesIn(fixtures()),
                         [](const auto& row) { return name_of(row.param); });

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
    const ambry::testing::AllocationMeter meter;
    const auto model = find_format("embd")->parse(source, found, {});
    ASSERT_TRUE(model) << describe(model.error());
    EXPECT_LE(meter.peak(), 2 * file.size() + (64 << 10));
  }
}

}  // namespace
}  // namespace ambry::formats
