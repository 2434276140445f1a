import type { Knex } from 'knex';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { ProcessRegistry } from '../../../domain/ports/process/process-registry.ts';
import type { UuidGenerator } from '../../../domain/ports/process/uuid-generator.ts';
import type {
  ClaimRequest,
  ClaimResult,
  CompletedKey,
  IdempotencyClaim,
  KeyPageQuery,
  KeyRecords,
} from '../../../domain/ports/records/idempotency-keys.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import { inBatches } from '../database/in-batches.ts';
import { IdempotencyKeyRow } from './idempotency-key-row.ts';
import { ReleaseRetryQueue } from './release-retry-queue.ts';

/**
 * Age at which a claim of an unknown process may be taken over; it then cannot be completed. A claim lasts a decode and an
 * insert.
 */
const MAX_CLAIM_MS = 2 * 60_000;

const COLUMNS = 7;

export interface ClaimIdentity {
  readonly clock: Clock;
  readonly uuids: UuidGenerator;
  readonly processes: Pick<ProcessRegistry, 'self' | 'isGone'>;
}

/** Each step is one statement, so concurrent processes cannot interfere. */
export class ObjectionIdempotencyKeys implements KeyRecords {
  private readonly database: CatalogDatabase;
  private readonly rows: typeof IdempotencyKeyRow;
  private readonly releases = new ReleaseRetryQueue((claim) => this.releaseNow(claim));

  constructor(
    knex: Knex,
    private readonly identity: ClaimIdentity,
  ) {
    this.database = new CatalogDatabase(knex);
    this.rows = IdempotencyKeyRow.bindKnex(knex);
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    const mine = this.heldBySelf(request);
    try {
      return await this.claimFor(mine, request);
    } catch (error) {
      // A failed statement may have been committed if the connection was lost before the reply.
      this.releases.add(mine);
      throw error;
    }
  }

  private async claimFor(mine: HeldKey, request: ClaimRequest): Promise<ClaimResult> {
    const { scope, key } = request;
    if (await this.insert(mine)) return claimResultOf(mine);
    const row = await this.database.run(() => this.rows.query().findById([scope, key]));
    // Released or expired in between.
    if (row === undefined) return await this.claim(request);
    if (row.image_id !== null) return { state: 'completed', imageId: row.image_id, sha256: row.sha256 };
    if (this.isAbandoned(row) && (await this.takeOver(row, mine))) return claimResultOf(mine);
    return { state: 'in_use' };
  }

  async release(claim: IdempotencyClaim): Promise<void> {
    try {
      await this.releaseNow(claim);
    } catch (error) {
      this.releases.add(claim);
      throw error;
    }
  }

  private async releaseNow({ scope, key, token }: IdempotencyClaim): Promise<void> {
    await this.database.run(() =>
      this.rows.query().delete().where({ scope, key, token }).whereNull('image_id'),
    );
  }

  async removeClaimedBefore(time: Date): Promise<number> {
    return await this.database.run(() => this.rows.query().delete().where('claimed_at', '<', time.getTime()));
  }

  async countClaimedBefore(time: Date): Promise<number> {
    return await this.database.run(() =>
      this.rows.query().where('claimed_at', '<', time.getTime()).resultSize(),
    );
  }

  async findCompleted({ after, limit }: KeyPageQuery): Promise<readonly CompletedKey[]> {
    const rows: readonly CompletedColumns[] = await this.database.run(() =>
      this.rows
        .knexQuery()
        .whereNotNull('image_id')
        .modify((query) => {
          if (after !== undefined) void query.whereRaw('(scope, key) > (?, ?)', [after.scope, after.key]);
        })
        .orderBy(['scope', 'key'])
        .limit(limit),
    );
    return rows.map(completedKeyFrom);
  }

  async restore(keys: readonly CompletedKey[]): Promise<void> {
    const { uuids, processes } = this.identity;
    await this.database.run(() =>
      inBatches(keys, COLUMNS, async (some) => {
        const rows = some.map(({ scope, key, sha256, imageId, claimedAt }) => ({
          scope,
          key,
          sha256,
          // A fresh token: an upload that holds the key in this copy can no longer complete it.
          token: uuids.next(),
          holder: processes.self,
          image_id: imageId,
          claimed_at: claimedAt.getTime(),
        }));
        await this.rows.knexQuery().insert(rows).onConflict(['scope', 'key']).merge();
      }),
    );
  }

  private heldBySelf({ scope, key, sha256 }: ClaimRequest): HeldKey {
    const { clock, uuids, processes } = this.identity;
    return {
      scope,
      key,
      sha256,
      token: uuids.next(),
      holder: processes.self,
      claimed_at: clock.now().getTime(),
    };
  }

  /** `false` if the key exists. */
  private async insert(held: HeldKey): Promise<boolean> {
    // Objection's own insert returns its input, stored or not.
    const inserted: readonly unknown[] = await this.database.run(() =>
      this.rows.knexQuery().insert(held).onConflict(['scope', 'key']).ignore().returning('token'),
    );
    return inserted.length > 0;
  }

  private isAbandoned({ holder, claimed_at }: IdempotencyKeyRow): boolean {
    const { clock, processes } = this.identity;
    return processes.isGone(holder) || clock.now().getTime() - claimed_at > MAX_CLAIM_MS;
  }

  /** `false` if another process took it over first. */
  private async takeOver({ scope, key, token }: IdempotencyKeyRow, mine: HeldKey): Promise<boolean> {
    const changed = await this.database.run(() =>
      this.rows.query().patch(mine).where({ scope, key, token }).whereNull('image_id'),
    );
    return changed > 0;
  }
}

type HeldKey = Pick<IdempotencyKeyRow, 'scope' | 'key' | 'sha256' | 'token' | 'holder' | 'claimed_at'>;

type CompletedColumns = Pick<IdempotencyKeyRow, 'scope' | 'key' | 'sha256' | 'image_id' | 'claimed_at'>;

function completedKeyFrom({ scope, key, sha256, image_id, claimed_at }: CompletedColumns): CompletedKey {
  return { scope, key, sha256, imageId: Number(image_id), claimedAt: new Date(claimed_at) };
}

function claimResultOf({ scope, key, token }: HeldKey): ClaimResult {
  return { state: 'claimed', claim: { scope, key, token } };
}
