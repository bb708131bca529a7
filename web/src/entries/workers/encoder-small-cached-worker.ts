// The browser's worker entry for encoders and indexes whose files are cached, or whose SHA-256 is checked.

import { moduleEncoderSmall } from '../../wasm/module-encoder-small.ts';
import { encoderAndIndexHandlers } from '../handlers/encoder-handlers.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleEncoderSmall, encoderAndIndexHandlers);
