#include "model/tokenizer/files/ranked_vocabulary.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/order.h"
#include "model/tokenizer/bpe/byte_alphabet.h"
#include "model/tokenizer/bpe/rank_merges.h"
#include "model/tokenizer/files/split_patterns.h"
#include "model/vocabulary/repeated_tokens.h"

namespace ambry::model {
namespace {

// Expressions of tiktoken alone. A tokenizer.json would mean another one by the same text: there,
// `{1,3}+` is any number.
constexpr auto kTiktokenPatterns = std::to_array<SplitPattern>(
    {{R"re('(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s)re",
      "gpt2"},
     {R"re('s|'t|'re|'ve|'m|'ll|'d| ?[\p{L}]+| ?[\p{N}]+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)re",
      "gpt2"},
     {R"re('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)re", "gpt2"},
     {R"re('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s)re",
      "cl100k"}});

Result<void> check_bytes(const RankedVocabulary& ranked) {
  std::array<bool, 256> known{};
  for (size_t i = 0; i < ranked.tokens.size(); ++i) {
    const std::string_view token = ranked.tokens[i];
    if (token.size() == 1) known[static_cast<uint8_t>(token[0])] = true;
  }
  for (unsigned byte = 0; byte < known.size(); ++byte) {
    if (known[byte]) continue;
    return make_error(ErrorCode::BadValue, "vocabulary",
                      {"there is no token for the byte ", byte,
                       ", and every text must have one; the file is cut, or of another kind"});
  }
  return {};
}

// The tokens of both lists by id: first the ranked ones by index, then the special ones.
std::vector<uint32_t> order_of(const RankedVocabulary& ranked,
                               const std::vector<AddedToken>& special) {
  const size_t n_ranked = ranked.tokens.size();
  const auto id_of = [&](uint32_t i) {
    return i < n_ranked ? ranked.ids[i] : special[i - n_ranked].id;
  };
  return sorted_order(n_ranked + special.size(),
                      [&](uint32_t a, uint32_t b) { return id_of(a) < id_of(b); });
}

// Fills `data` with the spelled tokens by id.
Result<void> fill_vocabulary(const RankedVocabulary& ranked, const std::vector<AddedToken>& special,
                             const std::vector<uint32_t>& order, TokenizerData& data) {
  const size_t n_ranked = ranked.tokens.size();
  std::string spelled;
  for (const uint32_t i : order) {
    spelled.clear();
    const bool is_special = i >= n_ranked;
    const uint32_t id = is_special ? special[i - n_ranked].id : ranked.ids[i];
    if (is_special) {
      spelled = special[i - n_ranked].content;
    } else {
      ByteAlphabet::instance().append_spelled(ranked.tokens[i], spelled);
    }
    if (!data.ids.empty() && data.ids.back() == id) {
      return make_error(ErrorCode::BadValue, "specialTokens",
                        {"the id ", id, " of ", spelled, " belongs to another token already"});
    }
    data.vocabulary.push_back(spelled);
    data.ids.push_back(id);
  }
  return {};
}

// `order` has the positions of order_of() for the tokens of `vocabulary`.
Result<void> check_special(const std::vector<uint32_t>& order, const Vocabulary& vocabulary,
                           size_t n_ranked) {
  const RepeatedTokens repeated = find_repeated_tokens(vocabulary, 1);
  if (repeated.count == 0) return {};
  const auto [first, again] = repeated.examples.front();
  const bool both = order[first] >= n_ranked && order[again] >= n_ranked;
  return make_error(ErrorCode::BadValue, "specialTokens",
                    {"the special token ", vocabulary[again],
                     both ? " is there twice" : " is a token of the vocabulary, too"});
}

}  // namespace

Result<void> check_ranked(const RankedVocabulary& ranked) {
  AMBRY_RETURN_IF_ERROR(check_bytes(ranked));
  const RepeatedTokens repeated = find_repeated_tokens(ranked.tokens, 1);
  if (repeated.count == 0) return {};
  const auto [first, again] = repeated.examples.front();
  std::string spelled;
  ByteAlphabet::instance().append_spelled(ranked.tokens[again], spelled);
  return ranked_error(ranked, again,
                      {"the token ", spelled, " is there twice; ", ranked.before,
                       ranked.places[first].number, ranked.after, " has it, too"});
}

std::string_view split_name(std::string_view regex) {
  const auto* own = std::ranges::find(kTiktokenPatterns, regex, &SplitPattern::regex);
  if (own != kTiktokenPatterns.end()) return own->name;
  const SplitPattern* known = find_split_pattern(regex);
  return known != nullptr && known->covers ? known->name : std::string_view();
}

Failure ranked_error(const RankedVocabulary& ranked, size_t index, const Text& message) {
  const auto [number, byte_offset] = ranked.places[index];
  return error_at(ErrorCode::BadValue, byte_offset, {ranked.before, number, ranked.after}, message);
}

Result<TokenizerData> ranked_tokenizer(const RankedVocabulary& ranked,
                                       std::vector<AddedToken> special) {
  AMBRY_RETURN_IF_ERROR(check_ranked(ranked));
  TokenizerData data;
  data.kind = TokenizerKind::Bpe;
  data.ignore_merges = true;
  const std::vector<uint32_t> order = order_of(ranked, special);
  AMBRY_RETURN_IF_ERROR(fill_vocabulary(ranked, special, order, data));
  AMBRY_RETURN_IF_ERROR(check_special(order, data.vocabulary, ranked.tokens.size()));
  // Without gaps, the index is the id.
  if (data.ids.back() + 1 == data.ids.size()) data.ids = {};
  data.merges = merges_by_rank(ranked.tokens);
  data.added_tokens = std::move(special);
  data.lists_added_tokens = true;
  return data;
}

}  // namespace ambry::model
