// Pixels of whose size the number of bytes tells.
import { AmbryError } from '../base/errors.ts';
import type { Pixels } from '../platform/types.ts';

/** Fails where the size is not that of the bytes. */
export function checkedPixels({ width, height, data }: Pixels): Pixels {
  if (Number.isInteger(width) && Number.isInteger(height) && data?.length === width * height * 4) {
    return { width, height, data };
  }
  const message = `${data?.length} bytes are no ${width} × ${height} pixels of four bytes.`;
  throw new AmbryError('BadValue', message, { path: 'picture' });
}
