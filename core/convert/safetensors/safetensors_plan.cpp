#include "convert/safetensors/safetensors_plan.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/concat.h"
#include "base/order.h"
#include "convert/plan/identify.h"
#include "convert/plan/source_model.h"
#include "convert/safetensors/vocabulary_json.h"
#include "convert/tensor/target_dtype.h"
#include "formats/safetensors/safetensors_layout.h"
#include "formats/safetensors/safetensors_write.h"
#include "model/tokenizer/chat_templates.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::Model;
using model::TensorEntry;

void put_tokenizer(const model::TokenizerData& tokenizer, Json& metadata) {
  metadata.set("ambry.tokenizer", tokenizer_text(tokenizer));
  if (tokenizer.payload.empty()) return;
  if (tokenizer.payload.starts_with('{')) {
    metadata.set("ambry.tokenizer.json", tokenizer.payload);
  } else {
    metadata.set("ambry.tokenizer.model", base64(as_bytes(tokenizer.payload)));
  }
}

Json metadata_of(const Model& source, const Options& options) {
  Json metadata = Json::object();
  metadata.set("format", "pt");  // model loaders expect this
  if (source.metadata.is_object()) {
    for (const auto& [key, value] : source.metadata.members()) {
      metadata.set(key, value.is_string() ? value.string() : value.dump());
    }
  }
  metadata.set("ambry.format", source.format);
  if (source.config.is_object()) metadata.set("ambry.config", source.config.dump());
  if (source.tokenizer) put_tokenizer(*source.tokenizer, metadata);
  if (source.words) metadata.set("ambry.words", words_text(*source.words));
  for (const auto& [key, value] : options.metadata) metadata.set(key, value);
  return metadata;
}

// Readers of safetensors look for chat templates in files beside it.
void warn_of_templates(const Model& source, std::vector<Error>& warnings) {
  const model::ChatTemplates templates = model::chat_templates_of(source.config);
  if (templates.empty()) return;
  const std::string names = comma_list(templates, [](const auto& named) { return named.first; });
  warnings.push_back(make_error(
      ErrorCode::Unsupported, "ambry.config",
      {"the chat templates (", names,
       ") are in this metadata only, where no program looks for them; transformers reads "
       "chat_template.jinja and additional_chat_templates/ beside the weights"}));
}

// EMBD's layout F1 stores linear layers transposed.
bool is_transposed(const Model& source, const TensorEntry& tensor) {
  return source.format == "embd" && source.linear_layout == model::LinearLayout::InOut &&
         tensor.shape.rank() == 2 &&
         !model::canonical_tensor_name(tensor.name).starts_with("embeddings.");
}

Result<void> add(const SourceModel& read, const TensorEntry& from, const Options& options,
                 Plan& plan) {
  Output output;
  output.inputs = {read.input(from)};
  output.transpose = is_transposed(read.model, from);
  TensorEntry target;
  target.name = from.name;
  target.dtype = from.dtype;
  target.shape = output.transpose ? tensor::Shape{from.shape[1], from.shape[0]} : from.shape;
  const bool integers = is_plain(from.dtype) && !is_float(from.dtype);
  if (integers && output.transpose) {
    return error_at(ErrorCode::Unsupported, from.index_offset, from.name,
                    "integer weights stored as [in, out] are not supported");
  }
  if (!integers)
    AMBRY_RETURN_IF_ERROR(
        store_as(formats::safetensors::kHeldTypes, options, output, target, plan.warnings));
  add_output(plan, std::move(target), std::move(output));
  return {};
}

// The widest elements come first and the data starts at a multiple of 8, so each tensor is aligned.
void align(Plan& plan) {
  std::vector<TensorEntry>& tensors = plan.target.tensors;
  const auto order = sorted_order(tensors.size(), [&](uint32_t a, uint32_t b) {
    return tensor::block_of(tensors[a].dtype).bytes > tensor::block_of(tensors[b].dtype).bytes;
  });
  std::vector<TensorEntry> sorted;
  std::vector<Output> outputs;
  for (const uint32_t i : order) {
    sorted.push_back(std::move(tensors[i]));
    outputs.push_back(std::move(plan.outputs[i]));
  }
  tensors = std::move(sorted);
  plan.outputs = std::move(outputs);
}

}  // namespace

Result<Plan> plan_safetensors(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(const std::string_view from, identify(sources, options));
  AMBRY_TRY(SourceModel read, read_source(sources, from));
  Plan plan;
  plan.warnings = std::move(read.warnings);
  plan.target.format = "safetensors";
  plan.target.metadata = metadata_of(read.model, options);
  warn_of_templates(read.model, plan.warnings);
  for (const TensorEntry& tensor : read.model.tensors) {
    AMBRY_RETURN_IF_ERROR(add(read, tensor, options, plan));
  }
  align(plan);
  AMBRY_TRY(plan.layout, formats::safetensors::lay_out(plan.target));
  return plan;
}

}  // namespace ambry::convert
