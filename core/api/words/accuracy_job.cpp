#include "api/words/accuracy_job.h"

#include <algorithm>

#include "io/json/json.h"

namespace ambry::api {
namespace {

using infer::AnalogySection;
using io::Json;

// The most multiplications in a step, except for a single question: a few dozen milliseconds.
constexpr uint64_t kStepNumbers = uint64_t{1} << 26;
// The most questions asked together. More would not be faster.
constexpr size_t kStepQuestions = 32;

Json document_of(const AnalogySection& section) {
  Json document = Json::object();
  document.set("name", section.name);
  document.set("correct", section.correct);
  document.set("count", section.count);
  document.set("skipped", section.skipped);
  document.set("averageCosine", section.count == 0
                                    ? Json()
                                    : Json(section.cosines / static_cast<double>(section.count)));
  return document;
}

}  // namespace

Result<void> AccuracyJob::add_questions(std::string_view text) {
  AMBRY_TRY(questions_, infer::AnalogyQuestions::parse(text));
  return {};
}

Result<bool> AccuracyJob::step() {
  const uint64_t numbers_of_one = vectors_->n_words() * vectors_->dim() + 1;
  const auto affordable = static_cast<size_t>(std::min<uint64_t>(
      kStepNumbers / numbers_of_one + 1, std::min(kStepQuestions, total() - next_)));
  AMBRY_RETURN_IF_ERROR(questions_.ask(*vectors_, next_, affordable));
  next_ += affordable;
  return next_ == total();
}

std::string AccuracyJob::report() const {
  Json sections = Json::array();
  AnalogySection total;
  for (const AnalogySection& section : questions_.sections()) {
    sections.append(document_of(section));
    total.correct += section.correct;
    total.count += section.count;
    total.skipped += section.skipped;
    total.cosines += section.cosines;
  }
  Json report = Json::object();
  report.set("sections", std::move(sections));
  report.set("total", document_of(total));
  return report.dump();
}

}  // namespace ambry::api
