// The architectures of sentence encoders, and lists of them.
#pragma once

#include <array>

#include "base/join_arrays.h"
#include "model/encoder/architectures/encoder_architecture.h"

namespace ambry::model {

extern const EncoderArchitecture kBert;
extern const EncoderArchitecture kRoberta;  // also XLM-RoBERTa
extern const EncoderArchitecture kElectra;
extern const EncoderArchitecture kDistilBert;
extern const EncoderArchitecture kAlbert;
extern const EncoderArchitecture kMpnet;
extern const EncoderArchitecture kNomicBert;
extern const EncoderArchitecture kModernBert;
extern const EncoderArchitecture kGte;
extern const EncoderArchitecture kJinaBert;
extern const EncoderArchitecture kJinaBertQkNorm;
extern const EncoderArchitecture kJinaV3;
extern const EncoderArchitecture kDebertaV2;
extern const EncoderArchitecture kT5;
extern const EncoderArchitecture kEuroBert;
extern const EncoderArchitecture kNeoBert;
extern const EncoderArchitecture kRoFormer;
extern const EncoderArchitecture kNomicMoe;
extern const EncoderArchitecture kMobileBert;
extern const EncoderArchitecture kClipText;
extern const EncoderArchitecture kSiglipText;

// The architectures that BERT's forward pass runs: a table of positions, norms after the layers, no
// gate.
inline constexpr std::array kBertFamily = {&kBert, &kRoberta, &kElectra, &kDistilBert, &kAlbert};

// The encoders of recent_sources.h.
inline constexpr std::array kRecentEncoders = {&kEuroBert, &kNeoBert, &kRoFormer, &kNomicMoe,
                                               &kMobileBert};

// All architectures.
inline constexpr std::array kEveryArchitecture =
    join_arrays(kBertFamily,
                std::array{&kMpnet, &kNomicBert, &kModernBert, &kGte, &kJinaBert, &kJinaBertQkNorm,
                           &kJinaV3, &kDebertaV2, &kT5},
                kRecentEncoders, std::array{&kClipText, &kSiglipText});

// The architectures that this module reads and runs: all, or what a definition in the module says
// (api/encoder/bert_family_only.h).
[[nodiscard]] EncoderArchitectures known_architectures();

}  // namespace ambry::model
