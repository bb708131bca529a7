// fastText files from a stranger: reading and checking never crash, an accepted model lies within
// its file, and a classifier that opens answers any text, the same from every kind of source.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "api/text_classifier/predict_job.h"
#include "api/text_classifier/text_classifier_model.h"
#include "formats/fasttext/fasttext_parse.h"

namespace {

using namespace ambry;  // NOLINT(google-build-using-namespace)

Result<api::TextClassifierModel> open(const io::Source& source, Bytes file) {
  AMBRY_TRY(const auto loader, api::TextClassifierModel::load(source, "{}"));
  while (loader->wanted() > 0) {
    const MutableBytes window = loader->window();
    std::memcpy(window.data(), file.data() + loader->start(), window.size());
    AMBRY_RETURN_IF_ERROR(loader->commit(window.size()));
  }
  AMBRY_TRY(const auto opened, loader->finish());
  return std::move(*api::as<api::TextClassifierModel>(*opened));
}

Result<api::PredictJob> predict(const api::TextClassifierModel& session) {
  AMBRY_TRY(auto job, api::PredictJob::begin(session.classifier(), R"({"k": 3})"));
  for (const char* text :
       {"", "haus maus", "\xFF \xC3</s>", "__label__eins stra\xC3\x9F", "a b c d"}) {
    job.add(text);
  }
  AMBRY_TRY(const bool done, job.step());
  if (!done) std::abort();
  return job;
}

void check_map(Bytes file) {
  const io::MemorySource source(file);
  io::Diagnostics found;
  const auto model = formats::fasttext::parse(source, found, {});
  if (!model) return;
  for (const auto& tensor : model->tensors) {
    if (tensor.offset > file.size() || tensor.bytes > file.size() - tensor.offset) std::abort();
  }
  formats::fasttext::check(*model, found);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes file(data, size);
  check_map(file);
  const io::MemorySource whole(file);
  io::PartialSource once(size, /*sequential_only=*/true);
  static_cast<void>(once.insert(0, file));
  const auto session = open(whole, file);
  const auto streamed = open(once, file);
  if (session.has_value() != streamed.has_value()) std::abort();
  if (!session) return 0;
  const auto job = predict(*session);
  const auto other = predict(*streamed);
  if (job.has_value() != other.has_value()) std::abort();
  if (!job) return 0;
  if (!std::ranges::equal(job->labels(), other->labels())) std::abort();
  for (const uint32_t count : job->row_counts()) {
    if (count > 3) std::abort();
  }
  return 0;
}
