// What a machine has and lacks.
export interface DoctorCheck {
  /** `simd`, `relaxed-simd`, `threads`, `isolation`, `opfs`, `quota`, `csp`, `range`, `cors`, … */
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly found: string;
  /** What to do about it; absent when nothing needs doing. */
  readonly fix?: string;
}
