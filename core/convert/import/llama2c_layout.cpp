#include "convert/import/llama2c_layout.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.h"
#include "io/byte_reader.h"

namespace ambry::convert {
namespace {

using tensor::Shape;

constexpr uint64_t kHeadBytes = 28;
constexpr uint64_t kVersionedHeadBytes = 256;
// Far above any real checkpoint. All products of these fit 64 bits.
constexpr uint32_t kMaxLayers = 512;
constexpr uint32_t kMaxExtent = 1U << 24;

Result<Llama2cHead> read_fields(io::ByteReader& reader) {
  Llama2cHead head;
  constexpr std::array<std::pair<const char*, uint32_t Llama2cHead::*>, 7> kNumbers = {
      {{"dim", &Llama2cHead::dim},
       {"hidden_dim", &Llama2cHead::hidden},
       {"n_layers", &Llama2cHead::layers},
       {"n_heads", &Llama2cHead::heads},
       {"n_kv_heads", &Llama2cHead::kv_heads},
       {"vocab_size", &Llama2cHead::vocab},
       {"seq_len", &Llama2cHead::positions}}};
  for (const auto& [name, number] : kNumbers) {
    const uint64_t at = reader.position();
    AMBRY_TRY(auto value, reader.read<int32_t>(name));
    if (number == &Llama2cHead::vocab && value < 0 && value > -static_cast<int32_t>(kMaxExtent)) {
      head.own_output = true;
      value = -value;
    }
    const uint32_t max = number == &Llama2cHead::layers ? kMaxLayers : kMaxExtent;
    if (value < 1 || static_cast<uint32_t>(value) > max) {
      return error_at(ErrorCode::BadValue, at, {"header.", name}, {"must be between 1 and ", max});
    }
    head.*number = static_cast<uint32_t>(value);
  }
  if (head.dim % head.heads != 0 || head.heads % head.kv_heads != 0 || head.head_dim() % 2 != 0) {
    return error_at(ErrorCode::BadValue, reader.position() - 16, "header.n_heads",
                    {head.heads, " heads and ", head.kv_heads,
                     " key-value heads do not fit a width of ", head.dim});
  }
  return head;
}

Result<uint32_t> read_group_size(io::ByteReader& reader, uint32_t dim) {
  const uint64_t at = reader.position();
  AMBRY_TRY(const auto size, reader.read<int32_t>("header.group_size"));
  if (size < 1 || dim % static_cast<uint32_t>(size) != 0) {
    return error_at(ErrorCode::BadValue, at, "header.group_size",
                    {"it must divide a width of ", dim});
  }
  return static_cast<uint32_t>(size);
}

// Reads the fields after the magic.
Result<Llama2cHead> read_versioned(const io::Source& source, io::ByteReader& reader) {
  AMBRY_TRY(const Bytes whole, source.view(0, kVersionedHeadBytes, "header"));
  AMBRY_TRY(const auto version, reader.read<int32_t>("header.version"));
  if (version != 1 && version != 2) {
    return error_at(ErrorCode::Unsupported, 4, "header.version",
                    "only versions 1 and 2 and files without a version are supported");
  }
  AMBRY_TRY(Llama2cHead head, read_fields(reader));
  head.version = version;
  const uint64_t at = reader.position();
  AMBRY_TRY(const auto shared, reader.read<uint8_t>("header.shared_classifier"));
  if (shared > 1) {
    return error_at(ErrorCode::BadValue, at, "header.shared_classifier", "must be 0 or 1");
  }
  head.own_output = shared == 0;
  if (version == 2) {
    AMBRY_TRY(head.group_size, read_group_size(reader, head.dim));
  }
  const auto rest = whole.subspan(static_cast<size_t>(reader.position()));
  const auto set = std::ranges::find_if(rest, [](uint8_t byte) { return byte != 0; });
  if (set == rest.end()) return head;
  return error_at(ErrorCode::BadValue,
                  reader.position() + static_cast<uint64_t>(set - rest.begin()), "header",
                  "the padding must be zero");
}

// Lists the tensors in file order.
class Layout {
 public:
  explicit Layout(const Llama2cHead& head)
      : head_(head), position_(head.version == 0 ? kHeadBytes : kVersionedHeadBytes) {
    const uint64_t dim = head.dim;
    const Shape table{head.vocab, dim};
    if (head.version != 0) {
      add_norms();
      add("model.norm.weight", {dim});
      add("model.embed_tokens.weight", table);
      add_attention();
      add_feed_forward();
    } else {
      add("model.embed_tokens.weight", table);
      add_layers("input_layernorm", {dim});
      add_attention();
      add_layers("post_attention_layernorm", {dim});
      add_feed_forward();
      add("model.norm.weight", {dim});
      position_ += uint64_t{head.positions} * head.head_dim() * sizeof(float);
    }
    if (head.own_output) add("lm_head.weight", table);
  }

  [[nodiscard]] Llama2cTensors take() && {
    return {std::move(tensors_), std::move(scales_), position_};
  }

 private:
  void add(std::string name, const Shape& shape) {
    model::TensorEntry tensor;
    tensor.name = std::move(name);
    tensor.shape = shape;
    tensor.index_offset = 0;
    if (head_.group_size != 0 && shape.rank() == 2) {
      add_codes(tensor);
    } else {
      place(tensor, sizeof(float));
    }
    tensors_.push_back(std::move(tensor));
  }
  void place(model::TensorEntry& tensor, uint64_t element_bytes) {
    tensor.offset = position_;
    tensor.bytes = tensor.shape.count().value_or(0) * element_bytes;
    position_ += tensor.bytes;
  }
  // Scales have rows of their own if groups do not cross the tensor's rows.
  void add_codes(model::TensorEntry& codes) {
    model::TensorEntry scales = codes;
    codes.dtype = tensor::DType::I8;
    place(codes, sizeof(int8_t));
    const uint64_t cols = codes.shape[1];
    const uint64_t group = head_.group_size;
    scales.shape = cols % group == 0 ? Shape{codes.shape[0], cols / group}
                                     : Shape{codes.shape[0] * cols / group};
    scales.name += " (scales)";
    place(scales, sizeof(float));
    scales_.emplace(codes.name, std::move(scales));
  }
  void add_layers(const char* name, const Shape& shape) {
    for (uint32_t layer = 0; layer < head_.layers; ++layer) {
      add(concat({"model.layers.", layer, ".", name, ".weight"}), shape);
    }
  }
  void add_norms() {
    add_layers("input_layernorm", {head_.dim});
    add_layers("post_attention_layernorm", {head_.dim});
  }
  void add_attention() {
    const uint64_t dim = head_.dim;
    add_layers("self_attn.q_proj", {dim, dim});
    add_layers("self_attn.k_proj", {head_.kv_dim(), dim});
    add_layers("self_attn.v_proj", {head_.kv_dim(), dim});
    add_layers("self_attn.o_proj", {dim, dim});
  }
  void add_feed_forward() {
    const uint64_t dim = head_.dim;
    add_layers("mlp.gate_proj", {head_.hidden, dim});
    add_layers("mlp.down_proj", {dim, head_.hidden});
    add_layers("mlp.up_proj", {head_.hidden, dim});
  }

  const Llama2cHead& head_;
  uint64_t position_;
  std::vector<model::TensorEntry> tensors_;
  std::map<std::string, model::TensorEntry, std::less<>> scales_;
};

}  // namespace

Result<Llama2cHead> read_llama2c_head(const io::Source& source) {
  AMBRY_RETURN_IF_ERROR(source.view(0, kHeadBytes, "header"));
  io::ByteReader reader(source, 0);
  AMBRY_TRY(const Bytes magic, reader.read_bytes(kLlama2cMagic.size(), "header.magic"));
  if (as_text(magic) != kLlama2cMagic) {
    reader.seek(0);
    return read_fields(reader);
  }
  return read_versioned(source, reader);
}

Llama2cTensors llama2c_tensors(const Llama2cHead& head) { return Layout(head).take(); }

Result<bool> probe_llama2c(const io::Source& source) {
  if (!source.size_known()) return io::Source::need_size();
  if (source.size() < kHeadBytes) return false;
  AMBRY_TRY(const bool versioned, source.starts_with(kLlama2cMagic));
  if (versioned) return true;
  auto head = read_llama2c_head(source);
  if (!head && head.error().code == ErrorCode::NeedBytes) return head.take_error();
  return head && llama2c_tensors(*head).end == source.size();
}

}  // namespace ambry::convert
