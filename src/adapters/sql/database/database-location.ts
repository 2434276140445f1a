import type { Knex } from 'knex';
import type { Calendar } from '../../../domain/image/time/calendar.ts';
import type { RecordCopy } from '../../../domain/ports/commands/record-copy.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { SchemaGuard } from './require-schema.ts';
import type { SlowReads } from './slow-reads.ts';
import type { RowReader } from './sql-fragment.ts';

/** Opens nothing before `open`. */
export interface DatabaseLocation {
  /** `undefined` for a database of a server. */
  readonly file: string | undefined;

  /** That of the file; must exist before the database is opened. */
  readonly folder: string | undefined;

  /** The same for all spellings of one existing place; `undefined` if the location itself is as good. */
  identity(): Promise<string | undefined>;

  /** Throws an error whose message says what to do if the driver is not installed, or does not fit this machine. */
  requireDriver(): void;

  /** Rejects if `open` would create the database. */
  requireExisting(): Promise<void>;

  /** Makes, writes and removes a database in an existing folder. Rejects with what is wrong with the folder, in words. */
  tryIn(folder: string): Promise<void>;

  open(poolMax: number): OpenDatabase;

  /**
   * @param folder for the copy
   * @throws {CopyUnsupported}
   */
  requireCopyable(folder: string): void;
}

export interface DatabaseExamination {
  /** With its version. */
  readonly product: string;
  /** Why the service could not use it, each in words. */
  readonly problems: readonly string[];
}

/** Connections are made when needed. */
export interface OpenDatabase {
  readonly knex: Knex;
  /** Separate connections if reads would wait for writes on `knex`. */
  readonly reader: Knex;
  /** Of statements that are prepared. */
  readonly preparedReads: RowReader;
  readonly slowReads: SlowReads;
  /** For processes that run while a later version migrates. */
  readonly schemaGuard: SchemaGuard;

  /** Changes nothing. Rejects if the database cannot be reached. */
  examine(): Promise<DatabaseExamination>;

  /**
   * `older`: some of the migrations have not run.
   *
   * @throws {CatalogTooNew}
   * @throws {DevelopmentCatalog}
   */
  schema(migrations: Knex.MigrationSource<unknown>): Promise<'none' | 'older' | 'current'>;

  /**
   * Moves the days if the time zone has changed. Resolves to the migrations that ran.
   *
   * @throws {CatalogTooNew}
   * @throws {DevelopmentCatalog}
   */
  migrate(migrations: Knex.MigrationSource<unknown>, calendar: Calendar): Promise<readonly string[]>;

  /** As of one moment. Opens the copy that an interrupted command has completed in the folder. */
  copyTo(folder: string, clock: Clock): Promise<RecordCopy>;

  close(): Promise<void>;
}
