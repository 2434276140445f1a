import { Model } from 'objection';

export class IdempotencyKeyRow extends Model {
  static override readonly tableName = 'idempotency_keys';
  static override readonly idColumn = ['scope', 'key'];

  declare scope: string;
  declare key: string;
  declare sha256: string;
  declare token: string;
  declare holder: string;
  declare image_id: number | null;
  declare claimed_at: number;
}
