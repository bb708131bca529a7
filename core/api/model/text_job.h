// A job over texts: call add() for each text, start(), then step() until it returns true. Rows come
// in the order of add(). The work is done in steps, so that the caller can report progress and stop
// in between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ambry::api {

struct TextRows {
  uint32_t dim = 0;                      // the numbers in a row
  std::span<const float> values;         // all rows, one after another
  std::span<const uint32_t> row_counts;  // the rows of each text; empty when each has one
};

class TextJob {
 public:
  virtual ~TextJob() = default;

  virtual void add(std::string_view text) { texts_.emplace_back(text); }
  // For jobs that read pairs of texts.
  void add_pair(std::string_view first, std::string_view second) {
    add(first);
    seconds_.resize(texts_.size());
    seconds_.back() = second;
  }
  // Call once, when all texts are there.
  [[nodiscard]] virtual Result<void> start() { return {}; }
  // Does some of the work. Returns true when all texts are done.
  [[nodiscard]] virtual Result<bool> step() = 0;
  [[nodiscard]] virtual size_t done_texts() const = 0;
  // The part of the model whose missing weights must be given before the next step, if there is
  // one.
  [[nodiscard]] virtual std::optional<size_t> part() const { return std::nullopt; }
  // The rows of the texts that are done. They may move with the next step.
  [[nodiscard]] virtual TextRows rows() const = 0;

  [[nodiscard]] uint32_t dim() const { return rows().dim; }
  [[nodiscard]] std::span<const float> result() const { return rows().values; }
  [[nodiscard]] std::span<const uint32_t> row_counts() const { return rows().row_counts; }

 protected:
  TextJob() = default;
  TextJob(TextJob&&) noexcept = default;
  TextJob& operator=(TextJob&&) noexcept = default;

  [[nodiscard]] std::vector<std::string>& texts() { return texts_; }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  // The second text of a pair; nullptr for a text alone.
  [[nodiscard]] const std::string* second(size_t text) const {
    return text < seconds_.size() && seconds_[text] ? &*seconds_[text] : nullptr;
  }
  // Frees the memory of the texts.
  void drop_texts() {
    std::vector<std::string>().swap(texts_);
    std::vector<std::optional<std::string>>().swap(seconds_);
  }

 private:
  std::vector<std::string> texts_;
  std::vector<std::optional<std::string>> seconds_;  // up to the last pair
};

}  // namespace ambry::api
