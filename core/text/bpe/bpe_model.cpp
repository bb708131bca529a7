#include "text/bpe/bpe_model.h"

#include <algorithm>
#include <utility>

#include "base/order.h"
#include "base/utf8.h"
#include "model/tokenizer/bpe/byte_alphabet.h"

namespace ambry::text {
namespace {

// How many more ids than tokens a vocabulary may have.
constexpr uint64_t kMaxIdGaps = 1 << 20;

// The tokens in the order of their ids, with empty ones in the gaps.
Result<model::Vocabulary> tokens_by_id(model::TokenizerData& data) {
  if (data.ids.empty()) return std::move(data.vocabulary);
  const uint64_t limit = data.vocabulary.size() + kMaxIdGaps;
  for (const uint32_t id : data.ids) {
    if (id < limit) continue;
    return make_error(ErrorCode::LimitExceeded, "tokenizer.vocabulary",
                      {"the id ", id, " is too large for ", data.vocabulary.size(), " tokens"});
  }
  const auto order = sorted_order(
      data.ids.size(), [&](uint32_t a, uint32_t b) { return data.ids[a] < data.ids[b]; });
  model::Vocabulary by_id;
  by_id.reserve(order.empty() ? 0 : size_t{data.ids[order.back()]} + 1,
                data.vocabulary.text_bytes());
  for (const uint32_t i : order) {
    while (by_id.size() < data.ids[i]) by_id.push_back({});
    if (by_id.size() == data.ids[i]) by_id.push_back(data.vocabulary[i]);
  }
  return by_id;
}

std::string byte_token(unsigned byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
}

}  // namespace

Result<model::MergeTable> read_merges(const model::Vocabulary& merges, const PieceTable& pieces,
                                      std::string_view continuing_prefix) {
  model::MergeTable table(merges.size() / 2);
  std::string whole;
  for (uint32_t rank = 0; rank < merges.size() / 2; ++rank) {
    const std::string_view left = merges[size_t{2} * rank];
    std::string_view right = merges[size_t{2} * rank + 1];
    const auto left_id = pieces.find(left);
    const auto right_id = pieces.find(right);
    if (right.starts_with(continuing_prefix)) right.remove_prefix(continuing_prefix.size());
    whole.assign(left).append(right);
    const auto id = pieces.find(whole);
    if (!left_id || !right_id || !id) {
      return make_error(ErrorCode::BadValue, {"tokenizer.merges[", rank, "]"},
                        {"the vocabulary has no token \"",
                         !left_id    ? left
                         : !right_id ? merges[2 * rank + 1]
                                     : std::string_view(whole),
                         "\""});
    }
    table.set(*left_id, *right_id, {rank, *id});
  }
  return table;
}

// Spells a word character by character. Unknown characters wait until the end of their run.
class BpeModel::Spelling {
 public:
  Spelling(const BpeModel& model, model::BpeWord& word) : model_(model), word_(word) {
    word_.clear();
  }

  void add_known(uint32_t id, uint32_t n_bytes) {
    end_unknown();
    word_.add({id, n_bytes});
  }

  void add(std::string_view spelled, uint32_t n_bytes) {
    if (const auto id = model_.pieces_.find(spelled)) return add_known(*id, n_bytes);
    // As in Hugging Face's library, a waiting unknown character comes after these bytes.
    if (model_.options_.byte_fallback && add_bytes(spelled)) return;
    if (!model_.options_.unk) return;
    if (!model_.options_.fuse_unk) end_unknown();
    n_unknown_ += n_bytes;
  }

  void finish() {
    end_unknown();
    word_.merge(model_.merges_);
  }

 private:
  bool add_bytes(std::string_view spelled) {
    const auto known = [&](char byte) {
      return model_.fallback_[static_cast<uint8_t>(byte)].has_value();
    };
    if (!std::all_of(spelled.begin(), spelled.end(), known)) return false;
    for (const char byte : spelled) {
      word_.add({*model_.fallback_[static_cast<uint8_t>(byte)], 1});
    }
    return true;
  }

  void end_unknown() {
    if (n_unknown_ > 0) word_.add({*model_.options_.unk, n_unknown_});
    n_unknown_ = 0;
  }

  const BpeModel& model_;
  model::BpeWord& word_;
  uint32_t n_unknown_ = 0;  // bytes of the current run of unknown characters
};

BpeModel::BpeModel(PieceTable pieces, model::MergeTable merges, BpeOptions options)
    : pieces_(std::move(pieces)), merges_(std::move(merges)), options_(std::move(options)) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    bytes_[byte] =
        pieces_.find(model::ByteAlphabet::instance().spelling(static_cast<uint8_t>(byte)));
    fallback_[byte] = pieces_.find(byte_token(byte));
  }
}

Result<BpeModel> BpeModel::create(model::TokenizerData& data, BpeOptions options) {
  AMBRY_TRY(model::Vocabulary vocabulary, tokens_by_id(data));
  if (vocabulary.empty()) {
    return make_error(ErrorCode::NotFound, "tokenizer.vocabulary", "there are no tokens");
  }
  const size_t n_tokens = vocabulary.size();
  PieceTable pieces(std::move(vocabulary), n_tokens, "");
  if (options.unk && *options.unk >= n_tokens) {
    return make_error(
        ErrorCode::BadValue, "tokenizer.unk_id",
        {"the id ", *options.unk, " is outside the vocabulary of ", n_tokens, " tokens"});
  }
  AMBRY_TRY(model::MergeTable merges, read_merges(data.merges, pieces, options.continuing_prefix));
  data.merges = {};
  return BpeModel(std::move(pieces), std::move(merges), std::move(options));
}

void BpeModel::encode(std::string_view word, model::BpeWord& scratch,
                      std::vector<model::BpePart>& out) const {
  if (options_.ignore_merges) {
    if (const auto id = pieces_.find(word)) {
      out.push_back({*id, static_cast<uint32_t>(word.size())});
      return;
    }
  }
  Spelling spelling(*this, scratch);
  std::string decorated;
  for (size_t i = 0; i < word.size();) {
    const uint32_t n_bytes = decode_utf8(word, i).n_bytes;
    const std::string_view c = word.substr(i, n_bytes);
    if (i > 0 && !options_.continuing_prefix.empty()) decorated = options_.continuing_prefix;
    decorated += c;
    if (i + n_bytes == word.size()) decorated += options_.end_of_word;
    spelling.add(decorated, n_bytes);
    decorated.clear();
    i += n_bytes;
  }
  spelling.finish();
  scratch.take(out);
}

void BpeModel::encode_bytes(std::string_view word, model::BpeWord& scratch,
                            std::vector<model::BpePart>& out) const {
  const model::ByteAlphabet& alphabet = model::ByteAlphabet::instance();
  if (options_.ignore_merges) {
    std::string spelled;
    alphabet.append_spelled(word, spelled);
    if (const auto id = pieces_.find(spelled)) {
      out.push_back({*id, static_cast<uint32_t>(word.size())});
      return;
    }
  }
  Spelling spelling(*this, scratch);
  std::string last;
  for (size_t i = 0; i < word.size(); ++i) {
    const auto byte = static_cast<uint8_t>(word[i]);
    if (i + 1 == word.size() && !options_.end_of_word.empty()) {
      last.append(alphabet.spelling(byte)).append(options_.end_of_word);
      spelling.add(last, 1);
    } else if (bytes_[byte]) {
      spelling.add_known(*bytes_[byte], 1);
    } else {
      spelling.add(alphabet.spelling(byte), 1);
    }
  }
  spelling.finish();
  scratch.take(out);
}

}  // namespace ambry::text
