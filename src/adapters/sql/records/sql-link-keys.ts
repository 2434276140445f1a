import type { Knex } from 'knex';
import type { LinkKey, LinkKeyRecords, NewLinkKey } from '../../../domain/ports/records/link-keys.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';

const TABLE = 'link_keys';
const FIRST_GENERATION = 1;

interface KeyRow {
  readonly generation: number;
  readonly secret: Buffer;
  readonly created_at: number;
}

export class SqlLinkKeys implements LinkKeyRecords {
  private readonly database: CatalogDatabase;

  /** @param reader for reads that would wait for writes on `knex` */
  constructor(
    private readonly knex: Knex,
    private readonly reader: Knex = knex,
  ) {
    this.database = new CatalogDatabase(knex);
  }

  async findAll(): Promise<readonly LinkKey[]> {
    const rows: readonly KeyRow[] = await this.database.run(() =>
      this.reader(TABLE).select('generation', 'secret', 'created_at').orderBy('generation', 'desc'),
    );
    return rows.map(keyFromRow);
  }

  async addFirst(key: NewLinkKey): Promise<void> {
    await this.database.run(async () => {
      const isThere = (await this.knex(TABLE).first('generation')) !== undefined;
      if (isThere) return;
      // The first of concurrent inserts wins.
      const row = rowOf({ ...key, generation: FIRST_GENERATION });
      await this.knex(TABLE).insert(row).onConflict('generation').ignore();
    });
  }

  async rotate(key: NewLinkKey, removed: 'all others' | readonly number[]): Promise<void> {
    // Several operators may rotate at once.
    await this.database.change(async (transaction) => {
      const generation = await newestGeneration(transaction);
      const outdated = transaction(TABLE).delete();
      await (removed === 'all others' ? outdated : outdated.whereIn('generation', [...removed]));
      await transaction(TABLE).insert(rowOf({ ...key, generation: generation + 1 }));
    });
  }
}

async function newestGeneration(transaction: Knex.Transaction): Promise<number> {
  const row = await transaction<KeyRow>(TABLE).orderBy('generation', 'desc').first('generation');
  return row?.generation ?? FIRST_GENERATION - 1;
}

function rowOf({ generation, secret, createdAt }: LinkKey): KeyRow {
  return { generation, secret: Buffer.from(secret), created_at: createdAt.getTime() };
}

function keyFromRow({ generation, secret, created_at }: KeyRow): LinkKey {
  return { generation, secret, createdAt: new Date(created_at) };
}
