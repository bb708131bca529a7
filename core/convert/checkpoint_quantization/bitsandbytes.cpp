// bitsandbytes. NF4 and FP4: `weight` has two codes in a byte, the first in the high half, which
// stand for the numbers of `quant_map`; `absmax` has a scale for each block of elements. With
// nested scales these are codes, too. A JSON text in a tensor says the shape and the sizes of
// blocks. LLM.int8(): `weight` has a byte for each code, and `SCB` the largest magnitude of each
// row, for which 127 stands.
#include <array>

#include "convert/checkpoint_quantization/methods.h"
#include "convert/checkpoint_quantization/shared_scales.h"

namespace ambry::convert {
namespace {

using formats::huggingface::FileValues;
using io::Json;
using tensor::DType;

constexpr std::array kStateEndings = {".quant_state.bitsandbytes__nf4",
                                      ".quant_state.bitsandbytes__fp4"};

// What the text in `quant_state` says.
struct QuantState {
  tensor::Shape shape;
  uint32_t block = 64;
  uint32_t nested_block = 0;
  double nested_offset = 0;
};

Result<QuantState> read_state(const QuantizedTensors& tensors, const Input& input) {
  const model::TensorEntry& entry = input.tensor;
  AMBRY_RETURN_IF_ERROR(expect_type(input, {DType::U8}));
  auto bytes =
      tensors.sources().files()[input.file].source->view(entry.offset, entry.bytes, entry.name);
  if (!bytes) return in_source_file(bytes.take_error(), tensors.sources(), input.file);
  const std::string text(bytes->begin(), bytes->end());
  AMBRY_TRY(const Json json, io::parse_json(text, entry.offset, entry.name));
  const FileValues values(entry.name, json);
  QuantState state;
  AMBRY_RETURN_IF_ERROR(values.read({{"blocksize", state.block},
                                     {"nested_blocksize", state.nested_block},
                                     {"nested_offset", state.nested_offset}}));
  const Json* shape = json.find("shape");
  const bool is_list = shape != nullptr && shape->is_array() && shape->items().size() == 2;
  for (size_t i = 0; is_list && i < 2; ++i) {
    const Json& extent = shape->items()[i];
    if (extent.is_uint() && extent.uint() > 0 && extent.uint() <= UINT32_MAX) {
      state.shape.push_back(extent.uint());
    }
  }
  if (state.shape.rank() != 2) {
    return values.fail("shape", ErrorCode::BadValue, "expected two numbers above 0");
  }
  if (state.block == 0)
    return values.fail("blocksize", ErrorCode::BadValue, "expected a number above 0");
  return state;
}

// The scales of scales.
Result<void> take_nested(QuantizedTensors& tensors, const QuantState& state, uint64_t n_scales,
                         PackedMatrix& matrix) {
  const std::string& name = matrix.name;
  AMBRY_TRY(matrix.scale_table,
            tensors.take(name + ".nested_quant_map", name, "the numbers of nested scales"));
  AMBRY_TRY(matrix.scale_of_scales,
            tensors.take(name + ".nested_absmax", name, "the scales of scales"));
  AMBRY_RETURN_IF_ERROR(expect_type(*matrix.scale_table, {DType::F32}));
  AMBRY_RETURN_IF_ERROR(expect_type(*matrix.scale_of_scales, {DType::F32}));
  AMBRY_RETURN_IF_ERROR(expect_shape(*matrix.scale_table, {256}, "a number for each byte"));
  if (state.nested_block == 0) {
    return make_error(ErrorCode::BadValue, concat({name, ".quant_state.nested_blocksize"}),
                      "expected a number above 0");
  }
  matrix.scales_each = state.nested_block;
  matrix.scale_offset = static_cast<float>(state.nested_offset);
  return expect_shape(
      *matrix.scale_of_scales, {(n_scales + state.nested_block - 1) / state.nested_block},
      {"because ", n_scales, " scales have blocks of ", uint64_t{state.nested_block}});
}

Result<void> take_4bit(QuantizedTensors& tensors, const std::string& name, bool keeps_codes) {
  std::optional<Input> state_input;
  for (const char* ending : kStateEndings) {
    if (!state_input) state_input = tensors.take_if_there(name + ending);
  }
  PackedMatrix matrix;
  matrix.name = name;
  AMBRY_TRY(matrix.code_input, tensors.take(name, name, "the codes"));
  const model::TensorEntry& codes = matrix.code_input.tensor;
  if (!state_input) {
    return error_at(ErrorCode::NotFound, codes.index_offset, name + kStateEndings[0],
                    {"the shape and the block size of ", name, " are missing"});
  }
  AMBRY_TRY(const QuantState state, read_state(tensors, *state_input));
  matrix.shape = state.shape;
  matrix.rows = state.shape[0];
  matrix.cols = state.shape[1];
  const uint64_t count = matrix.rows * matrix.cols;
  if (codes.bytes != (count + 1) / 2) {
    return error_at(ErrorCode::Mismatch, codes.index_offset, name,
                    {codes.bytes, " bytes of codes, but the shape ", to_string(matrix.shape),
                     " needs ", (count + 1) / 2});
  }
  matrix.codes = {Packing::HighFirst, 4, matrix.rows, matrix.cols};
  matrix.flat = true;
  matrix.group = state.block;
  AMBRY_TRY(matrix.scale.input, tensors.take(name + ".absmax", name, "the scales"));
  AMBRY_TRY(matrix.table_input, tensors.take(name + ".quant_map", name, "the numbers of codes"));
  matrix.table = CodeTable::Stored;
  AMBRY_RETURN_IF_ERROR(expect_type(*matrix.table_input, {DType::F32}));
  AMBRY_RETURN_IF_ERROR(expect_shape(*matrix.table_input, {16}, "a number for each code"));
  const uint64_t n_scales = (count + state.block - 1) / state.block;
  AMBRY_RETURN_IF_ERROR(expect_type(matrix.scale.input, {DType::F32, DType::U8}));
  AMBRY_RETURN_IF_ERROR(
      expect_shape(matrix.scale.input, {n_scales},
                   {"because ", count, " weights have blocks of ", uint64_t{state.block}}));
  if (matrix.scale.input.tensor.dtype == DType::U8) {
    AMBRY_RETURN_IF_ERROR(take_nested(tensors, state, n_scales, matrix));
  }
  return tensors.add(keeps_codes, std::move(matrix));
}

Result<void> take_int8(QuantizedTensors& tensors, const std::string& module, bool keeps_codes) {
  PackedMatrix matrix;
  matrix.name = module + ".weight";
  AMBRY_TRY(matrix.code_input, tensors.take(matrix.name, matrix.name, "the codes"));
  AMBRY_TRY(matrix.scale.input, tensors.take(module + ".SCB", matrix.name, "the scales"));
  AMBRY_RETURN_IF_ERROR(expect_floats(matrix.scale.input));
  AMBRY_RETURN_IF_ERROR(shape_by_bytes(Packing::SignedBytes, matrix));
  AMBRY_RETURN_IF_ERROR(share_scales({}, matrix));
  matrix.scale_factor = 1.0F / 127.0F;
  matrix.zero_offset = 128;
  matrix.least = -128;
  matrix.largest = 127;
  return tensors.add(keeps_codes, std::move(matrix));
}

}  // namespace

Result<void> take_bitsandbytes(QuantizedTensors& tensors, bool keeps_codes) {
  const auto has = [](DType dtype) {
    return [dtype](const model::TensorEntry& tensor) { return tensor.dtype == dtype; };
  };
  for (const std::string& module : tensors.modules(".weight", has(DType::U8))) {
    AMBRY_RETURN_IF_ERROR(take_4bit(tensors, module + ".weight", keeps_codes));
  }
  for (const std::string& module : tensors.modules(".weight", has(DType::I8))) {
    AMBRY_RETURN_IF_ERROR(take_int8(tensors, module, keeps_codes));
  }
  tensors.leave_out(".weight_format");
  return {};
}

}  // namespace ambry::convert
