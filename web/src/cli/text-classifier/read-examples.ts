// Reads the examples of `ambry train-classifier`.
import { readExamples } from '../../entries/passages/node-passages.ts';
import type { ClassifierExample } from '../../entries/types.ts';
import { UnreadableError } from '../shared/failure.ts';
import { readBytes } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';

export async function examplesIn(
  file: string,
  terminal: Terminal,
): Promise<readonly ClassifierExample[]> {
  const name = file === '-' ? 'standard input' : file;
  const { examples, warnings } = await readExamples(name, await readBytes(file));
  for (const warning of warnings) {
    terminal.note(`warning  ${warning}`);
  }
  if (examples.length === 0) {
    throw new UnreadableError(`There are no examples in ${name}.`);
  }
  return examples;
}
