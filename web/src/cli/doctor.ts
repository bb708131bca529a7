import { doctor } from '../node.ts';
import { defineCommand } from './shared/command.ts';
import { jsonOption, parseStallTimeout, stallOption } from './shared/common-options.ts';

/** The command fails if one of these checks does. The other checks report what is optional. */
const requiredChecks = ['simd', 'worker', 'url'];

export const command = defineCommand({
  usage: '[URL]',
  summary: 'Check what this machine and a URL support, with a fix for each problem',
  options: { ...stallOption, ...jsonOption },
  json: '[{name, ok, found, fix?}, …].',
  examples: ['doctor', 'doctor https://example.org/model.weights'],
  argumentCount: [0, 1],
  run: async ([url], { json, ...values }, terminal) => {
    const { signal } = terminal;
    const checks = await doctor(url, { signal, ...parseStallTimeout(values) });
    if (json) {
      terminal.printJson(checks);
    }
    for (const { name, ok, found, fix } of json ? [] : checks) {
      terminal.print(`${ok ? '✓' : '✗'} ${name.padEnd(13)} ${found}`);
      if (fix !== undefined) {
        terminal.print(`  ${' '.repeat(13)} → ${fix}`);
      }
    }
    return checks.some(({ name, ok }) => !ok && requiredChecks.includes(name)) ? 1 : 0;
  },
});
