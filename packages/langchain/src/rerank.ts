import type { DocumentInterface } from '@langchain/core/documents';
import { BaseDocumentCompressor } from '@langchain/core/retrievers/document_compressors';
import type { Encoder, RankOptions, Reranker } from 'ambry';
import { checkKind } from './check-kind.ts';

export interface AmbryRerankFields {
  /** An open reranker, or an encoder with late interaction. It stays its caller's. */
  readonly model: Reranker | Encoder;
  /** How many documents to keep; all when absent. */
  readonly topN?: number;
  readonly truncate?: RankOptions['truncate'];
}

/**
 * Sorts documents by how well they match a query, the best first. The score of the model is `metadata.relevanceScore`.
 *
 * Rejects as `rank` of Ambry does, with an `AmbryError`.
 *
 * @example
 * const best = await new AmbryRerank({ model, topN: 3 }).compressDocuments(documents, 'how do cats sleep?');
 */
export class AmbryRerank extends BaseDocumentCompressor {
  readonly #model: Reranker | Encoder;
  readonly #options: RankOptions;

  constructor(fields: AmbryRerankFields) {
    super();
    const { model, topN, truncate } = fields ?? {};
    checkKind(model, ['reranker', 'encoder']);
    this.#model = model;
    this.#options = { ...(topN !== undefined && { k: topN }), ...(truncate && { truncate }) };
  }

  override async compressDocuments(
    documents: DocumentInterface[],
    query: string,
  ): Promise<DocumentInterface[]> {
    if (documents.length === 0) {
      return [];
    }
    const texts = documents.map(({ pageContent }) => pageContent);
    const ranked = await this.#model.rank(query, texts, this.#options);
    return ranked.map(({ index, score }) => {
      const document = documents[index] as DocumentInterface;
      return { ...document, metadata: { ...document.metadata, relevanceScore: score } };
    });
  }
}
