// The attention of an encoder that a graph is compared with.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "convert/onnx/encoders/encoder_match.h"
#include "kernels/attention/relative_positions.h"

namespace ambry::convert::onnx {
namespace {

using model::EncoderPositions;

// Adding this to a score leaves nothing of its weight.
constexpr double kMasked = -1e4;
// Sines of a runtime that computes in floats differ by less.
constexpr double kRopeError = 5e-4;

// Whether numbers for each score are alike for all heads, and the mask in them is that of the keys.
bool is_key_mask(const Numbers& mask, uint32_t heads) {
  if (mask.dims.size() != 4 || mask.dims[3] != token_dim()) return false;
  if (mask.dims[2] != token_dim() && !mask.dims[2].is(1)) return false;
  const bool batches = mask.dims[0] == batch_dim() || (mask.dims[0].is(1) && !mask.has_mask());
  if (!batches || (mask.has_mask() && mask.mask_axis != 3)) return false;
  if (mask.dims[1].is(1)) return true;
  if (!mask.dims[1].is(heads)) return false;
  for (const auto* list : {&mask.on, &mask.off}) {
    const size_t each = list->size() / heads;
    for (size_t i = each; i < list->size(); ++i) {
      if ((*list)[i] != (*list)[i - each]) return false;
    }
  }
  return true;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-3 * std::abs(b); }

}  // namespace

// The input of attention, from the context that its output layer takes.
Result<TermId> EncoderMatch::attention(TermId context, uint32_t i) {
  const auto heads = static_cast<int64_t>(config_.num_heads);
  const auto width = static_cast<int64_t>(config_.head_dim());
  const Dims all = {batch_dim(), token_dim(), number_dim(heads * width)};
  const Term* merged = terms().is(context, Op::Reshape);
  if (merged == nullptr || merged->dims != all) return fail(context, "expected attention's heads");
  const TermId moved = merged->args[0];
  const Term* back = terms().is(moved, Op::Transpose);
  if (back == nullptr || back->ints != std::vector<int64_t>{0, 2, 1, 3}) {
    return fail(moved, "expected the heads of attention behind the tokens");
  }
  const TermId summed = back->args[0];
  const Term* values = terms().is(summed, Op::Product);
  if (values == nullptr || values->dims.size() != 4 || !values->dims[1].is(heads) ||
      !values->dims.back().is(width)) {
    return fail(summed, {"expected attention with ", config_.num_heads, " heads of ",
                         config_.head_dim(), " numbers"});
  }
  const TermId softmax = values->args[0];
  const TermId value_heads = values->args[1];
  AMBRY_TRY(const Scores found, scores(softmax));
  AMBRY_RETURN_IF_ERROR(check_masks(softmax, found, i));
  const bool has_bias = config_.facts.positions == EncoderPositions::RelativeBuckets;
  if (has_bias != (found.bias != kNone)) {
    return fail(softmax, "the scores of attention have another bias than the architecture");
  }
  if (has_bias) AMBRY_RETURN_IF_ERROR(relative_bias(found.bias));
  const Term& products = terms()[found.products];
  if (!near(found.scale, 1 / std::sqrt(static_cast<double>(width)))) {
    return fail(found.products, "the scale of the scores is not 1 / sqrt(size of a head)");
  }
  TermId queries = products.args[0];
  TermId keys = products.args[1];
  bool keys_turned = true;
  if (config_.facts.positions == EncoderPositions::Rope) {
    if (terms()[keys].dims.size() != 4) return fail(keys, "expected keys of heads");
    AMBRY_TRY(queries, without_rope(queries, i));
    AMBRY_TRY(keys, without_rope(values_.make().transpose(keys, {0, 1, 3, 2}), i));
    keys_turned = false;
  }
  AMBRY_TRY(const TermId input, projection(queries, false, 0, i));
  AMBRY_TRY(const TermId of_keys, projection(keys, keys_turned, 1, i));
  AMBRY_TRY(const TermId of_values, projection(value_heads, false, 2, i));
  if (input == of_keys && input == of_values) return input;
  return fail(summed, "queries, keys and values are made of different inputs");
}

Result<EncoderMatch::Scores> EncoderMatch::scores(TermId softmax) const {
  if (terms().is(softmax, Op::Softmax) == nullptr) return fail(softmax, "expected a softmax");
  Scores out;
  TermId at = terms()[softmax].args[0];
  for (;;) {
    const Term& term = terms()[at];
    if (term.op == Op::AddNumbers) {
      out.masks.push_back(term.numbers);
      at = term.args[0];
    } else if (term.op == Op::Sum && out.bias == kNone) {
      const auto is_score = [&](TermId id) {
        return terms()[id].op == Op::Scale || terms()[id].op == Op::Product;
      };
      const size_t side = is_score(term.args[0]) ? 0 : 1;
      out.bias = term.args[1 - side];
      at = term.args[side];
    } else {
      break;
    }
  }
  if (const Term* scaled = terms().is(at, Op::Scale)) {
    out.scale = scaled->number;
    at = scaled->args[0];
  }
  if (terms().is(at, Op::Product) == nullptr) {
    return fail(at, "expected the products of queries and keys");
  }
  out.products = at;
  return out;
}

// Every token must see those of the text, and in a layer with a window those near it.
Result<void> EncoderMatch::check_masks(TermId at, const Scores& scores, uint32_t i) const {
  const model::EncoderFacts& facts = config_.facts;
  const int64_t n = values_.n_tokens();
  const int64_t reach = facts.is_local(i) ? facts.local_window / 2 : n;
  for (const uint32_t id : scores.masks) {
    if (!is_key_mask(values_.numbers(id), config_.num_heads)) {
      return fail(at, "the mask of attention is not one of the keys' tokens");
    }
  }
  const auto sees = [&](int64_t query, int64_t key, bool on) -> std::optional<bool> {
    bool seen = true;
    for (const uint32_t id : scores.masks) {
      const Numbers& mask = values_.numbers(id);
      const int64_t row = mask.dims[2].is(1) ? 0 : query;
      const auto& list = !on && mask.has_mask() ? mask.off : mask.on;
      const double value = list[static_cast<size_t>(row * n + key)];
      if (value <= kMasked) {
        seen = false;
      } else if (value != 0) {
        return std::nullopt;
      }
    }
    return seen;
  };
  const bool has_mask = std::ranges::any_of(
      scores.masks, [&](uint32_t id) { return values_.numbers(id).has_mask(); });
  for (int64_t query = 0; query < n; ++query) {
    for (int64_t key = 0; key < n; ++key) {
      const bool near_by = std::abs(query - key) <= reach;
      if (sees(query, key, true) != near_by) {
        return fail(at, "the mask of attention hides other tokens than those of the architecture");
      }
      if (has_mask && sees(query, key, false) != false) {
        return fail(at, "the mask of attention does not hide the tokens outside of a text");
      }
    }
  }
  return {};
}

// A number for each head and bucket of distances.
Result<void> EncoderMatch::relative_bias(TermId term) {
  const TermId outer = term;
  if (const Term* repeated = terms().is(term, Op::Repeat)) term = repeated->args[0];
  const Term* reshaped = terms().is(term, Op::Reshape);
  if (reshaped != nullptr) term = reshaped->args[0];
  const Term* moved = terms().is(term, Op::Transpose);
  const Term* table = moved == nullptr ? nullptr : terms().is(moved->args[0], Op::Embed);
  if (table == nullptr || moved->ints != std::vector<int64_t>{2, 0, 1} || table->numbers == kNone) {
    return fail(outer, "expected the bias of relative positions");
  }
  const Dims wanted = {number_dim(1), number_dim(config_.num_heads), token_dim(), token_dim()};
  if (reshaped == nullptr || reshaped->dims != wanted) {
    return fail(outer, "expected the bias of relative positions");
  }
  const Numbers& buckets = values_.numbers(table->numbers);
  const int64_t n = values_.n_tokens();
  for (int64_t query = 0; query < n; ++query) {
    for (int64_t key = 0; key < n; ++key) {
      const uint32_t bucket = kernels::t5_bucket(key - query, config_.facts.relative_buckets,
                                                 config_.facts.max_distance);
      if (buckets.on[static_cast<size_t>(query * n + key)] != bucket) {
        return fail(outer, {"the distance ", static_cast<uint64_t>(std::abs(key - query)),
                            " has another bucket of relative positions"});
      }
    }
  }
  AMBRY_TRY(const std::string_view name, name_of(Role::RelativeBias, 0, outer));
  return take(concat({name, ".weight"}), table->weight, outer);
}

// x * cos + (second half negated, first half) * sin
Result<TermId> EncoderMatch::without_rope(TermId term, uint32_t i) {
  const Term* sum = terms().is(term, Op::Sum);
  if (sum == nullptr) return fail(term, "expected rotary positions");
  const std::array<TermId, 2> parts = {sum->args[0], sum->args[1]};
  const auto half = static_cast<int64_t>(config_.head_dim() / 2);
  for (const size_t side : {size_t{0}, size_t{1}}) {
    const Term* straight = terms().is(parts[side], Op::MulNumbers);
    const Term* turned = terms().is(parts[1 - side], Op::MulNumbers);
    if (straight == nullptr || turned == nullptr) break;
    const TermId x = straight->args[0];
    const TermId rotated = turned->args[0];
    const uint32_t cosines = straight->numbers;
    const uint32_t sines = turned->numbers;
    if (terms()[rotated].op != Op::Concat) continue;
    if (terms()[x].dims.size() != 4 || !terms()[x].dims[3].is(2 * half)) break;
    Terms& make = values_.make();
    const TermId first = make.slice(x, 3, 0, number_dim(half));
    const TermId second = make.scale(make.slice(x, 3, half, number_dim(half)), -1);
    const TermId wanted = make.add(
        {.op = Op::Concat, .dims = Dims(terms()[x].dims), .args = {second, first}, .ints = {3}});
    if (rotated != wanted) break;
    const model::EncoderFacts& facts = config_.facts;
    const bool local = facts.is_local(i) && facts.local_rope_theta > 0;
    const double theta = local ? facts.local_rope_theta : facts.rope_theta;
    AMBRY_RETURN_IF_ERROR(check_rope(term, cosines, false, theta));
    AMBRY_RETURN_IF_ERROR(check_rope(term, sines, true, theta));
    return x;
  }
  return fail(term, "expected rotary positions of two halves");
}

Result<void> EncoderMatch::check_rope(TermId at, uint32_t numbers, bool is_sine,
                                      double theta) const {
  const Numbers& table = values_.numbers(numbers);
  const auto width = static_cast<int64_t>(config_.head_dim());
  const int64_t n = values_.n_tokens();
  const size_t rank = table.dims.size();
  bool fits = rank >= 2 && table.dims[rank - 1].is(width) && table.dims[rank - 2] == token_dim();
  for (size_t i = 0; i + 2 < rank; ++i) {
    fits = fits && (table.dims[i].is(1) || (i == 0 && table.dims[i] == batch_dim()));
  }
  if (!fits || table.has_mask()) return fail(at, "expected angles for each token");
  for (int64_t token = 0; token < n; ++token) {
    for (int64_t j = 0; j < width; ++j) {
      const double pair = static_cast<double>(j % (width / 2)) * 2 / static_cast<double>(width);
      const double angle = static_cast<double>(token) * std::pow(theta, -pair);
      const double wanted = is_sine ? std::sin(angle) : std::cos(angle);
      const double found = table.on[static_cast<size_t>(token * width + j)];
      if (!(std::abs(found - wanted) <= kRopeError)) {
        return fail(at, "the angles of rotary positions are not those of config.json");
      }
    }
  }
  return {};
}

Result<TermId> EncoderMatch::projection(TermId heads, bool keys, uint32_t part, uint32_t i) {
  const std::vector<int64_t> order =
      keys ? std::vector<int64_t>{0, 2, 3, 1} : std::vector<int64_t>{0, 2, 1, 3};
  const Term* moved = terms().is(heads, Op::Transpose);
  const Term* split = moved == nullptr ? nullptr : terms().is(moved->args[0], Op::Reshape);
  const Dims wanted = {batch_dim(), token_dim(), number_dim(config_.num_heads),
                       number_dim(config_.head_dim())};
  if (split == nullptr || moved->ints != order || split->dims != wanted) {
    return fail(heads,
                {"expected ", config_.num_heads, " heads of ", config_.head_dim(), " numbers"});
  }
  const TermId from = split->args[0];
  if (!names_.contains({Role::QueryKeyValue, i})) {
    const Role role = part == 0 ? Role::Query : part == 1 ? Role::Key : Role::Value;
    return linear(from, role, i);
  }
  // A part of one linear layer that makes all three.
  const Term* slice = terms().is(from, Op::Slice);
  if (slice == nullptr) return fail(from, "expected a part of queries, keys and values");
  TermId all = slice->args[0];
  if (const Term* parts = terms().is(all, Op::Reshape)) {
    const Dims three = {wanted[0], wanted[1], number_dim(3), wanted[2], wanted[3]};
    if (parts->dims != three || slice->ints != std::vector<int64_t>{2, part} ||
        !slice->dims[2].is(1)) {
      return fail(from, "expected queries, keys and values one after another");
    }
    all = parts->args[0];
  } else {
    const auto inner = static_cast<int64_t>(config_.inner_size());
    if (slice->ints != std::vector<int64_t>{2, part * inner} || !slice->dims[2].is(inner)) {
      return fail(from, "expected queries, keys and values one after another");
    }
  }
  return linear(all, Role::QueryKeyValue, i);
}

}  // namespace ambry::convert::onnx
