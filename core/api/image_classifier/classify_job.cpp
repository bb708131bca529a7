#include "api/image_classifier/classify_job.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <numeric>
#include <utility>
#include <vector>

#include "api/call/options.h"
#include "io/json/json.h"
#include "kernels/attention/softmax.h"
#include "simd/isa.h"

namespace ambry::api {
namespace {

using infer::CnnTraceEntry;
using io::Json;

Json shape_document(const model::CnnShape& shape) {
  Json document = Json::array();
  for (const uint32_t extent : {shape.channels, shape.height, shape.width}) {
    document.append(extent);
  }
  return document;
}

Json hex_document(uint32_t crc) {
  std::string text(8, '0');
  char digits[8];
  const auto end = std::to_chars(digits, digits + sizeof digits, crc, 16).ptr;
  std::copy(digits, end, text.end() - (end - digits));
  return Json(std::move(text));
}

Json trace_document(const CnnTraceEntry& entry) {
  const bool codes = entry.kind == CnnTraceEntry::Kind::Codes;
  Json document = Json::object();
  document.set("op", entry.op);
  if (entry.kind == CnnTraceEntry::Kind::Value) document.set("index", entry.index);
  if (!codes) document.set("shape", shape_document(entry.shape));
  document.set("dtype", codes ? "i8" : entry.is_bytes ? "u8" : "f32");
  document.set("crc32", hex_document(entry.crc));
  if (codes) {
    document.set("count", entry.count);
    document.set("group", entry.group);
    document.set("scaleCrc32", hex_document(entry.scale_crc));
    if (entry.has_zero_points) {
      document.set("zeroPointCrc32", hex_document(entry.zero_point_crc));
    }
  } else if (entry.is_bytes) {
    document.set("scale", double{entry.form.scale});
    document.set("zeroPoint", int64_t{entry.form.zero_point});
  }
  Json first = Json::array();
  for (size_t i = 0; i < entry.n_first; ++i) first.append(double{entry.first[i]});
  document.set("first", std::move(first));
  return document;
}

Json activations_document(const model::CnnGraph& flow, const infer::CnnActivations& kept) {
  Json list = Json::array();
  for (const infer::CnnActivations::Entry& entry : kept.entries()) {
    Json& item = list.append(Json::object());
    const model::CnnNode* node = entry.value == 0 ? nullptr : &flow.nodes[entry.value - 1];
    item.set("op", node == nullptr ? std::string_view("input") : model::cnn_op_form(node->op).name);
    item.set("index", node == nullptr ? uint32_t{0} : node->index);
    item.set("shape", shape_document(entry.shape));
    item.set("channels", entry.channels);
  }
  return list;
}

Json labels_document(std::span<const float> probabilities, const ClassifyOptions& options,
                     const std::vector<std::string>& names) {
  std::vector<size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // NaN comes last.
  const auto before = [&](size_t a, size_t b) {
    const auto rank = [&](size_t i) { return probabilities[i] >= 0 ? probabilities[i] : -1.0F; };
    return rank(a) != rank(b) ? rank(a) > rank(b) : a < b;
  };
  const size_t k = std::min(options.k, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                    before);
  Json labels = Json::array();
  for (const size_t index : std::span(order).first(k)) {
    if (probabilities[index] < options.threshold) break;
    Json& item = labels.append(Json::object());
    item.set("label", index < names.size() ? names[index] : std::to_string(index));
    item.set("index", uint64_t{index});
    item.set("score", double{probabilities[index]});
  }
  return labels;
}

}  // namespace

Result<ClassifyOptions> ClassifyOptions::read(std::string_view json) {
  AMBRY_TRY(const Json document, io::parse_json(json, 0, "options"));
  ClassifyOptions options;
  if (const Json* k = document.find("k"); k != nullptr && !k->is_null()) {
    if (!k->is_uint() || k->uint() == 0) return bad_option("k", "must be an integer of 1 or more");
    options.k = static_cast<size_t>(std::min<uint64_t>(k->uint(), UINT32_MAX));
  }
  AMBRY_TRY(const double threshold, read_number(document, "threshold", 0));
  if (!(threshold >= 0 && threshold <= 1)) {
    return bad_option("threshold", "must be a number from 0 to 1");
  }
  options.threshold = static_cast<float>(threshold);
  AMBRY_TRY(const std::string mode, read_text(document, "mode", "exact"));
  if (mode != "exact" && mode != "fast") return bad_option("mode", "must be exact or fast");
  if (mode == "fast") options.mode = infer::CnnMode::Fast;
  AMBRY_TRY(options.trace, read_bool(document, "trace", false));
  AMBRY_TRY(options.activations, read_bool(document, "activations", false));
  return options;
}

Result<std::span<float>> ClassifyJob::tensor(uint64_t n_values) { return input_.tensor(n_values); }

Result<MutableBytes> ClassifyJob::picture(uint64_t width, uint64_t height) {
  return input_.picture(facts(), width, height);
}

Result<void> ClassifyJob::start() {
  AMBRY_TRY(model::CnnGraph flow, input_.graph(facts()));
  AMBRY_TRY(auto network, infer::CnnNetwork::create(weights_, std::move(flow)));
  network_ = std::make_unique<infer::CnnNetwork>(std::move(network));
  AMBRY_TRY(const auto values, input_.values(facts(), network_->graph().input));
  if (options_.trace) trace_ = std::make_unique<infer::CnnTrace>(*network_);
  if (options_.activations) {
    activations_ = std::make_unique<infer::CnnActivations>(trace_.get());
  }
  infer::CnnObserver* observer = trace_.get();
  if (activations_) observer = activations_.get();
  AMBRY_TRY(run_, infer::CnnRun::begin(*network_, values, options_.mode, observer));
  return {};
}

std::string ClassifyJob::layers() const {
  assert(network_ != nullptr);
  Json layers = Json::array();
  const auto& nodes = network_->graph().nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    Json& layer = layers.append(Json::object());
    layer.set("op", model::cnn_op_form(nodes[i].op).name);
    layer.set("index", nodes[i].index);
    layer.set("shape", shape_document(network_->shapes()[i + 1]));
  }
  return layers.dump();
}

Result<bool> ClassifyJob::step() {
  if (!run_) return make_error(ErrorCode::BadValue, "job", "the job has not been started");
  if (!run_->done()) AMBRY_RETURN_IF_ERROR(run_->step());
  return run_->done();
}

Result<std::string> ClassifyJob::result() const {
  if (!run_ || !run_->done()) return make_error(ErrorCode::BadValue, "job", "the job is not done");
  AMBRY_TRY(std::vector<float> values, run_->output());
  Json document = Json::object();
  Json& logits = document.set("logits", Json::array());
  for (const float value : values) logits.append(double{value});
  const model::CnnGraph& flow = network_->graph();
  const bool probabilities =
      flow.output > 0 && flow.nodes[flow.output - 1].op == model::CnnOp::Softmax;
  if (!probabilities) kernels::softmax<simd::Baseline>(values);
  document.set("labels", labels_document(values, options_,
                                         plan_ ? plan_->labels : std::vector<std::string>()));
  if (trace_) {
    Json& trace = document.set("trace", Json::array());
    for (const CnnTraceEntry& entry : trace_->entries()) trace.append(trace_document(entry));
  }
  if (activations_) document.set("activations", activations_document(flow, *activations_));
  return document.dump();
}

std::span<const float> ClassifyJob::activation_values() const {
  return activations_ ? activations_->floats() : std::span<const float>();
}

}  // namespace ambry::api
