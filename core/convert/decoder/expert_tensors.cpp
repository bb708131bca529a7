#include "convert/decoder/expert_tensors.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/concat.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;

struct Renamed {
  std::string_view part;
  std::string_view ours;
};
// The names of Mixtral, Granite, LFM2 and Gemma 4.
constexpr auto kRenamed = std::to_array<Renamed>({
    {".block_sparse_moe.gate.", ".mlp.gate."},
    {".block_sparse_moe.router.layer.", ".mlp.gate."},
    {".block_sparse_moe.experts.", ".mlp.experts."},
    {".feed_forward.gate.", ".mlp.gate."},
    {".feed_forward.experts.", ".mlp.experts."},
    {".feed_forward.expert_bias", ".mlp.expert_bias"},
    {".router.proj.", ".mlp.gate."},
});
constexpr auto kMatrices = std::to_array<Renamed>(
    {{".w1.", ".gate_proj."}, {".w3.", ".up_proj."}, {".w2.", ".down_proj."}});

// A tensor of all experts. Where `second` is given, each expert's rows are those of two matrices.
struct Stacked {
  std::string_view ending;
  std::string_view first;
  std::string_view second;
};
constexpr auto kStacked = std::to_array<Stacked>({
    {".block_sparse_moe.input_linear.weight", "gate_proj", "up_proj"},
    {".block_sparse_moe.output_linear.weight", "down_proj", ""},
    {".mlp.experts.gate_up_proj", "gate_proj", "up_proj"},
    {".feed_forward.experts.gate_up_proj", "gate_proj", "up_proj"},
    {".feed_forward.experts.down_proj", "down_proj", ""},
    {".mlp.experts.down_proj", "down_proj", ""},
    {".mlp.switch_mlp.gate_proj.weight", "gate_proj", ""},
    {".mlp.switch_mlp.up_proj.weight", "up_proj", ""},
    {".mlp.switch_mlp.down_proj.weight", "down_proj", ""},
    {".experts.gate_up_proj", "gate_proj", "up_proj"},
    {".experts.down_proj", "down_proj", ""},
});

bool replace(std::string& name, const Renamed& row) {
  const size_t at = name.find(row.part);
  if (at == std::string::npos) return false;
  name.replace(at, row.part.size(), row.ours);
  return true;
}

std::string renamed(std::string name) {
  for (const Renamed& row : kRenamed) {
    if (!replace(name, row)) continue;
    for (const Renamed& matrix : kMatrices) {
      if (replace(name, matrix)) break;
    }
    break;
  }
  return name;
}

const Stacked* stacked(std::string_view name) {
  const auto* row = std::ranges::find_if(
      kStacked, [&](const Stacked& known) { return name.ends_with(known.ending); });
  return row == kStacked.end() ? nullptr : row;
}

class Splitter {
 public:
  Splitter(uint64_t n_experts, SourceModel& source) : n_experts_(n_experts), source_(source) {}

  Result<void> run() {
    for (size_t i = 0; i < source_.model.tensors.size(); ++i) {
      TensorEntry& tensor = source_.model.tensors[i];
      file_ = source_.files.empty() ? 0 : source_.files[i];
      if (const Stacked* row = stacked(tensor.name)) {
        AMBRY_RETURN_IF_ERROR(split(tensor, *row));
      } else {
        rename(tensor);
      }
    }
    source_.model.tensors = std::move(tensors_);
    if (!source_.files.empty()) source_.files = std::move(files_);
    return {};
  }

 private:
  void add(TensorEntry tensor) {
    tensors_.push_back(std::move(tensor));
    files_.push_back(file_);
  }

  void rename(TensorEntry& tensor) {
    std::string name = renamed(tensor.name);
    if (name != tensor.name) {
      if (auto strides = source_.strides.extract(tensor.name); !strides.empty()) {
        strides.key() = name;
        source_.strides.insert(std::move(strides));
      }
      tensor.name = std::move(name);
    }
    add(std::move(tensor));
  }

  Result<void> split(const TensorEntry& whole, const Stacked& row);

  uint64_t n_experts_;
  SourceModel& source_;
  uint32_t file_ = 0;
  std::vector<TensorEntry> tensors_;
  std::vector<uint32_t> files_;
};

Result<void> Splitter::split(const TensorEntry& whole, const Stacked& row) {
  const uint64_t parts = row.second.empty() ? 1 : 2;
  if (whole.shape.rank() != 3 || whole.shape[0] != n_experts_ || whole.shape[1] % parts != 0) {
    return error_at(ErrorCode::Mismatch, whole.index_offset, whole.name,
                    {"shape is ", tensor::to_string(whole.shape), ", but the config states ",
                     n_experts_, " experts"});
  }
  if (source_.strides.contains(whole.name) || !stored_row_bytes(whole)) {
    return error_at(ErrorCode::Unsupported, whole.index_offset, whole.name,
                    "its experts are not stored one after another");
  }
  const std::string layer = whole.name.substr(0, whole.name.size() - row.ending.size());
  TensorEntry matrix = whole;
  matrix.shape = {whole.shape[1] / parts, whole.shape[2]};
  matrix.bytes = whole.bytes / n_experts_ / parts;
  for (uint64_t i = 0; i < n_experts_ * parts; ++i) {
    matrix.offset = whole.offset + i * matrix.bytes;
    const std::string_view name = i % parts == 0 ? row.first : row.second;
    matrix.name = concat({layer, ".mlp.experts.", i / parts, ".", name, ".weight"});
    add(matrix);
  }
  return {};
}

}  // namespace

Result<void> split_decoder_experts(const io::Json& config, SourceModel& source) {
  const io::Json* count = config.find("n_experts");
  if (count == nullptr || !count->is_uint() || count->uint() < 2) return {};
  return Splitter(count->uint(), source).run();
}

}  // namespace ambry::convert
