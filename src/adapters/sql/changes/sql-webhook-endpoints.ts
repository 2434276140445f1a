import type { Knex } from 'knex';
import { raw as objectionRaw, type PartialModelObject } from 'objection';
import type { ChangePosition } from '../../../domain/ports/records/change-feed.ts';
import type {
  WebhookEndpoint,
  WebhookProgress,
  WebhookRecords,
  WebhookState,
  WebhookStatus,
} from '../../../domain/ports/records/webhook-endpoints.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { FREE, Leases } from '../database/leases.ts';
import { RowModel } from '../database/row-model.ts';
import { rowsOf, sql } from '../database/sql-fragment.ts';

class EndpointRow extends RowModel {
  static override readonly tableName = 'webhook_endpoints';
  static override readonly idColumn = 'number';

  declare number: number;
  declare url: string;
  declare after_number: number;
  declare after_mark: number;
  declare state: WebhookState;
  declare last_error: string | null;
  declare lease_owner: string | null;
  declare lease_until: number;
}

type EndpointColumns = PartialModelObject<EndpointRow>;

interface StatusRow extends EndpointRow {
  /** Ms; null if all changes are delivered. */
  readonly lag: number | null;
}

export class SqlWebhookEndpoints implements WebhookRecords {
  private readonly leases: Leases;

  constructor(private readonly database: CatalogDatabase) {
    this.leases = new Leases(database, EndpointRow.tableName);
  }

  async register(urls: readonly string[]): Promise<void> {
    // Several processes start at once. The lock makes the numbers, and no change is committed meanwhile.
    await this.database.change(async (transaction) => {
      for (const url of urls) {
        await rowsOf(
          transaction,
          sql`insert into webhook_endpoints (number, url, after_number, after_mark)
          select (select coalesce(max(number), 0) + 1 from webhook_endpoints), cast(${url} as text), number, mark
          from changes where not exists (select 1 from webhook_endpoints where url = ${url})
          order by number desc limit 1`,
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
      EndpointRow.query(this.database.knex)
        .patch(progressOf(progress))
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

  private async update(number: number, columns: EndpointColumns): Promise<void> {
    await this.database.run(() => EndpointRow.query(this.database.knex).patch(columns).findById(number));
  }
}

/**
 * For a copy of a catalog, whose endpoints have missed what happens to the original. No change has a negative mark, and those of
 * two copies differ.
 */
export async function loseWebhookPositions(copied: Knex): Promise<void> {
  const lost = objectionRaw('-1 - (random() & 281474976710655)');
  await EndpointRow.query(copied).patch({ after_mark: lost, ...FREE });
}

function positionOf({ number, mark }: ChangePosition): EndpointColumns {
  return { after_number: number, after_mark: mark };
}

function progressOf({ after, state, lastError }: WebhookProgress): EndpointColumns {
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
