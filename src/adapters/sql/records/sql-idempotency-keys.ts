import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { ProcessRegistry } from '../../../domain/ports/process/process-registry.ts';
import type { UuidGenerator } from '../../../domain/ports/process/uuid-generator.ts';
import type {
  ClaimRequest,
  ClaimResult,
  IdempotencyClaim,
  IdempotencyKey,
  KeyRecords,
  KnownKey,
} from '../../../domain/ports/records/idempotency-keys.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpace } from '../database/in-space.ts';
import { Leases } from '../database/leases.ts';
import { sql } from '../database/sql-fragment.ts';
import { spaceIdOf } from '../rows/space-row.ts';
import { ReleaseRetryQueue } from './release-retry-queue.ts';

/** After this time another process may take a claim over; it then cannot be completed. A claim lasts a decode and an insert. */
const LEASE_MS = 2 * 60_000;

const TABLE = 'idempotency_keys';

/** No writer waits longer for a removal. */
const REMOVED_AT_A_TIME = 1_000;

interface KnownRow {
  readonly sha256: string;
  readonly image_id: number | null;
  readonly lease_owner: string | null;
}

export interface ClaimIdentity {
  readonly clock: Clock;
  readonly uuids: UuidGenerator;
  readonly processes: Pick<ProcessRegistry, 'self' | 'isGone'>;
}

/** Each step is one statement, so concurrent processes cannot interfere. */
export class SqlIdempotencyKeys implements KeyRecords {
  private readonly leases: Leases;
  private readonly releases = new ReleaseRetryQueue((claim) => this.releaseNow(claim));

  constructor(
    private readonly database: CatalogDatabase,
    private readonly identity: ClaimIdentity,
  ) {
    this.leases = new Leases(database, TABLE);
  }

  async claim({ sha256, ...key }: ClaimRequest): Promise<ClaimResult> {
    const claim = { ...key, token: this.newToken() };
    try {
      return await this.tryClaim(claim, sha256);
    } catch (error) {
      // A failed statement may have been committed if the connection was lost before the reply.
      this.releases.add(claim);
      throw error;
    }
  }

  private async tryClaim(claim: IdempotencyClaim, sha256: string): Promise<ClaimResult> {
    const spaceId = await this.database.run(() => spaceIdOf(claim.space, this.database.knex));
    if (await this.take(claim, sha256, spaceId)) return { state: 'claimed', claim };
    const row = await this.knownRow(claim);
    const owner = row?.lease_owner ?? undefined;
    const isGone = owner !== undefined && this.identity.processes.isGone(processOf(owner));
    if (row !== undefined && (row.image_id !== null || !isGone)) return knownKeyFrom(row);
    if (owner !== undefined) await this.leases.release(owner);
    // It is free by now, or was released or expired in between.
    return await this.tryClaim(claim, sha256);
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
    const held = sql`delete from idempotency_keys where ${inSpace(space, 'space')} and scope = ${scope} and key = ${key}
      and lease_owner = ${token} and image_id is null`;
    await this.database.write(held);
  }

  async find(key: IdempotencyKey): Promise<KnownKey | undefined> {
    const row = await this.knownRow(key);
    return row && knownKeyFrom(row);
  }

  private async knownRow({ space, scope, key }: IdempotencyKey): Promise<KnownRow | undefined> {
    const [row] = await this.database.rows<KnownRow>(
      sql`select sha256, image_id, lease_owner from idempotency_keys
        where ${inSpace(space, 'space')} and scope = ${scope} and key = ${key}`,
    );
    return row;
  }

  async removeClaimedBefore(time: Date): Promise<number> {
    const isOld = sql`claimed_at < ${time.getTime()}`;
    const oldest = sql`select space, scope, key from idempotency_keys where ${isOld}
      order by claimed_at limit ${REMOVED_AT_A_TIME}`;
    // One may have been claimed again since the other select has found it.
    const removed = sql`delete from idempotency_keys where (space, scope, key) in (${oldest}) and ${isOld} returning space`;
    return (await this.database.write(removed)).length;
  }

  /** The process of the claim can be told from it. */
  private newToken(): string {
    const { uuids, processes } = this.identity;
    return `${processes.self} ${uuids.next()}`;
  }

  /** `false` if the key is held or completed. */
  private async take(
    { scope, key, token }: IdempotencyClaim,
    sha256: string,
    spaceId: number,
  ): Promise<boolean> {
    const { now } = this.database.dialect;
    const claimedAt = this.identity.clock.now().getTime();
    const statement = sql`insert into idempotency_keys (space, scope, key, sha256, claimed_at, lease_owner, lease_until)
      values (${spaceId}, ${scope}, ${key}, ${sha256}, ${claimedAt}, ${token}, ${now} + ${LEASE_MS})
      on conflict (space, scope, key) do update set sha256 = excluded.sha256, claimed_at = excluded.claimed_at,
        lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
      where idempotency_keys.image_id is null and ${this.leases.isFree(LEASE_MS)} returning space`;
    return (await this.database.write(statement)).length > 0;
  }
}

function processOf(token: string): string {
  return token.slice(0, token.indexOf(' '));
}

function knownKeyFrom({ sha256, image_id }: KnownRow): KnownKey {
  return image_id === null ? { state: 'in_use' } : { state: 'completed', imageId: image_id, sha256 };
}
