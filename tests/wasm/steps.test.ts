// When the build runs a step, and what it says. The steps here write a file into build/.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runStep } from '../../wasm/toolchain/steps.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `build/steps-test-${process.pid}`;
const name = `steps-test-${process.pid}`;
const given = `${root}${folder}/given/file`;
const made = `${root}${folder}/made/file`;

/** A step that adds a letter to the file that it makes, so that its length counts the runs. */
function stepThat(code: string) {
  return {
    name,
    command: [process.execPath, '-e', code],
    reads: (path: string) => path === 'LICENSE',
    uses: [`${folder}/given`],
    makes: [`${folder}/made`],
  };
}

const counting = stepThat(`require('node:fs').appendFileSync(${JSON.stringify(made)}, 'x')`);
const runs = () => readFileSync(made, 'utf8').length;

const shown: string[] = [];
beforeEach(() => {
  rmSync(`${root}${folder}`, { recursive: true, force: true });
  for (const path of [given, made]) {
    mkdirSync(path.replace(/file$/, ''), { recursive: true });
  }
  writeFileSync(given, 'given');
  shown.length = 0;
  for (const method of ['log', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((text) => void shown.push(String(text)));
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => {
  rmSync(`${root}${folder}`, { recursive: true, force: true });
  for (const ending of ['json', 'log']) {
    rmSync(`${root}build/steps/${name}.${ending}`, { force: true });
  }
});

describe('a step of the build', () => {
  it('runs once while nothing changes, and says how long it took', async () => {
    await expect(runStep(counting)).resolves.toBe(true);
    expect(shown.at(-1)).toMatch(RegExp(`^${name}: \\d+ s$`));
    await expect(runStep(counting)).resolves.toBe(true);
    expect(shown.at(-1)).toBe(`${name}: nothing has changed`);
    expect(runs()).toBe(1);
  });

  it('runs again when what it uses has changed', async () => {
    await runStep(counting);
    writeFileSync(given, 'something else');
    await runStep(counting);
    expect(runs()).toBe(2);
  });

  it('runs again when what it made has changed or is gone', async () => {
    await runStep(counting);
    writeFileSync(made, 'longer');
    await runStep(counting);
    expect(runs()).toBe('longerx'.length);
    rmSync(made);
    await runStep(counting);
    expect(runs()).toBe(1);
  });

  it('runs again when its command has changed', async () => {
    await runStep(counting);
    await runStep(stepThat(`${counting.command[2]};`));
    expect(runs()).toBe(2);
  });

  it('shows its last lines when it fails, and runs again', async () => {
    const failing = stepThat(
      'for (let i = 1; i <= 70; i++) console.log("line " + i); process.exitCode = 1',
    );
    await expect(runStep(failing)).resolves.toBe(false);
    expect(shown.at(-3)).toMatch(RegExp(`^${name}: failed after \\d+ s$`));
    expect(shown.at(-2)).toMatch(/^line 11\n[\s\S]*line 70$/);
    expect(shown.at(-1)).toBe(
      `build: the step ${name} failed; its last lines are above; all 70 lines are in build/steps/${name}.log`,
    );
    await expect(runStep(failing)).resolves.toBe(false);
  });

  it('says how many files are compiled', async () => {
    const lines = ['baseline [1/2] Building CXX object a.o', 'baseline [2/2] Linking CXX b.mjs'];
    // A step shows a line each ten seconds.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 20_000;
      return now;
    });
    await runStep(stepThat(`console.log(${JSON.stringify(lines.join('\n'))})`));
    expect(shown).toContain(`${name}, baseline [1/2] compiling`);
    expect(shown).toContain(`${name}, baseline [2/2] linking`);
  });
});
