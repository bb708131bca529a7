// MLX: `weight` holds a stream of bits for each row, `scales` and `biases` a number for each group
// of columns. A weight is code * scale + bias.
#include "convert/checkpoint_quantization/methods.h"

namespace ambry::convert {
namespace {

using io::Json;
using tensor::DType;

struct MlxSettings {
  uint32_t bits = 4;
  uint32_t group_size = 64;
};

// The settings of a module are an object of its name among those of all.
Result<MlxSettings> mlx_settings(QuantizedTensors& tensors, const std::string& module) {
  MlxSettings found;
  std::string mode = "affine";
  const auto read = [&](const formats::huggingface::FileValues& values) {
    return values.read({{"bits", found.bits}, {"group_size", found.group_size}, {"mode", mode}});
  };
  const formats::huggingface::FileValues& all = tensors.settings();
  AMBRY_RETURN_IF_ERROR(read(all));
  const Json* own = all.json().find(module);
  if (own != nullptr && own->is_object()) {
    AMBRY_RETURN_IF_ERROR(read({concat({all.file(), ".", module}), *own}));
  }
  if (mode != "affine") {
    return all.fail("mode", ErrorCode::Unsupported,
                    {"\"", mode, "\" is not supported; MLX's weights are read in the mode affine"});
  }
  AMBRY_RETURN_IF_ERROR(expect_bits(tensors, found.bits, {2, 3, 4, 5, 6, 8}));
  if (found.group_size == 0) {
    return all.fail("group_size", ErrorCode::BadValue, "groups have at least one column");
  }
  return found;
}

Result<void> take_module(QuantizedTensors& tensors, const std::string& module, bool keeps_codes) {
  AMBRY_TRY(const MlxSettings settings, mlx_settings(tensors, module));
  PackedMatrix matrix;
  matrix.name = module + ".weight";
  AMBRY_TRY(matrix.code_input, tensors.take(matrix.name, matrix.name, "the codes"));
  AMBRY_TRY(matrix.scale.input, tensors.take(module + ".scales", matrix.name, "the scales"));
  matrix.bias.emplace();
  AMBRY_TRY(matrix.bias->input, tensors.take(module + ".biases", matrix.name, "the biases"));
  const model::TensorEntry& codes = matrix.code_input.tensor;
  const size_t rank = codes.shape.rank();
  const uint64_t words = rank < 2 ? 0 : codes.shape[rank - 1];
  matrix.cols = words > UINT32_MAX ? 0 : words * 32 / settings.bits;
  if (rank < 2 || matrix.cols == 0 || words * 32 % settings.bits != 0 ||
      matrix.cols % settings.group_size != 0) {
    return error_at(ErrorCode::Mismatch, codes.index_offset, codes.name,
                    {"shape is ", to_string(codes.shape), ", which has no rows of groups of ",
                     settings.group_size, " codes of ", settings.bits, " bits"});
  }
  tensor::Shape groups;
  for (size_t axis = 0; axis + 1 < rank; ++axis) {
    matrix.shape.push_back(codes.shape[axis]);
    groups.push_back(codes.shape[axis]);
  }
  matrix.rows = codes.shape.count().value_or(0) / words;
  matrix.shape.push_back(matrix.cols);
  groups.push_back(matrix.cols / settings.group_size);
  for (const Input* shared : {&matrix.scale.input, &matrix.bias->input}) {
    AMBRY_RETURN_IF_ERROR(expect_floats(*shared));
    AMBRY_RETURN_IF_ERROR(
        expect_shape(*shared, groups,
                     {"because groups have ", settings.group_size, " columns of ", matrix.cols}));
  }
  matrix.codes = {Packing::Lines, settings.bits, matrix.rows, matrix.cols};
  matrix.group = settings.group_size;
  matrix.largest = (1 << settings.bits) - 1;
  return tensors.add(keeps_codes, std::move(matrix));
}

}  // namespace

Result<void> take_mlx(QuantizedTensors& tensors, bool keeps_codes) {
  const auto packed = [](const model::TensorEntry& tensor) { return tensor.dtype == DType::U32; };
  for (const std::string& module : tensors.modules(".weight", packed)) {
    AMBRY_RETURN_IF_ERROR(take_module(tensors, module, keeps_codes));
  }
  return {};
}

}  // namespace ambry::convert
