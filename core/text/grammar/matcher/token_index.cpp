#include "text/grammar/matcher/token_index.h"

#include "text/grammar/matcher/plain_text.h"

namespace ambry::text {
namespace {

std::vector<uint64_t> plain_tokens(const TokenTexts& texts) {
  std::vector<uint64_t> plain((texts.n_tokens() + 63) / 64);
  for (uint32_t id = 0; id < texts.n_tokens(); ++id) {
    if (is_short_plain_text(texts.bytes(id))) plain[id / 64] |= uint64_t{1} << id % 64;
  }
  return plain;
}

}  // namespace

TokenIndex::TokenIndex(const Tokenizer& tokenizer, size_t n_tokens)
    : texts_(tokenizer, n_tokens),
      plain_(plain_tokens(texts_)),
      all_(texts_, ids_of(Which::All)),
      not_plain_(texts_, ids_of(Which::NotPlain)) {}

std::vector<uint32_t> TokenIndex::ids_of(Which which) const {
  std::vector<uint32_t> ids;
  for (uint32_t id = 0; id < texts_.n_tokens(); ++id) {
    const bool is_plain = (plain_[id / 64] >> id % 64 & 1) != 0;
    if (texts_.bytes(id).empty() || (is_plain && which == Which::NotPlain)) continue;
    ids.push_back(id);
  }
  return ids;
}

}  // namespace ambry::text
