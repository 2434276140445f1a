import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { sendEvents } from '../../src/adapters/http/changes/send-events.ts';
import { LIVE_CHANGES } from '../../src/application/changes/change-tail.ts';
import type { FollowChanges } from '../../src/application/changes/follow-changes.ts';
import type { ReadChanges } from '../../src/application/changes/read-changes.ts';
import type { Change, ChangePage, ChangePosition } from '../../src/domain/ports/records/change-feed.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { settled } from '../support/time/gate.ts';

const MAX_WRITE_BYTES = 32 * 1024;
const COUNT = 500;

/** As long as the text of a change can be: 255 control characters take 1,530 bytes. */
const LONGEST_ACTOR = '\u0001'.repeat(255);

function changeAt(number: number, by: string): Change {
  return {
    space: COMMON_SPACE,
    position: { number, mark: 1 },
    type: 'image.created',
    imageId: number,
    at: new Date(0),
    by,
  };
}

/** Takes a write at a time, whenever the test drains it. */
class SlowResponse extends EventEmitter {
  readonly destroyed = false;
  readonly writes: string[] = [];
  isEnded = false;

  flushHeaders(): void {}

  write(text: string): boolean {
    this.writes.push(text);
    return false;
  }

  end(): void {
    this.isEnded = true;
  }
}

class Feed {
  /** Where pages were read from. */
  readonly reads: number[] = [];

  constructor(
    private readonly by: string,
    private readonly ended: AbortController,
  ) {}

  readonly isStopped = false;

  async cursorOf({ number }: ChangePosition): Promise<string> {
    return `c${number}`;
  }

  async cursorsOf(changes: readonly Change[]): Promise<readonly string[]> {
    return changes.map(({ position }) => `c${position.number}`);
  }

  async nextOnceAvailable(_space: unknown, start: ChangePosition, limit: number): Promise<ChangePage> {
    this.reads.push(start.number);
    const length = Math.min(limit, COUNT - start.number);
    if (length === 0) this.ended.abort();
    const changes = Array.from({ length }, (_, at) => changeAt(start.number + at + 1, this.by));
    return { start, changes, next: changes.at(-1)?.position ?? start, more: length === limit };
  }
}

describe('a stream of changes', () => {
  let ended: AbortController;
  let response: SlowResponse;
  let feed: Feed;
  let sent: Promise<void>;

  function send(by: string): void {
    ended = new AbortController();
    response = new SlowResponse();
    feed = new Feed(by, ended);
    const source = {
      readChanges: feed as unknown as ReadChanges,
      followChanges: feed as unknown as FollowChanges,
    };
    const reader = { space: COMMON_SPACE, start: { number: 0, mark: 1 }, ended: ended.signal };
    sent = sendEvents(source, response as unknown as ServerResponse, reader);
  }

  async function drainAll(): Promise<void> {
    while (!response.isEnded) {
      await settled();
      response.emit('drain');
    }
    await sent;
  }

  function idsSent(): readonly number[] {
    return [...response.writes.join('').matchAll(/^data: .*?"id":(\d+)/gm)].map(([, id]) => Number(id));
  }

  const ALL = Array.from({ length: COUNT }, (_, at) => at + 1);

  it('writes at most 32 KiB at a time, and nothing more before its reader has taken it', async () => {
    send(LONGEST_ACTOR);
    for (let writes = 1; writes <= 4; writes += 1) {
      await settled();
      expect(response.writes).to.have.length(writes);
      await settled();
      expect(response.writes).to.have.length(writes);
      expect(Buffer.byteLength(response.writes.at(-1) ?? '')).to.be.at.most(MAX_WRITE_BYTES);
      response.emit('drain');
    }
    await drainAll();
  });

  it('has each change once, in order, however long their texts', async () => {
    send(LONGEST_ACTOR);
    await drainAll();
    expect(idsSent()).to.deep.equal(ALL);
    for (const text of response.writes) expect(Buffer.byteLength(text)).to.be.at.most(MAX_WRITE_BYTES);
  });

  it('reads changes of usual texts once', async () => {
    send('alice');
    await drainAll();
    expect(idsSent()).to.deep.equal(ALL);
    expect(feed.reads).to.deep.equal(
      Array.from({ length: COUNT / LIVE_CHANGES + 1 }, (_, at) => at * LIVE_CHANGES),
    );
  });
});
