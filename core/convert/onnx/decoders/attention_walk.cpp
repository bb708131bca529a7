// The nodes around GroupQueryAttention.
#include <array>
#include <string>
#include <utility>

#include "base/concat.h"
#include "convert/onnx/decoders/decoder_walk.h"
#include "convert/onnx/decoders/weight_rows.h"

namespace ambry::convert::onnx {

using formats::onnx::kNoName;
using formats::onnx::Node;

namespace {

// The inputs of GroupQueryAttention.
enum AttentionInput : uint8_t {
  kQuery,
  kKey,
  kValue,
  kPastKey,
  kPastValue,
  kLengths,
  kTotalLength,
  kCosines,
  kSines,
  kFirstUnknown,
  kQueryNorm = 14,
  kKeyNorm,
};

}  // namespace

// A window that is not shorter than the longest text is none.
Result<void> DecoderWalk::check_window(const Node& node, uint32_t layer) const {
  const int64_t stated = file_.int_of(node, "local_window_size", -1);
  const uint32_t wanted = facts_.window_of(layer);
  const bool same = wanted == 0 ? stated == -1 || stated >= int64_t{facts_.max_seq_len}
                                : stated == int64_t{wanted};
  if (same) return {};
  return file_.refuse(node, "local_window_size is not the window that config.json states");
}

// The number of tokens before the last one is the sum of the mask minus 1, and the length that of
// the mask.
Result<void> DecoderWalk::mask(const Node& node) {
  const NameId lengths = file_.input(node, kLengths);
  const NameId total = file_.input(node, kTotalLength);
  AMBRY_TRY(const Node* cast, nodes_.expect(lengths, "Cast", {}, 1, {{"to", 6, 0}}));
  AMBRY_TRY(const Node* minus, nodes_.expect(file_.input(*cast, 0), "Sub", {}, 2));
  AMBRY_RETURN_IF_ERROR(nodes_.expect_integers(*minus, file_.input(*minus, 1), {1}));
  AMBRY_TRY(const Node* sum, nodes_.expect(file_.input(*minus, 0), "ReduceSum", {}, 2,
                                           {{"keepdims", 0, 1}, {"noop_with_empty_axes", 0, 0}}));
  AMBRY_RETURN_IF_ERROR(nodes_.expect_integers(*sum, file_.input(*sum, 1), {1}));
  AMBRY_TRY(const Node* other, nodes_.expect(total, "Cast", {}, 1, {{"to", 6, 0}}));
  AMBRY_RETURN_IF_ERROR(mask_length(file_.input(*other, 0)));
  if (is_input(file_.input(*sum, 0), "attention_mask")) return {};
  return file_.refuse(*sum, "expected the input attention_mask");
}

// The value is how many tokens the mask has.
Result<void> DecoderWalk::mask_length(NameId value) {
  AMBRY_TRY(const Node* gather, nodes_.expect(value, "Gather", {}, 2, {{"axis", 0, 0}}));
  AMBRY_RETURN_IF_ERROR(nodes_.expect_integers(*gather, file_.input(*gather, 1), {1}));
  AMBRY_TRY(const Node* shape, nodes_.expect(file_.input(*gather, 0), "Shape", {}, 1));
  if (is_input(file_.input(*shape, 0), "attention_mask")) return {};
  return file_.refuse(*shape, "expected the input attention_mask");
}

// Names say which cache a runtime feeds back.
Result<void> DecoderWalk::cache(const Node& node, uint32_t layer) {
  constexpr std::array<std::string_view, 2> kParts = {".key", ".value"};
  for (size_t i = 0; i < kParts.size(); ++i) {
    const NameId past = nodes_.before_casts(file_.input(node, kPastKey + i));
    const NameId present = file_.model().names.find(concat({"present.", layer, kParts[i]}));
    const bool same = is_input(past, concat({"past_key_values.", layer, kParts[i]})) &&
                      present != kNoName &&
                      nodes_.before_casts(present) == file_.output(node, 1 + i);
    if (!same) {
      return file_.refuse(node, {"expected the cache past_key_values.", layer, kParts[i],
                                 " and present.", layer, kParts[i]});
    }
    caches_.insert(present);
  }
  return {};
}

// What the norm of each head is applied to.
Result<NameId> DecoderWalk::head_norm(NameId value, Role role, uint32_t layer, uint32_t n_heads) {
  const int64_t head_dim = facts_.head_dim;
  AMBRY_TRY(const Node* joined, nodes_.expect(value, "Reshape", {}, 2, {{"allowzero", 0, 0}}));
  AMBRY_RETURN_IF_ERROR(
      nodes_.expect_integers(*joined, file_.input(*joined, 1), {0, -1, n_heads * head_dim}));
  AMBRY_TRY(value, plain_norm(file_.input(*joined, 0), role, layer));
  AMBRY_TRY(const Node* split, nodes_.expect(value, "Reshape", {}, 2, {{"allowzero", 0, 0}}));
  AMBRY_RETURN_IF_ERROR(nodes_.expect_integers(*split, file_.input(*split, 1), {0, -1, head_dim}));
  return file_.input(*split, 0);
}

Result<void> DecoderWalk::fused_norms(const Node& node, uint32_t layer) {
  const float epsilon = file_.float_of(node, "qk_norm_epsilon", 1e-6F);
  if (epsilon != static_cast<float>(facts_.norm_eps)) {
    return file_.refuse(node, "qk_norm_epsilon is not the one that config.json states");
  }
  for (const auto& [input, role] :
       {std::pair{kQueryNorm, Role::QueryNorm}, std::pair{kKeyNorm, Role::KeyNorm}}) {
    AMBRY_TRY(OnnxWeight weight, nodes_.expect_weight(node, file_.input(node, input)));
    found(role, layer, std::move(weight));
  }
  return {};
}

// Queries and keys before they are normalized and rotated.
Result<DecoderWalk::Heads> DecoderWalk::heads_of(const Node& node, uint32_t layer) {
  for (size_t i = kFirstUnknown; i < kQueryNorm; ++i) {
    if (file_.input(node, i) == kNoName) continue;
    return file_.refuse(
        node, {"the input ", i, " (", nodes_.name_of(file_.input(node, i)), ") is not known here"});
  }
  Heads heads{file_.input(node, kQuery), file_.input(node, kKey), file_.input(node, kValue)};
  const bool packed = heads.key == kNoName && heads.value == kNoName;
  const int64_t fused = file_.int_of(node, "do_rotary", 0);
  const bool rotates = facts_.is_rotated(layer);
  if (fused != 0 && (fused != 1 || !rotates)) {
    return file_.refuse(node, "it rotates the heads of a layer that does not rotate");
  }
  const bool apart = rotates && fused == 0;
  const bool fused_norm = file_.input(node, kQueryNorm) != kNoName;
  const bool norms = has(Role::QueryNorm) && !fused_norm;
  if (packed && (apart || norms)) {
    return file_.refuse(node, "expected queries, keys and values as inputs of their own");
  }
  if (fused == 1) {
    AMBRY_RETURN_IF_ERROR(
        rotations(node, file_.input(node, kCosines), file_.input(node, kSines), layer));
  } else if (file_.input(node, kCosines) != kNoName || file_.input(node, kSines) != kNoName) {
    return file_.refuse(node, "it has tables of rotations and does not rotate");
  }
  if (fused_norm && (!has(Role::QueryNorm) || apart)) {
    return file_.refuse(node, "the norms of queries and keys are not expected here");
  }
  if (fused_norm) AMBRY_RETURN_IF_ERROR(fused_norms(node, layer));
  const auto unrolled = [&](NameId value, Role role, uint32_t n_heads) -> Result<NameId> {
    if (apart) AMBRY_TRY(value, rotary(value, layer, n_heads));
    return norms ? head_norm(value, role, layer, n_heads) : Result<NameId>(value);
  };
  AMBRY_TRY(heads.query, unrolled(heads.query, Role::QueryNorm, facts_.n_heads));
  if (!packed) AMBRY_TRY(heads.key, unrolled(heads.key, Role::KeyNorm, facts_.n_kv_heads));
  return heads;
}

// What all three are made of.
Result<NameId> DecoderWalk::projections(Heads heads, uint32_t layer) {
  if (heads.key == kNoName) return packed_projection(heads.query, layer);
  const int64_t queries = int64_t{facts_.n_heads} * facts_.head_dim;
  const int64_t keys = int64_t{facts_.n_kv_heads} * facts_.head_dim;
  heads.query = nodes_.before_casts(heads.query);
  if (nodes_.is(heads.query, "Split")) {
    AMBRY_TRY(const Node* split,
              nodes_.expect(heads.query, "Split", {}, 2, {{"axis", kAnyNumber, 0}}));
    const int64_t axis = file_.int_of(*split, "axis", 0);
    if ((axis != -1 && axis != 2) || file_.output(*split, 1) != nodes_.before_casts(heads.key) ||
        file_.output(*split, 2) != nodes_.before_casts(heads.value)) {
      return file_.refuse(*split, "its parts are not the queries, keys and values");
    }
    AMBRY_RETURN_IF_ERROR(
        nodes_.expect_integers(*split, file_.input(*split, 1), {queries, keys, keys}));
    return packed_projection(file_.input(*split, 0), layer);
  }
  AMBRY_TRY(const NameId read, linear(heads.query, Role::Query, layer));
  AMBRY_TRY(const NameId key, linear(heads.key, Role::Key, layer));
  AMBRY_TRY(const NameId value, linear(heads.value, Role::Value, layer));
  AMBRY_RETURN_IF_ERROR(expect_same(key, read));
  AMBRY_RETURN_IF_ERROR(expect_same(value, read));
  return read;
}

Result<NameId> DecoderWalk::packed_projection(NameId value, uint32_t layer) {
  AMBRY_TRY(const LinearMatch match, nodes_.expect_linear(value));
  uint64_t first = 0;
  for (const auto& [role, heads] :
       {std::pair{Role::Query, facts_.n_heads}, std::pair{Role::Key, facts_.n_kv_heads},
        std::pair{Role::Value, facts_.n_kv_heads}}) {
    const uint64_t rows = uint64_t{heads} * facts_.head_dim;
    for (const OnnxWeight* whole : {&match.weight, match.bias ? &*match.bias : nullptr}) {
      if (whole == nullptr) continue;
      auto part = weight_rows(*whole, first, rows);
      if (!part) {
        return nodes_.refuse_value(value, "its rows are not those of all queries, keys and values");
      }
      found(role, layer, std::move(*part), whole != &match.weight);
    }
    first += rows;
  }
  if (match.weight.shape()[0] != first) {
    return nodes_.refuse_value(value, "its rows are not those of all queries, keys and values");
  }
  return nodes_.before_casts(match.input);
}

}  // namespace ambry::convert::onnx
