// Whether language models can run on the graphics processor.
import { adapterFacts, gpuOf } from '../gpu/adapter.ts';
import { check } from './doctor.ts';
import type { DoctorCheck } from './types.ts';

const fix = 'Not needed: language models run in WebAssembly.';

export async function graphics(): Promise<DoctorCheck> {
  const gpu = await gpuOf();
  if (!gpu) {
    const how =
      'process' in globalThis ? ' The package webgpu brings it to Node.' : ' It takes https.';
    return check('webgpu', false, 'no WebGPU', fix + how);
  }
  const adapter = await gpu.requestAdapter().catch(() => null);
  if (!adapter) {
    return check('webgpu', false, 'WebGPU, but no adapter', `${fix} Are drivers blocked?`);
  }
  const { vendor, architecture, software, bufferBytes, invocations } = adapterFacts(adapter);
  const name = [vendor, architecture].filter(Boolean).join(' ') || 'an adapter without a name';
  const size = `buffers up to ${Math.round(bufferBytes / 1e6)} MB, ${invocations} invocations`;
  const found = `${name}: ${size}`;
  return software
    ? check('webgpu', false, `${found}; a program on the processor`, fix)
    : check('webgpu', true, found, '');
}
