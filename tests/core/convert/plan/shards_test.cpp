// Compares weights in several safetensors files with the same weights in one.
#include "convert/plan/shards.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "convert/encoder/tiny_encoder.h"
#include "convert/run_conversion.h"

namespace ambry::convert {
namespace {

constexpr std::string_view kShardIndex = "model.safetensors.index.json";

namespace st = formats::safetensors::testing;
using testing::File;

// The tiny encoder's tensors distributed over shards, and their index.
struct Sharded {
  std::vector<std::vector<st::Tensor>> shards;
  std::map<std::string, std::string> map;
  std::vector<std::string> given;  // names of the files that are passed

  explicit Sharded(size_t n = 3) : shards(n) {
    for (size_t i = 0; i < n; ++i) given.push_back(name(i));
    const auto all = testing::as_safetensors("", formats::embd::testing::tiny_tensors());
    for (size_t i = 0; i < all.size(); ++i) add(i % n, all[i]);
  }
  static std::string name(size_t i) { return "model-" + std::to_string(i + 1) + ".safetensors"; }

  void add(size_t shard, const st::Tensor& tensor) {
    shards[shard].push_back(tensor);
    map[tensor.name] = name(shard);
  }
  [[nodiscard]] std::string index() const {
    std::string text;
    for (const auto& [tensor, file] : map) {
      text += (text.empty() ? "" : ",") + ("\"" + tensor + "\":\"" + file + "\"");
    }
    return R"({"metadata":{"total_size":1},"weight_map":{)" + text + "}}";
  }
  [[nodiscard]] SideFiles side() const {
    SideFiles files = testing::tiny_directory();
    files.add(std::string(kShardIndex), index());
    return files;
  }
  [[nodiscard]] Result<File> convert() const {
    const SideFiles files = side();
    std::vector<File> contents;
    for (const auto& tensors : shards) contents.push_back(st::from_tensors(tensors));
    std::vector<io::MemorySource> opened(contents.begin(), contents.end());
    SourceFiles sources(opened.front(), files);
    sources.name_main(given.front());
    for (size_t i = 1; i < given.size(); ++i) sources.add(given[i], opened[i]);
    return testing::run(sources, {contents.begin(), contents.end()}, {});
  }
};

TEST(Shards, ConvertLikeASingleFile) {
  const auto whole = testing::run(testing::tiny_safetensors(), testing::tiny_directory(), {});
  ASSERT_TRUE(whole);
  for (const size_t n : {size_t{1}, size_t{2}, size_t{5}}) {
    const auto sharded = Sharded(n).convert();
    ASSERT_TRUE(sharded) << describe(sharded.error());
    EXPECT_EQ(*sharded, *whole) << n;
  }
}

TEST(Shards, AWholeFileNeedsNoIndex) {
  const File file = testing::tiny_safetensors();
  const io::MemorySource source(file);
  Sharded other;
  const SideFiles files = other.side();
  SourceFiles sources(source, files);
  sources.name_main("model.safetensors");
  EXPECT_TRUE(testing::run(sources, {file}, {}));
}

void expect_error(const Result<File>& result, ErrorCode code, std::string_view path) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, code) << describe(result.error());
  EXPECT_EQ(result.error().path, path);
}

TEST(Shards, ReportAMissingFile) {
  Sharded sharded;
  sharded.given.pop_back();
  expect_error(sharded.convert(), ErrorCode::NotFound, "model-3.safetensors");
}

TEST(Shards, RejectATensorInTwoFiles) {
  Sharded sharded;
  sharded.shards[1].push_back(sharded.shards[0][2]);
  expect_error(sharded.convert(), ErrorCode::BadValue,
               "model-2.safetensors: " + sharded.shards[0][2].name);
}

TEST(Shards, RejectAWrongMap) {
  Sharded elsewhere;
  const std::string name = elsewhere.shards[1][0].name;
  elsewhere.map[name] = Sharded::name(2);
  expect_error(elsewhere.convert(), ErrorCode::Mismatch,
               std::string(kShardIndex) + ".weight_map." + name);

  Sharded nowhere;
  nowhere.map["no.such"] = Sharded::name(0);
  expect_error(nowhere.convert(), ErrorCode::NotFound,
               std::string(kShardIndex) + ".weight_map.no.such");

  Sharded unnamed;
  unnamed.map.erase(name);
  expect_error(unnamed.convert(), ErrorCode::Mismatch, "model-2.safetensors: " + name);
}

TEST(Shards, RejectAnIndexWithoutAMap) {
  for (const char* index : {R"({"metadata":{}})", R"({"weight_map":[]})"}) {
    SideFiles files = testing::tiny_directory();
    files.add(std::string(kShardIndex), index);
    expect_error(testing::run(testing::tiny_safetensors(), files, {}), ErrorCode::NotFound,
                 std::string(kShardIndex) + ".weight_map");
  }
  SideFiles files = testing::tiny_directory();
  for (const char* file :
       {"1", R"("")", R"("../x.safetensors")", R"("..")", R"("a/b")", R"("a\\b")"}) {
    files.add(std::string(kShardIndex), concat({R"({"weight_map":{"a":)", file, "}}"}));
    expect_error(testing::run(testing::tiny_safetensors(), files, {}), ErrorCode::BadValue,
                 std::string(kShardIndex) + ".weight_map.a");
  }
  files.add(std::string(kShardIndex), R"({"weight_map":{}})");
  expect_error(testing::run(testing::tiny_safetensors(), files, {}), ErrorCode::BadValue,
               std::string(kShardIndex) + ".weight_map");
}

TEST(Shards, NameThePointerOfGitLfs) {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\n";
  const Sharded sharded(2);
  const SideFiles files = sharded.side();
  const File first = st::from_tensors(sharded.shards[0]);
  const File second(pointer.begin(), pointer.end());
  const io::MemorySource held(first);
  const io::MemorySource unfetched(second);
  SourceFiles sources(held, files);
  sources.name_main(sharded.given[0]);
  sources.add(sharded.given[1], unfetched);
  expect_error(testing::run(sources, {first, second}, {}), ErrorCode::BadMagic, sharded.given[1]);

  for (const char* name : {"config.json", "vocab.txt", "modules.json"}) {
    SideFiles side = testing::tiny_directory();
    side.add(name, pointer);
    const auto result = testing::run(testing::tiny_safetensors(), side, {});
    expect_error(result, ErrorCode::BadMagic, name);
    EXPECT_NE(result.error().message.find("git lfs pull"), std::string::npos);
  }
}

TEST(Shards, NameTheDamagedFileAndTheNeededFile) {
  const Sharded sharded(2);
  const SideFiles files = sharded.side();
  const File first = st::from_tensors(sharded.shards[0]);
  File second = st::from_tensors(sharded.shards[1]);
  const io::MemorySource held(first);
  io::PartialSource missing(second.size());
  SourceFiles sources(held, files);
  sources.name_main(sharded.given[0]);
  sources.add(sharded.given[1], missing);
  const auto begun = Conversion::begin(sources, {});
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code, ErrorCode::NeedBytes);
  EXPECT_EQ(begun.error().need_file, 1U);

  second.resize(second.size() - 1);
  ASSERT_TRUE(missing.insert(0, second));
  missing.set_size(second.size());
  const auto damaged = Conversion::begin(sources, {});
  ASSERT_FALSE(damaged);
  EXPECT_TRUE(damaged.error().path.starts_with("model-2.safetensors: "))
      << describe(damaged.error());
}

}  // namespace
}  // namespace ambry::convert
