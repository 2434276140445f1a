import type { ChangePosition } from '../../domain/ports/records/change-feed.ts';
import type { WebhookAdministration, WebhookStatus } from '../../domain/ports/records/webhook-endpoints.ts';
import { EVERY_SPACE, type ReadChanges } from '../changes/read-changes.ts';
import { shownUrl } from './shown-url.ts';

export interface ShownWebhook extends Pick<WebhookStatus, 'number' | 'state' | 'lagSeconds'> {
  /** Without user, password and query. */
  readonly url: string;
  readonly lastError: string | null;
}

/** The name is that of no endpoint, or that of several. */
export class UnknownWebhook extends Error {}

/** Every method throws `StorageUnavailable`. */
export class ManageWebhooks {
  constructor(
    private readonly endpoints: WebhookAdministration,
    private readonly readChanges: ReadChanges,
  ) {}

  async list(): Promise<readonly ShownWebhook[]> {
    const found = await this.endpoints.findAll();
    return found.map(({ number, url, state, lagSeconds, lastError = null }) => ({
      number,
      url: shownUrl(url),
      state,
      lagSeconds,
      lastError,
    }));
  }

  /**
   * @param name a number, or a URL as it is written or shown
   * @throws {UnknownWebhook}
   */
  async resume(name: string): Promise<void> {
    await this.endpoints.resume(await this.numberOf(name));
  }

  /**
   * Delivers again what is behind the cursor.
   *
   * @throws {UnknownWebhook | CursorExpired}
   */
  async replay(name: string, cursor: string): Promise<void> {
    const number = await this.numberOf(name);
    await this.endpoints.move(number, await this.positionOf(cursor));
  }

  private async positionOf(cursor: string): Promise<ChangePosition> {
    return (await this.readChanges.from(EVERY_SPACE, cursor, 1)).start;
  }

  private async numberOf(name: string): Promise<number> {
    const found = await this.endpoints.findAll();
    const named = found.filter(({ number, url }) => name === String(number) || name === url);
    const shown = found.filter(({ url }) => name === shownUrl(url));
    const [endpoint, ...others] = named.length > 0 ? named : shown;
    if (endpoint === undefined) throw new UnknownWebhook('There is no such endpoint');
    if (others.length > 0) throw new UnknownWebhook('Several endpoints have this URL: use the number');
    return endpoint.number;
  }
}
