// Finds the front matter of a Markdown file: YAML between `---` lines, or TOML between `+++` lines.

const frontMatterPattern = /^(---|\+\+\+)[ \t]*\r?\n([\s\S]*?)\r?\n\1[ \t]*(?:\r?\n|$)/;
/** Matches a line of YAML or TOML. Prose between two horizontal rules has other lines. */
const matterLine = /^(?:\s*[\w.-]+\s*[:=]|\s*-|\s*#|\s+\S|\s*[\]}]|\s*\[.*\]\s*$|\s*$)/;

interface FrontMatter {
  /** The length of the whole front matter in code units. */
  readonly length: number;
  readonly title: string;
  readonly description: string;
}

export function frontMatterOf(text: string): FrontMatter | undefined {
  const [whole = '', , matter = ''] = frontMatterPattern.exec(text) ?? [];
  const lines = matter.split(/\r?\n/);
  if (whole === '' || !lines.every((line) => matterLine.test(line))) {
    return undefined;
  }
  return {
    length: whole.length,
    title: fieldOf(lines, 'title'),
    description: fieldOf(lines, 'description') || fieldOf(lines, 'summary'),
  };
}

/** Returns the value if it stands on one line, else an empty text. */
function fieldOf(lines: readonly string[], name: string): string {
  const line = lines.find((each) => new RegExp(`^${name}\\s*[:=]`).test(each)) ?? '';
  const value = line.replace(/^\w+\s*[:=]\s*/, '').trim();
  return /^[>|[{]/.test(value) ? '' : value.replace(/^(["'])(.*)\1$/, '$2');
}
