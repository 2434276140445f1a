import type { Space } from '../../../domain/space/space.ts';
import { hasSpace } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { type HashRow, SELECTED } from '../rows/hash-row.ts';

export interface LookRow extends HashRow {
  readonly id: number;
  readonly sha256: Buffer;
  readonly width: number;
  readonly height: number;
  /** JSON object. */
  readonly capture: string | null;
  /** Null if the hashes are not known. */
  readonly look_id: number | null;
}

export function selectLooks(dialect: SqlDialect, space: Space, ids: readonly number[]): SqlFragment {
  return sql`select images.id, images.sha256, images.width, images.height, image_metadata.capture,
    look.image_id as look_id, ${raw(SELECTED.map((name) => `look.${name}`).join(', '))}
    from images left join image_metadata on image_metadata.image_id = images.id
    left join image_appearances as look on look.image_id = images.id
    where ${dialect.isAmong('images.id', ids)} and ${hasSpace(space, '+images.space')}`;
}
