#include "infer/words/sentences.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "tensor/word_norm.h"
#include "text/unicode/unicode.h"

namespace ambry::infer {
namespace {

namespace char_flags = text::char_flags;

constexpr double kSmoothing = 1e-3;

// Calls visit(run) for the text between code points that have one of the flags.
template <class Visit>
void split_at(std::string_view text, uint8_t flags, const Visit& visit) {
  const text::Unicode& unicode = text::Unicode::instance();
  size_t begin = 0;
  for (size_t i = 0; i < text.size();) {
    const DecodedCodePoint c = decode_utf8(text, i);
    if ((unicode.flags(c.code_point) & flags) != 0) {
      if (begin < i) visit(text.substr(begin, i - begin));
      begin = i + c.n_bytes;
    }
    i += c.n_bytes;
  }
  if (begin < text.size()) visit(text.substr(begin));
}

std::string to_lowercase(std::string_view text) {
  const text::Unicode& unicode = text::Unicode::instance();
  std::string lower;
  text::Unicode::Buffer buffer;
  for (size_t i = 0; i < text.size();) {
    const DecodedCodePoint c = decode_utf8(text, i);
    i += c.n_bytes;
    if ((unicode.flags(c.code_point) & text::Unicode::kMapped) == 0) {
      append_utf8(lower, c.code_point);
      continue;
    }
    for (const char32_t mapped : unicode.to_lowercase(c.code_point, buffer)) {
      append_utf8(lower, mapped);
    }
  }
  return lower;
}

}  // namespace

void for_each_word(const WordVectors& vectors, std::string_view text,
                   const std::function<void(std::string_view)>& visit) {
  split_at(text, char_flags::kWhiteSpace, [&](std::string_view run) {
    if (vectors.find(run)) return visit(run);
    split_at(run, char_flags::kPunctuation, [&](std::string_view part) {
      if (vectors.find(part)) return visit(part);
      const std::string lower = to_lowercase(part);
      visit(vectors.find(lower) ? std::string_view(lower) : part);
    });
  });
}

SentenceEncoder::SentenceEncoder(const WordVectors& vectors, const SentenceOptions& options)
    : vectors_(&vectors), options_(options) {
  if (options.weights != WordWeights::Sif) return;
  harmonic_ = 0.0;
  for (uint64_t rank = vectors.n_words(); rank > 0; --rank) {
    harmonic_ += 1.0 / static_cast<double>(rank);
  }
}

float SentenceEncoder::weight_of(std::string_view word) const {
  if (options_.weights == WordWeights::Mean) return 1.0F;
  const auto row = vectors_->find(word);
  if (!row) return 1.0F;  // too rare to be listed
  const double probability = 1.0 / ((static_cast<double>(*row) + 1.0) * harmonic_);
  return static_cast<float>(kSmoothing / (kSmoothing + probability));
}

Result<void> SentenceEncoder::encode(std::string_view text, std::span<float> out) const {
  std::ranges::fill(out, 0.0F);
  std::vector<float> vector(vectors_->dim());
  size_t n_words = 0;
  Result<void> result;
  for_each_word(*vectors_, text, [&](std::string_view word) {
    if (!result) return;
    auto found = vectors_->look_up(word, vector);
    if (!found && found.error().code != ErrorCode::LimitExceeded) result = found.take_error();
    if (!found || found->found == Found::None) return;
    // As in fastText, a vector of zeros is none.
    if (std::ranges::all_of(vector, [](float x) { return x == 0.0F; })) return;
    const float weight = weight_of(word);
    for (size_t i = 0; i < out.size(); ++i) out[i] += weight * vector[i];
    ++n_words;
  });
  AMBRY_RETURN_IF_ERROR(std::move(result));
  if (n_words == 0) return {};
  for (float& x : out) x /= static_cast<float>(n_words);
  if (options_.normalize) tensor::normalize_word(out);
  return {};
}

void SentenceEncoder::collect_rows(std::string_view text, std::vector<uint64_t>& rows) const {
  for_each_word(*vectors_, text, [&](std::string_view word) {
    // A word that cannot be looked up needs no rows.
    static_cast<void>(vectors_->collect_rows(word, rows));
  });
}

}  // namespace ambry::infer
