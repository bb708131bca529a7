import { doctor } from '../node.ts';
import { defineCommand } from './shared/command.ts';

/** Without these nothing runs; the rest is told but is no failure. */
const kNeeded = ['simd', 'worker', 'url'];

export const command = defineCommand({
  usage: 'doctor [URL] [--json]',
  summary: 'say what this machine, and a URL, have and lack, with the fix for each',
  options: { json: { type: 'boolean' } },
  takes: [0, 1],
  run: async ([url], { json }, terminal) => {
    const checks = await doctor(url, { signal: terminal.signal });
    if (json) terminal.json(checks);
    for (const { name, ok, found, fix } of json ? [] : checks) {
      terminal.print(`${ok ? '✓' : '✗'} ${name.padEnd(13)} ${found}`);
      if (fix !== undefined) terminal.print(`  ${' '.repeat(13)} → ${fix}`);
    }
    return checks.some(({ name, ok }) => !ok && kNeeded.includes(name)) ? 1 : 0;
  },
});
