#include "formats/alt/parameters.h"

#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <string>

#include "base/shortest.h"

namespace ambry::formats::alt {
namespace {

constexpr float kSmallestNormal = 1e-30F;

io::Json number(float value) { return shortest_double(value); }

void add(io::Json& config, const char* key, io::Json value, uint64_t at) {
  config.append_member(key, std::move(value)).set_byte_offset(at);
}

Result<void> read_counts(io::ByteReader& reader, std::span<const char* const> fields,
                         io::Json& config) {
  for (const char* field : fields) {
    const uint64_t at = reader.position();
    AMBRY_TRY(const auto value, reader.read<int32_t>(field));
    add(config, field, int64_t{value}, at);
  }
  return {};
}

// No window, and a window of all positions, both mean attention to all previous positions.
void add_window(io::Json& config, int32_t window, uint64_t at, io::Diagnostics& diagnostics) {
  if (window < 0) {
    diagnostics.tolerate(error_at(ErrorCode::BadValue, at, "parameters.sliding_window",
                                  "negative; no window is written as 0"));
    window = 0;
  }
  add(config, "sliding_window", int64_t{window}, at);
}

bool is_whole_number(uint32_t bits) {
  return std::bit_cast<float>(bits) < kSmallestNormal && static_cast<int32_t>(bits) >= 1;
}

// A float, or an integer if config.json has one and the author's Python writes it.
void add_theta(io::Json& config, uint32_t bits, uint64_t at, io::Diagnostics& diagnostics) {
  const auto value = std::bit_cast<float>(bits);
  if (!is_whole_number(bits)) return add(config, "rope_theta", number(value), at);
  diagnostics.tolerate(error_at(ErrorCode::BadValue, at, "parameters.rope_theta",
                                {"the integer ", bits, " instead of a float32"}));
  add(config, "rope_theta", number(static_cast<float>(bits)), at);
}

// The last fields of v2's parameters, in the orders that files have: that of the author's writer,
// the same without the window if it is null in config.json, and the orders of the v2 documents.
struct TailOrder {
  int window;  // index of the 4-byte field; -1: absent
  int head_size;
  int eps;
  int theta;
  int init;
  const char* fault;
};
constexpr std::array<TailOrder, 4> kTailOrders = {
    {{0, 1, 2, 3, 4, nullptr},
     {-1, 0, 1, 2, 3, "sliding_window is left out"},
     {0, 1, 3, 2, 4, "rope_theta stands before rms_norm_eps"},
     {0, 4, 2, 1, 3, "rope_theta stands before rms_norm_eps and head_size at the end"}}};

using TailWords = std::array<uint32_t, 5>;

bool is_plausible(const TailOrder& order, const TailWords& words) {
  const auto word = [&](int index) { return words[static_cast<size_t>(index)]; };
  const uint32_t head_size = word(order.head_size);
  const auto eps = std::bit_cast<float>(word(order.eps));
  const auto theta = std::bit_cast<float>(word(order.theta));
  const auto init = std::bit_cast<float>(word(order.init));
  return head_size >= 1 && head_size <= 65'536 && eps > kSmallestNormal && eps < 1 &&
         ((theta >= 1 && std::isfinite(theta)) || is_whole_number(word(order.theta))) &&
         (init == 0 || (init > kSmallestNormal && init < 10));
}

const TailOrder& find_order(const TailWords& words) {
  for (const TailOrder& order : kTailOrders) {
    if (is_plausible(order, words)) return order;
  }
  return kTailOrders[0];  // check() reports its invalid values
}

// Returns whether the window is absent.
Result<bool> read_tail(io::ByteReader& reader, io::Json& config, io::Diagnostics& diagnostics) {
  const uint64_t start = reader.position();
  AMBRY_TRY(const Bytes bytes, reader.read_bytes(sizeof(TailWords), "sliding_window"));
  TailWords words{};
  for (size_t i = 0; i < words.size(); ++i) words[i] = load_le<uint32_t>(bytes.data() + 4 * i);
  const TailOrder& order = find_order(words);
  const auto at = [&](int index) { return start + 4 * static_cast<uint64_t>(index); };
  const auto word = [&](int index) { return words[static_cast<size_t>(index)]; };
  if (order.fault != nullptr) {
    diagnostics.tolerate(error_at(ErrorCode::BadValue, start, "parameters", order.fault));
  }
  const bool omitted = order.window < 0;
  if (omitted) {
    add(config, "sliding_window", 0, start);
    reader.seek(start + sizeof(TailWords) - sizeof(uint32_t));
  } else {
    add_window(config, static_cast<int32_t>(word(order.window)), at(order.window), diagnostics);
  }
  add(config, "head_size", int64_t{static_cast<int32_t>(word(order.head_size))},
      at(order.head_size));
  add(config, "rms_norm_eps", number(std::bit_cast<float>(word(order.eps))), at(order.eps));
  add_theta(config, word(order.theta), at(order.theta), diagnostics);
  add(config, "initializer_range", number(std::bit_cast<float>(word(order.init))), at(order.init));
  return omitted;
}

}  // namespace

Result<uint64_t> read_parameters_v1(const io::Source& source, SectionWalk& walk,
                                    const SectionHead& head, io::Diagnostics& diagnostics,
                                    model::Model& model) {
  io::ByteReader reader(source, head.body());
  const auto scope = reader.enter("parameters");
  io::Json config = io::Json::object();
  AMBRY_TRY(const auto model_type, read_text(reader, "model_type", Counting::Bytes, &diagnostics));
  add(config, "model_type", model_type, head.body() + sizeof(int32_t));
  static constexpr std::array kSizes = {"hidden_size", "num_hidden_layers", "intermediate_size",
                                        "num_attention_heads", "num_key_value_heads"};
  AMBRY_RETURN_IF_ERROR(read_counts(reader, kSizes, config));
  const uint64_t window_at = reader.position();
  AMBRY_TRY(const auto window, reader.read<int32_t>("sliding_window"));
  add_window(config, window, window_at, diagnostics);
  const uint64_t theta_at = reader.position();
  AMBRY_TRY(const auto theta, reader.read<uint32_t>("rope_theta"));
  add_theta(config, theta, theta_at, diagnostics);
  const uint64_t eps_at = reader.position();
  AMBRY_TRY(const auto eps, reader.read<uint32_t>("rms_norm_eps"));
  add(config, "rms_norm_eps", number(std::bit_cast<float>(eps)), eps_at);
  static constexpr std::array kDerived = {"head_size", "data_type", "context_length"};
  AMBRY_RETURN_IF_ERROR(read_counts(reader, kDerived, config));
  walk.check_size(head, reader.position());
  model.config = std::move(config);
  return reader.position();
}

Result<uint64_t> read_parameters_v2(const io::Source& source, SectionWalk& walk,
                                    const SectionHead& head, io::Diagnostics& diagnostics,
                                    model::Model& model) {
  io::ByteReader reader(source, head.body());
  const auto scope = reader.enter("parameters");
  io::Json config = io::Json::object();
  if (const io::Json* model_type = model.metadata.find("model_type")) {
    config.append_member("model_type", *model_type);
  }
  AMBRY_TRY(const auto act, read_text(reader, "hidden_act", Counting::Bytes, &diagnostics));
  add(config, "hidden_act", act, head.body() + sizeof(int32_t));
  const uint64_t tie_at = reader.position();
  AMBRY_TRY(const auto tie, reader.read<uint8_t>("tie_word_embeddings"));
  if (tie > 1) {
    diagnostics.tolerate(reader.fail(ErrorCode::BadValue, tie_at, "tie_word_embeddings",
                                     {tie, ", true is written as 1"}));
  }
  add(config, "tie_word_embeddings", tie != 0, tie_at);
  static constexpr std::array kSizes = {
      "hidden_size",         "intermediate_size", "max_position_embeddings",
      "num_attention_heads", "num_hidden_layers", "num_key_value_heads"};
  AMBRY_RETURN_IF_ERROR(read_counts(reader, kSizes, config));
  AMBRY_TRY(const bool omitted, read_tail(reader, config, diagnostics));
  const uint64_t end = reader.position();
  // The author's writer counts the window whether or not it writes it.
  const auto counted = static_cast<int64_t>(end - head.body()) + (omitted ? 4 : 0);
  walk.check_size(head, end, counted);
  model.config = std::move(config);
  return end;
}

}  // namespace ambry::formats::alt
