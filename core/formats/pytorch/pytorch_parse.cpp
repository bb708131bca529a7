#include "formats/pytorch/pytorch_parse.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "base/checked.h"
#include "base/order.h"
#include "formats/pytorch/pickle.h"
#include "formats/pytorch/storage_facts.h"
#include "formats/pytorch/storages.h"
#include "formats/pytorch/stream.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::pytorch {
namespace {

using Kind = Node::Kind;

// Far above real checkpoints, but low enough that shared dicts cannot multiply without limit.
constexpr size_t kMaxDepth = 32;
constexpr size_t kMaxNameBytes = 1024;
constexpr uint64_t kMaxVisits = 1'000'000;

constexpr uint64_t kZipNameAt = 30;
constexpr uint64_t kZipNameLengthAt = 26;

class StateDictReader {
 public:
  StateDictReader(const Pickle& pickle, Storages& storages, io::Diagnostics& diagnostics)
      : pickle_(pickle), storages_(storages), diagnostics_(diagnostics) {}

  Result<StateDict> read() {
    AMBRY_RETURN_IF_ERROR(visit(pickle_.root(), 0));
    model::check_names_unique(model_.tensors, diagnostics_);
    return StateDict{std::move(model_), std::move(stored_axes_)};
  }

 private:
  [[nodiscard]] const Node& node(NodeId id) const { return pickle_.node(id); }
  [[nodiscard]] Failure fail(ErrorCode code, const Node& at, std::string_view field,
                             const Text& message) const {
    return error_at(code, pickle_.offset_of(at),
                    {"tensors[", uint64_t{model_.tensors.size()}, "]", field}, message);
  }

  Result<void> visit(NodeId id, size_t depth);
  Result<void> visit_items(const Node& container, size_t depth);
  Result<std::string> key_text(const Node& key) const;
  void add_metadata(const Node& value);

  Result<void> add_tensor(const Node& tensor);
  Result<void> read_type(const Node& tensor, model::TensorEntry& entry);
  Result<Extent> read_storage(const Node& storage, model::TensorEntry& entry);
  Result<std::vector<uint64_t>> read_extents(const Node& tuple, std::string_view field) const;
  Result<uint64_t> read_count(const Node& number, std::string_view field) const;
  Result<StoredAxes> read_axes(const Node& at, const std::vector<uint64_t>& strides,
                               const tensor::Shape& shape) const;
  Result<void> place(const Node& at, uint64_t first, const Extent& storage,
                     model::TensorEntry& entry) const;

  const Pickle& pickle_;
  Storages& storages_;
  io::Diagnostics& diagnostics_;
  model::Model model_;
  std::map<std::string, StoredAxes, std::less<>> stored_axes_;
  std::string name_;  // of the current value
  uint64_t visits_ = 0;
  bool metadata_full_ = false;
};

Result<void> StateDictReader::visit(NodeId id, size_t depth) {
  const Node& value = node(id);
  if (++visits_ > kMaxVisits) {
    return fail(ErrorCode::LimitExceeded, value, "", "more than a million values");
  }
  switch (value.kind) {
    case Kind::Tensor:
      return add_tensor(value);
    case Kind::Dict:
    case Kind::List:
    case Kind::Tuple:
      if (depth < kMaxDepth) return visit_items(value, depth);
      return fail(ErrorCode::LimitExceeded, value, "", {"nested more than ", kMaxDepth, " deep"});
    default:
      add_metadata(value);
      return {};
  }
}

Result<void> StateDictReader::visit_items(const Node& container, size_t depth) {
  const size_t length = name_.size();
  Pickle::Items items = pickle_.items(container);
  for (uint64_t i = 0; items.left() > 0; ++i) {
    std::string key = std::to_string(i);
    if (container.kind == Kind::Dict) AMBRY_TRY(key, key_text(node(items.next())));
    if (length + key.size() > kMaxNameBytes) {
      return fail(ErrorCode::LimitExceeded, container, ".name",
                  {"names of more than ", kMaxNameBytes, " bytes"});
    }
    if (length > 0) name_ += '.';
    name_ += key;
    AMBRY_RETURN_IF_ERROR(visit(items.next(), depth + 1));
    name_.resize(length);
  }
  return {};
}

Result<std::string> StateDictReader::key_text(const Node& key) const {
  if (key.kind == Kind::Text) return std::string(pickle_.text(key));
  if (key.kind == Kind::Int) return std::to_string(static_cast<int64_t>(key.number));
  return fail(ErrorCode::Unsupported, key, ".name", "a key that is neither a text nor a number");
}

// The rest of a checkpoint: epochs, options. Values that are neither number nor text give a
// warning.
void StateDictReader::add_metadata(const Node& value) {
  io::Json json;
  if (value.kind == Kind::Int) {
    json = io::Json(static_cast<int64_t>(value.number));
  } else if (value.kind == Kind::Bool) {
    json = io::Json(value.number != 0);
  } else if (value.kind == Kind::Float) {
    json = io::Json(std::bit_cast<double>(value.number));
  } else if (value.kind == Kind::Text) {
    json = io::Json(pickle_.text(value));
  } else if (value.kind != Kind::None) {
    diagnostics_.warn(error_at(ErrorCode::Unsupported, pickle_.offset_of(value), name_,
                               "left out: neither tensor nor number nor text"));
    return;
  }
  if (model_.metadata.members().size() < io::kMaxMetadataEntries) {
    json.set_byte_offset(pickle_.offset_of(value));
    model_.metadata.append_member(name_, std::move(json));
  } else if (!std::exchange(metadata_full_, true)) {
    diagnostics_.warn(error_at(ErrorCode::LimitExceeded, pickle_.offset_of(value), name_,
                               "left out: more numbers and texts than anybody reads"));
  }
}

Result<void> StateDictReader::add_tensor(const Node& tensor) {
  if (model_.tensors.size() == io::kMaxTensors) {
    return fail(ErrorCode::LimitExceeded, tensor, "", {"more than ", io::kMaxTensors, " tensors"});
  }
  model::TensorEntry entry;
  entry.name = name_.empty() ? "tensor" : name_;
  entry.index_offset = pickle_.offset_of(tensor);
  Pickle::Items arguments = pickle_.items(node(tensor.first));
  if (arguments.left() < 4) {
    return fail(ErrorCode::BadValue, tensor, "", "too few facts about a tensor");
  }
  AMBRY_TRY(const Extent storage, read_storage(node(arguments.next()), entry));
  AMBRY_RETURN_IF_ERROR(read_type(tensor, entry));
  AMBRY_TRY(const uint64_t first, read_count(node(arguments.next()), ".offset"));
  const Node& shape = node(arguments.next());
  AMBRY_TRY(const auto extents, read_extents(shape, ".shape"));
  if (extents.size() > tensor::Shape::kMaxRank) {
    return fail(ErrorCode::Unsupported, shape, ".shape", "more than 8 dimensions");
  }
  for (const uint64_t extent : extents) entry.shape.push_back(extent);
  const Node& stride = node(arguments.next());
  AMBRY_TRY(const auto strides, read_extents(stride, ".stride"));
  AMBRY_TRY(StoredAxes axes, read_axes(stride, strides, entry.shape));
  AMBRY_RETURN_IF_ERROR(place(tensor, first, storage, entry));
  if (!std::ranges::is_sorted(axes)) stored_axes_.emplace(entry.name, std::move(axes));
  model_.tensors.push_back(std::move(entry));
  return {};
}

// For a TypedTensor, whose storage only counts bytes.
Result<void> StateDictReader::read_type(const Node& tensor, model::TensorEntry& entry) {
  if (kKnownGlobals[static_cast<size_t>(tensor.number)].role != GlobalRole::TypedTensor) return {};
  constexpr uint32_t kTypeAt = 6;
  Pickle::Items arguments = pickle_.items(node(tensor.first));
  for (uint32_t i = 0; i < kTypeAt && arguments.left() > 1; ++i) arguments.next();
  const Node& type = node(arguments.next());
  const auto known = static_cast<size_t>(type.number);
  if (type.kind != Kind::Global || kKnownGlobals[known].role != GlobalRole::ElementType) {
    return fail(ErrorCode::Unsupported, type, ".dtype", "no type of elements that is known here");
  }
  entry.dtype = kKnownGlobals[known].dtype;
  return {};
}

Result<Extent> StateDictReader::read_storage(const Node& storage, model::TensorEntry& entry) {
  const auto wrong = [&] {
    return fail(ErrorCode::Unsupported, storage, ".storage", "no storage of a tensor");
  };
  const auto facts = storage_facts(pickle_, storage);
  if (!facts) return wrong();
  entry.dtype = facts->dtype;
  AMBRY_TRY(const uint64_t count, read_count(node(facts->count), ".storage.size"));
  AMBRY_TRY(const auto found, storages_.find_storage(facts->key));
  if (!found) {
    return fail(ErrorCode::NotFound, storage, ".storage",
                {"the file holds no storage ", facts->key.substr(0, 80)});
  }
  const auto bytes = checked_mul(count, tensor::block_of(facts->dtype).bytes);
  if (bytes == found->bytes) return *found;
  return fail(ErrorCode::Mismatch, storage, ".storage.size",
              {count, " elements of ", dtype_name(facts->dtype), " in ", found->bytes, " bytes"});
}

Result<uint64_t> StateDictReader::read_count(const Node& number, std::string_view field) const {
  if (number.kind == Kind::Int && static_cast<int64_t>(number.number) >= 0) return number.number;
  return fail(ErrorCode::BadValue, number, field, "not a whole number of 0 or more");
}

Result<std::vector<uint64_t>> StateDictReader::read_extents(const Node& tuple,
                                                            std::string_view field) const {
  if (tuple.kind != Kind::Tuple) return fail(ErrorCode::BadValue, tuple, field, "not a tuple");
  std::vector<uint64_t> extents;
  for (Pickle::Items items = pickle_.items(tuple); items.left() > 0;) {
    AMBRY_TRY(const uint64_t extent, read_count(node(items.next()), field));
    extents.push_back(extent);
  }
  return extents;
}

// The axes may be in any order, without gaps. Dimensions of 1 may have any stride.
Result<StoredAxes> StateDictReader::read_axes(const Node& at, const std::vector<uint64_t>& strides,
                                              const tensor::Shape& shape) const {
  if (strides.size() != shape.rank()) {
    return fail(ErrorCode::Mismatch, at, ".stride", "not one for each dimension");
  }
  StoredAxes axes;
  if (shape.count() == 0) return axes;
  for (size_t axis = 0; axis < shape.rank(); ++axis) axes.push_back(static_cast<uint8_t>(axis));
  // Axes without effect stay outermost.
  const auto step = [&](uint8_t axis) { return shape[axis] == 1 ? UINT64_MAX : strides[axis]; };
  sort_items(axes, [&](uint8_t a, uint8_t b) { return step(a) > step(b); });
  uint64_t expected = 1;
  for (size_t i = axes.size(); i-- > 0;) {
    if (shape[axes[i]] == 1) break;
    if (strides[axes[i]] != expected) {
      return fail(ErrorCode::Unsupported, at, ".stride",
                  {name_, " is stored with gaps or overlaps: save it with .contiguous()"});
    }
    const auto next = checked_mul(expected, shape[axes[i]]);
    if (!next) return fail(ErrorCode::Overflow, at, ".shape", "passes 64 bits");
    expected = *next;
  }
  return axes;
}

Result<void> StateDictReader::place(const Node& at, uint64_t first, const Extent& storage,
                                    model::TensorEntry& entry) const {
  const auto bytes = model::byte_size(entry.shape, entry.dtype);
  const auto skipped = checked_mul(first, tensor::block_of(entry.dtype).bytes);
  if (!bytes || !skipped) return fail(ErrorCode::Overflow, at, ".shape", "passes 64 bits");
  if (*skipped > storage.bytes || *bytes > storage.bytes - *skipped) {
    return fail(ErrorCode::Truncated, at, ".shape",
                {*bytes, " bytes from ", *skipped, " on pass the storage of ", storage.bytes});
  }
  entry.offset = storage.offset + *skipped;
  entry.bytes = *bytes;
  return {};
}

}  // namespace

// Uses the archive's first member, because the directory is at the end of the file.
Result<bool> probe(const io::Source& source) {
  constexpr uint64_t kHead = 512;
  AMBRY_TRY(const Bytes head, source.view(0, std::min(source.size(), kHead), "file"));
  const std::string_view text = as_text(head);
  if (text.starts_with(kStreamMagic)) return true;
  if (!text.starts_with(kZipMagic) || head.size() < kZipNameAt) return false;
  const auto length = load_le<uint16_t>(head.data() + kZipNameLengthAt);
  const std::string_view name = text.substr(kZipNameAt, length);
  return name.ends_with("data.pkl") || name.ends_with("/version") || name.ends_with("byteorder") ||
         name.ends_with(".format_version");
}

namespace {

Result<StateDict> read_dict(const io::Source& source, const Pickle& pickle, Storages& storages,
                            io::Diagnostics& diagnostics) {
  AMBRY_TRY(StateDict dict, StateDictReader(pickle, storages, diagnostics).read());
  dict.model.format = "pytorch";
  dict.model.file_bytes = source.size();
  dict.model.regions = storages.regions();
  dict.model.checksums = storages.checksums();
  return dict;
}

}  // namespace

Result<StateDict> parse_state_dict(const io::Source& source, io::Diagnostics& diagnostics) {
  AMBRY_TRY(const bool streams, source.starts_with(kStreamMagic));
  if (streams) {
    AMBRY_TRY(Stream stream, Stream::open(source));
    return read_dict(source, stream.pickle(), stream, diagnostics);
  }
  AMBRY_TRY(Archive archive, Archive::open(source));
  const Extent extent = archive.pickle();
  AMBRY_TRY(const Bytes bytes, source.view(extent.offset, extent.bytes, "data.pkl"));
  AMBRY_TRY(const Pickle pickle, Pickle::read(bytes, extent.offset, "data.pkl"));
  return read_dict(source, pickle, archive, diagnostics);
}

Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                           const model::ReadOptions& /*options*/) {
  AMBRY_TRY(StateDict dict, parse_state_dict(source, diagnostics));
  return std::move(dict.model);
}

void check(const model::Model& /*model*/, io::Diagnostics& /*diagnostics*/) {}

}  // namespace ambry::formats::pytorch
