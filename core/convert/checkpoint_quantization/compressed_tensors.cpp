// compressed-tensors, as llm-compressor writes it. Packed: `weight_packed` is a stream of bits for
// each row, of codes plus half their range, and `weight_shape` the shape without padding. Else
// `weight` has a byte for each code, an integer or an 8-bit float. `weight_scale` and
// `weight_zero_point` have a number for each group, row or block, or one for the matrix.
#include <algorithm>

#include "convert/checkpoint_quantization/methods.h"
#include "convert/checkpoint_quantization/shared_scales.h"

namespace ambry::convert {
namespace {

using formats::huggingface::FileValues;
using io::Json;
using tensor::DType;

struct CompressedSettings {
  uint32_t bits = 4;
  std::string type = "int";
  std::string strategy;
  bool symmetric = true;
  ScaleBlock block;
};

// The settings of weights, which all groups of modules must share.
Result<const Json*> weights_of_groups(const FileValues& values) {
  const Json* groups = values.json().find("config_groups");
  const Json* found = nullptr;
  if (groups != nullptr && groups->is_object()) {
    for (const auto& [name, group] : groups->members()) {
      const Json* weights = group.find("weights");
      if (weights == nullptr || !weights->is_object()) continue;
      if (found != nullptr && found->dump() != weights->dump()) {
        return values.fail("config_groups", ErrorCode::Unsupported,
                           {"mixed quantizations of one model are not supported; the group ", name,
                            " differs from the one before it"});
      }
      found = weights;
    }
  }
  if (found != nullptr) return found;
  return values.fail("config_groups", ErrorCode::NotFound,
                     "no group says how its weights are quantized");
}

Result<void> read_block(const FileValues& values, CompressedSettings& found) {
  if (found.strategy == "group") {
    uint32_t size = 0;
    AMBRY_RETURN_IF_ERROR(values.read({{"group_size", size}}));
    if (size == 0) {
      return values.fail("group_size", ErrorCode::BadValue, "groups have at least one column");
    }
    found.block = {1, size};
    return {};
  }
  if (found.strategy == "block") {
    const Json* size = values.json().find("block_structure");
    const bool pair = size != nullptr && size->is_array() && size->items().size() == 2 &&
                      std::ranges::all_of(size->items(), [](const Json& number) {
                        return number.is_uint() && number.uint() > 0;
                      });
    if (!pair) {
      return values.fail("block_structure", ErrorCode::BadValue, "expected two numbers above 0");
    }
    found.block = {size->items()[0].uint(), size->items()[1].uint()};
    return {};
  }
  if (found.strategy == "channel" || found.strategy == "tensor") return {};
  return values.fail(
      "strategy", ErrorCode::Unsupported,
      {"\"", found.strategy, "\" is not supported; group, channel, tensor and block are"});
}

Result<CompressedSettings> compressed_settings(const QuantizedTensors& tensors) {
  const FileValues& all = tensors.settings();
  AMBRY_TRY(const Json* weights, weights_of_groups(all));
  const FileValues values(concat({all.file(), ".config_groups.weights"}), *weights);
  CompressedSettings found;
  AMBRY_RETURN_IF_ERROR(values.read({{"num_bits", found.bits},
                                     {"type", found.type},
                                     {"strategy", found.strategy},
                                     {"symmetric", found.symmetric}}));
  const bool integers =
      found.type == "int" && (found.bits == 2 || found.bits == 4 || found.bits == 8);
  const bool floats = found.type == "float" && found.bits == 8;
  if (!integers && !floats) {
    return values.fail("num_bits", ErrorCode::Unsupported,
                       {found.bits, " bits of the type \"", found.type,
                        "\" are not supported; int of 2, 4 and 8 bits and float of 8 are"});
  }
  AMBRY_RETURN_IF_ERROR(read_block(values, found));
  return found;
}

// The shape without padding, of two integers.
Result<void> read_weight_shape(const QuantizedTensors& tensors, const Input& input, uint32_t bits,
                               PackedMatrix& matrix) {
  AMBRY_RETURN_IF_ERROR(expect_type(input, {DType::I64, DType::I32}));
  AMBRY_RETURN_IF_ERROR(expect_shape(input, {2}, "the rows and columns"));
  const model::TensorEntry& entry = input.tensor;
  auto bytes =
      tensors.sources().files()[input.file].source->view(entry.offset, entry.bytes, entry.name);
  if (!bytes) return in_source_file(bytes.take_error(), tensors.sources(), input.file);
  const auto at = [&](size_t i) -> uint64_t {
    return entry.dtype == DType::I64 ? load_le<uint64_t>(&(*bytes)[i * 8])
                                     : load_le<uint32_t>(&(*bytes)[i * 4]);
  };
  matrix.rows = at(0);
  matrix.cols = at(1);
  if (matrix.rows == 0 || matrix.cols == 0 || matrix.cols > kMostCodes) {
    return error_at(ErrorCode::BadValue, entry.offset, entry.name,
                    {"rows and columns are ", matrix.rows, " and ", matrix.cols});
  }
  matrix.shape = {matrix.rows, matrix.cols};
  matrix.codes = {Packing::Lines, bits, matrix.rows, matrix.cols};
  return expect_shape(
      matrix.code_input, {matrix.rows, words_of(matrix.cols, bits)},
      {"because weight_shape is ", to_string(matrix.shape), " and codes have ", bits, " bits"});
}

// Zero points are packed along the rows of the matrix, or plain.
Result<void> take_zero_points(QuantizedTensors& tensors, const CompressedSettings& settings,
                              const std::string& module, bool packed, PackedMatrix& matrix) {
  const int half = 1 << (settings.bits - 1);
  matrix.zero_offset = packed ? half : 128;
  matrix.least = -half;
  matrix.largest = half - 1;
  const std::string name = module + ".weight_zero_point";
  if (settings.symmetric) {
    static_cast<void>(tensors.take_if_there(name));  // zeros only
    return {};
  }
  matrix.zero_point.emplace();
  AMBRY_TRY(matrix.zero_point->input,
            tensors.take(name, matrix.code_input.tensor.name, "the zero points"));
  matrix.least = 1 - 2 * half;
  matrix.largest = 2 * half - 1;
  const Input& input = matrix.zero_point->input;
  if (input.tensor.dtype == DType::I8) {
    return expect_shape(input, matrix.scale.input.tensor.shape, "as the scales");
  }
  AMBRY_RETURN_IF_ERROR(expect_type(input, {DType::I32}));
  AMBRY_RETURN_IF_ERROR(expect_shape(
      input, {words_of(matrix.scale_rows(), settings.bits), matrix.groups()}, "as the scales"));
  matrix.zero_point->packed =
      PackedCodes{Packing::Columns, settings.bits, matrix.groups(), matrix.scale_rows()};
  matrix.zero_point->groups_first = true;
  matrix.zero_offset -= half;  // packed zero points have half their range, too
  return {};
}

Result<void> take_compressed_module(QuantizedTensors& tensors, const CompressedSettings& settings,
                                    const std::string& module, bool packed, bool keeps_codes) {
  PackedMatrix matrix;
  matrix.name = module + ".weight";
  const std::string codes = matrix.name + (packed ? "_packed" : "");
  AMBRY_TRY(matrix.code_input, tensors.take(codes, codes, "the codes"));
  AMBRY_TRY(matrix.scale.input, tensors.take(module + ".weight_scale", codes, "the scales"));
  AMBRY_RETURN_IF_ERROR(expect_floats(matrix.scale.input));
  const bool floats = settings.type == "float";
  if (packed) {
    AMBRY_RETURN_IF_ERROR(expect_type(matrix.code_input, {DType::I32}));
    AMBRY_TRY(const Input shape, tensors.take(module + ".weight_shape", codes, "the extents"));
    AMBRY_RETURN_IF_ERROR(read_weight_shape(tensors, shape, settings.bits, matrix));
  } else {
    AMBRY_RETURN_IF_ERROR(expect_type(matrix.code_input, {floats ? DType::F8E4M3 : DType::I8}));
    AMBRY_RETURN_IF_ERROR(shape_by_bytes(floats ? Packing::Bytes : Packing::SignedBytes, matrix));
  }
  AMBRY_RETURN_IF_ERROR(share_scales(settings.block, matrix));
  if (floats) {
    matrix.table = CodeTable::Fp8;
  } else {
    AMBRY_RETURN_IF_ERROR(take_zero_points(tensors, settings, module, packed, matrix));
  }
  matrix.group_of_column = tensors.take_if_there(module + ".weight_g_idx");
  if (matrix.group_of_column) {
    AMBRY_RETURN_IF_ERROR(expect_type(*matrix.group_of_column, {DType::I32}));
    AMBRY_RETURN_IF_ERROR(
        expect_shape(*matrix.group_of_column, {matrix.cols}, "a group for each column"));
    matrix.groups_follow = false;
  }
  return tensors.add(keeps_codes, std::move(matrix));
}

}  // namespace

Result<void> take_compressed_tensors(QuantizedTensors& tensors, bool keeps_codes) {
  AMBRY_TRY(const CompressedSettings settings, compressed_settings(tensors));
  for (const std::string& module : tensors.modules(".weight_packed")) {
    AMBRY_RETURN_IF_ERROR(take_compressed_module(tensors, settings, module, true, keeps_codes));
  }
  const auto is_code = [](const model::TensorEntry& tensor) {
    return tensor.dtype == DType::I8 || tensor.dtype == DType::F8E4M3;
  };
  for (const std::string& module : tensors.modules(".weight", is_code)) {
    AMBRY_RETURN_IF_ERROR(take_compressed_module(tensors, settings, module, false, keeps_codes));
  }
  leave_out_activation_scales(tensors);
  return {};
}

}  // namespace ambry::convert
