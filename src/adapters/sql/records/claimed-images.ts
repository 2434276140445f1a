import type { Knex } from 'knex';
import { IdempotencyKeyInUse } from '../../../domain/errors.ts';
import type { Image } from '../../../domain/image/image.ts';
import type { IdempotencyClaim } from '../../../domain/ports/idempotency-keys.ts';
import { IdempotencyKeyRow } from './idempotency-key-row.ts';
import { ImageRow } from './image-row.ts';

/** If the claim is lost, removes the record, which has no metadata yet, and resolves to the error. */
export async function completeClaim<T extends Image>(
  image: T,
  claim: IdempotencyClaim | undefined,
  transaction: Knex,
): Promise<T | Error> {
  if (claim === undefined) return image;
  const { scope, key, token } = claim;
  const held = await IdempotencyKeyRow.query(transaction)
    .patch({ image_id: image.id })
    .where({ scope, key, token })
    .whereNull('image_id');
  if (held > 0) return image;
  await ImageRow.query(transaction).deleteById(image.id);
  return new IdempotencyKeyInUse();
}

/** If a client has deleted the record already, the key stays completed and it resolves to `false`. */
export async function withdrawImage(
  id: number,
  { scope, key, token }: IdempotencyClaim,
  remove: (ids: readonly number[]) => Promise<ReadonlySet<number>>,
  transaction: Knex.Transaction,
): Promise<boolean> {
  const removed = await remove([id]);
  if (removed.size === 0) return false;
  await IdempotencyKeyRow.query(transaction).delete().where({ scope, key, token, image_id: id });
  return true;
}
