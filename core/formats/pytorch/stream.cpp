#include "formats/pytorch/stream.h"

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "base/order.h"
#include "formats/pytorch/storage_facts.h"

namespace ambry::formats::pytorch {
namespace {

using Kind = Node::Kind;

constexpr uint64_t kVersion = 1001;
constexpr uint64_t kCountBytes = 8;
// The first part of a pickle to read. Its size is not stated.
constexpr uint64_t kFirstLook = 64 << 10;

}  // namespace

Result<Stream> Stream::open(const io::Source& source) {
  if (!source.size_known()) return io::Source::need_size();
  Stream stream(source);
  AMBRY_RETURN_IF_ERROR(stream.check_version());
  AMBRY_RETURN_IF_ERROR(stream.check_machine());
  AMBRY_TRY(stream.checkpoint_, stream.next_pickle("checkpoint"));
  AMBRY_RETURN_IF_ERROR(stream.read_types());
  AMBRY_RETURN_IF_ERROR(stream.find_storages());
  return stream;
}

// Reads ever larger parts, because a long pickle is rare and its end is unknown.
Result<Pickle> Stream::next_pickle(std::string_view name) {
  const uint64_t rest = std::min(source_->size() - position_, kMaxPickleBytes);
  for (uint64_t look = kFirstLook;; look *= 4) {
    const uint64_t size = std::min(look, rest);
    AMBRY_TRY(const Bytes bytes, source_->view(position_, size, name));
    auto pickle = Pickle::read_first(bytes, position_, name);
    if (pickle) {
      position_ += pickle->bytes().size();
      return pickle;
    }
    if (pickle.error().code != ErrorCode::Truncated) return pickle;
    if (size < rest) continue;
    if (rest < kMaxPickleBytes) return pickle;
    return error_at(ErrorCode::LimitExceeded, position_, name, "a pickle of more than 16 MB");
  }
}

Result<void> Stream::check_version() {
  const uint64_t at = position_;
  AMBRY_TRY(const Pickle version, next_pickle("version"));
  const Node& number = version.node(version.root());
  if (number.kind == Kind::Int && number.number == kVersion) return {};
  return error_at(ErrorCode::UnsupportedVersion, at, "version",
                  {"no checkpoint of version ", kVersion});
}

Result<void> Stream::check_machine() {
  const uint64_t at = position_;
  AMBRY_TRY(const Pickle facts, next_pickle("machine"));
  const Node& dict = facts.node(facts.root());
  if (dict.kind != Kind::Dict) return error_at(ErrorCode::BadValue, at, "machine", "no dict");
  for (Pickle::Items items = facts.items(dict); items.left() > 0;) {
    const Node& key = facts.node(items.next());
    const Node& value = facts.node(items.next());
    if (key.kind != Kind::Text || facts.text(key) != "little_endian") continue;
    if (value.kind == Kind::Bool && value.number == 1) return {};
    return error_at(ErrorCode::Unsupported, facts.offset_of(value), "machine.little_endian",
                    "numbers in another order than little-endian");
  }
  return {};
}

// A storage states its number of elements. Only the checkpoint states their type.
Result<void> Stream::read_types() {
  for (const Node& node : checkpoint_->nodes()) {
    const auto facts = storage_facts(*checkpoint_, node);
    if (!facts) continue;
    const auto [known, is_new] = types_.try_emplace(facts->key, facts->dtype);
    if (is_new || known->second == facts->dtype) continue;
    return error_at(
        ErrorCode::Mismatch, checkpoint_->offset_of(node), "checkpoint",
        {"a storage of ", dtype_name(known->second), " and of ", dtype_name(facts->dtype)});
  }
  return {};
}

Result<void> Stream::find_storages() {
  const uint64_t at = position_;
  AMBRY_TRY(const Pickle keys, next_pickle("keys"));
  const Node& list = keys.node(keys.root());
  if (list.kind != Kind::List) return error_at(ErrorCode::BadValue, at, "keys", "no list");
  end_of_pickles_ = position_;
  for (Pickle::Items items = keys.items(list); items.left() > 0;) {
    const Node& key = keys.node(items.next());
    if (key.kind != Kind::Text) {
      return error_at(ErrorCode::BadValue, keys.offset_of(key), "keys", "a key that is no text");
    }
    AMBRY_RETURN_IF_ERROR(find_next(keys.text(key), keys.offset_of(key)));
  }
  const uint64_t rest = source_->size() - position_;
  if (rest == 0) return {};
  return error_at(ErrorCode::BadValue, position_, "file",
                  {rest, " bytes follow the last of the storages"});
}

Result<void> Stream::find_next(std::string_view key, uint64_t key_offset) {
  const auto type = types_.find(key);
  if (type == types_.end()) {
    return error_at(ErrorCode::Unsupported, key_offset, "keys",
                    {"no tensor says of what the storage ", key.substr(0, 80), " is"});
  }
  AMBRY_TRY(const Bytes count, source_->view(position_, kCountBytes, "storage.size"));
  const auto bytes =
      checked_mul(load_le<uint64_t>(count.data()), tensor::block_of(type->second).bytes);
  const uint64_t begin = position_ + kCountBytes;
  if (!bytes || *bytes > source_->size() - begin) {
    return error_at(ErrorCode::Truncated, position_, "storage.size",
                    {"the storage ", key.substr(0, 80), " passes the end of the file"});
  }
  if (!places_.try_emplace(std::string(key), Place{{begin, *bytes}}).second) {
    return error_at(ErrorCode::BadValue, key_offset, "keys",
                    {"the storage ", key.substr(0, 80), " comes twice"});
  }
  position_ = begin + *bytes;
  return {};
}

Result<std::optional<Extent>> Stream::find_storage(std::string_view key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return std::optional<Extent>();
  found->second.asked = true;
  return std::optional(found->second.content);
}

std::vector<model::Region> Stream::regions() const {
  std::vector<model::Region> regions = {{"pickles", 0, end_of_pickles_}};
  for (const auto& [key, place] : places_) {
    const auto& [offset, bytes] = place.content;
    const uint64_t begin = offset - kCountBytes;
    if (place.asked) {
      regions.push_back({concat({"storage ", key, " (size)"}), begin, kCountBytes});
    } else {
      regions.push_back({concat({"storage ", key}), begin, kCountBytes + bytes});
    }
  }
  sort_items(regions, [](const auto& a, const auto& b) { return a.offset < b.offset; });
  return regions;
}

}  // namespace ambry::formats::pytorch
