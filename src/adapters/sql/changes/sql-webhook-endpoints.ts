import type { Knex } from 'knex';
import type { ChangePosition } from '../../../domain/ports/records/change-feed.ts';
import type {
  WebhookEndpoint,
  WebhookProgress,
  WebhookRecords,
  WebhookState,
  WebhookStatus,
} from '../../../domain/ports/records/webhook-endpoints.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import { FREE, Leases } from '../database/leases.ts';
import { sql } from '../database/sql-fragment.ts';

const TABLE = 'webhook_endpoints';

interface EndpointRow {
  readonly number: number;
  readonly url: string;
  readonly after_number: number;
  readonly after_mark: number;
  readonly state: WebhookState;
  readonly last_error: string | null;
}

interface StatusRow extends EndpointRow {
  /** Ms; null if all changes are delivered. */
  readonly lag: number | null;
}

export class SqlWebhookEndpoints implements WebhookRecords {
  private readonly database: CatalogDatabase;
  private readonly leases: Leases;

  /** @param reader for reads that would wait for writes on `knex` */
  constructor(knex: Knex, reader: Knex = knex) {
    this.database = new CatalogDatabase(knex, reader);
    this.leases = new Leases(this.database, TABLE);
  }

  async register(urls: readonly string[]): Promise<void> {
    // Several processes start at once. The lock makes the numbers, and no change is committed meanwhile.
    await this.database.change(async (transaction) => {
      for (const url of urls) {
        await transaction.raw(
          `insert into ${TABLE} (number, url, after_number, after_mark)
          select (select coalesce(max(number), 0) + 1 from ${TABLE}), cast(? as text), number, mark from changes
          where not exists (select 1 from ${TABLE} where url = ?) order by number desc limit 1`,
          [url, url],
        );
      }
    });
  }

  async hold(url: string, owner: string, ms: number): Promise<WebhookEndpoint | undefined> {
    const isOpen = sql`url = ${url} and (lease_owner = ${owner} or ${this.leases.isFree(ms)})`;
    const row = await this.leases.take<EndpointRow>(isOpen, owner, ms);
    return row && endpointFromRow(row);
  }

  async save(held: WebhookEndpoint, owner: string, progress: WebhookProgress): Promise<boolean> {
    const saved = await this.database.run(() =>
      this.table
        .update(progressOf(progress))
        .where({ number: held.number, lease_owner: owner, ...positionOf(held.after) }),
    );
    return saved === 1;
  }

  async release(url: string, owner: string): Promise<void> {
    await this.leases.release(owner, { url });
  }

  async findAll(): Promise<readonly WebhookStatus[]> {
    const { now } = this.database.dialect;
    const rows = await this.database.rows<StatusRow>(
      sql`select webhook_endpoints.*, ${now} - (
        select at from changes where number > after_number and kind <> 0 order by number limit 1
      ) as lag from webhook_endpoints order by number`,
    );
    return rows.map((row) => ({
      ...endpointFromRow(row),
      lagSeconds: Math.max(0, Math.round(Number(row.lag)) / 1000),
    }));
  }

  async resume(number: number): Promise<void> {
    await this.update(number, { state: 'ok', last_error: null });
  }

  async move(number: number, after: ChangePosition): Promise<void> {
    await this.update(number, positionOf(after));
  }

  private get table(): Knex.QueryBuilder {
    return this.database.knex(TABLE);
  }

  private async update(number: number, columns: Readonly<Partial<EndpointRow>>): Promise<void> {
    await this.database.run(() => this.table.update(columns).where({ number }));
  }
}

/**
 * For a copy of a catalog, whose endpoints have missed what happens to the original. No change has a negative mark, and those of
 * two copies differ.
 */
export async function loseWebhookPositions(copied: Knex): Promise<void> {
  await copied(TABLE).update({
    after_mark: copied.raw('-1 - (random() & 281474976710655)'),
    ...FREE,
  });
}

function positionOf({ number, mark }: ChangePosition): Pick<EndpointRow, 'after_number' | 'after_mark'> {
  return { after_number: number, after_mark: mark };
}

function progressOf({ after, state, lastError }: WebhookProgress): Omit<EndpointRow, 'number' | 'url'> {
  return { ...positionOf(after), state, last_error: lastError ?? null };
}

function endpointFromRow(row: EndpointRow): WebhookEndpoint {
  const after = { number: row.after_number, mark: row.after_mark };
  return {
    number: row.number,
    url: row.url,
    after,
    state: row.state,
    lastError: row.last_error ?? undefined,
  };
}
