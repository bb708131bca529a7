#include "api/accuracy_job.h"

#include "io/json.h"

namespace ambry::api {
namespace {

using infer::AnalogySection;
using io::Json;

// Numbers that a step goes through at most, but for the last question: a few dozen milliseconds.
constexpr uint64_t kStepNumbers = uint64_t{1} << 26;

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
  for (uint64_t numbers = 0; numbers < kStepNumbers && next_ < total(); ++next_) {
    AMBRY_CHECK(questions_.ask(*vectors_, next_));
    numbers += numbers_of_one;
  }
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
