#include "convert/origins.h"

#include <array>

#include "convert/decoder/llama2c.h"
#include "formats/fasttext/layout.h"
#include "formats/fasttext/parse.h"
#include "formats/wordvec/probe.h"

namespace ambry::convert {
namespace {

using formats::wordvec::Form;

// Those without a magic come last, the one whose beginning says least at the end.
constexpr std::array kOrigins = {
    Origin{{.id = "fasttext",
            .label = "fastText",
            .file = "a fastText model",
            .extensions = {".bin", ".ftz"},
            .magics = {formats::fasttext::kMagic}},
           formats::fasttext::probe},
    Origin{{.id = "llama2c",
            .label = "llama2.c",
            .file = "a llama2.c checkpoint",
            .extensions = {".bin"},
            .magics = {kLlama2cMagic}},
           probe_llama2c},
    Origin{{.id = "floret", .label = "floret", .file = "floret vectors", .extensions = {".floret"}},
           formats::wordvec::probe<Form::Floret>},
    Origin{
        {.id = "word2vec", .label = "word2vec", .file = "word2vec vectors", .extensions = {".w2v"}},
        formats::wordvec::probe<Form::Word2Vec>},
    Origin{{.id = "textdims",
            .label = "word2vec text",
            .file = "word2vec vectors as text",
            .extensions = {".vec"}},
           formats::wordvec::probe<Form::TextDims>},
    Origin{{.id = "text",
            .label = "GloVe text",
            .file = "GloVe vectors as text",
            .extensions = {".txt"}},
           formats::wordvec::probe<Form::Text>},
};

}  // namespace

std::span<const Origin> origins() { return kOrigins; }

}  // namespace ambry::convert
