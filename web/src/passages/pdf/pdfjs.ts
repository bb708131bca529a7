// The part of PDF.js that is used. The package ambry-pdf has PDF.js itself.
import type { Annotation } from './field-values.ts';

export interface Pdfjs {
  getDocument(settings: PdfjsSettings): {
    readonly promise: Promise<PdfjsDocument>;
    destroy(): Promise<void>;
  };
}

export interface PdfjsSettings {
  /** PDF.js transfers this memory. */
  readonly data: Uint8Array;
  readonly isEvalSupported: boolean;
  readonly useSystemFonts: boolean;
  readonly useWorkerFetch: boolean;
  readonly verbosity: number;
  readonly BinaryDataFactory: unknown;
}

export interface PdfjsDocument {
  readonly numPages: number;
  getPage(number: number): Promise<Page>;
}

export interface Page {
  streamTextContent(options: {
    readonly includeMarkedContent: boolean;
  }): ReadableStream<{ readonly items: readonly (TextItem | Mark)[] }>;
  getAnnotations(): Promise<readonly Annotation[]>;
  cleanup(): void;
}

/** Some text with one font on one line. */
export interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  readonly transform: readonly number[];
  /** The line ends after the item. */
  readonly hasEOL: boolean;
}

/** The begin or the end of content that the file marks. */
export interface Mark {
  readonly type: string;
  /** What the marked content means as text. The package ambry-pdf adds it to PDF.js. */
  readonly actualText?: string | null;
}
