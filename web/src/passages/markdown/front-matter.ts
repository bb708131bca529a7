// Finds the front matter of a Markdown file: YAML between `---` lines, TOML between `+++` lines, or JSON.

const fencedPattern = /^(---|\+\+\+)(yaml|toml|json)?[ \t]*\r?\n([\s\S]*?)\r?\n\1[ \t]*(?:\r?\n|$)/;
const jsonPattern = /^\{[ \t]*\r?\n[\s\S]*?\r?\n\}[ \t]*(?:\r?\n|$)/;
/** Matches a line of YAML or TOML. Prose between two horizontal rules has other lines. */
const matterLine = /^(?:\s*["']?[\w.-]+["']?\s*[:=]|\s*-|\s*#|\s+\S|\s*[\]}]|\s*\[.*\]\s*$|\s*$)/;
const maxJsonUnits = 1 << 16;

interface FrontMatter {
  /** The length of the whole front matter in code units. */
  readonly length: number;
  readonly title: string;
  readonly description: string;
}

type Field = (name: string) => string;

export function frontMatterOf(text: string): FrontMatter | undefined {
  const [fenced = '', , language, matter = ''] = fencedPattern.exec(text) ?? [];
  const json = fenced === '' && text.startsWith('{') ? jsonPattern.exec(text)?.[0] : undefined;
  const lines = matter.split(/\r?\n/);
  let field: Field | undefined;
  if (json !== undefined || language === 'json') {
    field = jsonField(json ?? matter);
  } else if (fenced !== '' && lines.every((line) => matterLine.test(line))) {
    field = (name) => fieldOf(lines, name);
  }
  return (
    field && {
      length: (json ?? fenced).length,
      title: field('title'),
      description: field('description') || field('summary'),
    }
  );
}

/** Undefined for what is no object of JSON. */
function jsonField(text: string): Field | undefined {
  if (text.length > maxJsonUnits) {
    return undefined;
  }
  try {
    const fields = JSON.parse(text) as Record<string, unknown>;
    return (name) => (typeof fields[name] === 'string' ? fields[name] : '');
  } catch {
    return undefined;
  }
}

/** The value of a text. Empty for a list or an object. */
function fieldOf(lines: readonly string[], name: string): string {
  const at = lines.findIndex((line) => new RegExp(`^["']?${name}["']?\\s*[:=]`).test(line));
  const value = (lines[at] ?? '').replace(/^["']?\w+["']?\s*[:=]\s*/, '').trim();
  if (/^[>|][+\d-]*\s*(?:#.*)?$/.test(value)) {
    return indentedAfter(lines, at);
  }
  if (/^[[{]/.test(value)) {
    return '';
  }
  if (/^(["'])\1\1/.test(value)) {
    return value.replace(/^(["']){3}([\s\S]*?)(?:["']{3})?$/, '$2').trim();
  }
  const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')/.exec(value);
  if (quoted) {
    return quoted[1]?.replace(/\\(["\\/])/g, '$1') ?? quoted[2]?.replaceAll("''", "'") ?? '';
  }
  return value.replace(/\s+#.*$/, '');
}

/** The lines of a block of YAML, as one line. */
function indentedAfter(lines: readonly string[], at: number): string {
  const end = lines.findIndex((line, i) => i > at && /^\S/.test(line));
  const block = lines.slice(at + 1, end < 0 ? lines.length : end);
  return block
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
}
