#include "formats/pytorch/pytorch_parse.h"

#include <gtest/gtest.h>

#include "data_files.h"
#include "formats/pytorch/read_pytorch.h"
#include "formats/safetensors/safetensors_parse.h"

namespace ambry::formats::pytorch {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using io::testing::ZipMaker;
using tensor::DType;
using tensor::Shape;

TEST(PytorchParse, ListsTensorsAtTheirPlaces) {
  ZipMaker zip = from_tensors({{"conv.weight", "FloatStorage", {2, 3}, std::string(24, '\1')},
                               {"conv.bias", "HalfStorage", {2}, std::string(8, '\2'), 1},
                               {"steps", "LongStorage", {}, std::string(8, '\3')}});
  const Read result = read(zip.make());
  ASSERT_TRUE(result.model) << describe(result.model.error());
  EXPECT_TRUE(result.found.errors.empty());
  const auto& tensors = result.model->tensors;
  ASSERT_EQ(tensors.size(), 3U);
  EXPECT_EQ(tensors[0].name, "conv.weight");
  EXPECT_EQ(tensors[0].dtype, DType::F32);
  EXPECT_EQ(tensors[0].shape, (Shape{2, 3}));
  EXPECT_EQ(tensors[0].offset, zip.member("archive/data/0").at);
  EXPECT_EQ(tensors[0].bytes, 24U);
  EXPECT_EQ(tensors[1].dtype, DType::F16);
  EXPECT_EQ(tensors[1].offset, zip.member("archive/data/1").at + 2);
  EXPECT_EQ(tensors[1].bytes, 4U);
  EXPECT_EQ(tensors[2].dtype, DType::I64);
  EXPECT_EQ(tensors[2].shape, Shape{});
}

TEST(PytorchParse, NamesTorchScript) {
  ZipMaker zip = from_tensors({{"weight", "FloatStorage", {1}, std::string(4, '\1')}});
  zip.add("archive/constants.pkl", "\x80\x02).");
  const Read result = read(zip.make());
  ASSERT_FALSE(result.model);
  EXPECT_EQ(result.model.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(result.model.error().path, "archive/constants.pkl");
  EXPECT_EQ(result.model.error().byte_offset, zip.member("archive/constants.pkl").entry);
  EXPECT_NE(result.model.error().message.find("TorchScript"), std::string::npos);
}

TEST(PytorchParse, KnowsTheTypesOfStorages) {
  const std::pair<const char*, DType> kTypes[] = {
      {"FloatStorage", DType::F32},       {"DoubleStorage", DType::F64},
      {"HalfStorage", DType::F16},        {"BFloat16Storage", DType::BF16},
      {"LongStorage", DType::I64},        {"IntStorage", DType::I32},
      {"ShortStorage", DType::I16},       {"CharStorage", DType::I8},
      {"ByteStorage", DType::U8},         {"BoolStorage", DType::Bool},
      {"ComplexFloatStorage", DType::C64}};
  for (const auto& [name, dtype] : kTypes) {
    const Read result = read(from_tensors({{"x", name, {2}, std::string(16, '\1')}}).make());
    ASSERT_TRUE(result.model) << name << describe(result.model.error());
    EXPECT_EQ(result.model->tensors[0].dtype, dtype) << name;
  }
}

// A storage of bytes, whose element type the tensor states.
TEST(PytorchParse, ReadsTypesWithoutAStorageOfTheirOwn) {
  PickleMaker pickle;
  pickle.begin().begin_dict().text("x").global("torch._utils", "_rebuild_tensor_v3").raw("((");
  pickle.text("storage").global("torch.storage", "UntypedStorage").text("0").text("cpu").number(4);
  pickle.raw("tQ").number(1).tuple({3}).tuple({1}).raw("\x89N");
  pickle.global("torch", "float8_e4m3fn").raw("tR").end_dict().end();
  const Read result = read(archive_of(pickle, {"1234"}).make());
  ASSERT_TRUE(result.model) << describe(result.model.error());
  EXPECT_EQ(result.model->tensors[0].dtype, DType::F8E4M3);
  EXPECT_EQ(result.model->tensors[0].bytes, 3U);
}

// {"epoch": 3, "lr": 0.5, "state_dict": {…}, "args": ["a", True, None]}
TEST(PytorchParse, JoinsTheKeysOfNestedDicts) {
  PickleMaker pickle;
  pickle.begin().raw("}(").text("epoch").number(3).text("lr");
  pickle.raw("G").raw(std::string_view("\x3F\xE0\0\0\0\0\0\0", 8)).text("state_dict").begin_dict();
  pickle.text("fc.weight").global("torch._utils", "_rebuild_parameter").raw("(");
  put_tensor(pickle, {"", "FloatStorage", {1}, "1234"}, "0");
  pickle.raw("\x88").global("collections", "OrderedDict").raw(")RtR").end_dict();
  pickle.text("args").raw("](").text("a").raw("\x88").raw("Ne").number(7).number(9).raw("u").end();
  const Read result = read(archive_of(pickle, {"1234"}).make());
  ASSERT_TRUE(result.model) << describe(result.model.error());
  ASSERT_EQ(result.model->tensors.size(), 1U);
  EXPECT_EQ(result.model->tensors[0].name, "state_dict.fc.weight");
  EXPECT_EQ(result.model->metadata.dump(),
            R"({"epoch":3,"lr":0.5,"args.0":"a","args.1":true,"args.2":null,"7":9})");
}

TEST(PytorchParse, TensorsMayShareAStorage) {
  PickleMaker pickle;
  pickle.begin().begin_dict();
  put_tensor(pickle.text("a"), {"", "FloatStorage", {2}, "12345678"}, "0");
  put_tensor(pickle.text("b"), {"", "FloatStorage", {1}, "12345678", 1}, "0");
  pickle.end_dict().end();
  const Read result = read(archive_of(pickle, {"12345678"}).make());
  ASSERT_TRUE(result.model) << describe(result.model.error());
  EXPECT_EQ(result.model->tensors[1].offset, result.model->tensors[0].offset + 4);
}

TEST(PytorchParse, ExtentsOfOneMayHaveAnyStride) {
  const Tensor one{"x", "FloatStorage", {1, 2, 1}, "12345678", 0, {77, 1, 99}};
  EXPECT_TRUE(read(from_tensors({one}).make()).model);
  const Tensor none{"x", "FloatStorage", {0, 4}, "", 0, {9, 9}};
  const Read result = read(from_tensors({none}).make());
  ASSERT_TRUE(result.model) << describe(result.model.error());
  EXPECT_EQ(result.model->tensors[0].bytes, 0U);
}

TEST(PytorchParse, FindsTheStridesOfTheElements) {
  const std::string data(96, '1');
  const std::vector<Tensor> tensors = {
      {"rows", "FloatStorage", {2, 3, 4}, data},
      {"transposed", "FloatStorage", {6, 4}, data, 0, {1, 6}},
      {"channels_last", "FloatStorage", {1, 4, 2, 3}, data, 0, {99, 1, 12, 4}},
  };
  ZipMaker zip = from_tensors(tensors);
  const File file = zip.make();
  io::Diagnostics diagnostics;
  const auto dict = parse_state_dict(io::MemorySource(file), diagnostics);
  ASSERT_TRUE(dict) << describe(dict.error());
  EXPECT_EQ(dict->strides, (std::map<std::string, Strides, std::less<>>{
                               {"transposed", {1, 6}}, {"channels_last", {99, 1, 12, 4}}}));
}

// Slices, steps and expanded tensors: what they span must be in the storage.
TEST(PytorchParse, FindsGapsAndOverlaps) {
  const std::string data(24, '1');
  ZipMaker zip = from_tensors({{"columns", "FloatStorage", {2, 2}, data, 0, {3, 1}},
                               {"expanded", "FloatStorage", {2, 3}, data, 1, {0, 0}},
                               {"rows", "FloatStorage", {2, 2}, data, 0, {2, 1}}});
  const File file = zip.make();
  io::Diagnostics diagnostics;
  const io::MemorySource source(file);
  const auto dict = parse_state_dict(source, diagnostics);
  ASSERT_TRUE(dict) << describe(dict.error());
  EXPECT_EQ(dict->strides, (std::map<std::string, Strides, std::less<>>{{"columns", {3, 1}},
                                                                        {"expanded", {0, 0}}}));
  EXPECT_EQ(dict->model.tensors[1].bytes, 24U);
  const auto in_file = parse(source, diagnostics);
  ASSERT_TRUE(in_file);
  EXPECT_EQ(in_file->tensors[0].bytes, 20U);
  EXPECT_TRUE(in_file->tensors[0].has_gaps);
  EXPECT_EQ(in_file->tensors[1].bytes, 4U);
  EXPECT_FALSE(in_file->tensors[2].has_gaps);
}

TEST(PytorchParse, ReadsPicklesOfLaterProtocols) {
  PickleMaker pickle;
  pickle.raw(std::string_view("\x80\x04\x95\0\0\0\0\0\0\0\0", 11)).raw("}\x94(");
  pickle.raw("\x8C\x01x\x94")
      .raw("\x8C\x0Ctorch._utils\x94\x8C\x12_rebuild_tensor_v2\x94\x93\x94(");
  pickle.storage("FloatStorage", "0", 1).number(0).raw(")").raw(")").raw("\x89").raw("}tRu").end();
  const Read result = read(archive_of(pickle, {"1234"}).make());
  ASSERT_TRUE(result.model) << describe(result.model.error());
  EXPECT_EQ(result.model->tensors[0].name, "x");
}

TEST(PytorchParse, ReportsFaultsOfTensors) {
  const auto of = [](Tensor tensor) { return from_tensors({std::move(tensor)}); };
  ZipMaker missing = of({"x", "FloatStorage", {2}, "12345678"});
  missing.members[2].name = "archive/data/7";
  ZipMaker resized = of({"x", "FloatStorage", {2}, "12345678"});
  resized.members[2].content.resize(12);
  ZipMaker big = of({"x", "FloatStorage", {2}, "12345678"});
  big.members[1].content = {'b', 'i', 'g'};
  ZipMaker two = of({"x", "FloatStorage", {2}, "12345678"});
  two.add("other/data.pkl", ".");
  ZipMaker none = of({"x", "FloatStorage", {2}, "12345678"});
  none.members[0].name = "archive/data.txt";
  const std::pair<ZipMaker, std::pair<ErrorCode, const char*>> kFaults[] = {
      {of({"x", "FloatStorage", {3}, "12345678"}), {ErrorCode::Truncated, "tensors[0].shape"}},
      {of({"x", "FloatStorage", {2}, "12345678", 1}), {ErrorCode::Truncated, "tensors[0].shape"}},
      {of({"x", "FloatStorage", {1}, "12345678", uint64_t{1} << 62}),
       {ErrorCode::Overflow, "tensors[0].shape"}},
      {of({"x", "FloatStorage", {uint64_t{1} << 40, uint64_t{1} << 40}, "12345678", 0, {1, 1}}),
       {ErrorCode::Overflow, "tensors[0].shape"}},
      {of({"x", "FloatStorage", {2, 2}, "12345678", 0, {uint64_t{1} << 63, 1}}),
       {ErrorCode::BadValue, "tensors[0].stride"}},
      {of({"x", "FloatStorage", {uint64_t{1} << 29}, "12345678", 0, {0}}),
       {ErrorCode::LimitExceeded, "tensors[0].stride"}},
      {of({"x", "FloatStorage", {uint64_t{1} << 62}, "12345678"}),
       {ErrorCode::Overflow, "tensors[0].shape"}},
      {of({"x", "FloatStorage", {1, 1, 1, 1, 1, 1, 1, 1, 1}, "1234"}),
       {ErrorCode::Unsupported, "tensors[0].shape"}},
      {of({"x", "FloatStorage", {2, 2}, std::string(12, '1'), 0, {1, 2}}),
       {ErrorCode::Truncated, "tensors[0].shape"}},
      {of({"x", "FloatStorage", {2}, "12345678", 0, {1, 1}}),
       {ErrorCode::Mismatch, "tensors[0].stride"}},
      {missing, {ErrorCode::NotFound, "tensors[0].storage"}},
      {resized, {ErrorCode::Mismatch, "tensors[0].storage.size"}},
      {big, {ErrorCode::Unsupported, "byteorder"}},
      {two, {ErrorCode::Unsupported, "data.pkl"}},
      {none, {ErrorCode::NotFound, "data.pkl"}},
  };
  for (auto [zip, expected] : kFaults) {
    const Read result = read(zip.make());
    ASSERT_FALSE(result.model) << expected.second;
    EXPECT_EQ(result.model.error().code, expected.first) << describe(result.model.error());
    EXPECT_EQ(result.model.error().path, expected.second) << describe(result.model.error());
  }
}

TEST(PytorchParse, NamesTheSameNameTwice) {
  PickleMaker pickle;
  pickle.begin().begin_dict();
  for (int i = 0; i < 2; ++i) put_tensor(pickle.text("a"), {"", "FloatStorage", {1}, "1234"}, "0");
  const Read result = read(archive_of(pickle.end_dict().end(), {"1234"}).make());
  ASSERT_TRUE(result.model);
  ASSERT_EQ(result.found.errors.size(), 1U);
  EXPECT_EQ(result.found.errors[0].path, "tensors[1].name");
}

// A network whose tensors are also there as safetensors: names, types and shapes are the same. The
// values are not; those that PyTorch reads from the first two storages are stated here.
TEST(PytorchParse, ReadsARealCheckpoint) {
  AMBRY_NEEDS_DATA("cnn/mnist-conv-bn-burn");
  const File file = *ambry::testing::data_file("cnn/mnist-conv-bn-burn/mnist.pt");
  const File other_file = *ambry::testing::data_file("cnn/mnist-conv-bn-burn/mnist.safetensors");
  const Read result = read(file);
  ASSERT_TRUE(result.model) << describe(result.model.error());
  EXPECT_TRUE(result.found.warnings.empty());
  const io::MemorySource other_source(other_file);
  io::Diagnostics found;
  const auto other = safetensors::parse(other_source, found);
  ASSERT_TRUE(other);
  EXPECT_EQ(result.model->tensors.size(), other->tensors.size());
  EXPECT_EQ(result.model->tensors.front().name, "conv1.weight");
  for (const model::TensorEntry& tensor : result.model->tensors) {
    const model::TensorEntry* same = other->find(tensor.name);
    ASSERT_NE(same, nullptr) << tensor.name;
    EXPECT_EQ(tensor.shape, same->shape);
    EXPECT_EQ(tensor.dtype, same->dtype);
    EXPECT_EQ(tensor.offset % 64, 0U);
  }
  const auto first = [&](std::string_view name) {
    return load_le<float>(file.data() + result.model->find(name)->offset);
  };
  EXPECT_EQ(first("conv1.weight"), 0x1.4c57d20000000p-3F);
  EXPECT_EQ(first("conv1.bias"), 0x1.11ec0e0000000p-3F);
  EXPECT_EQ(first("norm2.running_var"), 0x1.5a5c400000000p+6F);
}

}  // namespace
}  // namespace ambry::formats::pytorch
