// Reads what was typed into a PDF: the values of form fields, and remarks that are written on the page. PDF.js gives them
// apart from the text of the page.

/** What PDF.js tells of something that lies on a page. All of it comes from the file. */
export interface Annotation {
  readonly subtype?: string;
  readonly rect?: readonly number[];
  readonly hidden?: boolean;
  readonly annotationFlags?: number;
  readonly contentsObj?: { readonly str?: string };
  readonly fieldType?: string;
  readonly fieldName?: string;
  /** The words that a form shows of a field. */
  readonly alternativeText?: string;
  readonly fieldValue?: unknown;
  readonly password?: boolean;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  /** The value of the field if this one of its buttons is chosen. */
  readonly buttonValue?: unknown;
  readonly options?: readonly { readonly exportValue?: unknown; readonly displayValue?: unknown }[];
}

/** A text with its place on the page. */
export interface FieldValue {
  readonly text: string;
  /** The name of the field, or an empty text. */
  readonly name: string;
  /** Whether the text is a remark and belongs to no label. */
  readonly isRemark: boolean;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** Flags of an annotation that is not shown: hidden, and no view. */
const unseen = 0x02 | 0x20;
/** Stands for a box that is ticked, if its value is no word. */
const tick = '☑';

/** Whether something can be filled in. A signature cannot be read. */
export function isField({ subtype, fieldType }: Annotation): boolean {
  return subtype === 'Widget' && fieldType !== undefined && fieldType !== 'Sig';
}

/** The values that are shown, in the order of the file. */
export function valuesIn(annotations: readonly Annotation[]): FieldValue[] {
  return annotations.flatMap((annotation) => {
    const { hidden, annotationFlags = 0, rect = [] } = annotation;
    const text = hidden || annotationFlags & unseen ? '' : tidy(textOf(annotation));
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rect;
    if (text === '') {
      return [];
    }
    const sides = { left: Math.min(x1, x2), right: Math.max(x1, x2) };
    const ends = { bottom: Math.min(y1, y2), top: Math.max(y1, y2) };
    const isRemark = annotation.subtype === 'FreeText';
    return [{ text, name: isRemark ? '' : nameOf(annotation), isRemark, ...sides, ...ends }];
  });
}

function textOf(annotation: Annotation): string {
  if (annotation.subtype === 'FreeText') {
    return annotation.contentsObj?.str ?? '';
  }
  const { fieldType, fieldValue, password, checkBox, radioButton, buttonValue } = annotation;
  if (!isField(annotation) || password || fieldValue === null || fieldValue === undefined) {
    return '';
  }
  if (fieldType === 'Btn') {
    const isTicked = checkBox
      ? fieldValue !== 'Off' && fieldValue !== ''
      : radioButton && buttonValue === fieldValue;
    return isTicked ? tickedText(fieldValue) : '';
  }
  const values: unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.map((value) => shownFor(value, annotation)).join(', ');
}

function tickedText(value: unknown): string {
  const isWord = typeof value === 'string' && /\p{L}{2}/u.test(value) && value !== 'On';
  return isWord ? value : tick;
}

/** A choice has a value for programs and one for people. */
function shownFor(value: unknown, { options }: Annotation): string {
  const option = options?.find(({ exportValue }) => exportValue === value);
  const shown = option?.displayValue ?? value;
  return typeof shown === 'string' || typeof shown === 'number' ? String(shown) : '';
}

/** Programs make names such as `form1[0].page1[0].f1_01[0]`. Only one that looks like words is of use. */
function nameOf({ alternativeText, fieldName = '' }: Annotation): string {
  if (alternativeText) {
    return tidy(alternativeText);
  }
  const last =
    fieldName
      .split('.')
      .at(-1)
      ?.replace(/\[\d+\]$/, '') ?? '';
  const words = tidy(last.replace(/_/g, ' '));
  return /^[\p{L}\p{M}' -]{3,}$/u.test(words) ? words : '';
}

function tidy(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
