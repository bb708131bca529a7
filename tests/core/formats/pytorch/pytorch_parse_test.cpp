#include "formats/pytorch/pytorch_parse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data_files.h"
#include "formats/pytorch/make_pytorch.h"
#include "formats/safetensors/safetensors_parse.h"

namespace ambry::formats::pytorch {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using io::testing::ZipMaker;
using tensor::DType;
using tensor::Shape;

struct Read {
  Result<model::Model> model;
  io::Diagnostics found;
};

Read read(const File& file) {
  const io::MemorySource source(file);
  io::Diagnostics found;
  auto model = parse(source, found);
  return {std::move(model), std::move(found)};
}

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

// The warnings of a checkpoint with the tensor "w" and one more value.
std::vector<std::string> warnings_beside(std::string_view value) {
  PickleMaker pickle;
  pickle.begin().begin_dict();
  put_tensor(pickle.text("w"), {"", "FloatStorage", {1}, "1234"}, "0");
  pickle.text("v").raw(value).end_dict().end();
  const Read result = read(archive_of(pickle, {"1234"}).make());
  EXPECT_TRUE(result.model) << describe(result.model.error());
  if (!result.model) return {};
  EXPECT_EQ(result.model->tensors.size(), 1U);
  std::vector<std::string> messages;
  for (const Error& warning : result.found.warnings) {
    EXPECT_EQ(warning.path, "v");
    messages.push_back(warning.message);
  }
  return messages;
}

TEST(PytorchPickle, LeavesOpaqueValuesOut) {
  using namespace std::string_view_literals;
  const std::pair<std::string_view, const char*> kValues[] = {
      {"cargparse\nNamespace\n)\x81}U\2lrK\1sb", "object of argparse.Namespace"},
      {"cnumpy.core.multiarray\nscalar\n(cnumpy\ndtype\n(U\2f8K\0K\1tRC\10abcdefghtR"sv,
       "object of numpy.core.multiarray.scalar"},
      {"ctorch\ndevice\n(U\3cputR", "object of torch.device"},
      {"ctorch\nfloat16\n", "name torch.float16"},
      {"\x8F(K\1K\2\x90", "set"},
      {"(K\1\x91", "set"},
      {"cbuiltins\nset\n(]K\1atR", "object of builtins.set"},
      {"ccollections\ndefaultdict\n(cbuiltins\nlist\ntRU\1a]s",
       "object of collections.defaultdict"},
      {"\x8A\11abcdefghi", "number of more than 64 bits"},
      {"cmy\nList\n)\x81(K\1K\2e", "object of my.List"},
      {"(imy\nOld\n", "object of my.Old"},
  };
  for (const auto& [value, what] : kValues) {
    const auto messages = warnings_beside(value);
    ASSERT_EQ(messages.size(), 1U) << what;
    EXPECT_EQ(messages[0],
              concat({"left out: ", what, ", which is neither tensor nor number nor text"}));
  }
}

// A dict under a key that makes no name.
TEST(PytorchPickle, LeavesValuesOfOtherKeysOut) {
  PickleMaker pickle;
  pickle.begin().begin_dict();
  put_tensor(pickle.text("w"), {"", "FloatStorage", {1}, "1234"}, "0");
  pickle.raw("NK\1").end_dict().end();
  const Read result = read(archive_of(pickle, {"1234"}).make());
  ASSERT_TRUE(result.model) << describe(result.model.error());
  ASSERT_EQ(result.found.warnings.size(), 1U);
}

TEST(PytorchPickle, RefusesATensorThatDependsOnAnOpaqueValue) {
  const auto refused = [](std::string_view before, std::string_view after) {
    PickleMaker pickle;
    pickle.begin().begin_dict().text("q").raw(before);
    put_tensor(pickle, {"", "FloatStorage", {1}, "1234"}, "0");
    pickle.raw(after).end_dict().end();
    const Read result = read(archive_of(pickle, {"1234"}).make());
    EXPECT_FALSE(result.model);
    return result.model ? Error() : result.model.error();
  };
  const Error sparse = refused("ctorch._utils\n_rebuild_sparse_tensor\n(", "tR");
  EXPECT_EQ(sparse.code, ErrorCode::Unsupported);
  EXPECT_NE(sparse.message.find("torch._utils._rebuild_sparse_tensor"), std::string::npos)
      << sparse.message;
  // The only tensor is in an object.
  const Error module = refused("cmy\nModel\n)\x81}U\1w", "sb");
  EXPECT_EQ(module.code, ErrorCode::Unsupported);
  EXPECT_NE(module.message.find("save its state_dict()"), std::string::npos) << module.message;
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

// A fault of a pickle: what is found, at which of its bytes, and words of the message.
struct Fault {
  const char* name;
  PickleMaker pickle;
  ErrorCode code;
  size_t at;
  const char* message;
};

void expect_faults(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) {
    ZipMaker zip = archive_of(fault.pickle, {"12345678"});
    const Read result = read(zip.make());
    ASSERT_FALSE(result.model) << fault.name;
    const Error& error = result.model.error();
    EXPECT_EQ(error.code, fault.code) << fault.name << describe(error);
    EXPECT_EQ(error.byte_offset, zip.members[0].at + fault.at) << fault.name << describe(error);
    EXPECT_NE(error.message.find(fault.message), std::string::npos) << error.message;
  }
}

PickleMaker pickle(std::string_view opcodes) {
  PickleMaker maker;
  return maker.begin().raw(opcodes);
}

TEST(PytorchPickle, RunsNoCode) {
  expect_faults({
      {"os.system", pickle(std::string_view("cos\nsystem\n(X\4\0\0\0calctR.", 24)),
       ErrorCode::Unsupported, 24, "object of os.system, and no code is run"},
      {"builtins.eval", pickle("cbuiltins\neval\n."), ErrorCode::Unsupported, 2, "builtins.eval"},
      {"posix by STACK_GLOBAL", pickle("\x8C\5posix\x8C\6system\x93."), ErrorCode::Unsupported, 17,
       "posix.system"},
      {"a class of torch", pickle("ctorch.nn\nLinear\n."), ErrorCode::Unsupported, 2,
       "torch.nn.Linear"},
      {"a nested checkpoint", pickle("ctorch.storage\n_load_from_bytes\n."), ErrorCode::Unsupported,
       2, "_load_from_bytes"},
      {"INST", pickle("(ios\nsystem\n."), ErrorCode::Unsupported, 3, "os.system"},
      {"OBJ", pickle("(cos\nsystem\no."), ErrorCode::Unsupported, 14, "os.system"},
      {"NEWOBJ", pickle("cos\nsystem\n)\x81."), ErrorCode::Unsupported, 14, "os.system"},
      {"NEWOBJ_EX", pickle("cos\nsystem\n)}\x92."), ErrorCode::Unsupported, 15, "os.system"},
      {"an object of a module", pickle("ctorch.nn\nLinear\n)\x81}b."), ErrorCode::Unsupported, 20,
       "object of torch.nn.Linear"},
      {"EXT1", pickle("\x82\1."), ErrorCode::Unsupported, 2, "EXT1"},
      {"PERSID", pickle("Pstorage\n."), ErrorCode::Unsupported, 2, "PERSID"},
      {"REDUCE of a text", pickle("U\4evil)R."), ErrorCode::Unsupported, 9, "without a name"},
      {"REDUCE of a type", pickle("ctorch\nFloatStorage\n)R."), ErrorCode::Unsupported, 23,
       "torch.FloatStorage"},
      {"a dict made of pairs", pickle("ccollections\nOrderedDict\n(]tR."), ErrorCode::Unsupported,
       30, "collections.OrderedDict with unusual arguments"},
      {"BUILD of a list", pickle("]}b."), ErrorCode::Unsupported, 4, "BUILD"},
      {"BUILD of a type", pickle("ctorch\nFloatStorage\n}b."), ErrorCode::Unsupported, 23, "BUILD"},
  });
}

TEST(PytorchPickle, RejectsInvalidPickles) {
  expect_faults({
      {"an unknown opcode", pickle("\xFF"), ErrorCode::BadValue, 2, "no opcode"},
      {"protocol 6", PickleMaker().raw("\x80\6."), ErrorCode::UnsupportedVersion, 0, "protocol 6"},
      {"cut off", pickle("X\x10"), ErrorCode::Truncated, 2, "cut off"},
      {"no end", pickle("}"), ErrorCode::Truncated, 3, "cut off"},
      {"a text of 4 GB", pickle("X\xFF\xFF\xFF\xFF."), ErrorCode::Truncated, 2, "cut off"},
      {"a text of 2^63 bytes", pickle("\x8D\0\0\0\0\0\0\0\x80."), ErrorCode::Truncated, 2, ""},
      {"a name without an end", pickle("cos"), ErrorCode::Truncated, 2, "without an end"},
      {"something behind it", pickle("}.}"), ErrorCode::BadValue, 4, "1 byte after"},
      {"an empty stack", pickle("."), ErrorCode::BadValue, 2, "not there"},
      {"a tuple of nothing", pickle("\x85."), ErrorCode::BadValue, 2, "not there"},
      {"a value below a mark", pickle("K\1(\x85."), ErrorCode::BadValue, 5, "not there"},
      {"no mark", pickle("t."), ErrorCode::BadValue, 2, "mark"},
      {"half an item", pickle("}(K\1u."), ErrorCode::BadValue, 6, "without a value"},
      {"half a dict", pickle("(K\1d."), ErrorCode::BadValue, 5, "without a value"},
      {"an item of no dict", pickle("]K\1K\1s."), ErrorCode::BadValue, 7, "no dict"},
      {"items of no list", pickle("}(K\1e."), ErrorCode::BadValue, 6, "no list"},
      {"slot 2^32-1", pickle("}r\xFF\xFF\xFF\xFF."), ErrorCode::BadValue, 3, "out of sequence"},
      {"a slot that is empty", pickle(std::string_view("h\0.", 3)), ErrorCode::BadValue, 2,
       "slot 0 of 0"},
      {"a number of 9 bytes",
       pickle("\x8A\x09"
              "123456789."),
       ErrorCode::Unsupported, 2, "number of more than 64 bits"},
      {"an object of no class", pickle("(o."), ErrorCode::BadValue, 3, "without a class"},
      {"a class that is missing", pickle(")\x81."), ErrorCode::BadValue, 3, "not there"},
      {"a storage of nothing", pickle("NQ."), ErrorCode::Unsupported, 3, "BINPERSID"},
  });
}

TEST(PytorchPickle, LimitsItsDepthAndItsValues) {
  PickleMaker deep = pickle("");
  for (int i = 0; i < 40; ++i) deep.raw("](");
  for (int i = 0; i < 40; ++i) deep.raw("e");
  // Ten lists, each ten times the one before.
  PickleMaker laughs = pickle("](NNNNNNNNNNe");
  for (char slot = 0; slot < 9; ++slot) {
    laughs.raw("q").raw({&slot, 1}).raw("0](");
    for (int i = 0; i < 10; ++i) laughs.raw("h").raw({&slot, 1});
    laughs.raw("e");
  }
  const PickleMaker itself = pickle(std::string_view("]q\0h\0a.", 7));
  const PickleMaker many = pickle(std::string(2'000'001, 'N')).end();
  for (const PickleMaker& maker : {deep.end(), laughs.end(), itself, many}) {
    const Read result = read(archive_of(maker, {}).make());
    ASSERT_FALSE(result.model);
    EXPECT_EQ(result.model.error().code, ErrorCode::LimitExceeded)
        << describe(result.model.error());
  }
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
