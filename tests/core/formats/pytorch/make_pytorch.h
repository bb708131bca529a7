// Builds PyTorch checkpoints opcode by opcode, as its own pickler writes them or with anything else
// in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/make_zip.h"

namespace ambry::formats::pytorch::testing {

using File = std::vector<uint8_t>;

// Opcodes one after another.
class PickleMaker {
 public:
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  PickleMaker& raw(std::string_view opcodes) {
    bytes_ += opcodes;
    return *this;
  }
  PickleMaker& text(std::string_view value) { return raw("X").little(value.size(), 4).raw(value); }
  PickleMaker& number(uint64_t value) {
    if (value < 256) return raw("K").little(value, 1);
    return value < 65536 ? raw("M").little(value, 2) : raw("\x8A\x08").little(value, 8);
  }
  PickleMaker& global(std::string_view module, std::string_view name) {
    return raw("c").raw(module).raw("\n").raw(name).raw("\n");
  }
  PickleMaker& tuple(const std::vector<uint64_t>& numbers) {
    raw("(");
    for (const uint64_t n : numbers) number(n);
    return raw("t");
  }
  PickleMaker& storage(std::string_view type, std::string_view key, uint64_t count) {
    raw("(").text("storage").global("torch", type).text(key).text("cpu").number(count);
    return raw(streams_ ? "NtQ" : "tQ");
  }
  // Storages as PyTorch described them before 1.6.
  PickleMaker& streams() {
    streams_ = true;
    return *this;
  }
  PickleMaker& begin_dict() { return global("collections", "OrderedDict").raw(")R("); }
  PickleMaker& end_dict() { return raw("u"); }
  PickleMaker& begin() { return raw(std::string_view("\x80\x02", 2)); }
  PickleMaker& end() { return raw("."); }

 private:
  PickleMaker& little(uint64_t value, size_t n) {
    for (size_t i = 0; i < n; ++i) bytes_ += static_cast<char>(value >> 8 * i);
    return *this;
  }

  std::string bytes_;
  bool streams_ = false;
};

struct Tensor {
  std::string name;
  std::string type = "FloatStorage";
  std::vector<uint64_t> shape;
  std::string data;
  uint64_t offset = 0;  // elements of the storage before it
  // Of its shape when empty.
  // NOLINTNEXTLINE(readability-redundant-member-init): GCC warns of aggregates that leave it out
  std::vector<uint64_t> stride = {};
};

inline uint64_t element_bytes(std::string_view type) {
  if (type == "HalfStorage" || type == "BFloat16Storage" || type == "ShortStorage") return 2;
  if (type == "DoubleStorage" || type == "LongStorage" || type == "ComplexFloatStorage") return 8;
  if (type == "ByteStorage" || type == "CharStorage" || type == "BoolStorage") return 1;
  return 4;
}

inline void put_tensor(PickleMaker& pickle, const Tensor& tensor, std::string_view key) {
  std::vector<uint64_t> stride = tensor.stride;
  if (stride.empty()) {
    stride.resize(tensor.shape.size(), 1);
    for (size_t i = stride.size(); i-- > 1;) stride[i - 1] = stride[i] * tensor.shape[i];
  }
  pickle.global("torch._utils", "_rebuild_tensor_v2").raw("(");
  pickle.storage(tensor.type, key, tensor.data.size() / element_bytes(tensor.type));
  pickle.number(tensor.offset).tuple(tensor.shape).tuple(stride);
  pickle.raw("\x89").global("collections", "OrderedDict").raw(")RtR");
}

// An archive around the pickle; storages get the keys 0, 1, ….
inline io::testing::ZipMaker archive_of(const PickleMaker& pickle,
                                        const std::vector<std::string>& storages) {
  io::testing::ZipMaker zip;
  zip.add("archive/data.pkl", pickle.bytes());
  zip.add("archive/byteorder", "little");
  for (size_t i = 0; i < storages.size(); ++i) {
    zip.add("archive/data/" + std::to_string(i), storages[i]);
  }
  zip.add("archive/version", "3\n");
  return zip;
}

inline PickleMaker pickle_of(const std::vector<Tensor>& tensors, PickleMaker pickle = {}) {
  pickle.begin().begin_dict();
  for (size_t i = 0; i < tensors.size(); ++i) {
    put_tensor(pickle.text(tensors[i].name), tensors[i], std::to_string(i));
  }
  pickle.end_dict().end();
  return pickle;
}

inline io::testing::ZipMaker from_tensors(const std::vector<Tensor>& tensors) {
  std::vector<std::string> storages;
  storages.reserve(tensors.size());
  for (const Tensor& tensor : tensors) storages.push_back(tensor.data);
  return archive_of(pickle_of(tensors), storages);
}

// The form before PyTorch 1.6, piece by piece; storages get the keys 0, 1, ….
struct StreamMaker {
  std::string magic =
      "\x80\x02\x8A\x0Al\xFC\x9C"
      "F\xF9 j\xA8P\x19.";
  PickleMaker version = PickleMaker().begin().number(1001).end();
  PickleMaker machine = PickleMaker()
                            .begin()
                            .raw("}(")
                            .text("protocol_version")
                            .number(1001)
                            .text("little_endian")
                            .raw("\x88")
                            .text("type_sizes")
                            .raw("}(")
                            .text("int")
                            .number(4)
                            .raw("uu")
                            .end();
  PickleMaker checkpoint;
  PickleMaker keys;
  std::vector<std::string> storages;  // each with its count before it

  static StreamMaker of(const std::vector<Tensor>& tensors) {
    StreamMaker made;
    made.checkpoint = pickle_of(tensors, PickleMaker().streams());
    made.keys.begin().raw("](");
    for (size_t i = 0; i < tensors.size(); ++i) {
      made.keys.text(std::to_string(i));
      const uint64_t count = tensors[i].data.size() / element_bytes(tensors[i].type);
      made.storages.push_back(std::string(reinterpret_cast<const char*>(&count), 8) +
                              tensors[i].data);
    }
    made.keys.raw("e").end();
    return made;
  }

  [[nodiscard]] uint64_t keys_at() const {
    return magic.size() + version.bytes().size() + machine.bytes().size() +
           checkpoint.bytes().size();
  }
  // Where the i-th storage's count stands.
  [[nodiscard]] uint64_t storage_at(size_t i) const {
    uint64_t at = keys_at() + keys.bytes().size();
    for (size_t before = 0; before < i; ++before) at += storages[before].size();
    return at;
  }
  [[nodiscard]] File make() const {
    std::string file =
        magic + version.bytes() + machine.bytes() + checkpoint.bytes() + keys.bytes();
    for (const std::string& storage : storages) file += storage;
    return {file.begin(), file.end()};
  }
};

inline File make_state_dict() {
  return from_tensors({{"conv.weight", "FloatStorage", {2, 3}, std::string(24, '\1')},
                       {"conv.bias", "HalfStorage", {2}, std::string(8, '\2'), 1},
                       {"steps", "LongStorage", {}, std::string(8, '\3')}})
      .make();
}

}  // namespace ambry::formats::pytorch::testing
