import type { ChangePosition } from './change-feed.ts';

export type WebhookState = 'ok' | 'retrying' | 'stopped';

export interface WebhookProgress {
  /** The last change that was delivered; the feed may not hold it any more. */
  readonly after: ChangePosition;
  readonly state: WebhookState;
  readonly lastError?: string | undefined;
}

export interface WebhookEndpoint extends WebhookProgress {
  /** Stays for the life of the catalog. */
  readonly number: number;
  /** As written in the configuration: it may hold a password. */
  readonly url: string;
}

export interface WebhookStatus extends WebhookEndpoint {
  /** Age of the oldest change that is not delivered, by the clock of the database; 0 if there is none. */
  readonly lagSeconds: number;
}

/** Every method throws `StorageUnavailable`. */
export interface WebhookEndpoints {
  /** Endpoints that are not known yet start behind the newest change. */
  register(urls: readonly string[]): Promise<void>;

  /**
   * Takes or renews the lease by the clock of the database. `undefined` while another owner has it.
   *
   * @param owner one process
   */
  hold(url: string, owner: string, ms: number): Promise<WebhookEndpoint | undefined>;

  /** `false`, and nothing is saved, if the lease was taken over or the endpoint was moved since it was held. */
  save(held: WebhookEndpoint, owner: string, progress: WebhookProgress): Promise<boolean>;

  /** Gives the lease up if the owner has it. */
  release(url: string, owner: string): Promise<void>;
}

/** Every method throws `StorageUnavailable`. */
export interface WebhookAdministration {
  /** In the order of their numbers. */
  findAll(): Promise<readonly WebhookStatus[]>;

  /** The next try is at once, also if the endpoint was stopped. */
  resume(number: number): Promise<void>;

  /** Delivery goes on behind this position. The state stays. */
  move(number: number, after: ChangePosition): Promise<void>;
}

export interface WebhookRecords extends WebhookEndpoints, WebhookAdministration {}
