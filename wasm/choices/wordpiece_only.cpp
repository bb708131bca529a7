// A module with this file has WordPiece and no other tokenizer.
#include "api/encoder/wordpiece_only.h"
