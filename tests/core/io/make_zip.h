// Builds ZIP archives field by field, as PyTorch writes them or with one fault.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "io/crc32.h"

namespace ambry::io::testing {

struct ZipMaker {
  struct Member {
    std::string name;
    std::vector<uint8_t> content;
    uint16_t method = 0;
    uint16_t flags = 0x808;  // sizes and checksum follow the content; the name is UTF-8
    // Set by make().
    uint64_t header = 0;
    uint64_t at = 0;     // offset of the content
    uint64_t entry = 0;  // offset in the directory
  };
  std::vector<Member> members;
  uint64_t alignment = 16;  // of the contents, made with an extra field as PyTorch does
  bool zip64 = false;       // whether every size and offset is in the ZIP64 fields
  std::string comment;
  // Set by make().
  uint64_t directory = 0;
  uint64_t end = 0;  // offset of the last record

  void add(std::string name, std::vector<uint8_t> content) {
    members.push_back({std::move(name), std::move(content)});
  }
  void add(std::string name, std::string_view content) {
    const Bytes bytes = as_bytes(content);
    add(std::move(name), std::vector<uint8_t>(bytes.begin(), bytes.end()));
  }
  [[nodiscard]] Member& member(std::string_view name) {
    for (Member& m : members) {
      if (m.name == name) return m;
    }
    std::abort();
  }

  std::vector<uint8_t> make() {
    file_.clear();
    for (Member& member : members) put_member(member);
    directory = file_.size();
    for (Member& member : members) put_entry(member);
    const uint64_t size = file_.size() - directory;
    if (zip64) put_end64(size);
    end = file_.size();
    const uint32_t count = zip64 ? 0xFFFF : static_cast<uint32_t>(members.size());
    put32(0x06054B50);
    put32(0);
    put16(count);
    put16(count);
    put32(zip64 ? 0xFFFFFFFF : size);
    put32(zip64 ? 0xFFFFFFFF : directory);
    put16(comment.size());
    put_text(comment);
    return file_;
  }

 private:
  template <class T>
  void put(T value) {
    file_.resize(file_.size() + sizeof(T));
    store_le(file_.data() + file_.size() - sizeof(T), value);
  }
  void put16(uint64_t value) { put(static_cast<uint16_t>(value)); }
  void put32(uint64_t value) { put(static_cast<uint32_t>(value)); }
  void put_text(std::string_view text) { file_.insert(file_.end(), text.begin(), text.end()); }

  void put_member(Member& member) {
    member.header = file_.size();
    const uint64_t unpadded = member.header + 30 + member.name.size() + 4;
    const uint64_t padding = (alignment - unpadded % alignment) % alignment;
    put32(0x04034B50);
    put16(0);
    put16(member.flags);
    put16(member.method);
    for (int i = 0; i < 4; ++i) put32(0);  // time, checksum and sizes; the real ones follow
    put16(member.name.size());
    put16(4 + padding);
    put_text(member.name);
    put16(0x4246);
    put16(padding);
    put_text(std::string(padding, 'Z'));
    member.at = file_.size();
    file_.insert(file_.end(), member.content.begin(), member.content.end());
    put32(0x08074B50);
    put32(crc32(member.content));
    put32(member.content.size());
    put32(member.content.size());
  }

  void put_entry(Member& member) {
    member.entry = file_.size();
    const uint64_t size = zip64 ? 0xFFFFFFFF : member.content.size();
    put32(0x02014B50);
    put32(0);
    put16(member.flags);
    put16(member.method);
    put32(0);
    put32(crc32(member.content));
    put32(size);
    put32(size);
    put16(member.name.size());
    put16(zip64 ? 28 : 0);
    for (int i = 0; i < 5; ++i) put16(0);
    put32(zip64 ? 0xFFFFFFFF : member.header);
    put_text(member.name);
    if (!zip64) return;
    put16(1);
    put16(24);
    put<uint64_t>(member.content.size());
    put<uint64_t>(member.content.size());
    put<uint64_t>(member.header);
  }

  void put_end64(uint64_t size) {
    const uint64_t at = file_.size();
    put32(0x06064B50);
    put<uint64_t>(44);
    for (int i = 0; i < 3; ++i) put32(0);
    put<uint64_t>(members.size());
    put<uint64_t>(members.size());
    put(size);
    put(directory);
    put32(0x07064B50);
    put32(0);
    put(at);
    put32(1);
  }

  std::vector<uint8_t> file_;
};

}  // namespace ambry::io::testing
