#include "api/files/convert/quantize_options.h"

#include <array>
#include <string_view>
#include <utility>

#include "api/image_classifier/ranges_json.h"

namespace ambry::api {
namespace {

using convert::QuantizeOptions;
using io::Json;

Failure bad(std::string_view name, const Text& message) {
  return make_error(ErrorCode::BadValue, {"options.", name}, message);
}

Result<void> read_type(const Json& value, QuantizeOptions& options) {
  if (!value.is_string()) return bad("type", "must be a string");
  options.type = value.string();
  return {};
}

Result<void> read_block(const Json& value, QuantizeOptions& options) {
  if (!value.is_uint() || value.uint() > UINT16_MAX) return bad("block", "must be 32 or 128");
  options.block_size = static_cast<uint16_t>(value.uint());
  return {};
}

Result<void> read_scale(const Json& value, QuantizeOptions& options) {
  if (value.is_string()) options.scale_type = tensor::scale_type_named(value.string());
  return options.scale_type ? Result<void>() : bad("scale", "must be fp16 or fp32");
}

Result<void> read_group(const Json& value, QuantizeOptions& options) {
  if (!value.is_uint() || value.uint() == 0) return bad("group", "must be an integer of 1 or more");
  options.group = value.uint();
  return {};
}

Result<void> read_observed(const Json& value, QuantizeOptions& options) {
  AMBRY_TRY(options.ranges, read_ranges(value));
  return {};
}

Result<void> read_bits(const Json& value, QuantizeOptions& options) {
  if (!value.is_number() || !(value.number() > 0)) return bad("bits", "must be a number above 0");
  options.bits_per_weight = value.number();
  // For the codes of word vectors. The quantizer rejects values that are not integers.
  const bool whole = value.is_uint() && value.uint() <= UINT32_MAX;
  options.vectors.training.bits = whole ? static_cast<uint32_t>(value.uint()) : 0;
  return {};
}

Result<void> read_keep(const Json& value, QuantizeOptions& options) {
  if (!value.is_array()) return bad("keep", "must be a list of tensor names");
  for (const Json& name : value.items()) {
    if (!name.is_string()) return bad("keep", "must be a list of tensor names");
    options.keep.push_back(name.string());
  }
  return {};
}

Result<void> read_flag(std::string_view name, const Json& value, bool& flag) {
  if (!value.is_bool()) return bad(name, "must be true or false");
  flag = value.boolean();
  return {};
}

Result<void> read_symmetric(const Json& value, QuantizeOptions& options) {
  return read_flag("symmetric", value, options.symmetric);
}

Result<void> read_keep_embeddings(const Json& value, QuantizeOptions& options) {
  return read_flag("keepEmbeddings", value, options.keep_embeddings);
}

Result<void> read_keep_output(const Json& value, QuantizeOptions& options) {
  return read_flag("keepOutput", value, options.keep_output);
}

Result<uint64_t> read_count(std::string_view name, const Json& value, uint64_t most) {
  if (value.is_uint() && value.uint() <= most) return value.uint();
  return bad(name, {"must be an integer from 0 to ", most});
}

Result<void> read_subquantizers(const Json& value, QuantizeOptions& options) {
  AMBRY_TRY(const uint64_t count, read_count("subquantizers", value, UINT32_MAX));
  if (count == 0) return bad("subquantizers", "must be 1 or more");
  options.vectors.training.n_slices = static_cast<size_t>(count);
  return {};
}

Result<void> read_iterations(const Json& value, QuantizeOptions& options) {
  AMBRY_TRY(const uint64_t count, read_count("iterations", value, UINT32_MAX));
  options.vectors.training.iterations = static_cast<uint32_t>(count);
  return {};
}

Result<void> read_attempts(const Json& value, QuantizeOptions& options) {
  AMBRY_TRY(const uint64_t count, read_count("attempts", value, UINT32_MAX));
  options.vectors.training.attempts = static_cast<uint32_t>(count);
  return {};
}

Result<void> read_seed(const Json& value, QuantizeOptions& options) {
  AMBRY_TRY(options.vectors.training.seed, read_count("seed", value, UINT64_MAX));
  return {};
}

Result<void> read_sample(const Json& value, QuantizeOptions& options) {
  AMBRY_TRY(options.vectors.sample, read_count("sample", value, UINT64_MAX));
  return {};
}

struct Reader {
  std::string_view name;
  Result<void> (*read)(const Json& value, QuantizeOptions& options);
};
constexpr std::array kReaders = {
    Reader{"type", read_type},
    Reader{"block", read_block},
    Reader{"scale", read_scale},
    Reader{"group", read_group},
    Reader{"symmetric", read_symmetric},
    Reader{"ranges", read_observed},
    Reader{"bits", read_bits},
    Reader{"keep", read_keep},
    Reader{"keepEmbeddings", read_keep_embeddings},
    Reader{"keepOutput", read_keep_output},
    Reader{"subquantizers", read_subquantizers},
    Reader{"iterations", read_iterations},
    Reader{"attempts", read_attempts},
    Reader{"seed", read_seed},
    Reader{"sample", read_sample},
};

Result<void> read_member(std::string_view name, const Json& value, QuantizeOptions& options) {
  for (const Reader& reader : kReaders) {
    if (reader.name == name) return reader.read(value, options);
  }
  return bad(name, "unknown option");
}

}  // namespace

Result<QuantizeOptions> read_quantize_options(const Json& json) {
  if (!json.is_object()) return bad("quantize", "must be an object");
  QuantizeOptions options;
  for (const auto& [name, value] : json.members()) {
    AMBRY_RETURN_IF_ERROR(read_member(name, value, options));
  }
  if (options.type.empty()) return bad("type", "is missing");
  return options;
}

}  // namespace ambry::api
