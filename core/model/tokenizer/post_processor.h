// What a tokenizer adds around a text or a pair of texts (Hugging Face's post-processor).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ambry::model {

// One part of a template, from the left.
struct TemplatePart {
  enum class Kind : uint8_t { First, Second, Special };

  Kind kind = Kind::First;  // the first text, the second text, or special tokens
  uint32_t type_id = 0;
  std::vector<uint32_t> ids;  // of Special

  friend bool operator==(const TemplatePart&, const TemplatePart&) = default;
};
using Template = std::vector<TemplatePart>;

struct PostProcessor {
  Template single;
  Template pair;  // empty: the tokenizer takes no pairs

  friend bool operator==(const PostProcessor&, const PostProcessor&) = default;
};

// A text between `before` and `after`. No pairs.
[[nodiscard]] PostProcessor surround(std::vector<uint32_t> before, std::vector<uint32_t> after);
// BERT's: [CLS] first [SEP] second [SEP]. The second text and its [SEP] have the type 1.
[[nodiscard]] PostProcessor bert_post_processor(uint32_t cls, uint32_t sep);
// RoBERTa's: <s> first </s></s> second </s>. All types are 0.
[[nodiscard]] PostProcessor roberta_post_processor(uint32_t cls, uint32_t sep);

// The tokens around a text, if there is at most one on each side and all types are 0.
struct TextEnds {
  std::optional<uint32_t> before;
  std::optional<uint32_t> after;
};
[[nodiscard]] std::optional<TextEnds> text_ends(const PostProcessor& post);

}  // namespace ambry::model
