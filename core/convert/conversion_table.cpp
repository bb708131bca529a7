#include "convert/conversion_table.h"

#include <algorithm>
#include <array>

#include "convert/adapter/merge_adapters.h"
#include "convert/check_target.h"
#include "convert/checkpoint_quantization/decoded_file.h"
#include "convert/cnn/cnn_conversions.h"
#include "convert/decoder/decoder_conversions.h"
#include "convert/encoder/embd_plan.h"
#include "convert/finalfusion/finalfusion_rewrite.h"
#include "convert/gguf/from_gguf.h"
#include "convert/gguf/to_gguf.h"
#include "convert/onnx/cnn/cnn_from_onnx.h"
#include "convert/onnx/undescribed/undescribed_graph.h"
#include "convert/plan/identify.h"
#include "convert/plan/rewrite.h"
#include "convert/quantizations.h"
#include "convert/quantize/quantize_job.h"
#include "convert/safetensors/safetensors_plan.h"
#include "convert/tensor/tensor_job.h"
#include "convert/tokenizer_plan.h"
#include "convert/words/words_job.h"
#include "formats/registry.h"

namespace ambry::convert {
namespace {

Result<void> merge_into(Plan& plan, const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(const std::string_view from, identify(sources, options));
  return merge_adapters(sources, from, options, plan);
}

Result<std::unique_ptr<Job>> started(Plan plan, const Options& options) {
  if (options.quantize && plan.target.format == "amb") {
    if (const auto dtype = amb_quantized_type(options.quantize->type)) {
      return start_quantizing(std::move(plan), *dtype, *options.quantize);
    }
  }
  return start(std::move(plan));
}

template <Result<Plan> (*make_plan)(const SourceFiles&, const Options&)>
Result<std::unique_ptr<Job>> planned(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(Plan plan, make_plan(sources, options));
  if (!options.adapters.empty()) AMBRY_RETURN_IF_ERROR(merge_into(plan, sources, options));
  AMBRY_RETURN_IF_ERROR(check_target(plan, options.to, options));
  auto decoded = plan.decoded;
  auto origins = origins_of(plan);
  AMBRY_TRY(auto job, started(std::move(plan), options));
  return decoding(std::move(job), std::move(decoded), std::move(origins));
}

using formats::wordvec::Form;
constexpr BeginJob kFromWord2Vec = begin_records<Form::Word2Vec>;
constexpr BeginJob kFromText = begin_records<Form::Text>;
constexpr BeginJob kFromTextDims = begin_records<Form::TextDims>;
constexpr BeginJob kFromFloret = begin_records<Form::Floret>;

// Only config.json describes a graph. Without it the graph itself says why it is not read.
template <Result<Plan> (*make_plan)(const SourceFiles&, const Options&)>
Result<Plan> described(const SourceFiles& sources, const Options& options) {
  AMBRY_RETURN_IF_ERROR(onnx::check_described(sources));
  return make_plan(sources, options);
}

constexpr std::array kOnnxConversions = {
    ConversionRow{"onnx", "alt", planned<described<plan_alt_from_directory>>},
    ConversionRow{"onnx", "amb", planned<described<plan_amb_from_directory>>},
    ConversionRow{"onnx", "embd", planned<described<plan_embd>>},
    ConversionRow{"onnx", "tinyruntime", planned<plan_cnn_from_onnx>},
};

// In the order of the source formats.
constexpr std::array kConversions = {
    ConversionRow{"alt", "alt", planned<plan_alt_from_alt>},
    ConversionRow{"alt", "amb", planned<plan_amb_from_alt>},
    ConversionRow{"alt", "safetensors", planned<plan_safetensors>},
    ConversionRow{"alt", "gguf", planned<plan_gguf_from_decoder>},
    ConversionRow{"amb", "alt", planned<plan_alt_from_amb>},
    ConversionRow{"amb", "amb", planned<plan_amb_from_amb>},
    ConversionRow{"amb", "safetensors", planned<plan_safetensors>},
    ConversionRow{"amb", "gguf", planned<plan_gguf_from_decoder>},
    ConversionRow{"embd", "embd", planned<plan_embd_from_embd>},
    ConversionRow{"embd", "safetensors", planned<plan_safetensors>},
    ConversionRow{"embd", "gguf", planned<plan_gguf_from_embd>},
    ConversionRow{"gguf", "alt", planned<plan_alt_from_gguf>},
    ConversionRow{"gguf", "amb", planned<plan_amb_from_gguf>},
    ConversionRow{"gguf", "embd", planned<plan_embd_from_gguf>},
    ConversionRow{"gguf", "gguf", planned<plan_gguf_from_gguf>},
    ConversionRow{"llama2c", "alt", planned<plan_alt_from_llama2c>},
    ConversionRow{"llama2c", "amb", planned<plan_amb_from_llama2c>},
    kOnnxConversions[0],
    kOnnxConversions[1],
    kOnnxConversions[2],
    kOnnxConversions[3],
    ConversionRow{"pytorch", "alt", planned<plan_alt_from_directory>},
    ConversionRow{"pytorch", "amb", planned<plan_amb_from_directory>},
    ConversionRow{"pytorch", "embd", planned<plan_embd>},
    ConversionRow{"pytorch", "safetensors", planned<plan_safetensors>},
    ConversionRow{"pytorch", "tinyruntime", planned<plan_cnn_from_pytorch>},
    ConversionRow{"safetensors", "alt", planned<plan_alt_from_directory>},
    ConversionRow{"safetensors", "amb", planned<plan_amb_from_directory>},
    ConversionRow{"safetensors", "embd", planned<plan_embd>},
    ConversionRow{"safetensors", "tinyruntime", planned<plan_cnn_from_safetensors>},
    ConversionRow{"tinyruntime", "tinyruntime", planned<plan_cnn_from_tinyruntime>},
    ConversionRow{"word2vec", "finalfusion", kFromWord2Vec},
    ConversionRow{"word2vec", "word2vec", kFromWord2Vec},
    ConversionRow{"word2vec", "text", kFromWord2Vec},
    ConversionRow{"word2vec", "textdims", kFromWord2Vec},
    ConversionRow{"word2vec", "fasttext", kFromWord2Vec},
    ConversionRow{"text", "finalfusion", kFromText},
    ConversionRow{"text", "word2vec", kFromText},
    ConversionRow{"text", "text", kFromText},
    ConversionRow{"text", "textdims", kFromText},
    ConversionRow{"text", "fasttext", kFromText},
    ConversionRow{"textdims", "finalfusion", kFromTextDims},
    ConversionRow{"textdims", "word2vec", kFromTextDims},
    ConversionRow{"textdims", "text", kFromTextDims},
    ConversionRow{"textdims", "textdims", kFromTextDims},
    ConversionRow{"textdims", "fasttext", kFromTextDims},
    ConversionRow{"fasttext", "finalfusion", begin_fasttext},
    ConversionRow{"fasttext", "word2vec", begin_fasttext},
    ConversionRow{"fasttext", "text", begin_fasttext},
    ConversionRow{"fasttext", "textdims", begin_fasttext},
    ConversionRow{"finalfusion", "finalfusion", begin_finalfusion_rewrite},
    ConversionRow{"finalfusion", "safetensors", planned<plan_safetensors>},
    ConversionRow{"finalfusion", "word2vec", begin_from_finalfusion},
    ConversionRow{"finalfusion", "text", begin_from_finalfusion},
    ConversionRow{"finalfusion", "textdims", begin_from_finalfusion},
    ConversionRow{"finalfusion", "fasttext", begin_from_finalfusion},
    ConversionRow{"finalfusion", "floret", begin_from_finalfusion},
    ConversionRow{"floret", "finalfusion", kFromFloret},
    ConversionRow{"floret", "floret", kFromFloret},
    ConversionRow{"tinyruntime", "safetensors", planned<plan_safetensors>},
};

// Writes the tokenizer of a directory alone.
Result<std::unique_ptr<Job>> tokenizer_alone(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(Plan plan, plan_tokenizer(sources, options));
  return start(std::move(plan));
}

// Rewrites any format without changes.
constexpr BeginJob kRewrite = planned<plan_rewrite>;

}  // namespace

[[gnu::weak]] std::span<const ConversionRow> conversions() { return kConversions; }
std::span<const ConversionRow> onnx_conversions() { return kOnnxConversions; }

Result<ConversionRow> find_conversion(std::string_view from, const Options& options) {
  const auto row = std::ranges::find_if(conversions(), [&](const ConversionRow& known) {
    return known.from == from && known.to == options.to;
  });
  if (row != conversions().end()) {
    return options.tokenizer_only ? ConversionRow{from, row->to, tokenizer_alone} : *row;
  }
  if (from == options.to && formats::find_format(from) != nullptr) {
    return ConversionRow{from, from, kRewrite};
  }
  return make_error(ErrorCode::Unsupported, "options.to",
                    {"conversion from ", from, " to ", options.to, " is not supported"});
}

}  // namespace ambry::convert
