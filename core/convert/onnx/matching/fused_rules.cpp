// Operators of onnxruntime that are several steps of an encoder in one. They become the same terms
// as the single steps.
#include <array>
#include <cmath>
#include <utility>

#include "convert/onnx/matching/graph_values.h"
#include "convert/onnx/matching/rule_arguments.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::kNoName;
using formats::onnx::Node;

// What the operators add to the scores of masked tokens, unless an attribute says so.
constexpr float kFilter = -10'000;

// Rows `first` to `first + n` of a weight, or of a vector.
std::optional<OnnxWeight> rows_of(OnnxWeight weight, uint64_t first, uint64_t n) {
  model::TensorEntry& entry = weight.input.tensor;
  const size_t rank = entry.shape.rank();
  if (weight.packed || !weight.given.empty() || rank == 0 || rank > 2) return std::nullopt;
  if (first + n > entry.shape[0]) return std::nullopt;
  const uint64_t size = entry.bytes / *entry.shape.count();
  const uint64_t cols = rank == 2 ? entry.shape[1] : 1;
  const auto& strides = weight.input.strides;
  entry.offset += first * size * (strides.empty() ? cols : strides[0]);
  entry.shape = rank == 2 ? tensor::Shape{n, cols} : tensor::Shape{n};
  entry.bytes = n * cols * size;
  return weight;
}

// Queries, keys or values: [texts, tokens, heads * width] becomes [texts, heads, tokens, width].
TermId heads_of(GraphValues& values, TermId from, int64_t heads, bool turned) {
  const Dims dims = values.terms()[from].dims;
  const Dims split = {dims[0], dims[1], number_dim(heads), number_dim(dims[2].factor / heads)};
  const TermId apart = values.make().reshape(from, split);
  return values.make().transpose(
      apart, turned ? std::vector<int64_t>{0, 2, 3, 1} : std::vector<int64_t>{0, 2, 1, 3});
}

// Numbers that are added to the scores, from a mask of the keys. kNone where it is none.
Result<uint32_t> mask_numbers(GraphValues& values, NameId name, double low) {
  if (const auto lengths = values.term_of(name)) {
    // The number of tokens: those after it are masked.
    if (values.terms().is(*lengths, Op::TokenCount) == nullptr) return uint32_t{kNone};
    Numbers mask;
    mask.dims = {batch_dim(), number_dim(1), number_dim(1), token_dim()};
    mask.on.assign(static_cast<size_t>(values.n_tokens()), 0);
    mask.off.assign(static_cast<size_t>(values.n_tokens()), low);
    mask.mask_axis = 3;
    return values.add(std::move(mask)).at;
  }
  AMBRY_TRY(const Numbers* from, values.numbers_of(name));
  if (from == nullptr || !from->has_mask() || from->dims != Dims{batch_dim(), token_dim()}) {
    return uint32_t{kNone};
  }
  Numbers mask = *from;
  mask.type = Numbers::Type::Float;
  mask.dims = {batch_dim(), number_dim(1), number_dim(1), token_dim()};
  mask.mask_axis = 3;
  for (auto* list : {&mask.on, &mask.off}) {
    for (double& value : *list) value = value > 0 ? 0 : low;
  }
  return values.add(std::move(mask)).at;
}

struct Parts {
  TermId query = kNone;
  TermId key = kNone;
  TermId value = kNone;
  NameId mask = kNoName;
  NameId bias = kNoName;  // of the scores
};

Result<Value> attend(GraphValues& values, const Node& node, const Parts& parts) {
  const OnnxFile& file = values.file();
  const int64_t heads = file.int_of(node, "num_heads", 0);
  const Dims dims = values.terms()[parts.query].dims;
  if (heads <= 0 || dims.size() != 3 || !dims[2].is_number() || dims[2].factor % heads != 0 ||
      values.terms()[parts.key].dims != dims || values.terms()[parts.value].dims != dims) {
    return values.unknown();
  }
  if (file.int_of(node, "unidirectional", 0) != 0 || file.int_of(node, "do_rotary", 0) != 0) {
    return values.unknown();
  }
  const double width = static_cast<double>(dims[2].factor) / static_cast<double>(heads);
  const double stated = file.float_of(node, "scale", 0);
  Terms& make = values.make();
  const TermId query = heads_of(values, parts.query, heads, false);
  const TermId key = heads_of(values, parts.key, heads, true);
  const Dims square = {dims[0], number_dim(heads), dims[1], dims[1]};
  TermId scores = make.product(query, key, square);
  scores = make.scale(scores, stated == 0 ? 1 / std::sqrt(width) : stated);
  if (parts.bias != kNoName) {
    AMBRY_TRY(const Numbers* bias, values.numbers_of(parts.bias));
    const Value found = values.value(parts.bias);
    if (bias == nullptr || found.kind != Value::Kind::Numbers ||
        broadcast(square, bias->dims) != square) {
      return values.unknown();
    }
    scores =
        make.add({.op = Op::AddNumbers, .dims = square, .args = {scores}, .numbers = found.at});
  }
  if (parts.mask != kNoName) {
    const double low = file.float_of(node, "mask_filter_value", kFilter);
    AMBRY_TRY(const uint32_t mask, mask_numbers(values, parts.mask, low));
    if (mask == kNone) return values.unknown();
    scores = make.add({.op = Op::AddNumbers, .dims = square, .args = {scores}, .numbers = mask});
  }
  const TermId weights = make.add({.op = Op::Softmax, .dims = square, .args = {scores}});
  const TermId value = heads_of(values, parts.value, heads, false);
  const Dims each = values.terms()[query].dims;
  const TermId context = make.transpose(make.product(weights, value, each), {0, 2, 1, 3});
  return GraphValues::term(make.reshape(context, dims));
}

// Whether the node has no inputs from this number on, but those of `known`.
bool ends_at(const OnnxFile& file, const Node& node, size_t first) {
  for (size_t i = first; i < node.n_inputs; ++i) {
    if (file.input(node, i) != kNoName) return false;
  }
  return true;
}

// Attention(x, weight, bias, mask, past, bias of the scores): one matrix makes all three.
Result<Value> attention_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const auto x = values.term_of(file.input(node, 0));
  AMBRY_TRY(auto weight, find_weight(file, file.input(node, 1)));
  if (!x || !weight || file.input(node, 4) != kNoName || !ends_at(file, node, 6)) {
    return values.unknown();
  }
  weight = transposed(std::move(*weight));
  AMBRY_TRY(auto bias, find_weight(file, file.input(node, 2)));
  if (!weight || weight->shape().rank() != 2 || weight->shape()[0] % 3 != 0) {
    return values.unknown();
  }
  const uint64_t inner = weight->shape()[0] / 3;
  const auto sizes = file.ints_of(node, "qkv_hidden_sizes");
  if (sizes && *sizes != std::vector<int64_t>(3, static_cast<int64_t>(inner))) {
    return values.unknown();
  }
  if (!values.terms()[*x].dims.back().is(static_cast<int64_t>(weight->shape()[1]))) {
    return values.unknown();
  }
  std::array<TermId, 3> made{};
  for (size_t part = 0; part < 3; ++part) {
    auto own = rows_of(*weight, part * inner, inner);
    if (!own) return values.unknown();
    uint32_t own_bias = kNone;
    if (bias) {
      auto vector = bias->shape().rank() == 1 ? rows_of(*bias, part * inner, inner) : std::nullopt;
      if (!vector) return values.unknown();
      own_bias = values.add_weight(std::move(*vector));
    }
    made[part] = values.make().linear(*x, values.add_weight(std::move(*own)), own_bias,
                                      number_dim(static_cast<int64_t>(inner)));
  }
  return attend(values, node,
                {made[0], made[1], made[2], file.input(node, 3), file.input(node, 5)});
}

// MultiHeadAttention(query, key, value, bias, mask, bias of the scores)
Result<Value> multi_head_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  std::array<TermId, 3> made{};
  AMBRY_TRY(auto bias, find_weight(file, file.input(node, 3)));
  if (!bias && file.input(node, 3) != kNoName) return values.unknown();
  for (size_t part = 0; part < 3; ++part) {
    const auto x = values.term_of(file.input(node, part));
    if (!x) return values.unknown();
    made[part] = *x;
    if (!bias) continue;
    const Dim width = values.terms()[*x].dims.back();
    const auto inner = static_cast<uint64_t>(width.factor);
    auto own = bias->shape().rank() == 1 && bias->shape()[0] == 3 * inner
                   ? rows_of(*bias, part * inner, inner)
                   : std::nullopt;
    if (!own || !width.is_number()) return values.unknown();
    made[part] = values.make().add_weight(*x, values.add_weight(std::move(*own)));
  }
  if (!ends_at(file, node, 6)) return values.unknown();
  return attend(values, node,
                {made[0], made[1], made[2], file.input(node, 4), file.input(node, 5)});
}

// EmbedLayerNormalization(ids, types, words, positions, types' table, weight, bias, mask)
Result<Value> embed_norm_rule(GraphValues& values, const Node& node) {
  const OnnxFile& file = values.file();
  const auto ids = values.term_of(file.input(node, 0));
  const auto types = values.term_of(file.input(node, 1));
  if (!ids || values.terms()[*ids].dims != Dims{batch_dim(), token_dim()}) return values.unknown();
  if (file.input(node, 1) != kNoName && !types) return values.unknown();
  if (!ends_at(file, node, 8)) return values.unknown();
  Numbers places;
  places.type = Numbers::Type::Int;
  places.dims = {number_dim(1), token_dim()};
  for (int64_t i = 0; i < values.n_tokens(); ++i) places.on.push_back(static_cast<double>(i));
  const uint32_t positions = values.add(std::move(places)).at;
  Terms& make = values.make();
  TermId sum = kNone;
  Dims dims;
  for (const size_t table : {size_t{2}, size_t{3}, size_t{4}}) {
    if (table == 4 && !types) break;
    AMBRY_TRY(auto weight, find_weight(file, file.input(node, table)));
    if (!weight || weight->shape().rank() != 2) return values.unknown();
    Term term{.op = Op::Embed};
    term.dims = {batch_dim(), token_dim(), number_dim(static_cast<int64_t>(weight->shape()[1]))};
    if (sum != kNone && term.dims != dims) return values.unknown();
    dims = term.dims;
    if (table == 3) {
      term.numbers = positions;
    } else {
      term.args = {table == 2 ? *ids : *types};
    }
    term.weight = values.add_weight(std::move(*weight));
    const TermId rows = make.add(std::move(term));
    sum = sum == kNone ? rows : make.sum(sum, rows, dims);
  }
  AMBRY_TRY(const uint32_t weight, values.vector_of(file.input(node, 5), dims.back()));
  AMBRY_TRY(const uint32_t bias, values.vector_of(file.input(node, 6), dims.back()));
  if (weight == kNone || bias == kNone) return values.unknown();
  const NameId mask = file.input(node, 7);
  const bool counts = file.int_of(node, "mask_index_type", mask == kNoName ? 0 : 1) == 1;
  if (mask != kNoName && counts) {
    AMBRY_TRY(const Numbers* from, values.numbers_of(mask));
    const bool fits = from != nullptr && from->has_mask() &&
                      from->dims == Dims{batch_dim(), token_dim()} && from->on.front() == 1 &&
                      from->off.front() == 0;
    if (fits && file.output(node, 1) != kNoName) {
      values.set(file.output(node, 1),
                 GraphValues::term(make.add({.op = Op::TokenCount, .dims = {batch_dim()}})));
    }
  }
  if (file.output(node, 2) != kNoName) values.set(file.output(node, 2), GraphValues::term(sum));
  const double epsilon = file.float_of(node, "epsilon", 1e-12F);
  return GraphValues::term(make.norm(sum, weight, bias, epsilon));
}

constexpr std::array kFusedRules = {RuleRow{"Attention", attention_rule},
                                    RuleRow{"MultiHeadAttention", multi_head_rule},
                                    RuleRow{"EmbedLayerNormalization", embed_norm_rule}};

}  // namespace

Rule fused_rule(std::string_view op_type) { return find_rule(kFusedRules, op_type); }

}  // namespace ambry::convert::onnx
