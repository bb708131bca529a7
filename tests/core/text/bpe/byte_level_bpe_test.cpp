#include "text/bpe/byte_level_bpe.h"

#include <gtest/gtest.h>

#include "text/bpe/make_bpe.h"
#include "text/make_tokenizer.h"
#include "text/test_files.h"

namespace ambry::text {
namespace {

using testing::byte_level_data;
using testing::make_bpe;
using testing::tokens_of;

const testing::Merges kMerges = {
    {"l", "l"}, {"h", "e"}, {"ll", "o"}, {"he", "llo"}, {"Ġ", "hello"}};

TEST(ByteLevelBpe, MergesByRankThenFromTheLeft) {
  const auto tokenizer = make_bpe(byte_level_data(kMerges));
  EXPECT_EQ(tokens_of(*tokenizer, "hello"), "hello");
  EXPECT_EQ(tokens_of(*tokenizer, "hello hello"), "hello|Ġhello");
  EXPECT_EQ(tokens_of(*tokenizer, "helllo"), "he|ll|l|o");
  EXPECT_EQ(tokens_of(*tokenizer, ""), "");
  EXPECT_EQ(tokens_of(*tokenizer, "\n"), "Ċ");
}

TEST(ByteLevelBpe, CanTakeAWholeWordWithoutMerges) {
  model::TokenizerData data = byte_level_data({});
  data.vocabulary.push_back("Ġxyz");
  EXPECT_EQ(tokens_of(*make_bpe(data), " xyz"), "Ġ|x|y|z");
  data.ignore_merges = true;
  EXPECT_EQ(tokens_of(*make_bpe(data), " xyz"), "Ġxyz");
}

TEST(ByteLevelBpe, AddsASpaceBeforeEachSegmentWithoutOne) {
  model::TokenizerData data = byte_level_data(kMerges);
  data.add_prefix_space = true;
  data.added_tokens = {{.id = 300, .content = "<s>"}};
  const auto tokenizer = make_bpe(data);
  EXPECT_EQ(tokens_of(*tokenizer, "hello<s>hello"), "Ġhello|<s>|Ġhello");
  EXPECT_EQ(tokens_of(*tokenizer, " hello"), "Ġhello");
  const Encoding encoding = tokenizer->encode("hello<s>hello", {});
  EXPECT_EQ(encoding.spans[0], (TextSpan{{0, 0}, {5, 5}}));
  EXPECT_EQ(encoding.spans[2], (TextSpan{{8, 8}, {13, 13}}));
}

TEST(ByteLevelBpe, SpansCoverWholeCharacters) {
  const auto tokenizer = make_bpe(byte_level_data({}));
  const Encoding encoding = tokenizer->encode("a\u00e9\U0001F600", {});
  ASSERT_EQ(encoding.ids.size(), 7U);
  EXPECT_EQ(encoding.spans[1], (TextSpan{{1, 1}, {3, 2}}));
  EXPECT_EQ(encoding.spans[2], encoding.spans[1]);
  EXPECT_EQ(encoding.spans[6], (TextSpan{{3, 2}, {7, 4}}));
  // Ill-formed bytes count as U+FFFD and keep their positions.
  const Encoding bad = tokenizer->encode(
      "\xFF"
      "a",
      {});
  EXPECT_EQ(tokenizer->decode(bad.ids, false),
            "\uFFFD"
            "a");
  EXPECT_EQ(bad.spans.back(), (TextSpan{{1, 1}, {2, 2}}));
}

TEST(ByteLevelBpe, ComposesIfTheModelDoes) {
  const auto neox = make_bpe(byte_level_data({}, "gptneox"));
  const Encoding encoding = neox->encode("e\u0301x", {});
  EXPECT_EQ(neox->decode(encoding.ids, false), "\u00e9x");
  EXPECT_EQ(encoding.spans[0], (TextSpan{{0, 0}, {3, 2}}));
  model::TokenizerData data = byte_level_data({}, "gptneox");
  data.normalizer.emplace();
  const auto plain = make_bpe(data);
  EXPECT_EQ(plain->decode(plain->encode("e\u0301", {}).ids, false), "e\u0301");
}

TEST(ByteLevelBpe, SplitsInSteps) {
  const testing::Merges merges = {{"1", "2"}, {"a", "1"}, {"Ġ", "a"}};
  EXPECT_EQ(tokens_of(*make_bpe(byte_level_data(merges, "digits+gpt2")), " a12"), "Ġa|1|2");
  EXPECT_EQ(tokens_of(*make_bpe(byte_level_data(merges, "digit_runs+gpt2")), " a12"), "Ġa|12");
  std::string many = "gpt2";
  for (int i = 0; i < 1000; ++i) many += "+gpt2";
  for (const std::string& bad : {std::string("gpt2+"), std::string("+"), many}) {
    const auto made = ByteLevelBpe::create(byte_level_data({}, bad));
    EXPECT_EQ(made ? ErrorCode::NotFound : made.error().code, ErrorCode::Unsupported) << bad;
  }
}

TEST(ByteLevelBpe, AddsSpecialTokensByItsSettings) {
  model::TokenizerData data = byte_level_data({});
  data.bos_id = 1;
  data.eos_id = 2;
  EXPECT_EQ(make_bpe(data)->encode("a", {}).ids.size(), 1U);
  data.add_bos = true;
  data.add_eos = true;
  data.eos_ids = {2, 5};
  const auto tokenizer = make_bpe(data);
  const uint32_t a = *tokenizer->id("a");
  EXPECT_EQ(tokenizer->encode("a", {}).ids, (std::vector<uint32_t>{1, a, 2}));
  EXPECT_EQ(tokenizer->encode("a", kPlain).ids, (std::vector<uint32_t>{a}));
  const Encoding cut = tokenizer->encode("aaaa", {.max_length = 4});
  EXPECT_EQ(cut.ids, (std::vector<uint32_t>{1, a, a, 2}));
  EXPECT_EQ(cut.full_length, 6U);
  EXPECT_EQ(tokenizer->bos(), 1U);
  EXPECT_EQ(tokenizer->end_ids().size(), 2U);
  data.bos_id.reset();
  EXPECT_EQ(ByteLevelBpe::create(data).error().code, ErrorCode::NotFound);
}

TEST(ByteLevelBpe, WaitsForCompleteCharacters) {
  const auto tokenizer = make_bpe(byte_level_data({}));
  const auto decoder = tokenizer->decoder(true);
  const Encoding smile = tokenizer->encode("\U0001F600", kPlain);
  std::string out;
  for (size_t i = 0; i < 3; ++i) decoder->push(smile.ids[i], out);
  EXPECT_EQ(out, "");
  decoder->push(smile.ids[3], out);
  EXPECT_EQ(out, "\U0001F600");
  decoder->push(smile.ids[0], out);
  decoder->push(*tokenizer->id("a"), out);
  EXPECT_EQ(out,
            "\U0001F600\uFFFD"
            "a");
  decoder->push(99'999, out);  // there is no such token
  decoder->finish(out);
  EXPECT_EQ(out,
            "\U0001F600\uFFFD"
            "a");
}

TEST(ByteLevelBpe, EncodesUnknownCharacters) {
  model::TokenizerData data;
  data.kind = model::TokenizerKind::Bpe;
  for (const char* token : {"a", "?", "<0x62>"}) data.vocabulary.push_back(token);
  EXPECT_EQ(tokens_of(*make_bpe(data), "abbc"), "a");
  data.unk_id = 1;
  EXPECT_EQ(tokens_of(*make_bpe(data), "abbc"), "a|?|?|?");
  data.fuse_unk = true;
  EXPECT_EQ(tokens_of(*make_bpe(data), "abbc"), "a|?");
  data.byte_fallback = true;
  EXPECT_EQ(tokens_of(*make_bpe(data), "abbc"), "a|<0x62>|<0x62>|?");
}

TEST(ByteLevelBpe, RejectsInvalidData) {
  const auto refused = [](model::TokenizerData data) {
    const auto made = make_tokenizer(std::move(data));
    return made ? Error{} : made.error();
  };
  EXPECT_EQ(refused({}).code, ErrorCode::NotFound);
  model::TokenizerData empty;
  empty.kind = model::TokenizerKind::Bpe;
  EXPECT_EQ(refused(empty).path, "tokenizer.vocabulary");
  model::TokenizerData odd = byte_level_data({}, "kimi-k2");
  EXPECT_EQ(refused(odd).code, ErrorCode::Unsupported);
  EXPECT_EQ(refused(odd).path, "tokenizer.pretokenizer");
  for (const char* part : {"a", "zz"}) {
    model::TokenizerData merges = byte_level_data(kMerges);
    merges.merges.push_back(part);
    merges.merges.push_back("b");
    EXPECT_EQ(refused(merges).code, ErrorCode::BadValue);
    EXPECT_EQ(refused(merges).path, "tokenizer.merges[5]");
  }
  model::TokenizerData gaps = byte_level_data({});
  for (uint32_t id = 0; id < 256; ++id) gaps.ids.push_back(id);
  EXPECT_EQ(refused(gaps).path, "");
  gaps.ids[7] = 4'000'000'000;
  EXPECT_EQ(refused(gaps).code, ErrorCode::LimitExceeded);
  model::TokenizerData unknown = byte_level_data({});
  unknown.unk_id = 256;
  EXPECT_EQ(refused(unknown).path, "tokenizer.unk_id");
  model::TokenizerData added = byte_level_data({});
  added.added_tokens = {{.id = UINT32_MAX, .content = "<s>"}};
  EXPECT_EQ(refused(added).path, "tokenizer.added_tokens[0].id");
}

TEST(ByteLevelBpe, UsesTheLaterRankOfARepeatedPair) {
  const auto tokenizer = make_bpe(byte_level_data({{"a", "b"}, {"b", "c"}, {"a", "b"}}));
  EXPECT_EQ(tokens_of(*tokenizer, "abc"), "a|bc");
}

TEST(ByteLevelBpe, LeavesGapsBetweenIds) {
  model::TokenizerData data = byte_level_data({});
  for (uint32_t i = 0; i < 256; ++i) data.ids.push_back(2 * (255 - i));
  const auto tokenizer = make_bpe(data);
  EXPECT_EQ(tokenizer->size(), 511U);
  EXPECT_EQ(tokenizer->token(510), "Ā");
  EXPECT_EQ(tokenizer->token(509), "");
  EXPECT_EQ(tokens_of(*tokenizer, "ab"), "a|b");
}

// One word of a million letters, all of which merge.
TEST(ByteLevelBpe, EncodesAWordOfAnyLength) {
  const auto tokenizer =
      make_bpe(byte_level_data({{"a", "a"}, {"aa", "aa"}, {"aaaa", "aaaa"}}, "llama3"));
  const std::string text(1'000'000, 'a');
  const Encoding encoding = tokenizer->encode(text, {});
  EXPECT_EQ(encoding.ids.size(), 125'000U);
  EXPECT_EQ(encoding.spans.back().end.byte, text.size());
}

}  // namespace
}  // namespace ambry::text
