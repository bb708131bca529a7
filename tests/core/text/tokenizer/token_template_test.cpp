#include "text/tokenizer/token_template.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "text/make_tokenizer.h"
#include "text/test_files.h"

namespace ambry::text::token_heads {
namespace {

model::TokenizerData word_pieces() {
  model::TokenizerData data;
  data.kind = model::TokenizerKind::WordPiece;
  data.vocabulary = vocabulary_of_lines("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n");
  data.unk_id = 1;
  data.cls_id = 2;
  data.sep_id = 3;
  return data;
}

constexpr EncodeOptions kPlain{.add_special = false, .max_length = {}};

TEST(TokenTemplate, PutsAroundAPartWhatTheTokenizerPutsAroundTheWhole) {
  const auto tokenizer = make_tokenizer(word_pieces()).value();
  const auto around = TokenTemplate::of(*tokenizer, false);
  ASSERT_TRUE(around) << describe(around.error());
  EXPECT_EQ(around->n_added(), 2U);
  const std::string text = "[CLS] ab a";
  const Encoding plain = tokenizer->encode(text, kPlain);
  Encoding out;
  const auto places = around->put_around(nullptr, plain, 0, plain.ids.size(), out);
  const Encoding whole = tokenizer->encode(text, {});
  EXPECT_EQ(out.ids, whole.ids);
  EXPECT_EQ(out.type_ids, whole.type_ids);
  EXPECT_EQ(out.spans, whole.spans);
  EXPECT_EQ(places.first, 1U);
  EXPECT_EQ(places.first_end, out.ids.size() - 1);
  around->put_around(nullptr, plain, 1, 2, out);
  EXPECT_EQ(out.ids, (std::vector<uint32_t>{2, 5, 3}));
}

TEST(TokenTemplate, KnowsPairs) {
  const auto tokenizer = make_tokenizer(word_pieces()).value();
  const auto around = TokenTemplate::of(*tokenizer, true);
  ASSERT_TRUE(around) << describe(around.error());
  EXPECT_EQ(around->n_added(), 3U);
  const Encoding first = tokenizer->encode("a", kPlain);
  const Encoding second = tokenizer->encode("a ab", kPlain);
  Encoding out;
  const auto places = around->put_around(&first, second, 0, second.ids.size(), out);
  const Encoding whole = tokenizer->encode_pair("a", "a ab", {}).value();
  EXPECT_EQ(out.ids, whole.ids);
  EXPECT_EQ(out.type_ids, whole.type_ids);
  EXPECT_EQ(out.spans, whole.spans);
  EXPECT_EQ(places.second, 3U);
  EXPECT_EQ(places.second_end, 6U);
}

}  // namespace
}  // namespace ambry::text::token_heads
