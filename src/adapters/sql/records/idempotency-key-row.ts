import { RowModel } from '../database/row-model.ts';

export class IdempotencyKeyRow extends RowModel {
  static override readonly tableName = 'idempotency_keys';
  static override readonly idColumn = ['space', 'scope', 'key'];

  /** Its number. */
  declare space: number;
  declare scope: string;
  declare key: string;
  declare sha256: string;
  declare lease_owner: string | null;
  declare lease_until: number;
  declare image_id: number | null;
  declare claimed_at: number;
}
