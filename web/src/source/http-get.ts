// The one place that asks the network.
import { isAbort } from '../errors.ts';
import { unreachable } from './http-error.ts';

export async function get(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(url, { headers, signal });
  } catch (error) {
    throw isAbort(error) ? error : unreachable(url, error);
  }
}
