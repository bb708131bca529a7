// Examples as people type and paste them: on each line a label, a colon or a tab, and a text.

import type { ClassifierExample } from 'ambry';

/** The examples, or what is the matter with them. */
export type Typed =
  | { readonly examples: readonly ClassifierExample[] }
  | { readonly problem: string };

/** A tab comes from a table, so it counts before a colon, which the text or the label may have. */
function parted(line: string): readonly [label: string, text: string] {
  const at = line.includes('\t') ? line.indexOf('\t') : line.indexOf(':');
  return at < 0 ? ['', ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

export function typedExamples(typed: string): Typed {
  const examples: ClassifierExample[] = [];
  for (const [i, line] of typed.split(/\r?\n/).entries()) {
    if (line.trim() === '') {
      continue;
    }
    const [label, text] = parted(line);
    if (label === '' || text === '') {
      return { problem: `Line ${i + 1} needs a label, a colon or a tab, and a text.` };
    }
    examples.push({ label, text });
  }
  return new Set(examples.map(({ label }) => label)).size < 2
    ? { problem: 'Write texts with at least two labels.' }
    : { examples };
}

/** Messages to a hotel, five for each label. */
export const sampleLines = `room: The shower in our room is cold.
food: Is there breakfast for early risers?
travel: How do I get to you from the airport?
room: We would like a bed for our child.
food: I am allergic to nuts.
travel: Is there a bus to the station?
room: Our window does not close.
food: Can we have dinner at nine?
travel: Where can we park the car?
room: Please bring two more towels.
food: Do you have a menu without meat?
travel: How long is the drive to the beach?
room: The heating makes a noise at night.
food: The soup was too salty.
travel: Could you order a taxi for six o’clock?`;

/** A text to try with them. */
export const sampleText = 'What is there for breakfast?';
