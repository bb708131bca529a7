import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { hasRelaxedSimd, hasSimd } from '../../../web/src/probe.ts';

const major = Number(process.versions.node.split('.')[0]);

describe('probe', () => {
  test('every Node we know has SIMD', () => {
    expect(hasSimd()).toBe(true);
  });

  test('relaxed SIMD comes with Node 22', () => {
    expect(hasRelaxedSimd()).toBe(major >= 22);
  });

  test.runIf(major < 22)('and with a flag before', () => {
    const probe = new URL('../../../dist/probe.js', import.meta.url).href;
    const script = `import(${JSON.stringify(probe)}).then((p) => console.log(p.hasRelaxedSimd()))`;
    const flags = ['--experimental-wasm-relaxed-simd', '-e', script];
    expect(execFileSync(process.execPath, flags, { encoding: 'utf8' }).trim()).toBe('true');
  });
});
