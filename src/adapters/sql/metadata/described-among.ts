import type { Knex } from 'knex';
import type { ImageMetadata } from '../../../domain/image/image-metadata.ts';
import type { Space } from '../../../domain/space/space.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { raw, rowsOf, sql } from '../database/sql-fragment.ts';
import {
  type DescribedRecord,
  METADATA_COLUMN_TYPES,
  type MetadataRow,
  metadataFromRow,
} from '../rows/metadata-row.ts';

/** A prepared statement with an asterisk fails after a migration adds a column. */
const COLUMNS = raw(
  Object.keys(METADATA_COLUMN_TYPES)
    .map((column) => `image_metadata.${column}`)
    .join(', '),
);

/** An image whose metadata is to be changed. */
export interface Described {
  readonly space: Space;
  readonly record: DescribedRecord;
  /** As stored. */
  readonly before: MetadataRow;
  metadata: ImageMetadata;
  /** Who has changed the metadata. */
  by?: string | undefined;
}

interface DescribedRow extends MetadataRow {
  readonly original_name: string;
  readonly created_at: number;
  readonly space_name: Space;
}

/** By id, in the order of the ids; without those that are not there. */
export async function describedAmong(
  ids: readonly number[],
  connection: Knex,
): Promise<ReadonlyMap<number, Described>> {
  const rows = await rowsOf<DescribedRow>(
    connection,
    sql`select ${COLUMNS}, original_name, created_at, spaces.name as space_name from image_metadata
      join images on images.id = image_id join spaces on spaces.id = images.space
      where ${dialectOf(connection).isAmong('image_id', ids)}`,
  );
  const found = new Map(rows.map((row) => [row.image_id, describedFrom(row)]));
  return new Map(
    ids.flatMap((id) => {
      const described = found.get(id);
      return described === undefined ? [] : [[id, described] as const];
    }),
  );
}

function describedFrom({ original_name, created_at, space_name, ...before }: DescribedRow): Described {
  const { image_id: id, space: spaceId } = before;
  const record = { id, spaceId, originalName: original_name, createdAt: new Date(created_at) };
  return { space: space_name, record, before, metadata: metadataFromRow(before) };
}
