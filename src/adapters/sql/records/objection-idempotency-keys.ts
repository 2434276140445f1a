import type { Knex } from 'knex';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { ProcessRegistry } from '../../../domain/ports/process/process-registry.ts';
import type { UuidGenerator } from '../../../domain/ports/process/uuid-generator.ts';
import type {
  ClaimRequest,
  ClaimResult,
  CompletedKey,
  IdempotencyClaim,
  IdempotencyKey,
  KeyPageQuery,
  KeyRecords,
  KnownKey,
} from '../../../domain/ports/records/idempotency-keys.ts';
import type { Space } from '../../../domain/space/space.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import { inBatches } from '../database/in-batches.ts';
import { inSpace } from '../database/in-space.ts';
import { rowsOf, sql } from '../database/sql-fragment.ts';
import { IdempotencyKeyRow } from './idempotency-key-row.ts';
import { ReleaseRetryQueue } from './release-retry-queue.ts';
import { spaceIdOf, spaceIdsOf } from './space-row.ts';

/**
 * Age at which a claim of an unknown process may be taken over; it then cannot be completed. A claim lasts a decode and an
 * insert.
 */
const MAX_CLAIM_MS = 2 * 60_000;

const COLUMNS = 8;

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
    const spaceId = await this.database.run(() => spaceIdOf(request.space, this.database.knex));
    if (await this.insert(mine, spaceId)) return claimResultOf(mine);
    const row = await this.database.run(() =>
      this.rows.query().findById([spaceId, request.scope, request.key]),
    );
    // Released or expired in between.
    if (row === undefined) return await this.claim(request);
    const known = knownKeyFrom(row);
    if (known.state === 'completed') return known;
    if (this.isAbandoned(row) && (await this.takeOver(row, mine))) return claimResultOf(mine);
    return known;
  }

  async release(claim: IdempotencyClaim): Promise<void> {
    try {
      await this.releaseNow(claim);
    } catch (error) {
      this.releases.add(claim);
      throw error;
    }
  }

  private async releaseNow({ space, scope, key, token }: IdempotencyClaim): Promise<void> {
    const inside = inSpace(space, 'space');
    await this.database.run(() =>
      this.rows
        .query()
        .delete()
        .whereRaw(inside.sql, [...inside.bindings])
        .where({ scope, key, token })
        .whereNull('image_id'),
    );
  }

  async find({ space, scope, key }: IdempotencyKey): Promise<KnownKey | undefined> {
    const inside = inSpace(space, 'space');
    const [row] = await this.database.rows<KnownColumns>(
      sql(
        `select sha256, image_id from idempotency_keys where ${inside.sql} and scope = ? and key = ?`,
        ...inside.bindings,
        scope,
        key,
      ),
    );
    return row && knownKeyFrom(row);
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
    const behind =
      after === undefined
        ? sql('1 = 1')
        : sql(`(space, scope, key) > (${SPACE_ID}, ?, ?)`, after.space, after.scope, after.key);
    const rows = await this.database.rows<CompletedColumns>(
      sql(
        `select spaces.name as space_name, scope, key, sha256, image_id, claimed_at
        from idempotency_keys join spaces on spaces.id = space
        where image_id is not null and ${behind.sql} order by space, scope, key limit ?`,
        ...behind.bindings,
        limit,
      ),
    );
    return rows.map(completedKeyFrom);
  }

  async restore(keys: readonly CompletedKey[]): Promise<void> {
    const { uuids, processes } = this.identity;
    const spaces = await this.database.run(() => spaceIdsOf(keys, this.database.knex));
    await this.database.run(() =>
      inBatches(keys, COLUMNS, async (some) => {
        const rows = some.map(({ space, scope, key, sha256, imageId, claimedAt }) => ({
          space: spaces.get(space),
          scope,
          key,
          sha256,
          // A fresh token: an upload that holds the key in this copy can no longer complete it.
          token: uuids.next(),
          holder: processes.self,
          image_id: imageId,
          claimed_at: claimedAt.getTime(),
        }));
        await this.rows.knexQuery().insert(rows).onConflict(['space', 'scope', 'key']).merge();
      }),
    );
  }

  private heldBySelf({ space, scope, key, sha256 }: ClaimRequest): HeldKey {
    const { clock, uuids, processes } = this.identity;
    return {
      space,
      scope,
      key,
      sha256,
      token: uuids.next(),
      holder: processes.self,
      claimed_at: clock.now().getTime(),
    };
  }

  /** `false` if the key exists. Plain SQL: an upload with a key costs a few percent less than with the query builder. */
  private async insert(held: HeldKey, spaceId: number): Promise<boolean> {
    const { scope, key, sha256, token, holder, claimed_at } = held;
    const text = `insert into idempotency_keys (space, scope, key, sha256, token, holder, claimed_at)
      values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning token`;
    const statement = sql(text, spaceId, scope, key, sha256, token, holder, claimed_at);
    const inserted = await this.database.run(() => rowsOf(this.database.knex, statement));
    return inserted.length > 0;
  }

  private isAbandoned({ holder, claimed_at }: IdempotencyKeyRow): boolean {
    const { clock, processes } = this.identity;
    return processes.isGone(holder) || clock.now().getTime() - claimed_at > MAX_CLAIM_MS;
  }

  /** `false` if another process took it over first. */
  private async takeOver({ space, scope, key, token }: IdempotencyKeyRow, mine: HeldKey): Promise<boolean> {
    const changed = await this.database.run(() =>
      this.rows
        .query()
        .patch({ ...mine, space })
        .where({ space, scope, key, token })
        .whereNull('image_id'),
    );
    return changed > 0;
  }
}

/** With the name of its space. */
interface HeldKey
  extends Pick<IdempotencyKeyRow, 'scope' | 'key' | 'sha256' | 'token' | 'holder' | 'claimed_at'> {
  readonly space: Space;
}

type KnownColumns = Pick<IdempotencyKeyRow, 'sha256' | 'image_id'>;

interface CompletedColumns
  extends Pick<IdempotencyKeyRow, 'scope' | 'key' | 'sha256' | 'image_id' | 'claimed_at'> {
  readonly space_name: Space;
}

/** Of a space that has been removed since: before all others. */
const SPACE_ID = 'coalesce((select id from spaces where name = ?), -1)';

function completedKeyFrom(row: CompletedColumns): CompletedKey {
  const { space_name: space, scope, key, sha256, image_id, claimed_at } = row;
  return { space, scope, key, sha256, imageId: Number(image_id), claimedAt: new Date(claimed_at) };
}

function knownKeyFrom({ sha256, image_id }: KnownColumns): KnownKey {
  return image_id === null ? { state: 'in_use' } : { state: 'completed', imageId: image_id, sha256 };
}

function claimResultOf({ space, scope, key, token }: HeldKey): ClaimResult {
  return { state: 'claimed', claim: { space, scope, key, token } };
}
