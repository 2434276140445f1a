import type { Knex } from 'knex';
import type { ImageMetadata } from '../../../domain/image/metadata.ts';
import {
  type DescribedRecord,
  findMetadataRows,
  initialMetadata,
  type MetadataRow,
  metadataFromRow,
} from './metadata-row.ts';

/** An image whose metadata is to be changed. */
export interface Described {
  readonly record: DescribedRecord;
  /** As stored; `undefined` if the image was recorded by an older version. */
  readonly before: MetadataRow | undefined;
  metadata: ImageMetadata;
}

interface RecordColumns {
  readonly id: number;
  readonly original_name: string;
  readonly created_at: number;
}

/** By id; without those that are not there. */
export async function describedAmong(
  ids: readonly number[],
  connection: Knex,
): Promise<ReadonlyMap<number, Described>> {
  // The metadata first: an image that is removed in between is not there.
  const rows = await findMetadataRows(ids, connection);
  const records: readonly RecordColumns[] = await connection('images')
    .select('id', 'original_name', 'created_at')
    .whereIn('id', [...ids]);
  return new Map(
    records.map((record) => {
      const before = rows.get(record.id);
      const metadata = before === undefined ? initialMetadata() : metadataFromRow(before);
      return [record.id, { record: recordFrom(record), before, metadata }];
    }),
  );
}

function recordFrom({ id, original_name, created_at }: RecordColumns): DescribedRecord {
  return { id: id, originalName: original_name, createdAt: new Date(created_at) };
}
