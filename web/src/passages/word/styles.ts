// Which styles of a Word document are headings. Their ids differ from language to language; their names do not.
import { readXml, type ZipDocument } from './xml-parts.ts';

/** What a paragraph of a style is: a heading of a level, the title, an entry of a table of contents, or text. */
export type StyleRole = number | 'title' | 'contents' | undefined;

interface Style {
  name: string;
  basedOn: string;
  outline: number | undefined;
}

const maxBases = 20;
const lastLevel = 6;

export function styleRoles(document: ZipDocument): (id: string) => StyleRole {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  readXml(document, 'word/styles.xml', {
    open: (tag, attributes) => {
      const value = attributes['w:val'] ?? '';
      if (tag === 'w:style') {
        style = { name: '', basedOn: '', outline: undefined };
        styles.set(attributes['w:styleId'] ?? '', style);
      } else if (style && tag === 'w:name') {
        style.name = value.toLowerCase();
      } else if (style && tag === 'w:basedOn') {
        style.basedOn = value;
      } else if (style && tag === 'w:outlineLvl') {
        style.outline = Number(value);
      }
    },
    close: (tag) => {
      if (tag === 'w:style') {
        style = undefined;
      }
    },
    text: () => {},
  });
  return (id) => roleOf(styles, id);
}

/** A style takes over what the one that it is based on says. */
function roleOf(styles: ReadonlyMap<string, Style>, first: string): StyleRole {
  let id = first;
  for (let left = maxBases; left > 0 && id !== ''; left--) {
    const style = styles.get(id) ?? { name: id.toLowerCase(), basedOn: '', outline: undefined };
    const role = ownRole(style);
    if (role !== undefined) {
      return role;
    }
    id = style.basedOn;
  }
  return undefined;
}

function ownRole({ name, outline }: Style): StyleRole {
  if (name === 'title') {
    return 'title';
  }
  if (/^toc ?\d|^table of figures/.test(name)) {
    return 'contents';
  }
  const level = /^heading ?(\d)/.exec(name)?.[1];
  if (level !== undefined) {
    return Math.min(Number(level), lastLevel);
  }
  return headingLevel(outline);
}

/** The level of an outline counts from 0, and 9 is text. */
export function headingLevel(outline: number | undefined): number | undefined {
  return outline !== undefined && outline >= 0 && outline < lastLevel ? outline + 1 : undefined;
}
