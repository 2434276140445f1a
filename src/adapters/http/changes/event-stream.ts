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

/** Text of Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventStream {
  /** Readers of a space share their pages at the end of the feed. */
  private readonly texts = new WeakMap<ChangePage, Promise<string>>();

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

  /** Ends also if the catalog was restored: the client asks again. */
  private async *from(
    space: Space,
    start: ChangePosition,
    ended: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    yield `retry: ${RETRY_MS}\nid: ${await this.readChanges.cursorOf(start)}\n\n`;
    let position = start;
    const wait = { withinMs: COMMENT_EVERY_MS, ended };
    try {
      while (!ended.aborted && !this.followChanges.isStopped) {
        const page = await this.followChanges.nextOnceAvailable(space, position, LIVE_CHANGES, wait);
        position = page.next;
        if (page.changes.length > 0) yield await this.textOf(page);
        else if (!ended.aborted) yield `:\nid: ${await this.readChanges.cursorOf(position)}\n\n`;
      }
    } catch (error) {
      if (!(error instanceof CursorExpired)) throw error;
    }
  }

  private async textOf(page: ChangePage): Promise<string> {
    const known = this.texts.get(page) ?? this.write(page);
    this.texts.set(page, known);
    return await known;
  }

  private async write({ changes }: ChangePage): Promise<string> {
    const views = await changeViews(changes, this.readChanges);
    return views
      .map((view) => `id: ${view.cursor}\nevent: ${view.type}\ndata: ${JSON.stringify(view)}\n\n`)
      .join('');
  }
}
