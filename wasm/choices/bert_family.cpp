// A module with this file runs encoders of BERT's family only.
#include "api/encoder/bert_family_only.h"
