#include "formats/amb/amb_parse.h"
#include "formats/amb/weights_section.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::amb {
namespace {

// config.quant is informative; the tensors' own prefixes count (README.md#config-quant).
void check_quant(const model::Model& model, io::Diagnostics& diagnostics) {
  const io::Json* quant = model.config.find("quant");
  if (quant == nullptr) return;
  const auto type = model::metadata_text(*quant, "type");
  const tensor::Quantization stated = config_quantization(model.config);
  for (const model::TensorEntry& tensor : model.tensors) {
    if (!tensor.quantization || type != dtype_name(tensor.dtype)) continue;
    if (stated.block_size == 0 || stated.block_size == tensor.quantization->block_size) continue;
    diagnostics.warn(error_at(ErrorCode::Mismatch, quant->byte_offset(), "config.quant.block_size",
                              {stated.block_size, ", but ", tensor.name, " has blocks of ",
                               tensor.quantization->block_size, ", which count"}));
    return;
  }
}

}  // namespace

void check(const model::Model& model, io::Diagnostics& diagnostics) {
  if (!model::has_value(model.metadata, "name")) {
    diagnostics.warn(
        make_error(ErrorCode::NotFound, "metadata.name", "the file does not name its model"));
  }
  // A section that could not be read does not affect the others.
  const bool broken =
      !model.config.is_object() || (model.tensors.empty() && !diagnostics.errors.empty());
  if (broken) return;
  check_quant(model, diagnostics);
  auto config = model::decoder_config(model, diagnostics);
  if (!config) {
    // A model with unknown or missing facts can still be inspected and converted.
    const ErrorCode code = config.error().code;
    Failure problem = config.take_error();
    if (code != ErrorCode::NotFound && code != ErrorCode::Unsupported) {
      return diagnostics.error(std::move(problem));
    }
    problem->message += "; the model cannot be run";
    return diagnostics.warn(std::move(problem));
  }
  model::check_decoder_tensors(model, *config, diagnostics);
}

}  // namespace ambry::formats::amb
