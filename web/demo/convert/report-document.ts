// The report of a conversion as one document.

import type { ConvertState, Outcome } from './state.ts';

export function reportDocument(
  outcome: Outcome,
  { source }: Pick<ConvertState, 'source'>,
): unknown {
  const { name, content, bytesBefore, report, agreement, warnings, check } = outcome;
  const bytes = content.size;
  return {
    source: source?.name,
    target: name,
    bytesBefore,
    bytes,
    warnings,
    report,
    agreement,
    check,
  };
}
