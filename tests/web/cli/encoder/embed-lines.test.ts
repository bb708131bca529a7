// `ambry embed --jsonl`: lines in and lines out, through real pipes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { cliArgs } from '../../support/cli/cli.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';

const { at, model } = await cliFolder();

interface Answer {
  readonly id: string | number;
  readonly vector: number[];
}

const lines = (...values: unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Starts the command with open pipes. */
function start(args: readonly string[], nodeOptions = '') {
  return spawn(process.execPath, [...cliArgs, 'embed', model, '--jsonl', ...args], {
    env: { ...process.env, NODE_OPTIONS: nodeOptions },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

describe('embed --jsonl', () => {
  test('gives the same vectors as --json, with the ids of the lines', async () => {
    const input = lines({ id: 'a', text: 'the cat' }, { id: 7, text: 'dog', more: [1] });
    const { code, json } = await ambryCli(['embed', model, '--jsonl'], `${input}\n{"text":""}`);
    expect(code).toBe(0);
    const answers = json() as Answer[];
    expect(answers.map(({ id }) => id)).toEqual(['a', 7, 4]);
    const texts = ['--text', 'the cat', '--text', 'dog', '--text', ''];
    const same = (await ambryCli(['embed', model, ...texts, '--json'])).json() as Answer[];
    expect(answers.map(({ vector }) => vector)).toEqual(same.map(({ vector }) => vector));
  });

  test('reads a file, takes the other options, and gives nothing for no lines', async () => {
    await writeFile(at('some.jsonl'), `\uFEFF${lines({ id: 1, text: 'the cat' })}`);
    const args = ['embed', model, '--jsonl', '--file', at('some.jsonl')];
    const [short] = (await ambryCli([...args, '--dim', '4'])).json() as Answer[];
    expect(short?.vector).toHaveLength(4);
    const [tokens] = (await ambryCli([...args, '--pooling', 'none'])).json() as Answer[];
    expect(tokens?.vector).toHaveLength(4);
    expect(await ambryCli(['embed', model, '--jsonl'], '')).toMatchObject({ code: 0, out: '' });
  });

  test.each([
    ['is not JSON', '{"id": 3, "text": '],
    ['is not a JSON object', '["text"]'],
    ['needs a string in the field "text"', '{"id": 3, "text": 7}'],
    ['has an "id" that is neither', '{"id": {}, "text": "cat"}'],
    ['is not valid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('a line that %s: those before are answered, then 1', async (message, bad) => {
    const before = lines({ id: 'a', text: 'cat' }, { id: 'b', text: 'dog' });
    const after = lines({ id: 'c', text: 'mat' });
    const input = Buffer.concat([Buffer.from(before), Buffer.from(bad), Buffer.from(`\n${after}`)]);
    const stopped = await ambryCli(['embed', model, '--jsonl'], input);
    expect(stopped.code).toBe(1);
    expect(stopped.err).toMatch(`ambry: BadValue line 3: Line 3 ${message}`);
    expect((stopped.json() as Answer[]).map(({ id }) => id)).toEqual(['a', 'b']);
    const skipped = await ambryCli(['embed', model, '--jsonl', '--skip-bad'], input);
    expect(skipped.code).toBe(0);
    expect(skipped.err).toMatch(`warning  BadValue line 3: Line 3 ${message}`);
    expect(skipped.err).toMatch('skipped 1 invalid line\n');
    expect((skipped.json() as Answer[]).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('a text that is too long for --truncate error names its line', async () => {
    const long = { id: 'b', text: 'cat '.repeat(100) };
    const input = lines({ id: 'a', text: 'cat' }, long, { id: 'c', text: 'mat' });
    const args = ['embed', model, '--jsonl', '--truncate', 'error'];
    const stopped = await ambryCli(args, input);
    expect(stopped.code).toBe(1);
    expect(stopped.err).toMatch(/LimitExceeded line 2: Line 2: the text has at least 102 tokens/);
    expect((stopped.json() as Answer[]).map(({ id }) => id)).toEqual(['a']);
    const skipped = await ambryCli([...args, '--skip-bad'], input);
    expect((skipped.json() as Answer[]).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  test('a line is answered before the next one arrives', async () => {
    const child = start([]);
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const id of [1, 2, 3]) {
      child.stdin.write(lines({ id, text: 'the cat' }));
      const { value } = await answers.next();
      expect((JSON.parse(value as string) as Answer).id).toBe(id);
    }
    child.stdin.end();
    expect((await once(child, 'close'))[0]).toBe(0);
  });

  test('an interrupt ends the wait for more lines: 130', async () => {
    const child = start([]);
    child.stdin.write(lines({ id: 1, text: 'the cat' }));
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect((await once(child, 'close'))[0]).toBe(130);
  });

  // The answers alone are larger than the heap of the process.
  test('any number of lines takes the same memory, even if the reader is slow', async () => {
    const count = 60_000;
    const child = start([], '--max-old-space-size=24');
    const feed = async () => {
      for (let id = 0; id < count; id += 1000) {
        const some = Array.from({ length: 1000 }, (_, i) => ({ id: id + i, text: 'the cat ran' }));
        if (!child.stdin.write(lines(...some))) {
          await once(child.stdin, 'drain');
        }
      }
      child.stdin.end();
    };
    const countLines = async () => {
      let answered = 0;
      for await (const chunk of child.stdout) {
        answered += (chunk as Buffer).filter((byte) => byte === 10).length;
        await new Promise(setImmediate);
      }
      return answered;
    };
    const [answered] = await Promise.all([countLines(), feed()]);
    expect(answered).toBe(count);
  }, 240_000);

  test.each([[['--npy', 'x']], [['--text', 'cat']]])('with %j is bad usage: 2', async (more) => {
    expect((await ambryCli(['embed', model, '--jsonl', ...more])).code).toBe(2);
  });

  test('--skip-bad without --jsonl is bad usage: 2', async () => {
    expect((await ambryCli(['embed', model, '--text', 'x', '--skip-bad'])).code).toBe(2);
  });
});
