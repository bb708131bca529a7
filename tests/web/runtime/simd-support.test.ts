import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hasRelaxedSimd, hasSimd } from '../../../web/src/runtime/simd-support.ts';

const major = Number(process.versions.node.split('.')[0]);

describe('probe', () => {
  test('every supported Node has SIMD', () => {
    expect(hasSimd()).toBe(true);
  });

  test('relaxed SIMD comes with Node 22', () => {
    expect(hasRelaxedSimd()).toBe(major >= 22);
  });

  test.runIf(major < 22)('relaxed SIMD needs a flag in older versions', () => {
    const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
    const args = ['--experimental-wasm-relaxed-simd', main, 'doctor', '--json'];
    const checks = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    expect(checks).toContainEqual({ name: 'relaxed-simd', ok: true, found: 'relaxed SIMD' });
  });
});
