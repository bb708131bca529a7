// Embeds a batch so that a bad passage does not spoil its neighbours.
import { AmbryError, messageOf } from './failure.ts';
import type { EmbeddedPassage, Passage } from './types.ts';
import { hasValues, type Vector } from './vectors.ts';

export interface BadPassage {
  readonly passage: Passage;
  readonly reason: string;
}

export interface EmbeddedBatch {
  readonly good: readonly EmbeddedPassage[];
  readonly bad: readonly BadPassage[];
}

/** Returns the vector of each text. The path of an error is `texts[i]` if text i is at fault. After
 *  a crash it can be called again. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly Vector[]>;

/** An error without the index of a text, such as a crash, halves the batch until the text is found. Throws the crash if all
 *  of several texts crash: then the texts are not at fault. */
export async function embedApart(
  embed: EmbedTexts,
  passages: readonly Passage[],
): Promise<EmbeddedBatch> {
  let crash: AmbryError | undefined;
  let nCrashes = 0;
  const apart = async (part: readonly Passage[]): Promise<EmbeddedBatch> => {
    if (part.length === 0) {
      return { good: [], bad: [] };
    }
    try {
      return parted(part, await embed(part.map(({ text }) => text)));
    } catch (error) {
      if (!(error instanceof AmbryError)) {
        throw error;
      }
      const index = part.length === 1 ? 0 : indexIn(error);
      if (index === undefined) {
        const middle = part.length >> 1;
        return joined(await apart(part.slice(0, middle)), await apart(part.slice(middle)));
      }
      if (error.code === 'Crashed') {
        crash = error;
        nCrashes++;
      }
      const passage = part[index] as Passage;
      const bad = { passage, reason: `${error.code}: ${messageOf(error)}` };
      return joined({ good: [], bad: [bad] }, await apart(part.toSpliced(index, 1)));
    }
  };
  const all = await apart(passages);
  if (crash && nCrashes === passages.length && nCrashes > 1) {
    throw crash;
  }
  return all;
}

function indexIn({ path }: AmbryError): number | undefined {
  const at = /^texts\[(\d+)\]$/.exec(path ?? '')?.[1];
  return at === undefined ? undefined : Number(at);
}

function parted(passages: readonly Passage[], vectors: readonly Vector[]): EmbeddedBatch {
  const good: EmbeddedPassage[] = [];
  const bad: BadPassage[] = [];
  passages.forEach((passage, i) => {
    const vector = vectors[i] as Vector;
    if (hasValues(vector)) {
      good.push({ ...passage, vector });
    } else {
      const reason = 'NotFound: The model has no vector for this text.';
      bad.push({ passage, reason });
    }
  });
  return { good, bad };
}

const joined = (a: EmbeddedBatch, b: EmbeddedBatch): EmbeddedBatch => ({
  good: [...a.good, ...b.good],
  bad: [...a.bad, ...b.bad],
});
