// What a file opens as. Nothing else decides it.

/** What a model is run as. */
export type ModelKind = 'encoder' | 'words' | 'classifier' | 'generator';

/** The first bytes of each format that runs and has a magic (core/formats/<id>/README.md). */
const magics: readonly (readonly [string, ModelKind])[] = [
  ['EMBD', 'encoder'],
  ['FiFu', 'words'],
  ['AMBEE', 'generator'],
  ['ctla', 'generator'],
  ['altc', 'generator'],
  ['\0tla', 'generator'],
];

/** How many bytes `kindOf` looks at. */
export const magicBytes = 5;

/** Undefined when no format begins like this. The file may still be a tinyRuntime network, which has no magic. */
export function kindOf(head: Uint8Array): ModelKind | undefined {
  const text = new TextDecoder('latin1').decode(head.subarray(0, magicBytes));
  return magics.find(([magic]) => text.startsWith(magic))?.[1];
}
