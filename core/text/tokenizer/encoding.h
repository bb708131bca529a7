// The tokens of one text or pair, column by column: `ids` and `type_ids` are what an encoder takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "text/tokenizer/text_span.h"

namespace ambry::text {

struct EncodeOptions {
  bool add_special = true;  // [CLS] text [SEP], or [CLS] first [SEP] second [SEP]; of decoders BOS
                            // and EOS as the model has them
  // Ids in all, specials included; the ends of the texts are cut, of the longer one first. At least
  // as many as the specials that are added.
  std::optional<uint32_t> max_length;
};

struct Encoding {
  std::vector<uint32_t> ids;
  std::vector<uint32_t> type_ids;  // 0, or 1 for the second text of a pair and its [SEP]
  std::vector<TextSpan> spans;     // in the token's own text; zero for the specials put around
  size_t full_length = 0;          // how many ids there would be without truncation

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
