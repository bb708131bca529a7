// Small EMBD files with a tokenizer of each kind, byte by byte from the format's page.
#pragma once

#include <bit>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "formats/embd/make_embd.h"
#include "text/sentencepiece/make_charsmap.h"

namespace ambry::formats::embd::testing {

inline constexpr uint8_t kF32 = 0;
inline constexpr uint8_t kU32 = 6;
inline constexpr uint8_t kU8 = 8;

inline Tensor text_part(std::string name, std::string text) {
  const auto size = static_cast<uint32_t>(text.size());
  return {std::move(name), {size}, kU8, std::move(text)};
}

inline std::string words_of(std::initializer_list<uint32_t> numbers) {
  File bytes;
  for (const uint32_t number : numbers) put(bytes, number);
  return {bytes.begin(), bytes.end()};
}

inline std::string floats_of(const std::vector<float>& numbers) {
  File bytes;
  for (const float number : numbers) put(bytes, number);
  return {bytes.begin(), bytes.end()};
}

// <s> text </s>, and <s> text </s></s> text </s>, with the ids 2 and 3.
inline constexpr const char* kEnds =
    R"("post_processor":{"type":"TemplateProcessing","single":[)"
    R"({"SpecialToken":{"id":"2","type_id":0}},{"Sequence":{"id":"A","type_id":0}},)"
    R"({"SpecialToken":{"id":"3","type_id":0}}],"pair":[)"
    R"({"SpecialToken":{"id":"2","type_id":0}},{"Sequence":{"id":"A","type_id":0}},)"
    R"({"SpecialToken":{"id":"3","type_id":0}},{"SpecialToken":{"id":"3","type_id":0}},)"
    R"({"Sequence":{"id":"B","type_id":0}},{"SpecialToken":{"id":"3","type_id":0}}],)"
    R"("special_tokens":{"2":{"ids":[2]},"3":{"ids":[3]}}})";

// A file of the kind, with its parts before the weights.
inline F0Maker maker_of(const std::string& kind, std::vector<std::string> tokens,
                        std::vector<Tensor> parts) {
  F0Maker maker;
  if (kind != "wordpiece") maker.metadata.emplace_back("tokenizer_kind", kind);
  maker.tokens = std::move(tokens);
  maker.tensors.insert(maker.tensors.begin(), parts.begin(), parts.end());
  return maker;
}

// WordPiece with other ends than BERT's, as MPNet has them.
inline F0Maker wordpiece_maker() {
  F0Maker maker = maker_of("wordpiece", tiny_tokens(),
                           {text_part("tokenizer.settings", std::string("{") + kEnds + "}")});
  return maker;
}

inline F0Maker bpe_maker() {
  const std::string settings =
      R"({"bos_id":2,"pad_id":0,"unk_id":1,"mask_id":4,"eos_id":3,"pretokenizer":"gpt2",)"
      R"("added_tokens":[{"id":4,"content":"<mask>","special":true,"lstrip":true,"rstrip":false,)"
      R"("single_word":false,"normalized":false}],)" +
      std::string(kEnds) + "}";
  return maker_of("bpe", {"<pad>", "<unk>", "<s>", "</s>", "<mask>", "a", "b", "ab"},
                  {text_part("tokenizer.settings", settings),
                   {"tokenizer.merges", {1, 2}, kU32, words_of({5, 6})}});
}

inline const char* unigram_json() {
  return R"({"added_tokens":[{"id":2,"content":"<s>","special":true},)"
         R"({"id":3,"content":"</s>","special":true}],)"
         R"("normalizer":{"type":"Sequence","normalizers":[{"type":"NFKD"},)"
         R"({"type":"StripAccents"},{"type":"Lowercase"},{"type":"Precompiled"}]},)"
         R"("pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},)"
         R"("post_processor":{"type":"RobertaProcessing","sep":["</s>",3],"cls":["<s>",2]},)"
         R"("decoder":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},)"
         R"("model":{"type":"Unigram","unk_id":1}})";
}

inline std::vector<std::string> unigram_tokens() {
  return {"<pad>", "<unk>", "<s>", "</s>", "<mask>", "\u2581", "\u2581a", "b"};
}

inline std::string unigram_settings() { return R"({"pad_id":0,"unk_id":1,"mask_id":4})"; }

inline F0Maker unigram_maker() {
  return maker_of("unigram", unigram_tokens(),
                  {text_part("tokenizer.settings", unigram_settings()),
                   text_part("tokenizer.json", unigram_json()),
                   {"tokenizer.scores", {8}, kF32, floats_of({0, 0, 0, 0, 0, -2, -1.5F, -3})}});
}

// Scores that f32 cannot hold are the bits of f64.
inline F0Maker wide_unigram_maker() {
  F0Maker maker = unigram_maker();
  File bits;
  for (const double score : {0.0, 0.0, 0.0, 0.0, 0.0, -2.1, -1.5, -3.3}) {
    put(bits, std::bit_cast<uint64_t>(score));
  }
  maker.tensors[2] = {"tokenizer.scores", {8, 2}, kU32, {bits.begin(), bits.end()}};
  return maker;
}

inline F0Maker sentencepiece_maker() {
  return maker_of(
      "sentencepiece_unigram", unigram_tokens(),
      {text_part("tokenizer.settings",
                 R"({"pad_id":0,"unk_id":1,"mask_id":4,"eos_id":3,"add_eos":true})"),
       {"tokenizer.scores", {8}, kF32, floats_of({0, 0, 0, 0, 0, -2, -1.5F, -3})},
       {"tokenizer.types", {8}, kU8, {"\3\2\3\3\4\1\1\1", 8}},
       text_part("tokenizer.charsmap",
                 text::CharsmapMaker(text::CharsmapMaker::Rules{{"\uFF21", "a"}}).bytes())});
}

}  // namespace ambry::formats::embd::testing
