#include "convert/cnn/cnn_quantize.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "formats/tinyruntime/tinyruntime_write.h"
#include "model/cnn/cnn_table.h"
#include "model/encoder/encoder_tensors.h"
#include "model/file/tensor_index.h"
#include "tensor/codec/codes/group_codes.h"

namespace ambry::convert {
namespace {

using model::CnnKind;
using model::CnnLayer;
using model::CnnRanges;
using model::CnnTable;
using model::CnnTensor;
using model::CnnVariant;
using model::ObservedRange;

// The arithmetic of the exporter's observers (core/formats/tinyruntime/README.md#sq8-codes):
// weights use the 255 steps of int8, activations the lower half of uint8. No scale is below float's
// epsilon.
constexpr float kWeightSteps = 127.5F;
constexpr float kActivationSteps = 127.0F;
constexpr float kMinScale = std::numeric_limits<float>::epsilon();

Result<CnnTable> vanilla_table(const Plan& vanilla) {
  AMBRY_TRY(CnnTable table, model::cnn_table(vanilla.target.config));
  if (table.variant == CnnVariant::Vanilla) return table;
  return make_error(
      ErrorCode::Unsupported, "config.variant",
      {model::cnn_variant_name(table.variant), " is already quantized; use the float network"});
}

// The float tensor that this one is made from, and how.
using Coded = std::optional<std::pair<std::string, GroupCoding>>;

// Gives each layer of `table` its tensors. `coding_of` says how integer tensors and their
// parameters are made; the other tensors are kept.
template <class CodingOf>
Result<Plan> recode(Plan vanilla, const CnnTable& table, const CodingOf& coding_of) {
  Plan plan;
  plan.warnings = std::move(vanilla.warnings);
  const model::TensorIndex index(vanilla.target.tensors);
  for (const CnnKind kind : model::kCnnKinds) {
    for (size_t i = 0; i < table.of(kind).size(); ++i) {
      for (CnnTensor& tensor : model::cnn_tensors(table, kind, i)) {
        const Coded coded = kind == CnnKind::BatchNorm ? Coded() : coding_of(kind, i, tensor.name);
        const model::TensorEntry* floats = index.find(coded ? coded->first : tensor.name);
        assert(floats != nullptr);  // the same layers have the same weights and biases
        Output output =
            vanilla.outputs[static_cast<size_t>(floats - vanilla.target.tensors.data())];
        if (coded) {
          output.method = Method::Groups;
          output.groups = coded->second;
        }
        model::TensorEntry entry;
        entry.name = std::move(tensor.name);
        entry.dtype = tensor.dtype;
        entry.shape = tensor.shape;
        add_output(plan, std::move(entry), std::move(output));
      }
    }
  }
  plan.target.format = "tinyruntime";
  plan.target.version = model::cnn_variant_name(table.variant);
  plan.target.config = model::cnn_config(table);
  AMBRY_TRY(plan.layout, formats::tinyruntime::lay_out(plan.target));
  return plan;
}

Coded dq8_coding(const CnnLayer& layer, bool asymmetric, std::string_view name) {
  GroupCoding coding;
  coding.asymmetric = asymmetric;
  for (const auto& [base, group] :
       {std::pair("weight", layer.weight_group), std::pair("bias", layer.bias_group)}) {
    coding.size = static_cast<uint64_t>(group);
    const size_t at = name.find(base);
    if (at == std::string_view::npos) continue;
    const std::string floats(name.substr(0, at + std::string_view(base).size()));
    coding.part = name == floats                      ? GroupCoding::Part::Codes
                  : name == model::scale_name(floats) ? GroupCoding::Part::Scales
                                                      : GroupCoding::Part::ZeroPoints;
    return std::pair(floats, coding);
  }
  return std::nullopt;
}

float weight_scale(float largest) { return std::max(largest / kWeightSteps, kMinScale); }

model::CnnActivation activation_of(const ObservedRange& range) {
  const float low = std::min(range.low, 0.0F);
  const float high = std::max(range.high, 0.0F);
  const float scale = std::max((high - low) / kActivationSteps, kMinScale);
  const float zero_point = std::clamp(-std::nearbyint(low / scale), 0.0F, kActivationSteps);
  return {scale, static_cast<int32_t>(zero_point)};
}

Result<void> check_ranges(const CnnTable& table, const CnnRanges& ranges) {
  const auto bad = [](const Text& message) {
    return make_error(ErrorCode::BadValue, "ranges", message);
  };
  if (ranges.conv_weights.size() != table.convs.size() ||
      ranges.linear_weights.size() != table.linears.size() ||
      ranges.conv_flows.size() != table.convs.size() ||
      ranges.linear_flows.size() != table.linears.size()) {
    return bad("the ranges are not those of this network's layers");
  }
  for (const auto* flows : {&ranges.conv_flows, &ranges.linear_flows}) {
    for (const CnnRanges::Flow& flow : *flows) {
      if (std::max(flow.in, flow.out) >= ranges.activations.size()) {
        return bad("a layer lies between activations that were not observed");
      }
    }
  }
  for (const ObservedRange& range : ranges.activations) {
    if (!std::isfinite(range.low) || !std::isfinite(range.high) || range.low > range.high) {
      return bad("an activation is not finite or was never observed");
    }
  }
  return {};
}

}  // namespace

Result<Plan> plan_dq8(Plan vanilla, uint64_t group, bool asymmetric) {
  if (group == 0) return make_error(ErrorCode::BadValue, "options.group", "must be at least 1");
  AMBRY_TRY(CnnTable table, vanilla_table(vanilla));
  table.variant = CnnVariant::Dq8;
  table.asymmetric = asymmetric;
  for (const CnnKind kind : {CnnKind::Conv, CnnKind::Linear}) {
    for (CnnLayer& layer : table.of(kind)) {
      const auto out = static_cast<uint64_t>(layer.out);
      layer.weight_group = static_cast<int32_t>(tensor::choose_group(layer.row(), group));
      if (layer.bias == 0) continue;
      layer.bias_group = static_cast<int32_t>(tensor::choose_group(out, group));
    }
  }
  return recode(std::move(vanilla), table, [&](CnnKind kind, size_t i, std::string_view name) {
    return dq8_coding(table.of(kind)[i], asymmetric, name);
  });
}

Result<Plan> plan_sq8(Plan vanilla, const CnnRanges& ranges) {
  AMBRY_TRY(CnnTable table, vanilla_table(vanilla));
  AMBRY_RETURN_IF_ERROR(check_ranges(table, ranges));
  table.variant = CnnVariant::Sq8;
  table.asymmetric = true;
  for (const ObservedRange& range : ranges.activations) {
    table.activations.push_back(activation_of(range));
  }
  const auto flows_of = [&](CnnKind kind) -> const std::vector<CnnRanges::Flow>& {
    return kind == CnnKind::Conv ? ranges.conv_flows : ranges.linear_flows;
  };
  for (const CnnKind kind : {CnnKind::Conv, CnnKind::Linear}) {
    const auto& weights = kind == CnnKind::Conv ? ranges.conv_weights : ranges.linear_weights;
    for (size_t i = 0; i < table.of(kind).size(); ++i) {
      CnnLayer& layer = table.of(kind)[i];
      const model::CnnActivation& out = table.activations[flows_of(kind)[i].out];
      layer.weight_scale = weight_scale(weights[i]);
      layer.out_scale = out.scale;
      layer.out_zero_point = out.zero_point;
    }
  }
  return recode(std::move(vanilla), table, [&](CnnKind kind, size_t i, std::string_view name) {
    GroupCoding coding;
    const bool bias = name.ends_with("bias");
    coding.part = bias ? GroupCoding::Part::StaticBiases : GroupCoding::Part::StaticCodes;
    coding.scale = table.of(kind)[i].weight_scale;
    if (bias) coding.scale *= table.activations[flows_of(kind)[i].in].scale;
    return Coded(std::pair(std::string(name), coding));
  });
}

}  // namespace ambry::convert
