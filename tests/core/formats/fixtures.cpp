// One line a fixture: a new one is tried by every registry-wide test.
#include "formats/alt/make_alt.h"
#include "formats/amb/make_amb.h"
#include "formats/conformance.h"
#include "formats/embd/make_embd.h"
#include "formats/embd/make_tokenizers.h"
#include "formats/fasttext/make_fasttext.h"
#include "formats/finalfusion/make_fifu.h"
#include "formats/gguf/make_gguf.h"
#include "formats/onnx/make_onnx.h"
#include "formats/pytorch/make_pytorch.h"
#include "formats/safetensors/make_safetensors.h"
#include "formats/tinyruntime/make_tinyruntime.h"

namespace ambry::formats::testing {

std::vector<Fixture> fixtures() {
  return {
      {"alt", "v1", alt::testing::V1Maker().make()},
      {"alt", "v2", alt::testing::V2Maker::with_tokens(64).make()},
      {"amb", "f32", amb::testing::make_amb()},
      {"amb", "quantized", amb::testing::make_quantized()},
      {"embd", "F0", embd::testing::make_f0(), true, Rewritten::Same},
      {"embd", "F1", embd::testing::make_f1(), false, Rewritten::Converts},
      {"embd", "wordpiece_ends", embd::testing::wordpiece_maker().make(), true, Rewritten::Same},
      {"embd", "bpe", embd::testing::bpe_maker().make(), true, Rewritten::Same},
      {"embd", "unigram", embd::testing::unigram_maker().make(), true, Rewritten::Same},
      {"embd", "wide_unigram", embd::testing::wide_unigram_maker().make(), true, Rewritten::Same},
      {"embd", "sentencepiece", embd::testing::sentencepiece_maker().make(), true, Rewritten::Same},
      {"fasttext", "words", fasttext::testing::make_words()},
      {"fasttext", "classifier", fasttext::testing::classifier_file("hs.bin")},
      {"fasttext", "quantized", fasttext::testing::classifier_file("quantized.ftz")},
      {"finalfusion", "simple", finalfusion::testing::make_simple()},
      {"finalfusion", "bucket", finalfusion::testing::make_bucket()},
      {"finalfusion", "fasttext", finalfusion::testing::make_fasttext()},
      {"finalfusion", "explicit", finalfusion::testing::make_explicit()},
      {"finalfusion", "floret", finalfusion::testing::make_floret()},
      {"finalfusion", "quantized", finalfusion::testing::make_quantized()},
      {"gguf", "model", gguf::testing::make_gguf()},
      {"gguf", "vocabulary", gguf::testing::make_vocabulary(), false, Rewritten::Strict},
      {"onnx", "graph", onnx::testing::make_onnx()},
      {"pytorch", "state_dict", pytorch::testing::make_state_dict()},
      {"safetensors", "plain", safetensors::testing::make_safetensors()},
      {"tinyruntime", "vanilla", tinyruntime::testing::make(model::CnnVariant::Vanilla)},
      {"tinyruntime", "dq8", tinyruntime::testing::make(model::CnnVariant::Dq8)},
      {"tinyruntime", "dq8s", tinyruntime::testing::make(model::CnnVariant::Dq8, false)},
      {"tinyruntime", "sq8", tinyruntime::testing::make(model::CnnVariant::Sq8)}};
}

}  // namespace ambry::formats::testing
