#include "model/encoder/fit_tokens.h"

#include <algorithm>

namespace ambry::model {

[[gnu::weak]] void fit_tokens(const EncoderConfig& config, std::vector<uint32_t>& ids) {
  const EncoderFacts& facts = config.facts;
  if (facts.end_token_id > 0) {
    const auto end = std::ranges::find(ids, facts.end_token_id);
    if (end != ids.end()) ids.erase(end + 1, ids.end());
  }
  if (facts.filled) ids.resize(config.max_seq_length, facts.pad_token_id);
}

}  // namespace ambry::model
