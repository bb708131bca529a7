/** The core's tables, for the build. */
export interface TablesBindings {
  /** The core's tables as JSON (core/api/files/tables.h). The package has them in tables.ts. */
  tables(): string;
}
