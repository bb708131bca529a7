// Faults of a template: what Python's jinja2 raises, in short words.

export class TemplateError extends Error {
  /** The line of the template, once it is known. */
  line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

export function fail(message: string, line?: number): never {
  throw new TemplateError(message, line);
}
