// A small file at an address, whole.
import { AmbryError } from '../../base/errors.ts';
import type { JobOptions } from '../../rpc/types.ts';
import { RetryPolicy } from '../base/retry-policy.ts';
import type { FetchOptions } from '../base/types.ts';
import type { HubAccess } from '../base/wire.ts';
import { openHttp } from './http.ts';

interface FileAt {
  /** For errors. */
  readonly name: string;
  readonly url: string;
  readonly hub: HubAccess | undefined;
}

export async function smallFile(
  { name, url, hub }: FileAt,
  mostBytes: number,
  options: JobOptions & Pick<FetchOptions, 'stallTimeout'>,
): Promise<Uint8Array> {
  const retryPolicy = new RetryPolicy({ stallMs: options.stallTimeout });
  const signal = options.signal ?? new AbortController().signal;
  const source = await openHttp(url, { signal, retryPolicy, hub });
  try {
    const size = await source.measure();
    if (size > mostBytes) {
      const message = `${name} has ${size} bytes, more than the ${mostBytes} that such a file may have.`;
      throw new AmbryError('LimitExceeded', message, { path: name });
    }
    return await source.read(0, size);
  } finally {
    await source.close();
  }
}
