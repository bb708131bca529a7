// Makes small Word documents.
import { strToU8, zipSync } from 'fflate';

const namespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
const part = (tag: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><w:${tag} ${namespaces}>${content}</w:${tag}>`;

export interface WordContent {
  readonly body: string;
  readonly styles?: string;
  readonly footnotes?: string;
  readonly endnotes?: string;
}

export function wordFile({
  body,
  styles = '',
  footnotes = '',
  endnotes = '',
}: WordContent): Uint8Array<ArrayBuffer> {
  const files = {
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': part('document', `<w:body>${body}</w:body>`),
    'word/styles.xml': part('styles', styles),
    'word/footnotes.xml': part('footnotes', footnotes),
    'word/endnotes.xml': part('endnotes', endnotes),
  };
  const bytes = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return new Uint8Array(zipSync(Object.fromEntries(bytes)));
}

export const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

export const paragraph = (content: string, style?: string) =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${content}</w:p>`;

export const item = (content: string) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${content}</w:p>`;

export const style = (id: string, name: string, more = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;

export const table = (properties: string, ...rows: readonly (readonly string[])[]) => {
  const cell = (text: string) => `<w:tc><w:p>${run(text)}</w:p></w:tc>`;
  return `<w:tbl><w:tblPr>${properties}</w:tblPr>${rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`;
};
