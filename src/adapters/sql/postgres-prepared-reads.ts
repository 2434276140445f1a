import type { Knex } from 'knex';
import type { ImageColumns } from './image-row.ts';
import type { ImageReads } from './objection-image-repository.ts';

/** Columns by name: with an asterisk the statement would fail once a migration has added one. */
const FIND_ALL_BY_ID =
  'select id, uuid, original_name, media_type, size, width, height, sha256, thumbhash, created_at from images where id = any(?)';

/** The read that nearly every request makes, as a statement that each connection prepares once. */
export class PostgresPreparedReads implements ImageReads {
  constructor(private readonly knex: Knex) {}

  async findAllById(ids: readonly number[]): Promise<readonly ImageColumns[]> {
    const { rows } = await this.knex
      .raw<{ readonly rows: readonly ImageColumns[] }>(FIND_ALL_BY_ID, [[...ids]])
      .options({ name: 'images_by_id' });
    return rows;
  }
}
