// What a file says about its tokenizer: plain data, interpreted by core/text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/vocabulary.h"

namespace ambry::model {

// A token that is cut out of the text before the model sees it (Hugging Face's AddedToken).
struct AddedToken {
  uint32_t id = 0;
  std::string content;
  bool special = true;
  bool lstrip = false;
  bool rstrip = false;
  bool single_word = false;
  bool normalized = false;

  friend bool operator==(const AddedToken&, const AddedToken&) = default;
};

// BERT WordPiece: BertNormalizer, BertPreTokenizer and greedy longest match (amb_and_embd.md C1).
// Special members out of line, as for Error.
struct TokenizerData {
  TokenizerData();
  TokenizerData(const TokenizerData&);
  TokenizerData(TokenizerData&&) noexcept;
  TokenizerData& operator=(const TokenizerData&);
  TokenizerData& operator=(TokenizerData&&) noexcept;
  ~TokenizerData();

  Vocabulary vocabulary;  // index = id; a repeated string belongs to its last id
  std::vector<AddedToken> added_tokens;
  std::optional<uint32_t> pad_id;
  std::optional<uint32_t> unk_id;
  std::optional<uint32_t> cls_id;
  std::optional<uint32_t> sep_id;
  std::optional<uint32_t> mask_id;
  bool clean_text = true;
  bool handle_chinese_chars = true;
  bool lowercase = true;
  std::optional<bool> strip_accents;  // nothing: same as lowercase
  std::string continuing_subword_prefix = "##";
  uint32_t max_input_chars_per_word = 100;

  friend bool operator==(const TokenizerData&, const TokenizerData&) = default;
};

}  // namespace ambry::model
