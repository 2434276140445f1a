import type { PartialModelObject } from 'objection';
import type { LinkKey, LinkKeyRecords, NewLinkKey } from '../../../domain/ports/records/link-keys.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { RowModel } from '../database/row-model.ts';

const FIRST_GENERATION = 1;

class LinkKeyRow extends RowModel {
  static override readonly tableName = 'link_keys';
  static override readonly idColumn = 'generation';

  declare generation: number;
  declare secret: Buffer;
  declare created_at: number;
}

export class SqlLinkKeys implements LinkKeyRecords {
  constructor(private readonly database: CatalogDatabase) {}

  async findAll(): Promise<readonly LinkKey[]> {
    const rows = await this.database.run(() =>
      LinkKeyRow.query(this.database.reader).orderBy('generation', 'desc'),
    );
    return rows.map(keyFromRow);
  }

  async addFirst(key: NewLinkKey): Promise<void> {
    const { knex } = this.database;
    await this.database.run(async () => {
      if ((await LinkKeyRow.query(knex).resultSize()) > 0) return;
      // The first of concurrent inserts wins.
      const row = rowOf({ ...key, generation: FIRST_GENERATION });
      await LinkKeyRow.query(knex).insert(row).onConflict('generation').ignore();
    });
  }

  async rotate(key: NewLinkKey, removed: 'all others' | readonly number[]): Promise<void> {
    // Several operators may rotate at once.
    await this.database.change(async (transaction) => {
      const newest = await LinkKeyRow.query(transaction).orderBy('generation', 'desc').first();
      const outdated = LinkKeyRow.query(transaction).delete();
      await (removed === 'all others' ? outdated : outdated.whereIn('generation', [...removed]));
      const generation = newest === undefined ? FIRST_GENERATION : newest.generation + 1;
      await LinkKeyRow.query(transaction).insert(rowOf({ ...key, generation }));
    });
  }
}

function rowOf({ generation, secret, createdAt }: LinkKey): PartialModelObject<LinkKeyRow> {
  return { generation, secret: Buffer.from(secret), created_at: createdAt.getTime() };
}

function keyFromRow({ generation, secret, created_at }: LinkKeyRow): LinkKey {
  return { generation, secret, createdAt: new Date(created_at) };
}
