// What many texts of a site have in common: a short text that all of them are packed with, so that words of the site, addresses
// and the names of fields are not stored in each. It is made of segments of texts, those first whose pieces most texts have
// and no other segment has.

/** Each piece has so many bytes. */
const pieceBytes = 6;
const segmentBytes = 48;
const dictionaryBytes = 4096;
/** Texts that are looked at, from all of them evenly. */
const mostTexts = 512;
/** Fewer texts have too little in common. */
const leastTexts = 64;
/** Bytes of a text that are looked at. */
const mostOfText = 4096;
const hashBits = 18;

/** Empty if the texts are few. The best segments are at the end, where they are nearest to what follows. */
export function dictionaryOf(all: readonly Uint8Array[]): Uint8Array {
  if (all.length < leastTexts) {
    return new Uint8Array();
  }
  const count = Math.min(mostTexts, all.length);
  const texts = Array.from({ length: count }, (_, i) =>
    (all[Math.floor((i * all.length) / count)] as Uint8Array).subarray(0, mostOfText),
  );
  const counts = pieceCounts(texts);
  const wanted = Math.floor(dictionaryBytes / segmentBytes);
  const each = Math.max(1, Math.floor(count / wanted));
  const segments: Segment[] = [];
  for (let from = 0; from < count && segments.length < wanted; from += each) {
    const best = bestSegment(texts.slice(from, from + each), counts);
    if (best) {
      segments.push(best);
      forget(best.bytes, counts);
    }
  }
  segments.sort((a, b) => a.worth - b.worth);
  return new Uint8Array(Buffer.concat(segments.map(({ bytes }) => bytes)));
}

interface Segment {
  readonly bytes: Uint8Array;
  readonly worth: number;
}

/** How many texts have each piece, by its hash. */
function pieceCounts(texts: readonly Uint8Array[]): Uint16Array {
  const counts = new Uint16Array(1 << hashBits);
  const seenIn = new Uint16Array(1 << hashBits);
  texts.forEach((text, i) => {
    for (let at = 0; at + pieceBytes <= text.length; at++) {
      const hash = hashAt(text, at);
      if (seenIn[hash] !== i + 1) {
        seenIn[hash] = i + 1;
        counts[hash] = (counts[hash] as number) + 1;
      }
    }
  });
  return counts;
}

function bestSegment(texts: readonly Uint8Array[], counts: Uint16Array): Segment | undefined {
  let best: Segment | undefined;
  for (const text of texts) {
    const pieces = Math.min(segmentBytes, text.length) - pieceBytes + 1;
    let worth = 0;
    for (let at = 0; at + pieceBytes <= text.length; at++) {
      worth += worthAt(text, at, counts);
      if (at >= pieces) {
        worth -= worthAt(text, at - pieces, counts);
      }
      if (at + 1 >= pieces && worth > (best?.worth ?? 0)) {
        const from = at + 1 - pieces;
        best = { bytes: text.subarray(from, from + segmentBytes), worth };
      }
    }
  }
  return best;
}

/** A piece that one text has is worth nothing. */
function worthAt(text: Uint8Array, at: number, counts: Uint16Array): number {
  const count = counts[hashAt(text, at)] as number;
  return count > 1 ? count : 0;
}

/** What is in a segment need not be in another one. */
function forget(segment: Uint8Array, counts: Uint16Array): void {
  for (let at = 0; at + pieceBytes <= segment.length; at++) {
    counts[hashAt(segment, at)] = 0;
  }
}

function hashAt(text: Uint8Array, at: number): number {
  let hash = 0;
  for (let i = 0; i < pieceBytes; i++) {
    hash = Math.imul(hash, 31) + (text[at + i] as number);
  }
  return Math.imul(hash, 0x9e3779b1) >>> (32 - hashBits);
}
