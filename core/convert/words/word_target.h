// Files of word vectors as they are written: a head when all words are known, the rows, an end.
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

  // Each appends to `out` what comes next in the file. `facts` must outlive the target. Unsupported
  // for a word that it cannot hold, or, where `lossy`, a warning.
  [[nodiscard]] virtual Result<void> begin(const WordFacts& facts, bool lossy,
                                           std::vector<Error>& warnings, std::string& out) = 0;
  virtual void add(uint64_t first, std::span<const float> rows, std::string& out) = 0;
  // `norms` are the lengths that the words' rows had.
  virtual void finish(std::span<const float> /*norms*/, std::string& /*out*/) {}

  // Of the whole file: from begin() on, if it can be known before the end at all.
  [[nodiscard]] std::optional<uint64_t> total_bytes() const { return total_bytes_; }

 protected:
  std::optional<uint64_t> total_bytes_;
};

// A format of word vectors that can be written.
struct WordTargetKind {
  std::string_view id;
  std::unique_ptr<WordTarget> (*make)();
  bool (*holds)(model::WordVocabularyKind kind);
  // How words' rows are to be: of length 1, as trained, or as the options say.
  enum class Lengths : uint8_t { AsAsked, Unit, Trained } lengths = Lengths::AsAsked;
  bool holds_metadata = false;
};

// `id` is one of those in the table.
[[nodiscard]] const WordTargetKind& word_target_kind(std::string_view id);

}  // namespace ambry::convert
