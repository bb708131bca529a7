// How the playground shows values: texts as they are, others as JSON with the first numbers of long arrays.

const firstNumbers = 8;

export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  if (value instanceof Error) {
    return `${value.name}: ${value.message}`;
  }
  try {
    const first = short('', value);
    return typeof first === 'string' ? first : (JSON.stringify(first, short, 2) ?? String(value));
  } catch {
    // A circle, or a number that JSON has no form for.
    return String(value);
  }
}

function short(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') {
    return `${value}n`;
  }
  if (value instanceof Blob) {
    return `Blob of ${value.size} bytes`;
  }
  if (!ArrayBuffer.isView(value) || value instanceof DataView) {
    return value;
  }
  const numbers = value as unknown as ArrayLike<number>;
  const first = Array.from(
    { length: Math.min(firstNumbers, numbers.length) },
    (_, i) => numbers[i],
  );
  const more = numbers.length > firstNumbers ? ', …' : '';
  return `${value.constructor.name}(${numbers.length}) [${first.join(', ')}${more}]`;
}
