// GPTQ: `qweight` is [in, out] and packs the codes of 32 / bits rows into a word; `scales` and the
// packed `qzeros` have a row for each group; `g_idx` says which group a column of the weight is in.
// A weight is (code - zero point) * scale. Files of version 1 store zero points less 1, of which
// the lowest bits count.
#include "convert/checkpoint_quantization/methods.h"
#include "convert/checkpoint_quantization/packed_words.h"

namespace ambry::convert {
namespace {

using tensor::DType;

struct GptqSettings {
  uint32_t bits = 4;
  uint64_t group_size = 0;  // 0: all columns
  bool desc_act = false;
  bool sym = true;
  std::string format = "gptq";
};

Result<GptqSettings> gptq_settings(const QuantizedTensors& tensors) {
  const formats::huggingface::FileValues& values = tensors.settings();
  GptqSettings found;
  double group_size = -1;
  AMBRY_RETURN_IF_ERROR(values.read({{"bits", found.bits},
                                     {"group_size", group_size},
                                     {"desc_act", found.desc_act},
                                     {"sym", found.sym},
                                     {"checkpoint_format", found.format}}));
  AMBRY_RETURN_IF_ERROR(expect_bits(tensors, found.bits, {2, 3, 4, 8}));
  if (found.format != "gptq" && found.format != "gptq_v2") {
    return values.fail("checkpoint_format", ErrorCode::Unsupported,
                       {"\"", found.format, "\" is not supported; gptq and gptq_v2 are"});
  }
  const io::Json* dynamic = values.json().find("dynamic");
  if (dynamic != nullptr && dynamic->is_object() && !dynamic->members().empty()) {
    return values.fail("dynamic", ErrorCode::Unsupported,
                       "mixed quantizations of one model are not supported");
  }
  AMBRY_TRY(found.group_size, columns_of_group(tensors, group_size));
  return found;
}

// Sets the least and largest code less its zero point.
void set_range(const GptqSettings& settings, PackedMatrix& matrix) {
  const int top = (1 << settings.bits) - 1;
  const int half = 1 << (settings.bits - 1);
  matrix.least = settings.sym ? -half : -top;
  matrix.largest = settings.sym ? top - half : top;
}

Result<void> take_gptq_module(QuantizedTensors& tensors, const GptqSettings& settings,
                              const std::string& module, bool keeps_codes) {
  AMBRY_TRY(PackedMatrix matrix, take_packed_words(tensors, module));
  const model::TensorEntry& codes = matrix.code_input.tensor;
  const bool is_matrix = codes.shape.rank() == 2 && codes.shape[0] <= UINT32_MAX;
  matrix.cols = is_matrix ? codes.shape[0] * 32 / settings.bits : 0;
  matrix.rows = is_matrix ? codes.shape[1] : 0;
  if (matrix.cols == 0 || !fill_words(matrix.cols, settings.bits) ||
      !fill_words(matrix.rows, settings.bits)) {
    return error_at(ErrorCode::Mismatch, codes.index_offset, codes.name,
                    {"shape is ", to_string(codes.shape),
                     ", which holds no whole number of codes of ", settings.bits, " bits"});
  }
  AMBRY_TRY(const std::string why, set_column_groups(settings.group_size, settings.bits, matrix));
  matrix.group_of_column = tensors.take_if_there(module + ".g_idx");
  if (matrix.group_of_column) {
    AMBRY_RETURN_IF_ERROR(expect_type(*matrix.group_of_column, {DType::I32, DType::U32}));
    AMBRY_RETURN_IF_ERROR(expect_shape(*matrix.group_of_column, {matrix.cols}, why));
  } else if (settings.desc_act) {
    return error_at(
        ErrorCode::NotFound, codes.index_offset, module + ".g_idx",
        {"the groups of the columns of ", codes.name, " are missing; config.json says desc_act"});
  }
  matrix.groups_follow = !settings.desc_act;
  matrix.codes = {Packing::Columns, settings.bits, matrix.rows, matrix.cols};
  matrix.zero_point->groups_first = true;
  matrix.zero_point->packed =
      PackedCodes{Packing::Lines, settings.bits, matrix.groups(), matrix.rows};
  matrix.zero_offset = settings.format == "gptq" ? 1 : 0;
  matrix.zero_mask = (1 << settings.bits) - 1;
  set_range(settings, matrix);
  return tensors.add(keeps_codes, std::move(matrix));
}

}  // namespace

Result<void> take_gptq(QuantizedTensors& tensors, bool keeps_codes) {
  AMBRY_TRY(const GptqSettings settings, gptq_settings(tensors));
  for (const std::string& module : tensors.modules(".qweight")) {
    AMBRY_RETURN_IF_ERROR(take_gptq_module(tensors, settings, module, keeps_codes));
  }
  return {};
}

}  // namespace ambry::convert
