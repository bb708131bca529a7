// Word vectors opened from bytes of a stranger, whole and in range mode, and asked everything:
// nothing crashes, and both ways say the same of a word.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "api/words/accuracy_job.h"
#include "api/words/sentence_job.h"
#include "api/words/words_model.h"
#include "io/json/json.h"

namespace {

using namespace ambry;  // NOLINT(google-build-using-namespace)

Result<api::WordsModel> open(Bytes file, std::string_view options) {
  const io::MemorySource source(file);
  AMBRY_TRY(const auto loader, api::WordsModel::load(source, options));
  while (loader->wanted() > 0) {
    const MutableBytes window = loader->window();
    std::memcpy(window.data(), file.data() + loader->start(), window.size());
    AMBRY_RETURN_IF_ERROR(loader->commit(window.size()));
  }
  AMBRY_TRY(const auto opened, loader->finish());
  return std::move(*api::as<api::WordsModel>(*opened));
}

void fetch(const api::WordsModel& session, Bytes file, const std::string& missing) {
  const auto ranges = io::parse_json(missing);
  for (const io::Json& range : ranges->items()) {
    const uint64_t offset = range.items()[0].uint();
    const uint64_t size = range.items()[1].uint();
    if (offset > file.size() || size > file.size() - offset) std::abort();
    // A code without a centroid is found here.
    if (!session.supply(offset,
                        file.subspan(static_cast<size_t>(offset), static_cast<size_t>(size))))
      return;
  }
}

void ask(const api::WordsModel& session, std::string_view word) {
  static_cast<void>(session.explain(word));
  const auto similar = session.similar(word, R"({"k": 3, "metric": "angular"})");
  if (similar && !io::parse_json(*similar)) std::abort();
  static_cast<void>(session.analogy(word, "a", word, R"({"include": ["b"]})"));
  const std::vector<float> query(8, 0.5F);
  static_cast<void>(session.similar_to(query, "{}"));
}

void run_jobs(const api::WordsModel& session) {
  api::AccuracyJob accuracy(session.shared_vectors());
  if (accuracy.add_questions("a b a b\n: s\nBerlin a b Berlin\n")) {
    static_cast<void>(accuracy.step());
    if (!io::parse_json(accuracy.report())) std::abort();
  }
  auto sentences = api::SentenceJob::begin(session.shared_vectors(), R"({"pooling": "sif"})");
  sentences->add("a Berlin, b");
  if (sentences->start()) static_cast<void>(sentences->step());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes file(data, size);
  const auto whole = open(file, "{}");
  const auto ranged = open(file, R"({"ranged":true})");
  // Only the rows tell them apart.
  if (whole && !ranged) std::abort();
  if (!ranged) return 0;
  const std::string words = R"(["a", "Berlin", "Stra\u00dfe", "", "unknown"])";
  if (const auto missing = ranged->missing(words)) fetch(*ranged, file, *missing);
  if (!whole) return 0;
  const auto expected = whole->vectors(words, true);
  const auto found = ranged->vectors(words, true);
  if (expected.has_value() != found.has_value()) std::abort();
  if (found && !std::ranges::equal(bytes_of(found->rows()), bytes_of(expected->rows())))
    std::abort();
  for (const char* word : {"Berlin", "unknown", "\xFF"}) ask(*whole, word);
  run_jobs(*whole);
  return 0;
}
