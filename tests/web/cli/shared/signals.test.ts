// Signals end a command with the shell's exit code, and no temporary file stays. Real processes get real signals.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { constants } from 'node:os';
import { describe, expect, test, vi } from 'vitest';
import { ambryCli, cliArgs } from '../../support/cli/cli.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { startServer } from '../../support/servers/server.ts';

const { at, model, file } = await cliFolder();
const server = await startServer(file);

function start(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...cliArgs, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
}

function end(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('close', resolve));
}

/** Whether the command has its handlers, of which that for SIGHUP is the last. Node has one for SIGTERM from its start.
 *  Linux tells. */
function isReady({ pid }: ChildProcess): boolean {
  // Until it runs the program, it has the handlers of this process.
  if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cliArgs[1])) {
    return false;
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const caught = BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1]}`);
  return (caught & (1n << BigInt(constants.signals.SIGHUP - 1))) !== 0n;
}

const kept = ['out.weights'];

/** Starts a conversion that waits for the network, and waits for its temporary file. */
async function stalled(folder: string): Promise<ChildProcess> {
  const before = (await readdir(at(folder))).length;
  const child = start('convert', server.url('stall'), at(`${folder}/out.weights`));
  const count = async () => (await readdir(at(folder))).length;
  await expect.poll(count, { timeout: 30_000 }).toBe(before + 1);
  return child;
}

describe('a conversion', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('that gets %s ends with %i and leaves no file', async (signal, code) => {
    await mkdir(at(signal));
    const child = await stalled(signal);
    child.kill(signal);
    expect(await end(child)).toBe(code);
    expect(await readdir(at(signal))).toEqual([]);
  });

  test('that gets two signals at once leaves no file either', async () => {
    await mkdir(at('twice'));
    const child = await stalled('twice');
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect([130, 143]).toContain(await end(child));
    expect(await readdir(at('twice'))).toEqual([]);
  });

  test('to standard output leaves no file in the folder for temporary ones', async () => {
    await mkdir(at('spool'));
    vi.stubEnv('TMPDIR', at('spool'));
    const child = start('convert', server.url('stall'), '-');
    vi.unstubAllEnvs();
    await expect.poll(() => readdir(at('spool')), { timeout: 30_000 }).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await end(child)).toBe(143);
    expect(await readdir(at('spool'))).toEqual([]);
  });

  test('that was killed leaves a file, and the next run to the same target removes it', async () => {
    await mkdir(at('killed'));
    const [dead, alive] = [await stalled('killed'), await stalled('killed')];
    dead.kill('SIGKILL');
    await end(dead);
    expect(await readdir(at('killed'))).toHaveLength(2);
    expect((await ambryCli(['convert', model, at('killed/out.weights')])).code).toBe(0);
    const names = await readdir(at('killed'));
    expect(names).toHaveLength(2);
    expect(names.find((name) => name.includes(`-${alive.pid}-`))).toBeDefined();
    alive.kill('SIGTERM');
    await end(alive);
    expect(await readdir(at('killed'))).toEqual(kept);
  });

  test('two at once to one target give one whole file', async () => {
    await mkdir(at('both'));
    const target = at('both/out.weights');
    const runs = [['f16'], ['f32'], ['f16']].map(([dtype = '']) =>
      ambryCli(['convert', model, target, '--dtype', dtype]),
    );
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await readdir(at('both'))).toEqual(kept);
    expect((await ambryCli(['validate', target])).code).toBe(0);
  });
});

describe('a command that waits', () => {
  const pipe = (name: string) => {
    execFileSync('mkfifo', [at(name)]);
    return at(name);
  };

  test.each([
    ['for standard input', () => ['embed', model, '--file', '-']],
    ['for a model on standard input', () => ['inspect', '-']],
    ['for lines', () => ['embed', model, '--jsonl']],
    ['for the writer of a pipe', () => ['inspect', pipe('writer')]],
    ['for the reader of a pipe', () => ['convert', model, pipe('reader')]],
  ])('%s ends with 143', async (_, args) => {
    const child = start(...args());
    await expect.poll(() => isReady(child), { timeout: 30_000 }).toBe(true);
    child.kill('SIGTERM');
    expect(await end(child)).toBe(143);
  });

  test('the demo server ends with 143', async () => {
    const child = start('demo', '--port', '0');
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.kill('SIGTERM');
    expect(await end(child)).toBe(143);
  });

  test('reads a pipe to its end', async () => {
    const name = pipe('model');
    const run = ambryCli(['inspect', name, '--json']);
    execFileSync('sh', ['-c', 'cat "$0" > "$1"', model, name]);
    expect((await run).json()).toMatchObject([{ format: 'embd' }]);
  });
});
