// The tokens of one text or pair, as columns. An encoder takes `ids` and `type_ids`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "text/unicode/text_span.h"

namespace ambry::text {

struct EncodeOptions {
  // Encoders: [CLS] text [SEP], or [CLS] first [SEP] second [SEP]. Decoders: BOS and EOS as the
  // model uses them.
  bool add_special = true;
  // The maximum number of ids, including special tokens. Texts are cut at their ends, the longer
  // one first. It must be at least the number of special tokens.
  std::optional<uint32_t> max_length;
};

struct Encoding {
  std::vector<uint32_t> ids;
  std::vector<uint32_t> type_ids;  // 0, or 1 for the second text of a pair and its [SEP]
  std::vector<TextSpan> spans;     // of the token in its own text; zero for added special tokens
  size_t full_length = 0;          // the number of ids without truncation

  [[nodiscard]] bool truncated() const { return ids.size() < full_length; }

  void push(uint32_t id, uint32_t type_id, const TextSpan& span) {
    ids.push_back(id);
    type_ids.push_back(type_id);
    spans.push_back(span);
  }
  void resize(size_t n) {
    ids.resize(n);
    type_ids.resize(n);
    spans.resize(n);
  }
};

}  // namespace ambry::text
