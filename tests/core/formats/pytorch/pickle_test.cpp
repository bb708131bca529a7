#include "formats/pytorch/pickle.h"

#include <gtest/gtest.h>

#include "formats/pytorch/read_pytorch.h"

namespace ambry::formats::pytorch {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using io::testing::ZipMaker;

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

}  // namespace
}  // namespace ambry::formats::pytorch
