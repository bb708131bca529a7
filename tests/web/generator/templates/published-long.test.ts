// Templates of published models, with the conversations that people have: each gives the text that Python's jinja2 gives,
// or is refused where that refuses.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dataPath } from '../../../data-folder.mjs';
import { describeWithData } from '../../support/data.ts';
import { type Answer, answerOf, disagreement, missingPython, pythonAnswers } from './answers.ts';
import { conversations } from './conversations.ts';

const title = 'published templates';

function comparePublished(): void {
  const folder = dataPath('published/templates');
  const files = readdirSync(folder).filter((name) => name.endsWith('.jinja'));

  test('there are many', () => {
    expect(files.length).toBeGreaterThan(70);
  });

  const templates = files.map((name) => readFileSync(join(folder, name), 'utf8'));
  const given = Object.entries(conversations);
  let answers: readonly Answer[];
  beforeAll(() => {
    // One call, as Python takes most of the time to compile templates.
    const cases = given.flatMap(([, names]) => templates.map((one) => [one, names] as const));
    answers = pythonAnswers(cases);
  });

  test.each(given)('%s', (name, names) => {
    const first = given.findIndex(([other]) => other === name) * files.length;
    const ofName = answers.slice(first, first + files.length);
    const wrong = ofName.flatMap((answer, i) => {
      const found = disagreement(answer, answerOf(templates[i] as string, names));
      return found === '' ? [] : [`${files[i]}: ${found}`];
    });
    expect(wrong).toEqual([]);
    expect(ofName.filter(({ text }) => text !== undefined).length).toBeGreaterThan(10);
  });
}

if (missingPython === undefined) {
  describeWithData(title, ['published/templates'], comparePublished);
} else {
  console.log(`skipped: ${missingPython}`);
  describe(title, () => test.skip(missingPython as string, () => {}));
}
