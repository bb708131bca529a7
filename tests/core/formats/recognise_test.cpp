// What recognise() says about files of no format: one row a kind.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "data_files.h"
#include "formats/foreign.h"
#include "formats/registry.h"

namespace ambry::formats {
namespace {

using namespace std::string_view_literals;

struct Foreign {
  std::string bytes;
  const char* expected;
};

std::string zip(std::string_view member, std::string_view content = "") {
  std::string text = "PK\x03\x04" + std::string(22, '\0');
  text += static_cast<char>(member.size());
  text += std::string("\0\0\0", 3);
  return text.append(member).append(content) + std::string(50, '\1');
}

std::string utf16(std::string_view text) {
  std::string wide;
  for (const char c : text) wide += {c, '\0'};
  return wide;
}

std::string llama2_c() {
  // dim 4, hidden 8, 1 layer, 2 heads, 1 key-value head, 6 tokens shared, 5 positions.
  std::string bytes;
  for (const char n : "\4\10\1\2\1\6\5"sv) bytes += std::string{n, '\0', '\0', '\0'};
  const size_t layer = 2 * 4 + 2 * 4 * 4 + 2 * 4 * 2 + 3 * 4 * 8;
  return bytes + std::string(4 * (6 * 4 + layer + 4 + 5 * 2), '\2');
}

std::string old_fasttext() {
  // Twelve options of the training, the sampling threshold, and two entries, a word and a label.
  std::string bytes;
  const auto put = [&](uint32_t n) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(n >> 8 * i);
  };
  for (const uint32_t n : {10U, 5U, 5U, 1U, 5U, 1U, 3U, 3U, 1000U, 0U, 0U, 100U}) put(n);
  bytes += "\x2D\x43\x1C\xEB\xE2\x36\x1A\x3F";  // 1e-4
  for (const uint32_t n : {2U, 1U, 1U}) put(n);
  return bytes + std::string(100, '\1');
}

std::vector<Foreign> foreign_files() {
  return {
      {"<!DOCTYPE html><html>", "HTML"},
      {"\n  <HTML lang=en>", "HTML"},
      {zip("arr_0.npy"), "NumPy archive"},
      {zip("metadata.json", "{\"keras_version\": \"3.0\"}"), "Keras model"},
      {zip("[Content_Types].xml"), "Office"},
      {zip("META-INF/MANIFEST.MF"), "Java archive"},
      {zip("notes.txt"), "first member is notes.txt"},
      {"PK\x03\x04", "ZIP"},
      {"PK\x05\x06" + std::string(18, '\0'), "empty ZIP"},
      {"lmgg\x01\x02\x03\x04", "unversioned GGML"},
      {"fmgg\x01", "GGMF"},
      {"tjgg\x03", "GGJT"},
      {"algg\x01", "GGML adapter"},
      {"24ka\x01", "llama2.c checkpoint of version"},
      {llama2_c(), "llama2.c checkpoint"},
      {"\x89HDF\r\n\x1A\n", "HDF5"},
      {"\x93NUMPY\x01", "NumPy array"},
      {"\x1C\1\1\1TFL3", "TensorFlow Lite model (LiteRT): take the safetensors or the ONNX"},
      {"LITERTLM\1", "LiteRT-LM bundle: take the safetensors or the GGUF"},
      {old_fasttext(), "fastText model of before 2017"},
      {"AMBRYIDX", "search index"},
      {"version https://git-lfs.github.com/spec/v1", "Git LFS"},
      {"\x80\x02}q", "pickle"},
      {"\x80\x04\x95", "pickle"},
      {"\x0A\x0E\x0A\x05<unk>\x15\x01\x02\x03\x04\x18\x02", "SentencePiece"},
      {"\x1F\x8B\x08 ", "gzip"},
      {"BZh9", "bzip2"},
      {"\xFD"
       "7zXZ",
       "xz file"},
      {"\x28\xB5\x2F\xFD", "Zstandard"},
      {"7z\xBC\xAF\x27\x1C", "7-Zip"},
      {std::string(257, 'n') + "ustar", "tar archive"},
      {"%PDF-1.7", "PDF"},
      {"\x89PNG\r\n\x1A\n", "PNG"},
      {"\xFF\xD8\xFF\xE0", "JPEG"},
      {"\x7F"
       "ELF\x02",
       "program (ELF)"},
      {"\xCF\xFA\xED\xFE", "Mach-O"},
      {"MZ\x90", "Windows"},
      {std::string("\0asm\1\0\0\0", 8), "WebAssembly"},
      {"{\"metadata\": {}, \"weight_map\": {}}", "index of a safetensors model"},
      {"{\"format\": \"layers-model\", \"modelTopology\": {}}", "TensorFlow.js"},
      {"{\"version\": \"1.0\", \"added_tokens\": []}", "tokenizer.json"},
      {"{\"model_type\": \"bert\"}", "config.json"},
      {"\xEF\xBB\xBF [1, 2]", "JSON text"},
      {"3000000 300\nword 0.1 0.2\n", "word2vec's text"},
      {"3 2\nword \x01\x02\xFF\xFE\x80 \x90\x03", "word2vec's binary"},
      {"the 0.418 0.24968 -0.41242 0.1217 0.34527\n", "GloVe"},
      {"[PAD]\n[UNK]\n", "vocab.txt"},
      {"#version: 0.2\nh e\n", "merges.txt"},
      {"IQ== 0\nIg== 1\nIw== 2\nJA== 3\n", "tiktoken vocabulary"},
      {R"({"config":{"pattern":"x","default_num_special_tokens":1000}})", "tekken.json"},
      {zip("net/code/__torch__/net.py"), "TorchScript"},
      {"<?xml version=\"1.0\"?>", "XML"},
      {"\xFF\xFEh\1i\1", "UTF-16"},
      {utf16("a text without a mark"), "UTF-16"},
      {"just words, caf\xC3\xA9", "plain text"},
      {std::string(100, '\0'), "zeros only"},
      {"\x01\x02\xFF\xFE nothing known", "known here (alt, "},
  };
}

TEST(Recognise, NamesForeignFiles) {
  for (const auto& [bytes, expected] : foreign_files()) {
    const io::MemorySource source(as_bytes(bytes));
    const auto format = recognise(source);
    ASSERT_FALSE(format) << expected;
    EXPECT_EQ(format.error().code, ErrorCode::BadMagic);
    EXPECT_NE(format.error().message.find(expected), std::string::npos) << format.error().message;
  }
  const io::MemorySource empty{Bytes{}};
  EXPECT_EQ(recognise(empty).error().code, ErrorCode::Truncated);
}

// Every beginning of these files, and each with its text cut inside a character.
TEST(Recognise, TakesEveryPrefix) {
  for (const auto& [bytes, expected] : foreign_files()) {
    for (size_t size = 0; size <= bytes.size(); ++size) {
      const std::string description =
          describe_foreign(std::string_view(bytes).substr(0, size), bytes.size());
      EXPECT_LT(description.size(), 200U);
    }
  }
  EXPECT_TRUE(describe_foreign("words, caf\xC3", 100).starts_with("plain text"));
  EXPECT_EQ(describe_foreign("words, caf\xC3", 11), "");
}

TEST(Recognise, ProgramsThatOnlyRunModelsNameTheUsualMistakes) {
  const Foreign kUsual[] = {{"<!doctype html>", "HTML"},
                            {"GGUF\x03", "GGUF"},
                            {"GGUF\x03", "this is a GGUF file"},
                            {"FiFu", "this is a finalfusion file"},
                            {"AMBEE", "this is an AMB model"},
                            {"ctla", "this is an ALT model"},
                            {std::string("\x10\0\0\0\0\0\0\0{", 9), "safetensors"},
                            {"{\"a\": 1}", "JSON"},
                            {"anything else", "known here (embd)"}};
  for (const auto& [bytes, expected] : kUsual) {
    const io::MemorySource source(as_bytes(bytes));
    const auto format = recognise(source, encoder_formats());
    ASSERT_FALSE(format) << expected;
    EXPECT_NE(format.error().message.find(expected), std::string::npos) << format.error().message;
  }
}

TEST(Recognise, AsksForTheFirstBytes) {
  const io::PartialSource source(1000);
  EXPECT_EQ(recognise(source).error().code, ErrorCode::NeedBytes);
}

TEST(Recognise, KnowsRealForeignFiles) {
  const std::pair<const char*, const char*> kFiles[] = {
      {"stories260k/stories260K.bin", "llama2.c"},
      {"encoders/english-192x2/config.json", "config.json"},
      {"encoders/english-192x2/vocab.txt", "vocab.txt"},
      {"embeddings/retvec-v1/model.json", "TensorFlow.js"},
      {"cnn/doodlenet-tfjs/model.json", "TensorFlow.js"},
      {"train/intents.tsv.xz", "xz file"}};
  for (const auto& [name, expected] : kFiles) {
    AMBRY_NEEDS_DATA(name);
    const auto bytes = ambry::testing::data_file(name);
    ASSERT_TRUE(bytes) << name;
    const io::MemorySource source(*bytes);
    const auto format = recognise(source);
    ASSERT_FALSE(format) << name;
    EXPECT_NE(format.error().message.find(expected), std::string::npos)
        << name << format.error().message;
  }
}

}  // namespace
}  // namespace ambry::formats
