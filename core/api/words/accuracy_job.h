// Counts how many analogy questions word vectors answer, in steps, so that the caller can report
// progress and stop in between. Call add_questions() with the whole text, step() until it returns
// true, then report().
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "infer/words/analogy_questions.h"
#include "infer/words/word_vectors.h"

namespace ambry::api {

class AccuracyJob {
 public:
  explicit AccuracyJob(std::shared_ptr<const infer::WordVectors> vectors)
      : vectors_(std::move(vectors)) {}

  // The lines are `: section` or `a b c d`; blank lines are skipped. BadValue with the path
  // `questions[line]` for any other line. Call once.
  [[nodiscard]] Result<void> add_questions(std::string_view text);
  // Asks some of the questions. Returns true when all are done. Unsupported as for similar words.
  [[nodiscard]] Result<bool> step();

  [[nodiscard]] size_t done() const { return next_; }
  [[nodiscard]] size_t total() const { return questions_.size(); }
  // JSON {sections: [{name, correct, count, skipped, averageCosine}], total: the same with an empty
  // name}, with sections by name. `correct` of `count` questions were answered right. `skipped`
  // questions were not asked, because their answer is not in the vocabulary. averageCosine is null
  // without questions.
  [[nodiscard]] std::string report() const;

 private:
  std::shared_ptr<const infer::WordVectors> vectors_;
  infer::AnalogyQuestions questions_;
  size_t next_ = 0;
};

}  // namespace ambry::api
