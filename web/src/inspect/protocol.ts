// The calls of the workers that inspect and validate files.
import type { TensorCalls } from '../model/protocol.ts';
import type { HelloCalls } from '../runtime/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import type { Inspection } from './inspect-types.ts';
import type { ValidationReport } from './validate-types.ts';

export type InspectCalls = HelloCalls &
  TensorCalls & {
    inspect: { in: { source: WireSource; graph?: boolean }; out: Inspection };
    validate: {
      in: {
        source: WireSource;
        strict: boolean;
        values: boolean;
        checksums: boolean | undefined;
        context: boolean;
        /** The names and sizes of the files beside an ONNX file. Without them they are not known. */
        beside?: readonly (readonly [name: string, bytes: number])[] | undefined;
      };
      out: ValidationReport;
    };
  };
