// `ambry completions`: the scripts in the shells themselves. zsh and fish are tried where they are installed.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandNames, loadCommand } from '../../../../web/src/cli/commands.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';

const { at } = await cliFolder();
const scriptOf = (shell: string) => at(`ambry.${shell}`);

function runShell(shell: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8', timeout: 30_000 });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

/** What bash offers for the last of the words. */
function offers(...words: readonly string[]): string[] {
  const program = `source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    function=$(complete -p ambry); [[ $function =~ -F\\ ([^ ]*) ]]
    "\${BASH_REMATCH[1]}"; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', program, 'bash', scriptOf('bash'), 'ambry', ...words];
  return runShell('bash', ...args)
    .split('\n')
    .filter((word) => word !== '');
}

function testIn(shell: string, run: () => void): void {
  const isInstalled = spawnSync(shell, ['--version']).status === 0;
  if (!isInstalled) {
    console.log(`no ${shell}: its completions are not tried`);
  }
  test.skipIf(!isInstalled)(`are read by ${shell}`, run);
}

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    await writeFile(scriptOf(shell), (await ambryCli(['completions', shell])).out);
  }
});

describe('completions in bash', () => {
  test('offer commands', () => {
    expect(offers('')).toEqual([...commandNames, 'help', 'version', '--help', '--version']);
    expect(offers('quan')).toEqual(['quantize']);
    expect(offers('help', 'sea')).toEqual(['search']);
    expect(offers('completions', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(offers('nothing', '')).toEqual([]);
  });

  test.each(commandNames)('offer all options of %s', async (name) => {
    const options = Object.keys((await loadCommand(name))?.options ?? {});
    const found = offers(name, 'x', '-');
    for (const option of options) {
      expect(found).toContain(option.length > 1 ? `--${option}` : `-${option}`);
    }
    expect(found).toContain('--help');
  });

  test('offer the values of options, and files for the rest', () => {
    expect(offers('similar', 'x', '--similarity', '')).toEqual(['cosine', 'angular']);
    expect(offers('similar', 'x', '-s', 'a')).toEqual(['angular']);
    expect(offers('quantize', 'a', '--scale', '=', 'fp1')).toEqual(['fp16']);
    expect(offers('quantize', 'a', '--scale', '=')).toEqual(['fp32', 'fp16']);
    // Readline completes files where nothing is offered.
    expect(offers('tokenize', 'x', '--file', '')).toEqual([]);
    expect(offers('inspect', '')).toEqual([]);
    expect(runShell('bash', '-c', 'source "$1"; complete -p ambry', 'bash', scriptOf('bash'))).toBe(
      'complete -o default -F _ambry ambry\n',
    );
  });
});

describe('completions', () => {
  testIn('zsh', () => {
    runShell('zsh', '-n', scriptOf('zsh'));
    const use = 'autoload -U compinit; compinit -D -u; source "$1"; print $_comps[ambry]';
    expect(runShell('zsh', '-f', '-c', use, 'zsh', scriptOf('zsh'))).toBe('_ambry\n');
  });

  testIn('fish', () => {
    runShell('fish', '--no-execute', scriptOf('fish'));
    const use = `source ${scriptOf('fish')}; complete -C 'ambry quan'; complete -C 'ambry similar x -s a'`;
    expect(runShell('fish', '--no-config', '-c', use)).toMatch(/^quantize\t.*\n-?s?angular\t.*\n$/);
  });

  test('of another shell are refused by name', async () => {
    const { code, err } = await ambryCli(['completions', 'fis']);
    expect(code).toBe(2);
    expect(err).toContain(
      'no completions for "fis". There are bash, zsh, fish. Did you mean "fish"?',
    );
  });
});
