import { validKeys } from '../domain/link/link-key-validity.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { LinkKey, LinkKeys } from '../domain/ports/link-keys.ts';
import type { LinkSigner } from '../domain/ports/link-signer.ts';

/** How long a rotated or revoked key stays in use at most. */
const MAX_AGE_MS = 1_000;

/** Bounds the reads that forged links can cause. */
const BETWEEN_EXTRA_READS_MS = 1_000;

/** The keys of signed links, kept in memory for a moment: a link costs no read of its own. */
export class LinkKeyRing {
  private held: { readonly keys: readonly LinkKey[]; readonly readAt: number } | undefined;
  private reading: Promise<readonly LinkKey[]> | undefined;
  private extraReadAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly keys: LinkKeys,
    private readonly signer: LinkSigner,
    private readonly clock: Clock,
  ) {}

  /**
   * What signs with the newest key, which the first caller makes.
   *
   * @throws {StorageUnavailable}
   */
  async signing(): Promise<(text: string) => string> {
    const { secret } = (await this.recent())[0] ?? (await this.makeFirst());
    return (text) => this.signer.sign(secret, text);
  }

  /**
   * Whether a valid key made the MAC. If none fits, another process may have made a key since.
   *
   * @throws {StorageUnavailable}
   */
  async isSigned(text: string, mac: string): Promise<boolean> {
    if (this.fits(await this.recent(), text, mac)) return true;
    if (isRecent(this.extraReadAt, this.time, BETWEEN_EXTRA_READS_MS)) return false;
    this.extraReadAt = this.time;
    return this.fits(await this.read(), text, mac);
  }

  private fits(keys: readonly LinkKey[], text: string, mac: string): boolean {
    return validKeys(keys, this.clock.now()).some(({ secret }) => this.signer.verify(secret, text, mac));
  }

  private async makeFirst(): Promise<LinkKey> {
    await this.keys.addFirst({ secret: this.signer.makeSecret(), createdAt: this.clock.now() });
    // Another process may have been first.
    const [newest] = await this.read();
    if (newest === undefined) throw new TypeError('What was added is not there');
    return newest;
  }

  private async recent(): Promise<readonly LinkKey[]> {
    const { held } = this;
    return held !== undefined && isRecent(held.readAt, this.time, MAX_AGE_MS) ? held.keys : await this.read();
  }

  /** Callers share a read that is under way. */
  private async read(): Promise<readonly LinkKey[]> {
    this.reading ??= this.readNow().finally(() => {
      this.reading = undefined;
    });
    return await this.reading;
  }

  private async readNow(): Promise<readonly LinkKey[]> {
    const readAt = this.time;
    const keys = await this.keys.findAll();
    this.held = { keys, readAt };
    return keys;
  }

  private get time(): number {
    return this.clock.now().getTime();
  }
}

/** `false` if the clock was set back meanwhile. */
function isRecent(time: number, now: number, maxAgeMs: number): boolean {
  return now >= time && now - time < maxAgeMs;
}
