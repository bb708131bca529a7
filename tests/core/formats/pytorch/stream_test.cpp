// The form that PyTorch wrote before 1.6.
#include "formats/pytorch/stream.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/pytorch/make_pytorch.h"
#include "formats/pytorch/pytorch_parse.h"

namespace ambry::formats::pytorch {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using tensor::DType;
using tensor::Shape;

StreamMaker small_stream() {
  return StreamMaker::of({{"conv.weight", "FloatStorage", {2, 3}, std::string(24, '\1')},
                          {"conv.bias", "HalfStorage", {2}, std::string(8, '\2'), 1},
                          {"steps", "LongStorage", {}, std::string(8, '\3')}});
}

Result<model::Model> read_stream(const File& file) {
  const io::MemorySource source(file);
  io::Diagnostics found;
  return parse(source, found);
}

Error refused_stream(const StreamMaker& made) {
  const auto model = read_stream(made.make());
  EXPECT_FALSE(model);
  return model ? Error() : model.error();
}

TEST(PytorchStream, ListsTensorsAtTheirPlaces) {
  const StreamMaker made = small_stream();
  const File file = made.make();
  EXPECT_TRUE(*probe(io::MemorySource(file)));
  const auto model = read_stream(file);
  ASSERT_TRUE(model) << describe(model.error());
  const auto& tensors = model->tensors;
  ASSERT_EQ(tensors.size(), 3U);
  EXPECT_EQ(tensors[0].name, "conv.weight");
  EXPECT_EQ(tensors[0].shape, (Shape{2, 3}));
  EXPECT_EQ(tensors[0].offset, made.storage_at(0) + 8);
  EXPECT_EQ(tensors[0].bytes, 24U);
  EXPECT_EQ(tensors[1].dtype, DType::F16);
  EXPECT_EQ(tensors[1].offset, made.storage_at(1) + 8 + 2);
  EXPECT_EQ(tensors[1].bytes, 4U);
  EXPECT_EQ(tensors[2].dtype, DType::I64);
  EXPECT_EQ(tensors[2].offset, made.storage_at(2) + 8);
}

// Regions, and storages that tensors lie in, cover the file.
TEST(PytorchStream, MapsTheWholeFile) {
  StreamMaker made = small_stream();
  made.keys = PickleMaker().begin().raw("](").text("2").text("1").text("0").raw("e").end();
  std::ranges::reverse(made.storages);
  const auto model = read_stream(made.make());
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ(model->regions,
            (std::vector<model::Region>{{"pickles", 0, made.storage_at(0)},
                                        {"storage 2 (size)", made.storage_at(0), 8},
                                        {"storage 1 (size)", made.storage_at(1), 8},
                                        {"storage 0 (size)", made.storage_at(2), 8}}));
}

TEST(PytorchStream, ReadsTensorsOfTheFirstVersions) {
  StreamMaker made = small_stream();
  made.checkpoint = PickleMaker().streams().begin().begin_dict().text("x");
  made.checkpoint.global("torch._utils", "_rebuild_tensor").raw("(");
  made.checkpoint.storage("FloatStorage", "0", 1).number(0).tuple({1}).tuple({1}).raw("tR");
  made.checkpoint.end_dict().end();
  made.keys = PickleMaker().begin().raw("](").text("0").raw("e").end();
  made.storages = {std::string("\1\0\0\0\0\0\0\0abcd", 12)};
  const auto model = read_stream(made.make());
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ(model->tensors[0].bytes, 4U);
}

// Longer than the first piece that is looked at.
TEST(PytorchStream, ReadsPicklesOfAnyLength) {
  std::vector<Tensor> tensors;
  for (int i = 0; i < 2000; ++i) {
    tensors.push_back({"layer." + std::to_string(i), "FloatStorage", {1}, "1234"});
  }
  const StreamMaker made = StreamMaker::of(tensors);
  ASSERT_GT(made.checkpoint.bytes().size(), 200'000U);
  const auto model = read_stream(made.make());
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ(model->tensors.size(), 2000U);
}

TEST(PytorchStream, RequestsMissingBytes) {
  const File file = small_stream().make();
  io::PartialSource source(file.size());
  for (int i = 0; i < 100; ++i) {
    io::Diagnostics found;
    const auto model = parse(source, found);
    if (model) {
      EXPECT_GT(i, 0);
      return;
    }
    ASSERT_EQ(model.error().code, ErrorCode::NeedBytes) << describe(model.error());
    const uint64_t at = model.error().byte_offset;
    const uint64_t size = std::min<uint64_t>(model.error().need_size, file.size() - at);
    ASSERT_TRUE(source.insert(at, Bytes(file).subspan(at, size)));
  }
  FAIL() << "never has enough";
}

TEST(PytorchStream, RejectsEveryPrefix) {
  const File file = small_stream().make();
  for (size_t size = 16; size < file.size(); ++size) {
    const auto model =
        read_stream({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)});
    ASSERT_FALSE(model) << size;
    EXPECT_LE(model.error().byte_offset, size);
  }
}

TEST(PytorchStream, EveryFlippedByteReturns) {
  const File file = small_stream().make();
  for (size_t i = 0; i < file.size(); ++i) {
    File flipped = file;
    flipped[i] ^= 0xFF;
    const auto model = read_stream(flipped);
    if (model) continue;
    EXPECT_LE(model.error().byte_offset, file.size());
  }
}

TEST(PytorchStream, ReportsFaults) {
  StreamMaker made = small_stream();
  made.version = PickleMaker().begin().number(1002).end();
  EXPECT_EQ(refused_stream(made).code, ErrorCode::UnsupportedVersion);
  made = small_stream();
  made.machine = PickleMaker().begin().raw("}(").text("little_endian").raw("\x89u").end();
  EXPECT_EQ(refused_stream(made).path, "machine.little_endian");
  made.machine = PickleMaker().begin().number(1).end();
  EXPECT_EQ(refused_stream(made).path, "machine");
  made = small_stream();
  made.keys = PickleMaker().begin().number(1).end();
  EXPECT_EQ(refused_stream(made).path, "keys");
  EXPECT_EQ(refused_stream(made).byte_offset, made.keys_at());
  made.keys = PickleMaker().begin().raw("](").number(1).raw("e").end();
  EXPECT_EQ(refused_stream(made).message, "a key that is no text");
  made.keys = PickleMaker().begin().raw("](").text("other").raw("e").end();
  EXPECT_EQ(refused_stream(made).code, ErrorCode::Unsupported);
  made.keys = PickleMaker().begin().raw("](").text("0").text("0").raw("e").end();
  made.storages[1] = made.storages[0];
  EXPECT_EQ(refused_stream(made).message, "the storage 0 comes twice");
}

TEST(PytorchStream, NamesStoragesThatDoNotFit) {
  StreamMaker made = small_stream();
  made.storages.back() += "x";
  EXPECT_EQ(refused_stream(made).path, "file");
  EXPECT_EQ(refused_stream(made).message, "1 bytes follow the last of the storages");
  made = small_stream();
  made.storages[2][0] = 2;
  const Error cut = refused_stream(made);
  EXPECT_EQ(cut.code, ErrorCode::Truncated);
  EXPECT_EQ(cut.byte_offset, made.storage_at(2));
  made.storages[2][7] = '\x7F';
  EXPECT_EQ(refused_stream(made).code, ErrorCode::Truncated);
  made = small_stream();
  made.storages.pop_back();
  made.keys = PickleMaker().begin().raw("](").text("0").text("1").raw("e").end();
  EXPECT_EQ(refused_stream(made).code, ErrorCode::NotFound);
  EXPECT_EQ(refused_stream(made).path, "tensors[2].storage");
}

TEST(PytorchStream, RefusesAStorageOfTwoTypes) {
  StreamMaker made = small_stream();
  made.checkpoint = PickleMaker().streams().begin().begin_dict();
  put_tensor(made.checkpoint.text("a"), {"", "FloatStorage", {2}, "12345678"}, "0");
  put_tensor(made.checkpoint.text("b"), {"", "LongStorage", {1}, "12345678"}, "0");
  made.checkpoint.end_dict().end();
  EXPECT_EQ(refused_stream(made).code, ErrorCode::Mismatch);
}

// A view of another storage, as PyTorch wrote them before 0.4.
TEST(PytorchStream, RefusesViewsOfStorages) {
  StreamMaker made = small_stream();
  made.checkpoint = PickleMaker().begin().begin_dict().text("x");
  made.checkpoint.global("torch._utils", "_rebuild_tensor_v2").raw("((").text("storage");
  made.checkpoint.global("torch", "FloatStorage").text("0").text("cpu").number(6);
  made.checkpoint.tuple({1, 0, 6}).raw("tQ").number(0).tuple({6}).tuple({1});
  made.checkpoint.raw("\x89NtR").end_dict().end();
  const Error error = refused_stream(made);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
}

TEST(PytorchStream, RunsNoCode) {
  StreamMaker made = small_stream();
  made.checkpoint = PickleMaker().begin().global("os", "system").raw("(").text("echo").raw("tR.");
  // The call is not made, so nothing refers to the storages.
  const Error error = refused_stream(made);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.path, "keys");
  made = small_stream();
  made.machine = PickleMaker().begin().global("builtins", "eval").end();
  EXPECT_EQ(refused_stream(made).path, "machine");
}

}  // namespace
}  // namespace ambry::formats::pytorch
