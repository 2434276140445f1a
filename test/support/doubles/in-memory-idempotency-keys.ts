import { IdempotencyKeyInUse } from '../../../src/domain/errors.ts';
import type { Clock } from '../../../src/domain/ports/process/clock.ts';
import type {
  ClaimRequest,
  ClaimResult,
  IdempotencyClaim,
  IdempotencyKey,
  KeyRecords,
  KnownKey,
} from '../../../src/domain/ports/records/idempotency-keys.ts';
import type { Space } from '../../../src/domain/space/space.ts';
import { TICKET_SCOPE } from '../../../src/domain/ticket/ticket.ts';
import { type Calls, UNINTERRUPTED } from './calls.ts';

interface CompletedKey extends ClaimRequest {
  readonly imageId: number;
  readonly claimedAt: Date;
}

interface Entry {
  readonly sha256: string;
  readonly token: string;
  /** The process of the claim. */
  readonly holder: string;
  readonly claimedAt: Date;
  imageId?: number;
}

/** The adapter of the database says why. */
const MAX_CLAIM_MS = 2 * 60_000;

export class InMemoryIdempotencyKeys implements KeyRecords {
  readonly #entries = new Map<string, Entry>();
  #tokens = 0;

  /** Number of keys that were claimed, and neither completed nor released. */
  get heldCount(): number {
    return [...this.#entries.values()].filter(({ imageId }) => imageId === undefined).length;
  }

  constructor(
    private readonly clock: Clock,
    private readonly calls: Calls = UNINTERRUPTED,
  ) {}

  async claim({ space, scope, key, sha256 }: ClaimRequest): Promise<ClaimResult> {
    const name = nameOf({ space, scope, key });
    const entry = this.#entries.get(name);
    const known = entry && knownKeyOf(entry);
    if (known?.state === 'completed') return known;
    if (entry !== undefined && !this.#isAbandoned(entry)) return { state: 'in_use' };
    const token = this.#nextToken();
    const { process: holder } = this.calls.begin();
    this.#entries.set(name, { sha256, token, holder, claimedAt: this.clock.now() });
    return { state: 'claimed', claim: { space, scope, key, token } };
  }

  async find(key: IdempotencyKey): Promise<KnownKey | undefined> {
    const entry = this.#entries.get(nameOf(key));
    return entry && knownKeyOf(entry);
  }

  /** What the repository does in its transaction. */
  complete(claim: IdempotencyClaim, imageId: number): void {
    const entry = this.#held(claim);
    if (entry === undefined) throw new IdempotencyKeyInUse();
    entry.imageId = imageId;
  }

  async release(claim: IdempotencyClaim): Promise<void> {
    if (this.#held(claim) !== undefined) this.#entries.delete(nameOf(claim));
  }

  async removeClaimedBefore(time: Date): Promise<number> {
    const old = [...this.#entries].filter(([, { claimedAt }]) => claimedAt < time);
    for (const [name] of old) this.#entries.delete(name);
    return old.length;
  }

  completed(): readonly CompletedKey[] {
    return [...this.#entries].flatMap(([name, { sha256, claimedAt, imageId }]) => {
      return imageId === undefined ? [] : [{ ...keyOf(name), sha256, imageId, claimedAt }];
    });
  }

  replaceCompleted(keys: readonly CompletedKey[]): void {
    this.#entries.clear();
    const { process: holder } = this.calls.begin();
    for (const { space, scope, key, ...entry } of keys) {
      this.#entries.set(nameOf({ space, scope, key }), { ...entry, token: this.#nextToken(), holder });
    }
  }

  hasAnyIn(space: Space): boolean {
    return this.#keysOfClients(space).length > 0;
  }

  removeAllIn(space: Space): void {
    for (const key of this.#keysOfClients(space)) this.#entries.delete(nameOf(key));
  }

  /** Gives all keys of a space to another one, but those of tickets, which are for the name. */
  move(from: Space, to: Space): void {
    for (const key of this.#keysOfClients(from)) {
      const entry = this.#entries.get(nameOf(key)) as Entry;
      this.#entries.delete(nameOf(key));
      this.#entries.set(nameOf({ ...key, space: to }), entry);
    }
  }

  #keysOfClients(space: Space): readonly IdempotencyKey[] {
    const keys = [...this.#entries.keys()].map(keyOf);
    return keys.filter((key) => key.space === space && key.scope !== TICKET_SCOPE);
  }

  #nextToken(): string {
    this.#tokens += 1;
    return String(this.#tokens);
  }

  #isAbandoned({ holder, claimedAt }: Entry): boolean {
    return this.calls.isGone(holder) || this.clock.now().getTime() - claimedAt.getTime() > MAX_CLAIM_MS;
  }

  #held(claim: IdempotencyClaim): Entry | undefined {
    const entry = this.#entries.get(nameOf(claim));
    return entry?.token === claim.token && entry.imageId === undefined ? entry : undefined;
  }
}

function knownKeyOf({ imageId, sha256 }: Entry): KnownKey {
  return imageId === undefined ? { state: 'in_use' } : { state: 'completed', imageId, sha256 };
}

function nameOf({ space, scope, key }: IdempotencyKey): string {
  return JSON.stringify([space, scope, key]);
}

function keyOf(name: string): IdempotencyKey {
  const [space, scope, key] = JSON.parse(name) as [Space, string, string];
  return { space, scope, key };
}
