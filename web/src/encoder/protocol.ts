// The calls of a worker for a sentence encoder.

import type { ScoreCalls } from '../classification-head/protocol.ts';
import type { EmbedCalls } from '../model/embedding.ts';
import type { OpenCalls } from '../model/protocol.ts';
import type { TokenCalls } from '../tokenizer/protocol.ts';
import type { PoolCalls } from './pool/protocol.ts';

export type StaticEncoderCalls = OpenCalls & TokenCalls & EmbedCalls;
export type EncoderCalls = StaticEncoderCalls & ScoreCalls & PoolCalls;
