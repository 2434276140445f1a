import type {
  CopiedRow,
  CopiedTable,
  CopiedTables,
} from '../../../src/domain/ports/records/copied-tables.ts';
import type { InMemoryChanges } from './in-memory-changes.ts';
import type { InMemoryIdempotencyKeys } from './in-memory-idempotency-keys.ts';
import type { InMemoryLinkKeys } from './in-memory-link-keys.ts';
import type { InMemoryNames } from './in-memory-names.ts';
import type { InMemorySpaces } from './in-memory-spaces.ts';
import type { InMemoryWebhookEndpoints } from './in-memory-webhook-endpoints.ts';

export interface CopiedStores {
  readonly spaces: InMemorySpaces;
  readonly keys: InMemoryIdempotencyKeys;
  readonly names: InMemoryNames;
  readonly linkKeys: InMemoryLinkKeys;
  readonly changes: InMemoryChanges;
  readonly webhookEndpoints: InMemoryWebhookEndpoints;
}

/** What is in a table, and how all of it is replaced. */
interface Table {
  readonly read: () => readonly unknown[];
  readonly replace: (all: readonly never[]) => void;
}

export class InMemoryTables implements CopiedTables {
  readonly #tables: Readonly<Record<CopiedTable, Table>>;

  constructor({ spaces, keys, names, linkKeys, changes, webhookEndpoints }: CopiedStores) {
    this.#tables = {
      spaces: { read: () => spaces.ownLimits(), replace: (all) => spaces.replaceLimits(all) },
      idempotency_keys: { read: () => keys.completed(), replace: (all) => keys.replaceCompleted(all) },
      names: { read: () => names.all(), replace: (all) => names.replaceAll(all) },
      forgotten_names: {
        read: () => [names.forgottenVersion],
        replace: ([version = 0]) => void (names.forgottenVersion = version),
      },
      link_keys: { read: () => linkKeys.all(), replace: (all) => linkKeys.replaceAll(all) },
      changes: { read: () => changes.rows(), replace: (all) => changes.replaceRows(all) },
      change_actors: { read: () => changes.actors, replace: (all) => void (changes.actors = all) },
      webhook_endpoints: {
        read: () => webhookEndpoints.all(),
        replace: (all) => webhookEndpoints.replaceAll(all),
      },
    };
  }

  async readRows(
    table: CopiedTable,
    after: CopiedRow | undefined,
    limit: number,
  ): Promise<readonly CopiedRow[]> {
    const rows = this.#tables[table].read().map((value, place) => ({ value, place }));
    const begin = after === undefined ? 0 : Number(after['place']) + 1;
    return rows.slice(begin, begin + limit);
  }

  async writeRows(table: CopiedTable, rows: readonly CopiedRow[], isFirst: boolean): Promise<void> {
    const { read, replace } = this.#tables[table];
    replace([...(isFirst ? [] : read()), ...rows.map(({ value }) => value)] as never[]);
  }
}
