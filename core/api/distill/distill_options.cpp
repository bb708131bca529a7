#include "api/distill/distill_options.h"

#include "api/call/options.h"
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

}  // namespace

Result<DistillOptions> DistillOptions::read(std::string_view text) {
  AMBRY_TRY(const io::Json json, io::parse_json(text, 0, "options"));
  DistillOptions options;
  AMBRY_TRY(const uint64_t dim, read_count(json, "dim", options.dim));
  if (dim < 1 || dim > UINT16_MAX) return bad_option("dim", "must be at least 1");
  options.dim = static_cast<uint32_t>(dim);
  AMBRY_TRY(const uint64_t size, read_count(json, "vocabSize", options.vocab_size));
  if (size > UINT32_MAX) return bad_option("vocabSize", "is too large");
  options.vocab_size = static_cast<uint32_t>(size);
  AMBRY_TRY(options.dtype, read_dtype(json));
  if (const io::Json* sif = json.find("sif"); sif != nullptr && !sif->is_null()) {
    if (!sif->is_number() || !(sif->number() >= 0 && sif->number() < 1)) {
      return bad_option("sif", "must be a number from 0 to 1");
    }
    options.sif = sif->number();
  }
  AMBRY_TRY(options.model_name, read_text(json, "modelName", options.model_name));
  AMBRY_TRY(options.created_at, read_text(json, "createdAt", ""));
  return options;
}

}  // namespace ambry::api
