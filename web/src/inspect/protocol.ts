// The calls of the workers that inspect and validate files.
import type { TensorCalls } from '../model/protocol.ts';
import type { HelloCalls } from '../runtime/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import type { Inspection } from './inspect-types.ts';
import type { ValidationReport } from './validate-types.ts';

export type InspectCalls = HelloCalls &
  TensorCalls & {
    inspect: { in: { source: WireSource }; out: Inspection };
    validate: {
      in: {
        source: WireSource;
        strict: boolean;
        values: boolean;
        checksums: boolean | undefined;
        context: boolean;
      };
      out: ValidationReport;
    };
  };
