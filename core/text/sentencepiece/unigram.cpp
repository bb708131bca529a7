#include "text/sentencepiece/unigram.h"

#include <algorithm>
#include <cfloat>

#include "base/utf8.h"

namespace ambry::text {
namespace {

// The best split of the text up to a byte.
template <class Sum>
struct BestCut {
  static constexpr uint32_t kNowhere = UINT32_MAX;

  Sum sum = 0;
  uint32_t start = kNowhere;  // start of the last piece
  uint32_t id = PieceMatch::kUnknown;
};

}  // namespace

template <class Sum>
void Unigram<Sum>::encode(std::string_view text, std::vector<PieceMatch>& out) const {
  std::vector<BestCut<Sum>> cuts(text.size() + 1);
  const auto offer = [&](size_t start, size_t end, uint32_t id, auto sum) {
    BestCut<Sum>& cut = cuts[end];
    if (cut.start != cut.kNowhere && !(sum > cut.sum)) return;
    cut = {static_cast<Sum>(sum), static_cast<uint32_t>(start), id};
  };
  for (size_t start = 0; start < text.size();) {
    const size_t n_char = decode_utf8(text, start).n_bytes;
    const Sum so_far = cuts[start].sum;
    bool covered = false;
    trie_.for_each_prefix(text.substr(start), [&](const PieceTrie::Match& match) {
      // Sums are compared before they are rounded.
      offer(start, start + match.n_bytes, match.id, scores_[match.id] + so_far);
      covered |= match.n_bytes == n_char;
    });
    if (!covered) offer(start, start + n_char, PieceMatch::kUnknown, unknown_score_ + so_far);
    start += n_char;
  }
  const size_t first = out.size();
  for (size_t end = text.size(); end > 0; end = cuts[end].start) {
    out.push_back({cuts[end].id, static_cast<uint32_t>(end - cuts[end].start)});
  }
  std::reverse(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
}

template class Unigram<float>;
template class Unigram<double>;

Unigram<float> sentencepiece_unigram(const SentencePieceVocabulary& vocabulary) {
  float lowest = FLT_MAX;
  float highest = FLT_MIN;
  for (uint32_t id = 0; id < vocabulary.pieces.size(); ++id) {
    if (!vocabulary.is(id, PieceType::Normal)) continue;
    lowest = std::min(lowest, vocabulary.scores[id]);
    highest = std::max(highest, vocabulary.scores[id]);
  }
  std::vector<double> scores(vocabulary.scores.begin(), vocabulary.scores.end());
  for (uint32_t id = 0; id < scores.size(); ++id) {
    if (!vocabulary.is(id, PieceType::UserDefined)) continue;
    const auto length = static_cast<float>(vocabulary.pieces[id].size());
    scores[id] = static_cast<double>(length * highest) - 0.1;
  }
  return Unigram<float>(vocabulary.text, std::move(scores), lowest - kUnknownPenalty);
}

}  // namespace ambry::text
