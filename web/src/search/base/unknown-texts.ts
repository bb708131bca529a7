// Texts that a model knows no piece of: a script that its vocabulary lacks, emoji, keys. All of them would have nearly the same
// vector, so they get one of zeros, which is near to nothing.
import type { Embedder } from '../../model/embedding.ts';
import type { Tokens } from '../../tokenizer/types.ts';
import type { RowPart } from './protocol.ts';

type Tokenizing = Partial<{
  tokenize(text: string, options: { readonly special: boolean }): Promise<Tokens>;
}>;

/** Vocabularies have these letters. A longer run may be one unknown piece. */
const knownRun = /(?<![a-z0-9])[a-z0-9]{1,40}(?![a-z0-9])/i;
/** So much of a text is looked at first. */
const beginning = 200;

/** The id of the piece that stands for all unknown ones. Undefined for a model that has none. */
function unknownPiece(model: Embedder): number | undefined {
  const { tokenizer } = model.info;
  return model.lateInteraction ? undefined : tokenizer?.special['unk'];
}

/** Whether a text has pieces, and the model knows none of them. */
export async function isUnknown(model: Embedder, text: string): Promise<boolean> {
  const piece = unknownPiece(model);
  const { tokenize } = model as Tokenizing;
  if (piece === undefined || !tokenize) {
    return false;
  }
  const areUnknown = async (part: string) => {
    const { ids } = await tokenize.call(model, part, { special: false });
    return ids.length > 0 && ids.every((id) => id === piece);
  };
  return (
    (await areUnknown(text.slice(0, beginning))) && (text.length <= beginning || areUnknown(text))
  );
}

/** Sets the vectors of unknown texts to zeros. The parts have the vectors of all texts, one after another. */
export async function withoutUnknown(
  model: Embedder,
  texts: readonly string[],
  parts: readonly RowPart[],
): Promise<void> {
  if (unknownPiece(model) === undefined) {
    return;
  }
  const { dim } = model;
  const rows = parts.flatMap(({ rows }) =>
    Array.from({ length: rows.length / dim }, (_, i) => rows.subarray(i * dim, (i + 1) * dim)),
  );
  for (const [i, text] of texts.entries()) {
    if (!knownRun.test(text) && (await isUnknown(model, text))) {
      rows[i]?.fill(0);
    }
  }
}
