// PDFs made by hand: pages of lines in Helvetica, and what goes wrong with real ones.

export interface PdfPage {
  /** Text and height above the foot of the page; 12 points, unless told otherwise. */
  readonly lines: readonly (readonly [text: string, y: number, size?: number])[];
}

export interface PdfTraits {
  /** Needs a password that is not given. */
  readonly locked?: boolean;
  /** The font's encoding; names one of the tables for East Asian characters. */
  readonly table?: string;
  /** The font says that `~` stands for nothing. */
  readonly nameless?: boolean;
}

/** Lines of one paragraph, from `y` downwards. */
export function paragraph(y: number, ...texts: string[]): [string, number][] {
  return texts.map((text, i) => [text, y - 14 * i]);
}

export function pdfFile(
  pages: readonly PdfPage[],
  traits: PdfTraits = {},
): Uint8Array<ArrayBuffer> {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>', '', fontWith(traits)];
  if (traits.nameless) {
    objects.push(stream(testNameless));
  }
  const kids: number[] = [];
  for (const { lines } of pages) {
    const content = lines.map(drawn).join('\n');
    objects.push(stream(content));
    const resources = '/Resources << /Font << /F 3 0 R >> >> /MediaBox [0 0 600 800]';
    objects.push(`<< /Type /Page /Parent 2 0 R /Contents ${objects.length} 0 R ${resources} >>`);
    kids.push(objects.length);
  }
  const references = kids.map((n) => `${n} 0 R`).join(' ');
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${references}] >>`;
  return assembled(objects, traits);
}

/** A page whose content is given, such as one that is damaged on purpose. `filter` says how it is packed. `annotations` lie
 *  on the page, and `more` is in its dictionary. */
export function pdfWithContent(
  content: string,
  filter = '',
  { annotations = [], more = '' }: { annotations?: readonly string[]; more?: string } = {},
): Uint8Array<ArrayBuffer> {
  const resources =
    '/Resources << /Font << /F 3 0 R >> /Properties << /P << /ActualText (by name) >> >> >>';
  const references = annotations.map((_, i) => `${i + 6} 0 R`).join(' ');
  const lying = references && `/Annots [${references}]`;
  const form = references && `/AcroForm << /Fields [${references}] /DA (/F 11 Tf 0 g) >>`;
  return assembled(
    [
      `<< /Type /Catalog /Pages 2 0 R ${form} >>`,
      '<< /Type /Pages /Count 1 /Kids [5 0 R] >>',
      fontWith({}),
      `<< ${filter} /Length ${content.length} >>\nstream\n${content}\nendstream`,
      `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${resources} /MediaBox [0 0 600 800] ${lying} ${more} >>`,
      ...annotations.map((each) => `<< /Type /Annot ${each} >>`),
    ],
    {},
  );
}

/** Draws a text at a place of the page. `more` are operators before it, such as `4 Tc`. */
export function drawnAt(
  x: number,
  y: number,
  text: string,
  { size = 11, more = '' }: { size?: number; more?: string } = {},
): string {
  const escaped = text.replace(/[\\()]/g, '\\$&');
  return `BT /F ${size} Tf 0 Tc 0 Tr ${more} 1 0 0 1 ${x} ${y} Tm (${escaped}) Tj ET\n`;
}

function drawn([text, y, size = 12]: PdfPage['lines'][number]): string {
  const escaped = text.replace(/[\\()]/g, '\\$&');
  return `BT /F ${size} Tf 1 0 0 1 50 ${y} Tm (${escaped}) Tj ET`;
}

function stream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

const testNameless =
  '/CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <7e> <0000> endbfchar endcmap';

function fontWith({ table, nameless }: PdfTraits): string {
  if (table === undefined) {
    const names = nameless ? '/ToUnicode 4 0 R' : '';
    return `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding ${names} >>`;
  }
  const system = '/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>';
  const measures = '/Flags 4 /FontBBox [0 0 1000 1000] /Ascent 800 /Descent -200 /StemV 80';
  const descriptor = `/FontDescriptor << /Type /FontDescriptor /FontName /Ryumin-Light ${measures} >>`;
  const descendant = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light ${system} ${descriptor} >>`;
  return `<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /${table} /DescendantFonts [${descendant}] >>`;
}

function assembled(objects: readonly string[], { locked }: PdfTraits): Uint8Array<ArrayBuffer> {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  const key = 'ab'.repeat(32);
  const lock = locked
    ? ` /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${key}> /U <${key}> >> /ID [<${key}> <${key}>]`
    : '';
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${lock} >>\nstartxref\n${start}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
