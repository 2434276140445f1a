import type { Knex } from 'knex';
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
import { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpace } from '../database/in-space.ts';
import { Leases } from '../database/leases.ts';
import { RowModel } from '../database/row-model.ts';
import { rowsOf, sql } from '../database/sql-fragment.ts';
import { spaceIdOf } from '../rows/space-row.ts';
import { ReleaseRetryQueue } from './release-retry-queue.ts';

/** After this time another process may take a claim over; it then cannot be completed. A claim lasts a decode and an insert. */
const LEASE_MS = 2 * 60_000;

class IdempotencyKeyRow extends RowModel {
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

export interface ClaimIdentity {
  readonly clock: Clock;
  readonly uuids: UuidGenerator;
  readonly processes: Pick<ProcessRegistry, 'self' | 'isGone'>;
}

/** Each step is one statement, so concurrent processes cannot interfere. */
export class ObjectionIdempotencyKeys implements KeyRecords {
  private readonly database: CatalogDatabase;
  private readonly leases: Leases;
  private readonly rows: typeof IdempotencyKeyRow;
  private readonly releases = new ReleaseRetryQueue((claim) => this.releaseNow(claim));

  constructor(
    knex: Knex,
    private readonly identity: ClaimIdentity,
  ) {
    this.database = new CatalogDatabase(knex);
    this.leases = new Leases(this.database, IdempotencyKeyRow.tableName);
    this.rows = IdempotencyKeyRow.bindKnex(knex);
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
    const row = await this.database.run(() => this.rows.query().findById([spaceId, claim.scope, claim.key]));
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
    await this.database.run(() => rowsOf(this.database.knex, held));
  }

  async find({ space, scope, key }: IdempotencyKey): Promise<KnownKey | undefined> {
    const [row] = await this.database.rows<KnownColumns>(
      sql`select sha256, image_id from idempotency_keys
        where ${inSpace(space, 'space')} and scope = ${scope} and key = ${key}`,
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
    const taken = await this.database.run(() => rowsOf(this.database.knex, statement));
    return taken.length > 0;
  }
}

function processOf(token: string): string {
  return token.slice(0, token.indexOf(' '));
}

type KnownColumns = Pick<IdempotencyKeyRow, 'sha256' | 'image_id'>;

function knownKeyFrom({ sha256, image_id }: KnownColumns): KnownKey {
  return image_id === null ? { state: 'in_use' } : { state: 'completed', imageId: image_id, sha256 };
}
