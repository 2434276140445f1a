import { validKeys } from '../../domain/link/valid-keys.ts';
import type { AddressSeal } from '../../domain/ports/process/address-seal.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { LinkKey, LinkKeys } from '../../domain/ports/records/link-keys.ts';

/** How long a rotated or revoked key stays in use at most. */
const MAX_AGE_MS = 1_000;

/** Bounds the reads that forged links can cause. */
const BETWEEN_EXTRA_READS_MS = 1_000;

interface HeldKeys {
  readonly keys: readonly LinkKey[];
  readonly readAt: number;
  /** Among the reads, in the order in which they began. */
  readonly place: number;
}

/** The keys of signed links and of tickets, kept in memory for a moment: a link costs no read of its own. */
export class LinkKeyRing {
  private held: HeldKeys | undefined;
  private readsBegun = 0;
  private reading: Promise<readonly LinkKey[]> | undefined;
  private extraRead: { readonly keys: Promise<readonly LinkKey[]>; readonly at: number } | undefined;

  constructor(
    private readonly keys: LinkKeys,
    private readonly seal: Pick<AddressSeal, 'makeSecret' | 'sign' | 'verify'>,
    private readonly clock: Clock,
  ) {}

  /**
   * What signs with the newest key.
   *
   * @throws {StorageUnavailable}
   */
  async signing(): Promise<(text: string) => string> {
    const secret = await this.newest();
    return (text) => this.seal.sign(secret, text);
  }

  /**
   * Whether a valid key made the MAC.
   *
   * @throws {StorageUnavailable}
   */
  async isSigned(text: string, mac: string): Promise<boolean> {
    const fits = (secret: Uint8Array): true | undefined => this.seal.verify(secret, text, mac) || undefined;
    return (await this.find(fits)) === true;
  }

  /**
   * The secret of the newest key, which the first caller makes.
   *
   * @throws {StorageUnavailable}
   */
  async newest(): Promise<Uint8Array> {
    const { secret } = (await this.recent())[0] ?? (await this.makeFirst());
    return secret;
  }

  /**
   * What `open` first returns for the secret of a valid key. If none fits, another process may have made a key since.
   *
   * @throws {StorageUnavailable}
   */
  async find<T>(open: (secret: Uint8Array) => T | undefined): Promise<T | undefined> {
    return this.findAmong(await this.recent(), open) ?? this.findAmong(await this.readAgain(), open);
  }

  private findAmong<T>(keys: readonly LinkKey[], open: (secret: Uint8Array) => T | undefined): T | undefined {
    for (const { secret } of validKeys(keys, this.clock.now())) {
      const found = open(secret);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private async makeFirst(): Promise<LinkKey> {
    await this.keys.addFirst({ secret: this.seal.makeSecret(), createdAt: this.clock.now() });
    // Another process may have been first. A read that is under way may have begun before there was a key.
    const [newest] = await this.readNow();
    if (newest === undefined) throw new TypeError('What was added is not there');
    return newest;
  }

  private async recent(): Promise<readonly LinkKey[]> {
    const { held } = this;
    return held !== undefined && isRecent(held.readAt, this.time, MAX_AGE_MS) ? held.keys : await this.read();
  }

  /** Callers that come too early for another read get what the last one finds, also while it is under way. */
  private async readAgain(): Promise<readonly LinkKey[]> {
    if (this.extraRead === undefined || !isRecent(this.extraRead.at, this.time, BETWEEN_EXTRA_READS_MS)) {
      this.extraRead = { keys: this.readNow(), at: this.time };
    }
    return await this.extraRead.keys;
  }

  /** Callers share a read that is under way. */
  private async read(): Promise<readonly LinkKey[]> {
    this.reading ??= this.readNow().finally(() => {
      this.reading = undefined;
    });
    return await this.reading;
  }

  /** Resolves to what the last of the reads that have ended finds: they may end in another order than they began. */
  private async readNow(): Promise<readonly LinkKey[]> {
    this.readsBegun += 1;
    const begun = { readAt: this.time, place: this.readsBegun };
    const keys = await this.keys.findAll();
    if (this.held === undefined || this.held.place < begun.place) this.held = { keys, ...begun };
    return this.held.keys;
  }

  private get time(): number {
    return this.clock.now().getTime();
  }
}

/** `false` if the clock was set back meanwhile. */
function isRecent(time: number, now: number, maxAgeMs: number): boolean {
  return now >= time && now - time < maxAgeMs;
}
