// What a file says about its tokenizer: plain data, interpreted by core/text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocabulary/vocabulary.h"

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

enum class TokenizerKind : uint8_t {
  WordPiece,             // BertNormalizer, BertPreTokenizer, greedy longest match
  Bpe,                   // byte-level BPE with ranked merges
  SentencePieceBpe,      // pieces merged by score
  SentencePieceUnigram,  // Viterbi over scores
  Words,                 // a vocabulary of whole words, for word vectors
  Custom,                // `payload` only
};

// `wordpiece`, `bpe`, `sentencepiece_bpe`, … as printed by `inspect`.
[[nodiscard]] std::string_view tokenizer_kind_name(TokenizerKind kind);

// The kinds' rules are in core/text/README.md#rules-of-each-kind. Special members out of line, as
// for Error.
struct TokenizerData {
  TokenizerData();
  TokenizerData(const TokenizerData&);
  TokenizerData(TokenizerData&&) noexcept;
  TokenizerData& operator=(const TokenizerData&);
  TokenizerData& operator=(TokenizerData&&) noexcept;
  ~TokenizerData();

  TokenizerKind kind = TokenizerKind::WordPiece;
  Vocabulary vocabulary;  // index = id unless `ids` says otherwise; a repeated string belongs to
                          // its last id
  // What the file states when the vocabulary itself was not read (ReadOptions::vocabulary).
  uint64_t n_tokens = 0;
  std::vector<uint32_t> ids;   // of the vocabulary's tokens, in file order; empty: 0, 1, 2, …
  std::vector<float> scores;   // of the tokens, where the kind has them
  std::vector<uint8_t> types;  // of the tokens, in SentencePiece's numbering (NORMAL is 1)
  Vocabulary merges;           // pairs by rank: left part, right part, left part, …
  std::string payload;         // the tokenizer's own file (ModelProto, tokenizer.json), unchanged
  std::vector<AddedToken> added_tokens;
  std::optional<uint32_t> bos_id;
  std::optional<uint32_t> eos_id;
  std::vector<uint32_t> eos_ids;  // all that end a text, where there are several
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

  // Of decoders (core/formats/amb/README.md#tokenizer-options); nothing: not stated, so that the
  // kind decides.
  std::optional<bool> add_bos;
  std::optional<bool> add_eos;
  std::string pretokenizer;  // how byte-level BPE cuts words: gpt2, llama3, qwen2, gptneox, …
  std::optional<bool> nfc;   // before that, canonical composition
  std::optional<bool> add_prefix_space;          // BPE: a space before the text; else U+2581
  std::optional<bool> remove_extra_whitespaces;  // SentencePiece without its model file
  bool ignore_merges = false;                    // a word that is a token needs no merges
  std::optional<bool> byte_fallback;
  std::optional<bool> fuse_unk;
  std::optional<bool> legacy;  // U+2581 before every stretch of text between added tokens
  std::string charsmap;        // SentencePiece's normalisation without its model file

  // Also when the vocabulary itself was not read.
  [[nodiscard]] uint64_t token_count() const {
    return vocabulary.empty() ? n_tokens : vocabulary.size();
  }

  friend bool operator==(const TokenizerData&, const TokenizerData&) = default;
};

}  // namespace ambry::model
