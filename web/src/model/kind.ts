// What a file opens as. Nothing else decides it.
import { type ModelKind, modelMagics } from '../wasm/tables.ts';

export type { ModelKind };

/** How many bytes `kindOf` looks at. */
export const magicBytes = Math.max(...modelMagics.map(([magic]) => magic.length));

/** Undefined when no format begins like this. The file may still be a tinyRuntime network, which has no magic. */
export function kindOf(head: Uint8Array): ModelKind | undefined {
  const text = new TextDecoder('latin1').decode(head.subarray(0, magicBytes));
  return modelMagics.find(([magic]) => text.startsWith(magic))?.[1];
}
