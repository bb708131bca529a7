#include "formats/huggingface/tokenizer/encoder_tokenizer_files.h"

#include <gtest/gtest.h>

#include <string>

#include "model/tokenizer/files/sentencepiece_model.h"
#include "model/tokenizer/files/unigram_file.h"

namespace ambry::formats::huggingface {
namespace {

using model::TokenizerData;
using model::TokenizerKind;

std::string wordpiece_json(const std::string& post) {
  return R"({"normalizer":{"type":"BertNormalizer","lowercase":true},)"
         R"("pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":)" +
         post +
         R"(,"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",)"
         R"("max_input_chars_per_word":100,"vocab":{"<s>":0,"<pad>":1,"</s>":2,"[UNK]":3,)"
         R"("<mask>":4,"a":5}}})";
}

TEST(ReadTokenizer, KeepsTheEndsOfAWordPieceTokenizer) {
  SideFiles files;
  files.add("tokenizer.json",
            wordpiece_json(R"({"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0]})"));
  files.add("tokenizer_config.json",
            R"({"cls_token":"<s>","sep_token":"</s>","pad_token":"<pad>","mask_token":"<mask>"})");
  const auto tokenizer = read_tokenizer(files, "");
  ASSERT_TRUE(tokenizer) << describe(tokenizer.error());
  EXPECT_EQ(tokenizer->kind, TokenizerKind::WordPiece);
  EXPECT_EQ(tokenizer->post_processor, model::roberta_post_processor(0, 2));
  EXPECT_EQ(tokenizer->cls_id, 0U);
  EXPECT_EQ(tokenizer->pad_id, 1U);
}

// EuroBERT's tokenizer is that of Llama 3, with one token before a text.
TEST(ReadTokenizer, ReadsTheTokenizerOfEuroBert) {
  SideFiles files;
  files.add("tokenizer.json",
            R"re({"added_tokens":[{"id":3,"content":"<|begin_of_text|>","special":true},
            {"id":4,"content":"<|mask|>","special":true,"lstrip":true}],
          "normalizer":null,
          "pre_tokenizer":{"type":"Sequence","pretokenizers":[
            {"type":"Split","pattern":{"Regex":"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
             "behavior":"Isolated","invert":false},
            {"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false}]},
          "post_processor":{"type":"Sequence","processors":[
            {"type":"ByteLevel","add_prefix_space":true,"trim_offsets":false,"use_regex":true},
            {"type":"TemplateProcessing",
             "single":[{"SpecialToken":{"id":"<|begin_of_text|>","type_id":0}},
                       {"Sequence":{"id":"A","type_id":0}}],
             "pair":[{"SpecialToken":{"id":"<|begin_of_text|>","type_id":0}},
                     {"Sequence":{"id":"A","type_id":0}},
                     {"SpecialToken":{"id":"<|begin_of_text|>","type_id":1}},
                     {"Sequence":{"id":"B","type_id":1}}],
             "special_tokens":{"<|begin_of_text|>":{"id":"<|begin_of_text|>","ids":[3],
                                                   "tokens":["<|begin_of_text|>"]}}}]},
          "decoder":{"type":"ByteLevel"},
          "model":{"type":"BPE","ignore_merges":true,"vocab":{"a":0,"b":1,"ab":2},
                   "merges":["a b"]}})re");
  files.add("tokenizer_config.json",
            R"({"bos_token":"<|begin_of_text|>","mask_token":"<|mask|>",
                "tokenizer_class":"PreTrainedTokenizer"})");
  const auto tokenizer = read_tokenizer(files, "", "eurobert");
  ASSERT_TRUE(tokenizer) << describe(tokenizer.error());
  EXPECT_EQ(tokenizer->kind, TokenizerKind::Bpe);
  EXPECT_EQ(tokenizer->pretokenizer, "llama3");
  EXPECT_EQ(tokenizer->mask_id, 4U);
  ASSERT_TRUE(tokenizer->post_processor);
  const auto ends = model::text_ends(*tokenizer->post_processor);
  ASSERT_TRUE(ends);
  EXPECT_EQ(ends->before, 3U);
  EXPECT_EQ(ends->after, std::nullopt);
}

// Whatever its tokenizer.json says: the class puts its own steps in place of those.
TEST(ReadTokenizer, RefusesTheClassThatCutsTextsIntoChineseWords) {
  const auto read = [](const char* options, const char* type) {
    SideFiles files;
    files.add("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n");
    if (options != nullptr) files.add("tokenizer_config.json", options);
    return read_tokenizer(files, "", type);
  };
  EXPECT_TRUE(read(R"({"tokenizer_class":"BertTokenizer"})", "roformer"));
  EXPECT_TRUE(read(nullptr, "bert"));
  for (const auto& refused : {read(nullptr, "roformer"), read("{}", "roformer"),
                              read(R"({"tokenizer_class":"RoFormerTokenizer"})", "roformer"),
                              read(R"({"tokenizer_class":"RoFormerTokenizerFast"})", "bert")}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(refused.error().path, "tokenizer_config.json.tokenizer_class");
  }
}

TEST(ReadTokenizer, KnowsTheEndsOfMpnetsVocabulary) {
  SideFiles files;
  files.add("vocab.txt", "<s>\n<pad>\n</s>\n[UNK]\n<mask>\na\n");
  files.add("tokenizer_config.json", R"({"tokenizer_class":"MPNetTokenizer"})");
  const auto tokenizer = read_tokenizer(files, "");
  ASSERT_TRUE(tokenizer) << describe(tokenizer.error());
  EXPECT_EQ(tokenizer->post_processor, model::roberta_post_processor(0, 2));
  const auto by_type = [&] {
    SideFiles plain;
    plain.add("vocab.txt", "<s>\n</s>\n[UNK]\n");
    return read_tokenizer(plain, "", "mpnet");
  }();
  ASSERT_TRUE(by_type) << describe(by_type.error());
  EXPECT_EQ(by_type->post_processor, model::roberta_post_processor(0, 1));
  SideFiles without;
  without.add("vocab.txt", "[UNK]\na\n");
  EXPECT_EQ(read_tokenizer(without, "", "mpnet").error().code, ErrorCode::NotFound);
}

SideFiles roberta() {
  SideFiles files;
  files.add("vocab.json",
            R"({"<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"a":4,"b":5,"ab":6,"<mask>":7})");
  files.add("merges.txt", "#version: 0.2\na b\n");
  return files;
}

TEST(ReadTokenizer, ReadsVocabularyAndMergesOfRoberta) {
  const auto tokenizer = read_tokenizer(roberta(), "");
  ASSERT_TRUE(tokenizer) << describe(tokenizer.error());
  EXPECT_EQ(tokenizer->kind, TokenizerKind::Bpe);
  EXPECT_EQ(tokenizer->pretokenizer, "gpt2");
  EXPECT_EQ(tokenizer->post_processor, model::roberta_post_processor(0, 2));
  EXPECT_EQ(tokenizer->add_prefix_space, false);
  ASSERT_EQ(tokenizer->added_tokens.size(), 5U);
  EXPECT_EQ(tokenizer->added_tokens[4].content, "<mask>");
  EXPECT_TRUE(tokenizer->added_tokens[4].lstrip);
  EXPECT_EQ(tokenizer->unk_id, std::nullopt);  // the library's model knows none either
  SideFiles spaced = roberta();
  spaced.add("tokenizer_config.json", R"({"add_prefix_space":true})");
  EXPECT_EQ(read_tokenizer(spaced, "")->add_prefix_space, true);
}

TEST(ReadTokenizer, NamesWhatAVocabularyOfRobertaLacks) {
  SideFiles alone;
  alone.add("0_Transformer/vocab.json", "{}");
  EXPECT_EQ(read_tokenizer(alone, "0_Transformer/").error().path, "0_Transformer/merges.txt");
  SideFiles endless = roberta();
  endless.add("vocab.json", R"({"a":0})");
  EXPECT_EQ(read_tokenizer(endless, "").error().code, ErrorCode::NotFound);
}

std::string pieces(
    model::SentencePieceModel::Type type = model::SentencePieceModel::Type::Unigram) {
  model::SentencePieceModel file;
  file.type = type;
  for (const char* piece : {"<unk>", "<s>", "</s>", "\u2581", "a", "1,"}) {
    file.pieces.push_back(piece);
  }
  file.scores = {0, 0, 0, -1, -2, -3};
  file.types = {2, 3, 3, 1, 1, 1};
  return model::write_sentencepiece_model(file);
}

TokenizerData of_class(const char* name, const char* class_name) {
  SideFiles files;
  files.add(name, pieces());
  files.add("tokenizer_config.json",
            std::string(R"({"cls_token":"<s>","sep_token":"</s>","bos_token":"<s>",)") +
                R"("eos_token":"</s>","tokenizer_class":")" + class_name + "\"}");
  auto tokenizer = read_tokenizer(files, "");
  EXPECT_TRUE(tokenizer) << describe(tokenizer.error());
  return tokenizer ? std::move(*tokenizer) : TokenizerData();
}

TEST(ReadTokenizer, CountsTheIdsOfXlmRobertaAsFairseqDoes) {
  const TokenizerData data = of_class("sentencepiece.bpe.model", "XLMRobertaTokenizer");
  EXPECT_EQ(data.kind, TokenizerKind::Unigram);
  ASSERT_EQ(data.vocabulary.size(), 8U);
  EXPECT_EQ(data.vocabulary[1], "<pad>");
  EXPECT_EQ(data.vocabulary[3], "<unk>");
  EXPECT_EQ(data.vocabulary[4], "\u2581");
  EXPECT_EQ(data.vocabulary[7], "<mask>");
  EXPECT_EQ(data.wide_scores[5], -2);
  EXPECT_EQ(data.pad_id, 1U);
  EXPECT_EQ(data.mask_id, 7U);
  EXPECT_NE(data.payload.find(R"("unk_id":3)"), std::string::npos);
}

TEST(ReadTokenizer, AvoidsAlbertsPiecesOfNumbersAndCommas) {
  const TokenizerData data = of_class("spiece.model", "AlbertTokenizerFast");
  ASSERT_EQ(data.vocabulary.size(), 6U);
  EXPECT_EQ(data.wide_scores[5], -103);
  EXPECT_NE(data.payload.find("StripAccents"), std::string::npos);
  EXPECT_NE(data.payload.find("Lowercase"), std::string::npos);
}

TEST(ReadTokenizer, AddsT5sExtraTokensAfterItsPieces) {
  const TokenizerData data = of_class("spiece.model", "T5Tokenizer");
  ASSERT_EQ(data.vocabulary.size(), 106U);
  EXPECT_EQ(data.vocabulary[6], "<extra_id_99>");
  EXPECT_EQ(data.vocabulary[105], "<extra_id_0>");
}

TEST(ReadTokenizer, RefusesPiecesOfAnotherKindByName) {
  SideFiles files;
  files.add("spm.model", pieces());
  EXPECT_EQ(read_tokenizer(files, "", "llama").error().code, ErrorCode::Unsupported);
  files.add("spm.model", pieces(model::SentencePieceModel::Type::Bpe));
  const auto bpe = read_tokenizer(files, "", "deberta-v2");
  EXPECT_EQ(bpe.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(bpe.error().path, "spm.model");
}

TEST(ReadTokenizer, AddsSpecialTokensBehindThePieces) {
  SideFiles files;
  files.add("spiece.model", pieces());
  const auto tokenizer = read_tokenizer(files, "", "albert");  // it has no [CLS]
  ASSERT_TRUE(tokenizer) << describe(tokenizer.error());
  EXPECT_EQ(tokenizer->cls_id, 6U);  // so the library adds it behind the pieces
}

TEST(ReadTokenizer, LowersTextsOfEveryKindFirst) {
  auto bpe = read_tokenizer(roberta(), "");
  ASSERT_TRUE(bpe);
  ASSERT_TRUE(lower_texts_first(*bpe));
  EXPECT_EQ(bpe->normalizer, std::vector{model::TextChange::Lowercase});
  TokenizerData unigram = of_class("sentencepiece.bpe.model", "XLMRobertaTokenizer");
  ASSERT_TRUE(lower_texts_first(unigram));
  EXPECT_NE(unigram.payload.find(R"("normalizers":[{"type":"Lowercase"})"), std::string::npos);
  TokenizerData words;
  words.lowercase = false;
  ASSERT_TRUE(lower_texts_first(words));
  EXPECT_TRUE(words.lowercase);
  EXPECT_EQ(words.strip_accents, false);
}

TEST(ReadTokenizer, LetsTheConfigSpeakOverTheTokenizerFile) {
  SideFiles files;
  files.add("tokenizer.json",
            wordpiece_json(R"({"type":"BertProcessing","sep":["</s>",2],"cls":["<s>",0]})"));
  files.add("tokenizer_config.json",
            R"({"do_lower_case":false,"strip_accents":false,"tokenize_chinese_chars":false})");
  const auto tokenizer = read_tokenizer(files, "");
  ASSERT_TRUE(tokenizer);
  EXPECT_FALSE(tokenizer->lowercase);
  EXPECT_EQ(tokenizer->strip_accents, false);
  EXPECT_FALSE(tokenizer->handle_chinese_chars);
}

TEST(ReadTokenizer, FindsSpecialTokensUnderOtherNames) {
  SideFiles files;
  files.add("vocab.txt", "<pad>\n<unk>\n<s>\n</s>\n<mask>\n");
  files.add("special_tokens_map.json",
            R"({"pad_token":"<pad>","unk_token":{"content":"<unk>"},"cls_token":"<s>"})");
  files.add("tokenizer_config.json", R"({"sep_token":"</s>","mask_token":"<mask>"})");
  const auto tokenizer = read_tokenizer(files, "");
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ(tokenizer->unk_id, 1U);
  EXPECT_EQ(tokenizer->cls_id, 2U);
  EXPECT_EQ(tokenizer->sep_id, 3U);
  EXPECT_EQ(tokenizer->added_tokens[4].content, "<mask>");
}

TEST(ReadTokenizer, NeedsAVocabulary) {
  const auto none = read_tokenizer({}, "");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
  SideFiles files;
  files.add("vocab.txt", "a\n");
  files.add("added_tokens.json", R"({"<new>":1})");
  EXPECT_EQ(read_tokenizer(files, "").error().code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ambry::formats::huggingface
