// Documents that are changed by chance are read or refused, whatever is in them.
import { expect, test } from 'vitest';
import { AmbryError } from '../../../web/src/base/errors.ts';
import { Mutants } from '../support/mutants.ts';
import { fuzzSize } from '../tokenizer/support/fuzz-size.ts';
import { mutant, mutantSeeds } from './document-mutants.ts';
import { countWords, read } from './reading.ts';

const most = 20;
/** PDF.js takes some 10 ms for each. */
const numberOf = (type: string) => fuzzSize(type === '.pdf' ? 2000 : 10_000);

/** What is wrong with the outcome of a document, or an empty text. */
async function fault(path: string, bytes: Uint8Array): Promise<string> {
  try {
    const { passages, warnings } = await read(path, bytes, { most, count: countWords });
    const wrong = passages.find(
      ({ text, position, source }) => text.trim() === '' || position < 1 || source !== path,
    );
    if (wrong) {
      return `a passage is wrong: ${JSON.stringify(wrong)}`;
    }
    const counts = await countWords(passages.map(({ text }) => text));
    const longest = Math.max(0, ...counts);
    const odd = warnings.find((warning) => !/^[A-Z1-9].*[^.][.]$/su.test(warning));
    return longest > most ? `a passage has ${longest} words` : odd ? `a warning is “${odd}”` : '';
  } catch (error) {
    if (!(error instanceof AmbryError)) {
      return `it throws ${error instanceof Error ? error.stack : String(error)}`;
    }
    const { message } = error;
    return message.startsWith(path) && !message.endsWith('..') ? '' : `the error is “${message}”`;
  }
}

test.each(Object.keys(mutantSeeds))('%s', { timeout: 3_600_000 }, async (type) => {
  const faults: string[] = [];
  let isRead = 0;
  for (let seed = 0; seed < numberOf(type); seed++) {
    const bytes = mutant(type, new Mutants(seed * 2654435761 + type.length));
    const found = await fault(`a${type}`, bytes);
    if (found === '') {
      isRead++;
    } else {
      faults.push(
        `seed ${seed}: ${found}: ${Buffer.from(bytes).toString('base64').slice(0, 2000)}`,
      );
    }
  }
  expect(faults.slice(0, 5)).toEqual([]);
  expect(isRead).toBe(numberOf(type));
});
