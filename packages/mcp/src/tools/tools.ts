// The tools, in the order in which a client lists them. Each is there only if there is something to work with.
import type { Service } from '../service/service.ts';
import { classifyText } from './classify-text.ts';
import { inspectModel } from './inspect-model.ts';
import { listIndexes } from './list-indexes.ts';
import { readPassage } from './read-passage.ts';
import { redactText } from './redact-text.ts';
import { searchIndex } from './search-index.ts';
import { tagText } from './tag-text.ts';
import type { Tool } from './tool.ts';
import { validateModel } from './validate-model.ts';

export function toolsOf(service: Service): readonly Tool[] {
  const { indexes, classifiers, taggers, files } = service;
  return [
    ...(indexes.size > 0 ? [searchIndex(service), readPassage(service), listIndexes(service)] : []),
    ...(classifiers.size > 0 ? [classifyText(service)] : []),
    ...(taggers.size > 0 ? [tagText(service), redactText(service)] : []),
    ...(files ? [inspectModel(files, service), validateModel(files, service)] : []),
  ];
}
