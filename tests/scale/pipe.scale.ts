// `ambry embed --jsonl` as a process of Spark or Hadoop streaming.
import { expect, test } from 'vitest';
import { root, start } from './support/processes.ts';
import { model } from './support/workbench.ts';

const pipe = (input: string, ...options: readonly string[]) =>
  start(process.execPath, [`${root}dist/cli/main.js`, 'embed', model, '--jsonl', ...options], {
    input,
  }).ended;

const idsOf = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id as string);

test('parallel pipes keep the keys and the order of their lines', async () => {
  const parts = ['a', 'b'].map((part) => Array.from({ length: 600 }, (_, i) => `${part}${i}`));
  const ended = await Promise.all(
    parts.map((ids) =>
      pipe(ids.map((id) => JSON.stringify({ id, text: `text ${id}` })).join('\n')),
    ),
  );
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect(ended.map(({ stdout }) => idsOf(stdout))).toEqual(parts);
});

test('a bad line ends the pipe, or is left out with --skip-bad', async () => {
  const input = '{"id":"a","text":"one"}\nnot json\n{"id":"b","text":"two"}\n';
  const strict = await pipe(input);
  expect([strict.code, idsOf(strict.stdout)]).toEqual([1, ['a']]);
  const lenient = await pipe(input, '--skip-bad');
  expect([lenient.code, idsOf(lenient.stdout)]).toEqual([0, ['a', 'b']]);
});
