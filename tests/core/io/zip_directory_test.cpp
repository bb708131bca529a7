#include "io/zip_directory.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "io/make_zip.h"

namespace ambry::io {
namespace {

using testing::ZipMaker;
using File = std::vector<uint8_t>;

ZipMaker two_members() {
  ZipMaker maker;
  maker.add("a/first", "12345");
  maker.add("a/second", "");
  maker.add("a/third", std::string(300, 'x'));
  return maker;
}

void expect_found(ZipMaker& maker, const File& file) {
  const MemorySource source(file);
  const auto directory = ZipDirectory::read(source);
  ASSERT_TRUE(directory) << describe(directory.error());
  EXPECT_EQ(directory->offset(), maker.directory);
  ASSERT_EQ(directory->members().size(), maker.members.size());
  for (const ZipMaker::Member& made : maker.members) {
    const ZipMember* found = directory->find(made.name);
    ASSERT_NE(found, nullptr) << made.name;
    EXPECT_EQ(found->bytes, made.content.size());
    const auto content = find_content(source, *found);
    ASSERT_TRUE(content) << describe(content.error());
    EXPECT_EQ(*content, made.at);
  }
  EXPECT_EQ(directory->find("a/fourth"), nullptr);
  EXPECT_EQ(directory->find(""), nullptr);
}

TEST(ZipDirectory, FindsStoredMembers) {
  ZipMaker maker = two_members();
  const File file = maker.make();
  expect_found(maker, file);
}

TEST(ZipDirectory, FindsTheDirectoryBeforeAComment) {
  ZipMaker maker = two_members();
  maker.comment = "PK\x05\x06 is not the end";
  const File file = maker.make();
  expect_found(maker, file);
}

TEST(ZipDirectory, ReadsZip64) {
  ZipMaker maker = two_members();
  maker.zip64 = true;
  const File file = maker.make();
  expect_found(maker, file);
}

TEST(ZipDirectory, AcceptsAnEmptyArchive) {
  ZipMaker maker;
  const File file = maker.make();
  expect_found(maker, file);
}

// The source is partial: only the directory and the requested headers are fetched.
TEST(ZipDirectory, AsksForTheDirectoryOnly) {
  ZipMaker maker = two_members();
  maker.member("a/third").content.assign(100'000, 7);
  const File file = maker.make();
  PartialSource source(file.size());
  for (int round = 0;; ++round) {
    ASSERT_LT(round, 10);
    const auto directory = ZipDirectory::read(source);
    if (directory) break;
    const Error& need = directory.error();
    ASSERT_EQ(need.code, ErrorCode::NeedBytes) << describe(need);
    ASSERT_TRUE(
        source.insert(need.byte_offset, Bytes(file).subspan(need.byte_offset, need.need_size)));
  }
  EXPECT_LE(source.loaded_bytes(), file.size() - maker.directory);
}

struct Fault {
  const char* name;
  std::function<void(ZipMaker&)> before;
  std::function<void(File&, const ZipMaker&)> after;
  ErrorCode code;
  std::function<uint64_t(const ZipMaker&)> at;
  const char* path;
};

template <class T>
void put_at(File& file, uint64_t at, T value) {
  store_le(file.data() + at, value);
}

void expect_faults(std::initializer_list<Fault> faults) {
  for (const Fault& fault : faults) {
    ZipMaker maker = two_members();
    if (fault.before) fault.before(maker);
    File file = maker.make();
    if (fault.after) fault.after(file, maker);
    const MemorySource source(file);
    const auto directory = ZipDirectory::read(source);
    ASSERT_FALSE(directory) << fault.name;
    EXPECT_EQ(directory.error().code, fault.code) << fault.name << describe(directory.error());
    EXPECT_EQ(directory.error().byte_offset, fault.at(maker)) << fault.name;
    EXPECT_EQ(directory.error().path, fault.path) << fault.name;
  }
}

uint64_t second(const ZipMaker& maker) { return maker.members[1].entry; }
std::function<void(ZipMaker&)> renamed(const std::string& name) {
  return [name](ZipMaker& maker) { maker.members[1].name = name; };
}

TEST(ZipDirectory, RejectsUnsafeNames) {
  const auto at_name = [](const ZipMaker& m) { return second(m) + 46; };
  const char* path = "zip.members[1].name";
  expect_faults({
      {"parent", renamed("../etc/passwd"), {}, ErrorCode::BadValue, at_name, path},
      {"parent inside", renamed("a/../../b"), {}, ErrorCode::BadValue, at_name, path},
      {"parent last", renamed("a/.."), {}, ErrorCode::BadValue, at_name, path},
      {"absolute", renamed("/etc/passwd"), {}, ErrorCode::BadValue, at_name, path},
      {"backslash", renamed("a\\..\\b"), {}, ErrorCode::BadValue, at_name, path},
      {"drive", renamed("C:/b"), {}, ErrorCode::BadValue, at_name, path},
      {"zero byte", renamed(std::string("a\0b", 3)), {}, ErrorCode::BadValue, at_name, path},
      {"no text", renamed("a\xFF"), {}, ErrorCode::BadValue, at_name, path},
      {"empty", renamed(""), {}, ErrorCode::BadValue, at_name, path},
      {"twice", renamed("a/first"), {}, ErrorCode::BadValue, second, path},
  });
}

TEST(ZipDirectory, RejectsCompressedAndEncryptedMembers) {
  expect_faults({
      {"deflate",
       [](ZipMaker& m) { m.members[1].method = 8; },
       {},
       ErrorCode::Unsupported,
       [](const ZipMaker& m) { return second(m) + 10; },
       "zip.members[1].method"},
      {"lzma",
       [](ZipMaker& m) { m.members[1].method = 14; },
       {},
       ErrorCode::Unsupported,
       [](const ZipMaker& m) { return second(m) + 10; },
       "zip.members[1].method"},
      {"encrypted",
       [](ZipMaker& m) { m.members[1].flags = 1; },
       {},
       ErrorCode::Unsupported,
       [](const ZipMaker& m) { return second(m) + 8; },
       "zip.members[1].flags"},
      {"a bomb's sizes",
       {},
       [](File& f, const ZipMaker& m) { put_at(f, second(m) + 24, 0xFFFFFFF0U); },
       ErrorCode::BadValue,
       [](const ZipMaker& m) { return second(m) + 20; },
       "zip.members[1].size"},
      {"several parts",
       {},
       [](File& f, const ZipMaker& m) { put_at(f, m.end + 4, uint32_t{1}); },
       ErrorCode::Unsupported,
       [](const ZipMaker& m) { return m.end + 4; },
       "zip.end.disk"},
  });
}

TEST(ZipDirectory, RejectsOverlappingMembers) {
  expect_faults({
      {"one place",
       {},
       [](File& f, const ZipMaker& m) {
         put_at(f, second(m) + 42, static_cast<uint32_t>(m.members[0].header));
       },
       ErrorCode::BadValue,
       [](const ZipMaker& m) { return m.members[0].entry; },
       "zip.members[0].offset"},
      {"into the next",
       {},
       [](File& f, const ZipMaker& m) {
         put_at(f, second(m) + 20, uint32_t{200});
         put_at(f, second(m) + 24, uint32_t{200});
       },
       ErrorCode::BadValue,
       second,
       "zip.members[1].offset"},
      {"into the directory",
       {},
       [](File& f, const ZipMaker& m) {
         put_at(f, m.members[2].entry + 20, uint32_t{4000});
         put_at(f, m.members[2].entry + 24, uint32_t{4000});
       },
       ErrorCode::BadValue,
       [](const ZipMaker& m) { return m.members[2].entry; },
       "zip.members[2].offset"},
      {"behind the file",
       {},
       [](File& f, const ZipMaker& m) { put_at(f, second(m) + 42, 0xFFFFFF00U); },
       ErrorCode::BadValue,
       second,
       "zip.members[1].offset"},
  });
}

TEST(ZipDirectory, RejectsAnInconsistentDirectory) {
  const auto end = [](const ZipMaker& m) { return m.end; };
  expect_faults({
      {"no end",
       {},
       [](File& f, const ZipMaker& m) { f.resize(m.end); },
       ErrorCode::Truncated,
       end,
       "zip.end"},
      {"too many members",
       {},
       [](File& f, const ZipMaker& m) { put_at(f, m.end + 10, uint16_t{60'000}); },
       ErrorCode::BadValue,
       end,
       "zip.end.members"},
      {"one member too few",
       {},
       [](File& f, const ZipMaker& m) { put_at(f, m.end + 10, uint16_t{2}); },
       ErrorCode::BadValue,
       end,
       "zip.end.members"},
      {"another size",
       {},
       [](File& f, const ZipMaker& m) { put_at(f, m.end + 12, uint32_t{46}); },
       ErrorCode::BadValue,
       [](const ZipMaker& m) { return m.end + 12; },
       "zip.end.directory"},
      {"no entry",
       {},
       [](File& f, const ZipMaker& m) { f[second(m)] = 'Q'; },
       ErrorCode::BadMagic,
       second,
       "zip.members[1].magic"},
      {"a name past the end",
       {},
       [](File& f, const ZipMaker& m) { put_at(f, second(m) + 28, uint16_t{60'000}); },
       ErrorCode::Truncated,
       [](const ZipMaker& m) { return second(m) + 28; },
       "zip.members[1]"},
      {"ZIP64 behind itself", [](ZipMaker& m) { m.zip64 = true; },
       [](File& f, const ZipMaker& m) { put_at(f, m.end - 12, uint64_t{1} << 40); },
       ErrorCode::BadValue, [](const ZipMaker& m) { return m.end - 12; }, "zip.end64.offset"},
      {"ZIP64 elsewhere", [](ZipMaker& m) { m.zip64 = true; },
       [](File& f, const ZipMaker& m) { put_at(f, m.end - 12, uint64_t{0}); }, ErrorCode::BadMagic,
       [](const ZipMaker&) { return uint64_t{0}; }, "zip.end64.magic"},
  });
}

TEST(ZipDirectory, RejectsAHeaderThatDisagreesWithTheDirectory) {
  const std::pair<const char*, std::function<void(File&, const ZipMaker&)>> kFaults[] = {
      {"no header", [](File& f, const ZipMaker& m) { f[m.members[0].header] = 'Q'; }},
      {"another name", [](File& f, const ZipMaker& m) { f[m.members[0].header + 30] = 'b'; }},
      {"another method", [](File& f, const ZipMaker& m) { f[m.members[0].header + 8] = 8; }},
      {"content past the end",
       [](File& f, const ZipMaker& m) { put_at(f, m.members[0].header + 28, uint16_t{60'000}); }}};
  for (const auto& [name, damage] : kFaults) {
    ZipMaker maker = two_members();
    File file = maker.make();
    damage(file, maker);
    const MemorySource source(file);
    const auto directory = ZipDirectory::read(source);
    ASSERT_TRUE(directory) << name;
    EXPECT_FALSE(find_content(source, directory->members()[0])) << name;
  }
}

}  // namespace
}  // namespace ambry::io
