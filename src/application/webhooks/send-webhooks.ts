import { CursorExpired, StorageUnavailable } from '../../domain/errors.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type {
  WebhookMessage,
  WebhookReceiver,
  WebhookReply,
} from '../../domain/ports/process/webhook-receiver.ts';
import type { Change, ChangePosition } from '../../domain/ports/records/change-feed.ts';
import type {
  WebhookEndpoint,
  WebhookEndpoints,
  WebhookProgress,
} from '../../domain/ports/records/webhook-endpoints.ts';
import type { FollowChanges } from '../changes/follow-changes.ts';
import { isSamePosition } from '../changes/is-same-position.ts';
import { EVERY_SPACE, type ReadChanges } from '../changes/read-changes.ts';
import { pause } from '../concurrency/pause.ts';
import { runWithin } from '../concurrency/run-within.ts';
import { shownUrl } from './shown-url.ts';

/** A turn, a try that begins at its end, and a database that is slow to save. */
const LEASE_MS = 40_000;
/** Operators see the effect of `resume` and `replay` at the end of a turn. */
const TURN_MS = 8_000;
/** How soon another process takes over after a stop. */
const STANDBY_MS = 2_000;
/** After a crash, as many may be repeated. */
const AT_A_TIME = 32;

/** The service stops soon, and another process makes the try again. */
const LAST_TRY_MS = 1_000;

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60 * 60_000;
const JITTER = 0.1;

export interface WebhookSource {
  readonly endpoints: WebhookEndpoints;
  readonly readChanges: ReadChanges;
  readonly followChanges: FollowChanges;
}

/** Of one process. */
export interface WebhookSurroundings {
  /** Of leases. */
  readonly owner: string;
  readonly timer: Timer;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly events: EventLog;
}

interface Batch {
  readonly messages: ReadonlyArray<{ readonly message: WebhookMessage; readonly position: ChangePosition }>;
  /** Behind all messages. */
  readonly next: ChangePosition;
}

/** Delivers the feed of changes to one endpoint: in order, at least once, and one message at a time. */
export class SendWebhooks {
  private readonly stopping = new AbortController();
  /** Ends the last try. */
  private readonly leaving = new AbortController();
  private failures = 0;
  /** Until the next try. */
  private waitMs = 0;

  constructor(
    readonly url: string,
    private readonly receiver: WebhookReceiver,
    private readonly source: WebhookSource,
    private readonly surroundings: WebhookSurroundings,
  ) {}

  /** Resolves after `stop`, when the last try has ended and the lease is given up. Never rejects. */
  async execute(): Promise<void> {
    let cancel = (): void => {};
    const leaveSoon = (): void => {
      cancel = this.surroundings.timer(LAST_TRY_MS, () => this.leaving.abort());
    };
    this.stopping.signal.addEventListener('abort', leaveSoon);
    await this.deliverUntilStopped();
    cancel();
    await this.giveUp();
  }

  stop(): void {
    this.stopping.abort();
  }

  private async deliverUntilStopped(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.takeTurn();
      } catch (error) {
        if (!(error instanceof StorageUnavailable)) this.warn({ err: error }, 'webhook interrupted');
        await this.pause(STANDBY_MS);
      }
    }
  }

  /** Without it, another process waits for the end of the lease. */
  private async giveUp(): Promise<void> {
    try {
      await this.source.endpoints.release(this.url, this.surroundings.owner);
    } catch (error) {
      this.warn({ err: error }, 'lease not given up');
    }
  }

  private async takeTurn(): Promise<void> {
    const { endpoints } = this.source;
    const { owner } = this.surroundings;
    const held = await endpoints.hold(this.url, owner, LEASE_MS);
    // The next process does not wait for a retry of this one, and an operator has resumed it.
    if (held?.state !== 'retrying') this.forgetFailures();
    if (held === undefined) return await this.pause(STANDBY_MS);
    if (held.state === 'stopped') return await this.pause(TURN_MS);
    if (this.waitMs > 0) return await this.waitForRetry();
    const progress = await this.deliver(held);
    if (progress !== held) await endpoints.save(held, owner, progress);
  }

  private forgetFailures(): void {
    this.failures = 0;
    this.waitMs = 0;
  }

  private async waitForRetry(): Promise<void> {
    const ms = Math.min(this.waitMs, TURN_MS);
    await this.pause(ms);
    this.waitMs -= ms;
  }

  private async deliver(held: WebhookEndpoint): Promise<WebhookProgress> {
    const { timer } = this.surroundings;
    const turn = { ms: TURN_MS, ended: this.stopping.signal };
    return await runWithin(timer, turn, (ended) => this.deliverUntil(ended, held));
  }

  private async deliverUntil(ended: AbortSignal, held: WebhookEndpoint): Promise<WebhookProgress> {
    const { messages, next } = await this.nextBatch(held, ended);
    let progress: WebhookProgress = held;
    for (const { message, position } of messages) {
      if (ended.aborted) return progress;
      const reply = await this.receiver.post(message, this.leaving.signal);
      if (reply.result === 'ended') return progress;
      if (reply.result !== 'delivered') return this.failed(progress.after, reply);
      this.failures = 0;
      progress = { after: position, state: 'ok' };
    }
    return isSamePosition(next, held.after) && held.state === 'ok' ? held : { after: next, state: 'ok' };
  }

  private async nextBatch({ after }: WebhookEndpoint, ended: AbortSignal): Promise<Batch> {
    const { readChanges, followChanges } = this.source;
    try {
      const wait = { withinMs: TURN_MS, ended };
      const { changes, next } = await followChanges.next(EVERY_SPACE, after, AT_A_TIME, wait);
      const cursors = await readChanges.cursorsOf(changes);
      const messages = changes.map((change, at) => ({
        message: messageOf(change, cursors[at] ?? ''),
        position: change.position,
      }));
      return { messages, next };
    } catch (error) {
      if (error instanceof CursorExpired) return await this.lossBehind(after);
      throw error;
    }
  }

  private async lossBehind(after: ChangePosition): Promise<Batch> {
    const { start, changes } = await this.source.readChanges.page(EVERY_SPACE, undefined, 1);
    // The last delivered change was removed, but none behind it.
    if (after.number === start.number && after.mark >= 0) return { messages: [], next: start };
    const facts = { after: after.number, next: start.number };
    if (this.failures === 0) this.warn(facts, 'webhook has lost changes');
    const id = `lost-${nameOf(after)}-${nameOf(start)}`;
    const at = changes[0]?.at ?? new Date(0);
    return {
      messages: [{ message: { id, type: 'changes.lost', at, data: null }, position: start }],
      next: start,
    };
  }

  private failed(
    after: ChangePosition,
    { result, error, retryAfterMs }: Exclude<WebhookReply, { result: 'delivered' | 'ended' }>,
  ): WebhookProgress {
    if (result === 'gone') {
      this.warn({ error }, 'webhook stopped until it is resumed');
      return { after, state: 'stopped', lastError: error };
    }
    if (this.failures === 0) this.warn({ error }, 'webhook not delivered; it is tried again');
    const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** this.failures, LONGEST_RETRY_MS);
    const jitter = 1 - JITTER + 2 * JITTER * this.surroundings.random();
    this.waitMs = Math.max(backoffMs * jitter, Math.min(retryAfterMs, LONGEST_RETRY_MS));
    this.failures += 1;
    return { after, state: 'retrying', lastError: error };
  }

  private async pause(ms: number): Promise<void> {
    await pause(this.surroundings.timer, ms, this.stopping.signal);
  }

  private warn(facts: Readonly<Record<string, unknown>>, message: string): void {
    this.surroundings.events.warn({ endpoint: shownUrl(this.url), ...facts }, message);
  }
}

function messageOf(change: Change, cursor: string): WebhookMessage {
  const { position, type, at } = change;
  return { id: nameOf(position), type, at, data: { change, cursor } };
}

function nameOf({ number, mark }: ChangePosition): string {
  return `${number}-${mark}`;
}
