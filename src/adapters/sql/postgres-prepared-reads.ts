import type { Knex } from 'knex';
import type { ImageColumns } from './image-row.ts';
import type { ImageReads } from './objection-image-repository.ts';

/** Columns by name: with an asterisk the statement would fail once a migration has added one. */
const FIND_BY_ID =
  'select id, uuid, original_name, media_type, size, width, height, sha256, thumbhash, created_at from images where id = ?';

/** The read that nearly every request makes, as a statement that each connection prepares once. */
export class PostgresPreparedReads implements ImageReads {
  constructor(private readonly knex: Knex) {}

  async findById(id: number): Promise<ImageColumns | undefined> {
    const { rows } = await this.knex
      .raw<{ readonly rows: readonly ImageColumns[] }>(FIND_BY_ID, [id])
      .options({ name: 'image_by_id' });
    return rows[0];
  }
}
