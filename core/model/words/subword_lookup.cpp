#include "model/words/subword_lookup.h"

#include "base/checked.h"

namespace ambry::model {

uint64_t SubwordLookup::count(std::string_view word) const {
  if (!has_pieces(word)) return 0;
  const uint64_t length = count_scalar_values(words_->bow) + count_scalar_values(word) +
                          count_scalar_values(words_->eow);
  uint64_t n_ngrams = count_ngrams(length, words_->min_n, words_->max_n);
  const bool brackets = words_->rule == NgramRule::Finalfusion || words_->min_n > 1;
  if (!brackets && n_ngrams >= 2) n_ngrams -= 2;
  const uint64_t n_whole = words_->kind == WordVocabularyKind::Floret ? 1 : 0;
  return checked_add(n_ngrams, n_whole).value_or(UINT64_MAX);
}

bool SubwordLookup::is_bracket(std::string_view piece, std::string_view text) {
  const bool at_end =
      piece.data() == text.data() || piece.data() + piece.size() == text.data() + text.size();
  return at_end && count_scalar_values(piece) == 1;
}

size_t SubwordLookup::find(std::string_view piece, std::array<uint64_t, 4>& rows) const {
  const WordVocabulary& words = *words_;
  switch (words.kind) {
    case WordVocabularyKind::Simple:
      return 0;
    case WordVocabularyKind::Bucket:
      rows[0] = words.n_words + (finalfusion_hash(piece) & (words.n_buckets - 1));
      return 1;
    case WordVocabularyKind::FastText:
      rows[0] = words.n_words + fasttext_hash(piece) % words.n_buckets;
      return 1;
    case WordVocabularyKind::Explicit: {
      const auto ngram = ngrams_.find(words.ngrams, piece);
      if (!ngram) return 0;
      rows[0] = words.n_words + words.ngram_rows[*ngram];
      return 1;
    }
    case WordVocabularyKind::Floret:
      break;
  }
  const auto hashes = floret_hashes(piece, words.seed);
  for (size_t i = 0; i < words.n_hashes; ++i) rows[i] = hashes[i] % words.n_buckets;
  return words.n_hashes;
}

}  // namespace ambry::model
