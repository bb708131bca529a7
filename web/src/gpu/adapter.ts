// The graphics processor of this machine, as far as it says what it is.

/** An adapter of WebGPU. */
export interface AdapterFacts {
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  /** Whether it computes on the processor, slower than WebAssembly. */
  readonly software: boolean;
  /** Bytes of the largest buffer that a kernel can read. */
  readonly bufferBytes: number;
  /** Invocations that can run together. */
  readonly invocations: number;
}

/** Limits that are asked for as high as the adapter has them. */
const wantedLimits = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupStorageSize',
] as const;

/** WebGPU of the browser, or of the package `webgpu` in Node. */
export async function gpuOf(nodePackage = 'webgpu'): Promise<GPU | undefined> {
  const own = (globalThis.navigator as { readonly gpu?: GPU } | undefined)?.gpu;
  if (own || !('process' in globalThis)) {
    return own;
  }
  // Bundlers leave it alone: nobody needs the package but who has installed it.
  const dawn = await import(/* @vite-ignore */ /* webpackIgnore: true */ nodePackage).catch(
    () => undefined,
  );
  return dawn?.create([]) as GPU | undefined;
}

export const deviceLimits = ({ limits }: GPUAdapter): Record<string, number> =>
  Object.fromEntries(wantedLimits.map((name) => [name, limits[name]]));

export function adapterFacts({ info, limits }: GPUAdapter): AdapterFacts {
  const { vendor, architecture, description } = info;
  return {
    vendor,
    architecture,
    description,
    software:
      (info as { readonly isFallbackAdapter?: boolean }).isFallbackAdapter === true ||
      /swiftshader|llvmpipe|lavapipe/i.test(`${architecture} ${description}`),
    bufferBytes: limits.maxStorageBufferBindingSize,
    invocations: limits.maxComputeInvocationsPerWorkgroup,
  };
}
