// Reads the bytes around the offsets of a report's problems.

import type { ByteContext, Problem } from '../base/problem.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { ValidationReport } from './validate-types.ts';

const rowBytes = 16;
const mostProblems = 100;
/** Offsets this close to each other are read together, with one request over HTTP. */
const joinBytes = 16 * 1024;

interface Range {
  readonly from: number;
  to: number;
}

/** Adds the bytes around the first problems to the report. Returns the report unchanged if the source cannot seek. */
export async function withContext(
  report: ValidationReport,
  source: ByteSource,
): Promise<ValidationReport> {
  if (!source.seekable) {
    return report;
  }
  const size = await source.measure();
  const problems = [...report.errors, ...report.warnings].slice(0, mostProblems);
  const chosen = new Set(problems.filter(({ byteOffset }) => isInside(byteOffset, size)));
  const places = [...chosen].map(({ byteOffset = 0 }) => rowsAround(byteOffset, size));
  const blocks = await readAll(joined(places), source);
  const add = (problem: Problem): Problem => {
    if (!chosen.has(problem)) {
      return problem;
    }
    const { from, to } = rowsAround(problem.byteOffset ?? 0, size);
    const block = blocks.find((held) => held.from <= from && to <= held.to);
    if (!block) {
      return problem;
    }
    const bytes = block.bytes.subarray(from - block.from, to - block.from);
    const context: ByteContext = { offset: from, hex: hexOf(bytes) };
    return { ...problem, context };
  };
  return { ...report, errors: report.errors.map(add), warnings: report.warnings.map(add) };
}

function isInside(byteOffset: number | undefined, size: number): boolean {
  return byteOffset !== undefined && byteOffset < size;
}

function rowsAround(byteOffset: number, size: number): Range {
  const row = byteOffset - (byteOffset % rowBytes);
  return { from: Math.max(0, row - rowBytes), to: Math.min(size, row + 2 * rowBytes) };
}

function joined(places: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  for (const { from, to } of [...places].sort((a, b) => a.from - b.from)) {
    const last = ranges.at(-1);
    if (last && from <= last.to + joinBytes) {
      last.to = Math.max(last.to, to);
    } else {
      ranges.push({ from, to });
    }
  }
  return ranges;
}

async function readAll(ranges: readonly Range[], source: ByteSource) {
  const blocks: (Range & { readonly bytes: Uint8Array })[] = [];
  for (const { from, to } of ranges) {
    blocks.push({ from, to, bytes: await source.read(from, to - from) });
  }
  return blocks;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
