// What a response says of the file: which part of it came, how large the whole is, and which version it is.

interface ContentRange {
  /** Absent in a response that has only the length of the file: `bytes * /146216`. */
  readonly first: number | undefined;
  /** The byte after the last one. */
  readonly end: number | undefined;
  /** Absent when the server does not know it (`*`). */
  readonly total: number | undefined;
}

/** `bytes 0-65535/146216`. Undefined if the numbers contradict each other. */
export function parseContentRange(header: string | null): ContentRange | undefined {
  const match = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/i.exec(header ?? '');
  if (!match) {
    return undefined;
  }
  const [, first, last, size] = match;
  const total = size === '*' ? undefined : Number(size);
  if (first === undefined) {
    return { first, end: undefined, total };
  }
  const part = { first: Number(first), end: Number(last) + 1, total };
  return part.first < part.end && part.end <= (total ?? part.end) ? part : undefined;
}

function isEncoded(response: Response): boolean {
  return (response.headers.get('content-encoding') ?? 'identity') !== 'identity';
}

/** The part of the file in a response of status 206. Undefined if its place is unknown: other origins may not see
 *  Content-Range, compressed bytes have other places, and several parts come in an envelope. */
export function partIn(response: Response): ContentRange | undefined {
  const { headers, status } = response;
  const isEnvelope = headers.get('content-type')?.toLowerCase().startsWith('multipart/');
  if (status !== 206 || isEnvelope || isEncoded(response)) {
    return undefined;
  }
  return parseContentRange(headers.get('content-range'));
}

/** The size of the whole file, if the response says it. */
export function sizeIn(response: Response): number | undefined {
  const range = parseContentRange(response.headers.get('content-range'));
  if (range) {
    return range.total;
  }
  const length = response.headers.get('content-length');
  if (response.status !== 200 || isEncoded(response) || length === null) {
    return undefined;
  }
  return Number(length);
}

/** The version of the file: a strong ETag, or else the weak ETag and Last-Modified. Versions are compared as a whole. */
export function versionIn({ headers }: Response): string | undefined {
  const etag = headers.get('etag') ?? '';
  if (isStrong(etag)) {
    return etag;
  }
  return `${etag} ${headers.get('last-modified') ?? ''}`.trim() || undefined;
}

/** Whether the version is a strong ETag, which `If-Range` requires. */
export function isStrong(version: string | undefined): boolean {
  return version?.startsWith('"') ?? false;
}

/** The ETag of a version, strong or weak. */
export function etagOf(version: string): string | undefined {
  return /^(?:W\/)?"[^"]*"/.exec(version)?.[0];
}

/** Whether a whole file of this version is that of the response. ETags are compared weakly, as for `If-None-Match` (RFC 9110,
 *  13.1.2): a weak one stands for the same content, if not for the same bytes. */
export function isSameVersion(version: string, response: Response): boolean {
  const found = versionIn(response) ?? '';
  const [before, now] = [etagOf(version), etagOf(found)];
  if (before === undefined || now === undefined) {
    return version !== '' && version === found;
  }
  return before.replace('W/', '') === now.replace('W/', '');
}

/** Whether a part of a file with this version can be continued later: a weak ETag alone may stand for other bytes. */
export function isLasting(version: string | undefined): boolean {
  return /^"|GMT$/.test(version ?? '');
}

/** The version in the response that opens a file. Undefined if the file changed less than a second before, because its
 *  next version could then have the same Last-Modified. */
export function firstVersionIn(response: Response): string | undefined {
  const { headers } = response;
  if (headers.has('etag')) {
    return versionIn(response);
  }
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const age = now - Date.parse(headers.get('last-modified') ?? '');
  return age >= 1000 ? versionIn(response) : undefined;
}
