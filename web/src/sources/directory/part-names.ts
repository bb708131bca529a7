// How llama.cpp names the files of a model that is split into several: `name-00001-of-00003.gguf`.

/** What the name of a part says. */
export interface PartName {
  /** What is before the number. All parts of a model share it. */
  readonly stem: string;
  /** From 1 on. */
  readonly number: number;
  readonly count: number;
  readonly ending: string;
}

/** Undefined for a file that is no part. */
export function partName(path: string): PartName | undefined {
  const [, stem = '', number, count, ending = ''] =
    /^(.*-)(\d{5})-of-(\d{5})(\.gguf)$/i.exec(path) ?? [];
  return number ? { stem, number: Number(number), count: Number(count), ending } : undefined;
}

/** The name of a part of the same model. */
export function siblingName({ stem, count, ending }: PartName, number: number): string {
  const digits = (n: number) => String(n).padStart(5, '0');
  return `${stem}${digits(number)}-of-${digits(count)}${ending}`;
}
