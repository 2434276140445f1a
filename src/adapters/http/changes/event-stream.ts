import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { LIVE_CHANGES } from '../../../application/changes/change-tail.ts';
import type { FollowChanges } from '../../../application/changes/follow-changes.ts';
import type { ReadChanges } from '../../../application/changes/read-changes.ts';
import { CursorExpired } from '../../../domain/errors.ts';
import type { ChangePage, ChangePosition } from '../../../domain/ports/records/change-feed.ts';
import type { Space } from '../../../domain/space/space.ts';
import { changeViews } from './change-view.ts';

const RETRY_MS = 2_000;
const COMMENT_EVERY_MS = 15_000;

/** Of one write, in bytes: the connection holds a second copy of what its reader has not taken. */
const MAX_TEXT_BYTES = 32 * 1024;

interface Events {
  readonly text: string;
  /** Behind the last of them. */
  readonly next: ChangePosition;
}

/** Text of Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventStream {
  /** Readers of a space share their pages at the end of the feed. */
  private readonly events = new WeakMap<ChangePage, Promise<Events>>();

  constructor(
    private readonly readChanges: ReadChanges,
    private readonly followChanges: FollowChanges,
  ) {}

  /** Writes itself: the streams between would take more memory than all else of an idle reader. */
  async send(
    response: ServerResponse,
    space: Space,
    start: ChangePosition,
    ended: AbortSignal,
  ): Promise<void> {
    // Alone, so that the connection makes one string of the parts, which the response keeps.
    response.flushHeaders();
    for await (const text of this.from(space, start, ended)) {
      if (response.destroyed) return;
      if (!response.write(text)) await once(response, 'drain', { signal: ended }).catch(() => {});
    }
    response.end();
  }

  /** Holds one text and a position. Ends also if the catalog was restored: the client asks again. */
  private async *from(
    space: Space,
    start: ChangePosition,
    ended: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    yield `retry: ${RETRY_MS}\nid: ${await this.readChanges.cursorOf(start)}\n\n`;
    let position = start;
    try {
      while (!ended.aborted && !this.followChanges.isStopped) {
        const { text, next } = await this.behind(space, position, ended);
        position = next;
        if (text !== '') yield text;
        else if (!ended.aborted) yield `:\nid: ${await this.readChanges.cursorOf(position)}\n\n`;
      }
    } catch (error) {
      if (!(error instanceof CursorExpired)) throw error;
    }
  }

  /** Waits for the next changes; without a text if there are none for a while. */
  private async behind(space: Space, position: ChangePosition, ended: AbortSignal): Promise<Events> {
    const wait = { withinMs: COMMENT_EVERY_MS, ended };
    const page = await this.followChanges.nextOnceAvailable(space, position, LIVE_CHANGES, wait);
    const known = this.events.get(page) ?? this.write(page);
    this.events.set(page, known);
    return await known;
  }

  /** As many changes as a reader may hold. The others are read again, behind these. */
  private async write({ changes, next }: ChangePage): Promise<Events> {
    const views = await changeViews(changes, this.readChanges);
    let text = '';
    for (const [at, view] of views.entries()) {
      const event = `id: ${view.cursor}\nevent: ${view.type}\ndata: ${JSON.stringify(view)}\n\n`;
      const before = changes[at - 1];
      if (before !== undefined && Buffer.byteLength(text) + Buffer.byteLength(event) > MAX_TEXT_BYTES) {
        return { text, next: before.position };
      }
      text += event;
    }
    return { text, next };
  }
}
