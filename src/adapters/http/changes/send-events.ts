import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { LIVE_CHANGES } from '../../../application/changes/change-tail.ts';
import { CursorExpired } from '../../../domain/errors.ts';
import type { ChangePage, ChangePosition } from '../../../domain/ports/records/change-feed.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { changeViews } from './change-view.ts';

const RETRY_MS = 2_000;
const COMMENT_EVERY_MS = 15_000;

/** Of one write, in bytes: the connection holds a second copy of what its reader has not taken. */
const MAX_TEXT_BYTES = 32 * 1024;

type ChangesSource = Pick<RouteParts, 'readChanges' | 'followChanges'>;

interface EventReader {
  readonly space: Space;
  readonly start: ChangePosition;
  readonly ended: AbortSignal;
}

/**
 * Sends Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html) until the reader ends. Writes itself: the
 * streams between would take more memory than all else of an idle reader.
 */
export async function sendEvents(
  source: ChangesSource,
  response: ServerResponse,
  reader: EventReader,
): Promise<void> {
  // Alone, so that the connection makes one string of the parts, which the response keeps.
  response.flushHeaders();
  for await (const text of textsFor(source, reader)) {
    if (response.destroyed) return;
    if (!response.write(text)) await once(response, 'drain', { signal: reader.ended }).catch(() => {});
  }
  response.end();
}

/** Holds one text and a position. Ends also if the catalog was restored: the client asks again. */
async function* textsFor(
  source: ChangesSource,
  { space, start, ended }: EventReader,
): AsyncGenerator<string, void, undefined> {
  const { readChanges, followChanges } = source;
  yield `retry: ${RETRY_MS}\nid: ${await readChanges.cursorOf(start)}\n\n`;
  let position = start;
  try {
    while (!ended.aborted && !followChanges.isStopped) {
      const wait = { withinMs: COMMENT_EVERY_MS, ended };
      const page = await followChanges.nextOnceAvailable(space, position, LIVE_CHANGES, wait);
      const { text, next } = await eventsOf(page, source);
      position = next;
      if (text !== '') yield text;
      else if (!ended.aborted) yield `:\nid: ${await readChanges.cursorOf(position)}\n\n`;
    }
  } catch (error) {
    if (!(error instanceof CursorExpired)) throw error;
  }
}

interface Events {
  readonly text: string;
  /** Behind the last of them. */
  readonly next: ChangePosition;
}

/** Readers of a space share their pages at the end of the feed, and so the texts of these. */
const WRITTEN = new WeakMap<ChangePage, Promise<Events>>();

async function eventsOf(page: ChangePage, source: ChangesSource): Promise<Events> {
  const known = WRITTEN.get(page) ?? writeEvents(page, source);
  WRITTEN.set(page, known);
  return await known;
}

/** As many changes as a reader may hold. The others are read again, behind these. */
async function writeEvents({ changes, next }: ChangePage, { readChanges }: ChangesSource): Promise<Events> {
  const views = await changeViews(changes, readChanges);
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
