#include "api/distill/distill_job.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "api/call/options.h"
#include "api/encoder/embed_job.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using tensor::DType;

Result<DType> read_dtype(const io::Json& json) {
  AMBRY_TRY(const std::string name, read_text(json, "dtype", "int8"));
  if (name == "int8") return DType::I8;
  if (name == "f16") return DType::F16;
  if (name == "f32") return DType::F32;
  return bad_option("dtype", {"must be f32, f16 or int8, not ", name});
}

Result<distill::DistillOptions> read_options(std::string_view text) {
  AMBRY_TRY(const io::Json json, io::parse_json(text, 0, "options"));
  distill::DistillOptions options;
  AMBRY_TRY(const uint64_t dim, read_count(json, "dim", options.dim));
  options.dim = static_cast<uint32_t>(std::min<uint64_t>(dim, UINT32_MAX));
  AMBRY_TRY(const uint64_t size, read_count(json, "vocabSize", options.vocab_size));
  if (size > UINT32_MAX) return bad_option("vocabSize", "is too large");
  options.vocab_size = static_cast<uint32_t>(size);
  AMBRY_TRY(options.dtype, read_dtype(json));
  if (const io::Json* sif = json.find("sif"); sif != nullptr && !sif->is_null()) {
    // What is no number is out of range, too.
    options.sif = sif->is_number() ? sif->number() : std::numeric_limits<double>::quiet_NaN();
  }
  AMBRY_TRY(options.model_name, read_text(json, "modelName", options.model_name));
  AMBRY_TRY(options.created_at, read_text(json, "createdAt", ""));
  return options;
}

}  // namespace

Result<DistillJob> begin_distill(const EncoderModel& encoder, std::string_view options) {
  AMBRY_TRY(distill::DistillOptions read, read_options(options));
  const std::shared_ptr<const EncoderRuntime>& runtime = encoder.runtime();
  AMBRY_TRY(const infer::EmbedOptions defaults, embed_options(runtime->config, "{}"));
  distill::Teacher teacher;
  teacher.vocabulary = *encoder.model().tokenizer;
  teacher.tokenizer = {runtime, runtime->tokenizer.get()};
  teacher.encoder = {runtime, &runtime->encoder};
  teacher.pooling = defaults.pooling;
  return DistillJob::begin(std::move(teacher), std::move(read));
}

}  // namespace ambry::api
