// Answers a request with a kept response, as a server would: the whole file, a range of it, or "not modified". The package reads
// models by ranges and compares versions, so the answers must be exact (RFC 9110, sections 13 and 14).

/** A range as the bytes `[begin, end)`; null if there is none to satisfy. */
type Range = readonly [begin: number, end: number] | null;

/** Undefined for what a server may ignore: several ranges, other units, and texts that are no ranges. */
function rangeIn(text: string, size: number): Range | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(text.trim()) ?? [];
  if (first === '') {
    const length = Number(last);
    return last === ''
      ? undefined
      : length === 0 || size === 0
        ? null
        : [Math.max(size - length, 0), size];
  }
  const begin = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < begin) {
    return undefined;
  }
  return begin < size ? [begin, end] : null;
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the tag is one of the list in `If-None-Match`. Weak and strong tags count as the same here. */
function isListed(list: string, tag: string | null): boolean {
  return list.trim() === '*' || (tag !== null && list.split(',').map(opaque).includes(opaque(tag)));
}

/** Whether the version in `If-Range` is that of the response, without doubt. */
function isSameVersion(version: string, headers: Headers): boolean {
  const tag = headers.get('etag');
  if (version.startsWith('"')) {
    return version === tag;
  }
  return !version.startsWith('W/') && version === headers.get('last-modified');
}

function notModified(kept: Response, asked: Headers): boolean {
  const list = asked.get('if-none-match');
  if (list !== null) {
    return isListed(list, kept.headers.get('etag'));
  }
  const since = Date.parse(asked.get('if-modified-since') ?? '');
  return Date.parse(kept.headers.get('last-modified') ?? '') <= since;
}

/** `kept` is a response with status 200. */
export async function answerFrom(kept: Response, asked: Headers): Promise<Response> {
  const headers = new Headers(kept.headers);
  headers.set('accept-ranges', 'bytes');
  if (notModified(kept, asked)) {
    headers.delete('content-length');
    return new Response(null, { status: 304, statusText: 'Not Modified', headers });
  }
  const range = asked.get('range');
  const version = asked.get('if-range');
  if (range === null || (version !== null && !isSameVersion(version, kept.headers))) {
    return kept;
  }
  // A blob is a reference to the file on the disk. Only the slice is read.
  const content = await kept.blob();
  const { size } = content;
  const found = rangeIn(range, size);
  if (found === null) {
    headers.set('content-range', `bytes */${size}`);
    headers.set('content-length', '0');
    return new Response(null, { status: 416, statusText: 'Range Not Satisfiable', headers });
  }
  if (found === undefined) {
    return new Response(content, { headers });
  }
  const [begin, end] = found;
  headers.set('content-range', `bytes ${begin}-${end - 1}/${size}`);
  headers.set('content-length', String(end - begin));
  const body = content.slice(begin, end, content.type);
  return new Response(body, { status: 206, statusText: 'Partial Content', headers });
}
