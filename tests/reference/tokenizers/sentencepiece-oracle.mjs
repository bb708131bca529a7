// The libraries whose ids and texts ours must give: Google's (compiled to WebAssembly) and Hugging Face's.
import { SentencePieceProcessor } from '@sctg/sentencepiece-js';
import tokenizers from 'tokenizers';

/** Google's library for a ModelProto: {encode(text), decode(ids)}. */
export async function googleOracle(model) {
  const processor = new SentencePieceProcessor();
  await processor.loadFromB64StringModel(Buffer.from(model).toString('base64'));
  return {
    encode: (text) => Array.from(processor.encodeIds(text)),
    decode: (ids) => processor.decodeIds(Int32Array.from(ids)),
  };
}

/** Hugging Face's for a tokenizer.json: {encodeBatch(texts), decode(ids, skipSpecial)}. */
export function huggingFaceOracle(json) {
  const tokenizer = tokenizers.Tokenizer.fromString(JSON.stringify(json));
  return {
    async encodeBatch(texts) {
      const encodings = await tokenizer.encodeBatch(texts, { addSpecialTokens: false });
      return encodings.map((encoding) => encoding.getIds());
    },
    decode: (ids, skipSpecial) => tokenizer.decode(ids, skipSpecial),
  };
}
