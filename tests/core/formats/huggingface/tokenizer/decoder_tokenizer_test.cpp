#include "formats/huggingface/tokenizer/decoder_tokenizer.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/tokenizer/decoder_files.h"
#include "model/tokenizer/end_tokens.h"
#include "model/tokenizer/files/sentencepiece_model.h"

namespace ambry::formats::huggingface {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using model::TokenizerKind;

TEST(DecoderTokenizer, NamesTheWordSplittersOfAmb) {
  constexpr const char* kLlama3 =
      R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},"behavior":"Isolated","invert":false},
         {"type":"ByteLevel","add_prefix_space":false,"use_regex":false}]})";
  constexpr const char* kFalcon =
      R"({"type":"Sequence","pretokenizers":[{"type":"Punctuation","behavior":"Contiguous"},
         {"type":"ByteLevel","add_prefix_space":false},{"type":"Digits","individual_digits":false},
         {"type":"Split","pattern":{"Regex":"[0-9][0-9][0-9]"},"behavior":"Isolated"}]})";
  const auto gpt2 = read(with(byte_level(kByteLevel)));
  EXPECT_EQ(gpt2.tokenizer.kind, TokenizerKind::Bpe);
  EXPECT_EQ(option(gpt2, "pretokenizer"), "\"gpt2\"");
  EXPECT_EQ(option(gpt2, "add_prefix_space"), "false");
  EXPECT_EQ(option(gpt2, "ignore_merges"), "true");
  EXPECT_EQ(gpt2.tokenizer.vocabulary[2], "ab");
  EXPECT_EQ(gpt2.tokenizer.merges.size(), 2U);
  EXPECT_EQ(option(read(with(byte_level(kLlama3))), "pretokenizer"), "\"llama3\"");
  EXPECT_EQ(option(read(with(byte_level(kFalcon))), "pretokenizer"), "\"falcon\"");
  const auto neox = read(with(byte_level(kByteLevel, R"([["a","b"]])", R"({"type":"NFC"})")));
  EXPECT_EQ(option(neox, "pretokenizer"), "\"gptneox\"");
  EXPECT_EQ(neox.tokenizer.merges[1], "b");
}

// What AMB's reader makes of the options is what the tokenizer says by itself.
TEST(DecoderTokenizer, HasTheSameFieldsAndOptions) {
  const auto made =
      read(with(byte_level(R"({"type":"ByteLevel","add_prefix_space":true})", R"(["a b"])",
                           R"({"type":"NFC"})"),
                R"({"add_bos_token":true,"add_eos_token":false,"bos_token":"<end>"})"),
           R"({"eos_token_id":[3,1]})");
  EXPECT_EQ(made.tokenizer.pretokenizer, "gptneox");
  EXPECT_EQ(made.tokenizer.normalizer, std::vector{model::TextChange::Nfc});
  EXPECT_EQ(made.tokenizer.add_prefix_space, true);
  EXPECT_TRUE(made.tokenizer.ignore_merges);
  EXPECT_EQ(made.tokenizer.add_bos, true);
  EXPECT_EQ(made.tokenizer.add_eos, false);
  EXPECT_EQ(made.tokenizer.bos_id, 3U);
  EXPECT_EQ(made.tokenizer.eos_ids, (std::vector<uint32_t>{3, 1}));
  EXPECT_EQ(made.tokenizer.added_tokens.size(), 1U);
}

// One setting away from a known way of cutting is another way.
TEST(DecoderTokenizer, ReadsUnknownWordSplittersAsCustom) {
  constexpr const char* kOthers[] = {
      R"({"type":"Sequence","pretokenizers":[{"type":"Punctuation","behavior":"MergedWithNext"},
         {"type":"ByteLevel","add_prefix_space":false}]})",
      R"({"type":"Sequence","pretokenizers":[{"type":"Digits"},{"type":"ByteLevel"}]})",
      R"({"type":"Sequence","pretokenizers":[{"type":"ByteLevel","add_prefix_space":false},
         {"type":"ByteLevel","add_prefix_space":false}]})",
      R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"\\s+"},
         "behavior":"Isolated"},{"type":"ByteLevel","use_regex":false}]})"};
  for (const char* other : kOthers) {
    EXPECT_EQ(read(with(byte_level(other))).tokenizer.kind, TokenizerKind::Custom) << other;
  }
  const auto steps = read(with(byte_level(R"({"type":"Sequence","pretokenizers":[
      {"type":"Digits","individual_digits":true},{"type":"Punctuation"},
      {"type":"ByteLevel","add_prefix_space":false}]})")));
  EXPECT_EQ(option(steps, "pretokenizer"), "\"digits+punctuation+gpt2\"");
  const auto none = read(with(byte_level(R"({"type":"ByteLevel","use_regex":false})")));
  EXPECT_EQ(option(none, "pretokenizer"), "\"none\"");
}

TEST(DecoderTokenizer, StoresAnUnknownTokenizerAsItsFile) {
  const std::string whole = byte_level(R"({"type":"Whitespace"})");
  const auto custom = read(with(whole));
  EXPECT_EQ(custom.tokenizer.kind, TokenizerKind::Custom);
  EXPECT_EQ(custom.tokenizer.payload, whole);
  const auto unigram = read(with(R"({"model":{"type":"Unigram","vocab":[["a",0.0]]}})"));
  EXPECT_EQ(unigram.tokenizer.kind, TokenizerKind::Custom);
}

std::string piece_decoder(bool strips) {
  return concat({R"("decoder":{"type":"Sequence","decoders":[{"type":"Replace","pattern":
                    {"String":"\u2581"},"content":" "},{"type":"ByteFallback"},{"type":"Fuse"})",
                 strips ? R"(,{"type":"Strip","content":" ","start":1,"stop":0})" : "", "]}"});
}

// Llama's tokenizer.json in its two forms: which stretches of text get U+2581 in front.
TEST(DecoderTokenizer, FindsWhichSegmentsGetThePrefix) {
  const auto pieces = [](const char* normalizer, const char* pre_tokenizer) {
    const bool prefix = std::string_view(pre_tokenizer).find("never") == std::string_view::npos;
    return concat({"{", piece_decoder(prefix), R"(,"normalizer":)", normalizer,
                   R"(,"pre_tokenizer":)", pre_tokenizer,
                   R"(,"model":{"type":"BPE","fuse_unk":true,"unk_token":"<unk>","vocab":
                      {"<unk>":0,"\u2581":1,"a":2,"\u2581a":3},"merges":["\u2581 a"]}})"});
  };
  const auto legacy = read(with(pieces(
      R"({"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"\u2581"},
         {"type":"Replace","pattern":{"String":" "},"content":"\u2581"}]})",
      "null")));
  EXPECT_EQ(legacy.tokenizer.kind, TokenizerKind::SentencePieceBpe);
  EXPECT_EQ(legacy.tokenizer.legacy, true);
  EXPECT_EQ(legacy.tokenizer.fuse_unk, true);
  const auto first = read(with(
      pieces("null", R"({"type":"Metaspace","replacement":"\u2581","prepend_scheme":"first"})")));
  EXPECT_EQ(first.tokenizer.legacy, false);
  const auto never = read(with(
      pieces("null", R"({"type":"Metaspace","replacement":"\u2581","prepend_scheme":"never"})")));
  EXPECT_EQ(never.tokenizer.add_prefix_space.value_or(false), false);
}

// AMB's settings cannot say how SentencePiece does these.
TEST(DecoderTokenizer, StoresPiecesWithNormalizedTokensAsTheirFile) {
  const auto kind = [](const char* normalizer, const char* pre_tokenizer, const char* normalized) {
    return read(with(concat({"{", piece_decoder(false), R"(,"normalizer":)", normalizer,
                             R"(,"pre_tokenizer":)", pre_tokenizer,
                             R"(,"added_tokens":[{"id":0,"content":"<unk>","normalized":)",
                             normalized, R"(}],"model":{"type":"BPE","unk_token":"<unk>",
                             "vocab":{"<unk>":0,"\u2581":1,"a":2},"merges":[]}})"})))
        .tokenizer.kind;
  };
  constexpr const char* kReplace =
      R"({"type":"Replace","pattern":{"String":" "},"content":"\u2581"})";
  constexpr const char* kAlways =
      R"({"type":"Metaspace","replacement":"\u2581","prepend_scheme":"always"})";
  constexpr const char* kNever =
      R"({"type":"Metaspace","replacement":"\u2581","prepend_scheme":"never"})";
  EXPECT_EQ(kind(kReplace, "null", "true"), TokenizerKind::Custom);
  EXPECT_EQ(kind(kReplace, "null", "false"), TokenizerKind::SentencePieceBpe);
  EXPECT_EQ(kind("null", kNever, "true"), TokenizerKind::Custom);
  EXPECT_EQ(kind("null", kNever, "false"), TokenizerKind::SentencePieceBpe);
  EXPECT_EQ(kind("null", kAlways, "false"), TokenizerKind::Custom);
}

model::SentencePieceModel small_pieces() {
  model::SentencePieceModel file;
  for (const char* piece : {"<unk>", "<s>", "</s>", "a"}) file.pieces.push_back(piece);
  file.scores = {0, 0, 0, -1};
  file.types = {2, 3, 3, 1};
  file.type = model::SentencePieceModel::Type::Bpe;
  return file;
}

TEST(DecoderTokenizer, ReadsTheModelFile) {
  SideFiles files;
  files.add("tokenizer_config.json", R"({"chat_template":"{{ text }}","added_tokens_decoder":
    {"1":{"content":"<s>","special":true},"4":{"content":"<pad>","special":true}},
    "pad_token":"<pad>","legacy":false})");
  files.add("tokenizer.model", model::write_sentencepiece_model(small_pieces()));
  const auto made = read(files, R"({"eos_token_id":[2,4]})");
  EXPECT_EQ(made.tokenizer.kind, TokenizerKind::SentencePieceBpe);
  EXPECT_EQ(made.tokenizer.pad_id, 4U);
  EXPECT_EQ(made.tokenizer.bos_id, 1U);
  EXPECT_EQ(made.tokenizer.added_tokens.size(), 2U);
  EXPECT_EQ(made.tokenizer.legacy, false);
  EXPECT_EQ(option(made, "eos_id"), "[2,4]");
  EXPECT_EQ(option(made, "add_bos"), "true");
  EXPECT_EQ(option(made, "chat_template"), "\"{{ text }}\"");
}

// A tokenizer.json of Llama's form, with a step at the start of its normalizer.
std::string llama_json(const std::string& step) {
  return concat({"{", piece_decoder(true), R"(,"normalizer":{"type":"Sequence","normalizers":[)",
                 step, R"(,{"type":"Replace","pattern":{"String":" "},"content":"\u2581"}]},
      "model":{"type":"BPE","unk_token":"<unk>","vocab":{"<unk>":0,"<s>":1,"</s>":2,"a":3},
      "merges":[]}})"});
}

// transformers' fast class, llama.cpp and transformers.js go by tokenizer.json (Phi-3).
TEST(DecoderTokenizer, PrefersTheWholeToTheModelFile) {
  SideFiles files = with(llama_json(R"({"type":"Prepend","prepend":"\u2581"})"),
                         R"({"legacy":false,"add_prefix_space":false})");
  files.add("tokenizer.model", model::write_sentencepiece_model(small_pieces()));
  const auto made = read(files);
  EXPECT_EQ(made.tokenizer.kind, TokenizerKind::SentencePieceBpe);
  EXPECT_EQ(made.tokenizer.legacy, true);
  EXPECT_EQ(made.tokenizer.add_prefix_space, std::nullopt);
  EXPECT_TRUE(made.warnings.empty());
}

TEST(DecoderTokenizer, ReadsTheModelFileBesideAnUnknownWhole) {
  SideFiles files = with(llama_json(R"({"type":"NFC"})"));
  EXPECT_EQ(read(files).tokenizer.kind, TokenizerKind::Custom);
  files.add("tokenizer.model", model::write_sentencepiece_model(small_pieces()));
  const auto made = read(files);
  EXPECT_EQ(made.tokenizer.kind, TokenizerKind::SentencePieceBpe);
  ASSERT_EQ(made.warnings.size(), 1U);
  EXPECT_EQ(made.warnings[0].path, "tokenizer.json.normalizer");
  EXPECT_EQ(made.tokenizer.legacy, std::nullopt);
}

// Scores order pieces, and a list orders ways to make them.
TEST(DecoderTokenizer, StoresPiecesWhoseMergesAreNoScoresAsTheirFile) {
  const auto kind = [](const char* merges) {
    return read(with(concat({"{", piece_decoder(false), R"(,"normalizer":{"type":"Replace",
        "pattern":{"String":" "},"content":"\u2581"},"model":{"type":"BPE","unk_token":"<unk>",
        "vocab":{"<unk>":0,"a":1,"b":2,"ab":3,"aba":4,"ba":5},"merges":)",
                             merges, "}}"})))
        .tokenizer.kind;
  };
  EXPECT_EQ(kind(R"(["a b","b a","ab a","a ba"])"), TokenizerKind::SentencePieceBpe);
  EXPECT_EQ(kind(R"(["a b","b a","ab a"])"), TokenizerKind::Custom);
  EXPECT_EQ(kind(R"(["a b","ab a","b a","a ba"])"), TokenizerKind::Custom);
}

TEST(DecoderTokenizer, ReadsAPairOfFiles) {
  SideFiles files;
  files.add("vocab.json", R"({"ab":7,"a":0,"b":1})");
  EXPECT_EQ(read_decoder_tokenizer(files, {}).error().path, "merges.txt");
  files.add("merges.txt", "#version: 0.2\r\na b\r\n\r\n");
  const auto made = read(files, R"({"eos_token_id":7})");
  EXPECT_EQ(made.tokenizer.kind, TokenizerKind::Bpe);
  EXPECT_EQ(made.tokenizer.ids, (std::vector<uint32_t>{0, 1, 7}));
  EXPECT_EQ(made.tokenizer.merges[1], "b");
  EXPECT_EQ(made.tokenizer.eos_id, 7U);
  files.add("merges.txt", "a b\nab\n");
  const auto bad = read_decoder_tokenizer(files, {});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().path, "merges.txt");
  EXPECT_EQ(bad.error().byte_offset, 4U);
}

TEST(DecoderTokenizer, RefusesDamagedVocabularies) {
  const std::pair<std::string, const char*> rows[] = {
      {byte_level(kByteLevel, R"(["ab"])"), "tokenizer.json.model.merges[0]"},
      {byte_level(kByteLevel, R"(["a b",["a"]])"), "tokenizer.json.model.merges[1]"},
      {byte_level(kByteLevel, "7"), "tokenizer.json.model.merges"}};
  for (const auto& [text, path] : rows) {
    const auto refused = read_decoder_tokenizer(with(text), {});
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
    EXPECT_EQ(refused.error().path, path);
  }
  std::string twice = byte_level(kByteLevel);
  twice.replace(twice.find("\"b\":1"), 5, "\"b\":0");
  EXPECT_EQ(read_decoder_tokenizer(with(twice), {}).error().code, ErrorCode::BadValue);
}

TEST(DecoderTokenizer, IsNoneWithoutFiles) {
  const auto none = read_decoder_tokenizer({}, {});
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
}

}  // namespace
}  // namespace ambry::formats::huggingface
