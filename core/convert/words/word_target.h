// Writes files of word vectors: a header when all words are known, the rows, and an end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/words/word_source.h"
#include "model/words/word_vocabulary.h"

namespace ambry::convert {

class WordTarget {
 public:
  WordTarget() = default;
  WordTarget(const WordTarget&) = delete;
  WordTarget& operator=(const WordTarget&) = delete;
  virtual ~WordTarget() = default;

  // Each function appends the next bytes of the file to `out`. `facts` must outlive the target.
  // Unsupported for a word that the target cannot store, or a warning if `lossy`.
  [[nodiscard]] virtual Result<void> begin(const WordFacts& facts, bool lossy,
                                           std::vector<Error>& warnings, std::string& out) = 0;
  virtual void add(uint64_t first, std::span<const float> rows, std::string& out) = 0;
  // `norms` are the original lengths of the words' rows.
  virtual void finish(std::span<const float> /*norms*/, std::string& /*out*/) {}

  // The size of the whole file, set by begin() if it can be known before the end.
  [[nodiscard]] std::optional<uint64_t> total_bytes() const { return total_bytes_; }

 protected:
  std::optional<uint64_t> total_bytes_;
};

// A format of word vectors that can be written.
struct WordTargetKind {
  std::string_view id;
  std::unique_ptr<WordTarget> (*make)();
  bool (*holds)(model::WordVocabularyKind kind);
  // The length of the words' rows: 1, as trained, or by the options.
  enum class Lengths : uint8_t { AsAsked, Unit, Trained } lengths = Lengths::AsAsked;
  bool holds_metadata = false;
};

// `id` must be in the table.
[[nodiscard]] const WordTargetKind& word_target_kind(std::string_view id);

}  // namespace ambry::convert
