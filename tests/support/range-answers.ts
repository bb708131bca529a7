// What hosts answer to range requests.

/** `several` as nginx, Apache and Caddy do; `one` as most other hosts, which answer a request for several ranges with all. */
export type RangeSupport = 'one' | 'several';

interface RangeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

export function answerTo(
  file: Buffer,
  header: string | undefined,
  support: RangeSupport | undefined,
): RangeAnswer {
  const wanted = [...(header ?? '').matchAll(/(\d+)-(\d+)/g)].map(
    ([, from, to]) => [Number(from), Math.min(Number(to), file.length - 1)] as const,
  );
  const accepts = support && { 'accept-ranges': 'bytes' };
  if (!support || wanted.length === 0 || (support === 'one' && wanted.length > 1)) {
    return { status: 200, headers: { ...accepts }, bytes: file };
  }
  if (wanted.some(([from, to]) => from > to)) {
    return { status: 416, headers: { ...accepts }, bytes: Buffer.alloc(0) };
  }
  const rangeOf = ([from, to]: readonly [number, number]) => `bytes ${from}-${to}/${file.length}`;
  const [only] = wanted;
  if (only && wanted.length === 1) {
    const headers = { ...accepts, 'content-range': rangeOf(only) };
    return { status: 206, headers, bytes: file.subarray(only[0], only[1] + 1) };
  }
  const parts = wanted.flatMap((range) => [
    Buffer.from(`\r\n--mark\r\ncontent-type: x/y\r\nContent-Range: ${rangeOf(range)}\r\n\r\n`),
    file.subarray(range[0], range[1] + 1),
  ]);
  return {
    status: 206,
    headers: { ...accepts, 'content-type': 'multipart/byteranges; boundary=mark' },
    bytes: Buffer.concat([...parts, Buffer.from('\r\n--mark--\r\n')]),
  };
}
