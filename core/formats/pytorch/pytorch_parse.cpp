#include "formats/pytorch/pytorch_parse.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "base/checked.h"
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

// Elements may share bytes (`expand`). A small file must not make a huge one.
constexpr uint64_t kMaxRepeatedBytes = uint64_t{1} << 30;

// How many elements of the storage a tensor spans, from its first to its last. Nothing past 64
// bits.
std::optional<uint64_t> span_of(const tensor::Shape& shape, const Strides& strides) {
  if (shape.count() == 0) return 0;
  uint64_t span = 1;
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    const auto step = checked_mul(shape[axis] - 1, strides[axis]);
    const auto next = step ? checked_add(span, *step) : std::nullopt;
    if (!next) return std::nullopt;
    span = *next;
  }
  return span;
}

// Whether the elements follow each other row after row.
bool is_in_order(const tensor::Shape& shape, const Strides& strides) {
  if (shape.count() == 0) return true;
  uint64_t expected = 1;
  for (size_t axis = shape.rank(); axis-- > 0;) {
    if (shape[axis] == 1) continue;
    if (strides[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

constexpr uint64_t kZipNameAt = 30;
constexpr uint64_t kZipNameLengthAt = 26;

class StateDictReader {
 public:
  StateDictReader(const Pickle& pickle, Storages& storages, io::Diagnostics& diagnostics)
      : pickle_(pickle), storages_(storages), diagnostics_(diagnostics) {}

  Result<StateDict> read() {
    const Node& root = node(pickle_.root());
    if (root.kind == Kind::Opaque) object_ = &root;
    if (root.kind != Kind::Opaque) AMBRY_RETURN_IF_ERROR(visit(pickle_.root(), 0));
    if (model_.tensors.empty() && object_ != nullptr) {
      return error_at(
          ErrorCode::Unsupported, pickle_.offset_of(*object_), "data.pkl",
          {"nothing but an ", pickle_.describe(*object_),
           object_->has_tensor ? ", with tensors in it, and no code is run from files: save its "
                                 "state_dict()"
                               : ", and no code is run from files"});
    }
    model::check_names_unique(model_.tensors, diagnostics_);
    return StateDict{std::move(model_), std::move(strides_)};
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
  [[nodiscard]] std::optional<std::string> key_text(const Node& key) const;
  Result<void> pass_over(const Node& key, const Node& value);
  Result<void> leave_out(const Node& value);
  void add_metadata(const Node& value);

  Result<void> add_tensor(const Node& tensor);
  Result<void> read_type(const Node& tensor, model::TensorEntry& entry);
  [[nodiscard]] std::string name_of_type(const Node& storage) const;
  Result<Extent> read_storage(const Node& storage, model::TensorEntry& entry);
  Result<std::vector<uint64_t>> read_extents(const Node& tuple, std::string_view field) const;
  Result<uint64_t> read_count(const Node& number, std::string_view field) const;
  Result<void> place(const Node& at, uint64_t first, const Extent& storage, Strides strides,
                     model::TensorEntry& entry);

  const Pickle& pickle_;
  Storages& storages_;
  io::Diagnostics& diagnostics_;
  model::Model model_;
  std::map<std::string, Strides, std::less<>> strides_;
  const Node* object_ = nullptr;  // the first opaque value with tensors
  uint64_t n_repeated_ = 0;       // bytes of tensors whose elements share bytes
  std::string name_;              // of the current value
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
    case Kind::Opaque:
      return leave_out(value);
    case Kind::Dict:
    case Kind::List:
    case Kind::Tuple:
      if (value.is_default && !value.has_tensor) return leave_out(value);
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
    if (container.kind == Kind::Dict) {
      const Node& key_node = node(items.next());
      const auto text = key_text(key_node);
      if (!text) {
        AMBRY_RETURN_IF_ERROR(pass_over(key_node, node(items.next())));
        continue;
      }
      key = *text;
    }
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

std::optional<std::string> StateDictReader::key_text(const Node& key) const {
  if (key.kind == Kind::Text) return std::string(pickle_.text(key));
  if (key.kind == Kind::Int) return std::to_string(static_cast<int64_t>(key.number));
  return std::nullopt;
}

// A value whose key makes no name.
Result<void> StateDictReader::pass_over(const Node& key, const Node& value) {
  constexpr std::string_view kReason = "a key that is neither a text nor a number";
  if (value.has_tensor) {
    return fail(ErrorCode::Unsupported, key, ".name", {kReason, ", and a tensor under it"});
  }
  diagnostics_.warn(
      error_at(ErrorCode::Unsupported, pickle_.offset_of(key), name_, {"left out: ", kReason}));
  return {};
}

// What only code would make. A tensor that depends on such a value cannot be read.
Result<void> StateDictReader::leave_out(const Node& value) {
  const std::string what =
      value.is_default ? "object of collections.defaultdict" : pickle_.describe(value);
  if (!value.is_default && opaque_what(value) == OpaqueWhat::BrokenTensor) {
    return fail(ErrorCode::Unsupported, value, "",
                {name_.empty() ? "the tensor" : name_, " is an ", what,
                 ", which is not known here, and no code is run from files"});
  }
  if (value.has_tensor && object_ == nullptr) object_ = &value;
  diagnostics_.warn(
      error_at(ErrorCode::Unsupported, pickle_.offset_of(value), name_,
               {"left out: ", what,
                value.has_tensor ? ", with the tensors in it: save its state_dict() to keep them"
                                 : ", which is neither tensor nor number nor text"}));
  return {};
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
  AMBRY_TRY(auto strides, read_extents(stride, ".stride"));
  if (strides.size() != entry.shape.rank()) {
    return fail(ErrorCode::Mismatch, stride, ".stride", "not one for each dimension");
  }
  AMBRY_RETURN_IF_ERROR(place(tensor, first, storage, std::move(strides), entry));
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

// The type of a storage that is not known, for a message.
std::string StateDictReader::name_of_type(const Node& storage) const {
  if (storage.kind != Kind::Storage) return {};
  Pickle::Items facts = pickle_.items(node(storage.first));
  if (facts.left() < 2) return {};
  facts.next();
  const Node& type = node(facts.next());
  return type.kind == Kind::Opaque ? concat({" that is known here: ", pickle_.describe(type)}) : "";
}

Result<Extent> StateDictReader::read_storage(const Node& storage, model::TensorEntry& entry) {
  const auto wrong = [&] {
    return fail(ErrorCode::Unsupported, storage, ".storage",
                {"no storage of a tensor", name_of_type(storage)});
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

// Finds the tensor's bytes in its storage. Dimensions of 1 may have any stride.
Result<void> StateDictReader::place(const Node& at, uint64_t first, const Extent& storage,
                                    Strides strides, model::TensorEntry& entry) {
  const uint64_t element = tensor::block_of(entry.dtype).bytes;
  const auto bytes = model::byte_size(entry.shape, entry.dtype);
  const auto skipped = checked_mul(first, element);
  const auto span = span_of(entry.shape, strides);
  const auto held = span ? checked_mul(*span, element) : std::nullopt;
  if (!bytes || !skipped || !held) return fail(ErrorCode::Overflow, at, ".shape", "passes 64 bits");
  if (*skipped > storage.bytes || *held > storage.bytes - *skipped) {
    return fail(ErrorCode::Truncated, at, ".shape",
                {*held, " bytes from ", *skipped, " on pass the storage of ", storage.bytes});
  }
  if (*bytes > *held) n_repeated_ += std::min(*bytes, kMaxRepeatedBytes + 1);
  if (n_repeated_ > kMaxRepeatedBytes) {
    return fail(ErrorCode::LimitExceeded, at, ".stride",
                {"more than ", kMaxRepeatedBytes >> 20, " MiB of elements that share their bytes"});
  }
  entry.offset = storage.offset + *skipped;
  entry.bytes = *bytes;
  if (!is_in_order(entry.shape, strides)) strides_.emplace(entry.name, std::move(strides));
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
  for (model::TensorEntry& tensor : dict.model.tensors) {
    const auto strides = dict.strides.find(tensor.name);
    if (strides == dict.strides.end()) continue;
    const uint64_t held =
        *span_of(tensor.shape, strides->second) * tensor::block_of(tensor.dtype).bytes;
    tensor.has_gaps = held != tensor.bytes;
    tensor.bytes = held;
  }
  return std::move(dict.model);
}

void check(const model::Model& /*model*/, io::Diagnostics& /*diagnostics*/) {}

}  // namespace ambry::formats::pytorch
