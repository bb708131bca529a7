// What a file says about its tokenizer: plain data, which core/text interprets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/tokenizer/post_processor.h"
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
  Unigram,               // the same by the steps of a tokenizer.json (unigram_file.h)
  Words,                 // a vocabulary of whole words, for word vectors
  Custom,                // only `payload` is set
};

// What byte-level BPE does with a text before it is split.
enum class TextChange : uint8_t {
  Nfc,  // one of Unicode's normal forms
  Nfd,
  Nfkc,
  Nfkd,
  Lowercase,       // of each character by itself
  CollapseSpaces,  // each run of white space becomes one space
};

// The name that `inspect` prints: `wordpiece`, `bpe`, `sentencepiece_bpe`, and so on.
[[nodiscard]] std::string_view tokenizer_kind_name(TokenizerKind kind);

// core/text/README.md#rules-of-each-kind has the rules of each kind. The special members are out of
// line, as in Error, to keep the WebAssembly small.
struct TokenizerData {
  TokenizerData();
  TokenizerData(const TokenizerData&);
  TokenizerData(TokenizerData&&) noexcept;
  TokenizerData& operator=(const TokenizerData&);
  TokenizerData& operator=(TokenizerData&&) noexcept;
  ~TokenizerData();

  TokenizerKind kind = TokenizerKind::WordPiece;
  // The index is the id unless `ids` is set. A repeated string belongs to its last id.
  Vocabulary vocabulary;
  // The number of tokens in the file, for when the vocabulary was not read
  // (ReadOptions::vocabulary).
  uint64_t n_tokens = 0;
  std::vector<uint32_t> ids;        // id of each token, in file order; empty: 0, 1, 2, …
  std::vector<float> scores;        // score of each token, if the kind has scores
  std::vector<double> wide_scores;  // of Unigram, which adds them up in double
  std::vector<uint8_t> types;  // type of each token, in SentencePiece's numbering (NORMAL is 1)
  Vocabulary merges;           // pairs by rank: left part, right part, left part, …
  std::string payload;         // the tokenizer's own file (ModelProto, tokenizer.json), unchanged
  std::vector<AddedToken> added_tokens;
  std::optional<uint32_t> bos_id;
  std::optional<uint32_t> eos_id;
  std::vector<uint32_t> eos_ids;  // all ids that end a text, if there are several
  std::optional<uint32_t> pad_id;
  std::optional<uint32_t> unk_id;
  std::optional<uint32_t> cls_id;
  std::optional<uint32_t> sep_id;
  std::optional<uint32_t> mask_id;
  // What encode() adds around texts, as a tokenizer.json states it. Nothing: WordPiece adds [CLS]
  // and [SEP], and `add_bos` and `add_eos` decide for the other kinds.
  std::optional<PostProcessor> post_processor;
  bool clean_text = true;
  bool handle_chinese_chars = true;
  bool lowercase = true;
  // The file lists all added tokens, even if there are none. Otherwise WordPiece has its special
  // ones.
  bool lists_added_tokens = false;
  // `lowercase` is only assumed: the file lists tokens and nothing else (letter_case.h).
  bool lowercase_assumed = false;
  std::optional<bool> strip_accents;  // nothing: the same as lowercase
  std::string continuing_subword_prefix = "##";
  uint32_t max_input_chars_per_word = 100;

  // For decoders (core/formats/amb/README.md#tokenizer-options). Nothing: not stated, so the kind
  // decides.
  std::optional<bool> add_bos;
  std::optional<bool> add_eos;
  std::string pretokenizer;  // how byte-level BPE splits words: gpt2, llama3, qwen2, gptneox, …
  std::optional<std::vector<TextChange>> normalizer;  // byte-level BPE: before splitting, in order
  std::string end_of_word_suffix;        // BPE: spelled after the last character of each word
  std::optional<bool> add_prefix_space;  // BPE: a space before the text; SentencePiece: U+2581
  std::optional<bool> remove_extra_whitespaces;  // for SentencePiece without its model file
  bool ignore_merges = false;                    // whether a word that is a token needs no merges
  std::optional<bool> byte_fallback;
  std::optional<bool> fuse_unk;
  std::optional<bool> legacy;  // U+2581 before every segment between added tokens
  // SentencePiece, only where a tokenizer.json states it: added tokens with `normalized` are looked
  // for after (true) or before (false) spaces become U+2581. Nothing: all are cut out of the raw
  // text.
  std::optional<bool> marks_before_added;
  std::string charsmap;  // SentencePiece's normalization, outside of its model file or payload
  uint64_t payload_offset = 0;  // where `payload` starts in the model's file, for errors

  // Correct even when the vocabulary was not read.
  [[nodiscard]] uint64_t token_count() const {
    return vocabulary.empty() ? n_tokens : vocabulary.size();
  }

  friend bool operator==(const TokenizerData&, const TokenizerData&) = default;
};

}  // namespace ambry::model
