// The browser's worker entry for encoders of every architecture and with every tokenizer, and indexes.
import { moduleEncoder } from '../../wasm/module-encoder.ts';
import { everyEncoderAndIndexHandlers } from '../handlers/encoder-handlers.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleEncoder, everyEncoderAndIndexHandlers);
