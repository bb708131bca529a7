// GGUF run as it is, from bytes of a stranger: in one file, and cut into two parts. Nothing
// crashes, and whatever opens can compute.
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "api/decoder/generator_loader.h"
#include "api/decoder/generator_model.h"
#include "api/decoder/pass_jobs.h"
#include "api/tokenizer/token_lists.h"
#include "io/json/json.h"

namespace {

using namespace ambry;  // NOLINT(google-build-using-namespace)

// Models of more take too long.
constexpr uint64_t kMostWeights = 1 << 20;

Result<api::GeneratorModel> open_generator(const io::Source& source, Bytes file) {
  AMBRY_TRY(const auto loader, api::GeneratorLoader::begin(source, R"({"context": 16})"));
  api::ByteSink& sink = *loader;
  while (sink.wanted() > 0) {
    const MutableBytes window = sink.window();
    std::memcpy(window.data(), file.data() + sink.start(), window.size());
    AMBRY_RETURN_IF_ERROR(sink.commit(window.size()));
  }
  AMBRY_TRY(const auto opened, loader->finish());
  return std::move(*api::as<api::GeneratorModel>(*opened));
}

void compute(const api::GeneratorModel& session) {
  if (!io::parse_json(session.info())) std::abort();
  if (session.weight_bytes() > kMostWeights) return;
  if (const auto tokenizer = session.tokenizer()) {
    static_cast<void>(api::tokenize(**tokenizer, "a text <s>", nullptr, true));
  }
  auto job = api::begin_logits(session.generator(), "", R"({"ids": [0, 0]})");
  if (!job) return;
  for (;;) {
    const auto step = job->step();
    if (!step) std::abort();
    if (io::parse_json(*step)->find("done")->boolean()) return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes file(data, size);
  const io::MemorySource source(file);
  if (const auto session = open_generator(source, file)) compute(*session);
  if (size < 2) return 0;
  io::PartialSource parts(size);
  const uint64_t cut = 1 + data[size / 2] * uint64_t{size - 1} / 256;
  if (!parts.set_part_ends({cut, size}) || !parts.insert(0, file)) std::abort();
  if (const auto session = open_generator(parts, file)) compute(*session);
  return 0;
}
