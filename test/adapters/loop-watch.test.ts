import { expect } from 'chai';
import { LoopWatch } from '../../src/adapters/http/server/loop-watch.ts';
import { type NamedRequest, RequestsUnderWay } from '../../src/adapters/http/telemetry/requests-under-way.ts';
import { CapturedLog, WARN } from '../support/doubles/captured-log.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const LATE_MS = 250;
const MINUTE_MS = 60_000;

describe('the watch on the event loop', () => {
  let time: ManualTime;
  let held: number;
  let log: CapturedLog;
  let requests: RequestsUnderWay;
  let stop: () => void;

  beforeEach(() => {
    time = new ManualTime();
    held = 0;
    log = new CapturedLog();
    requests = new RequestsUnderWay();
    const now = (): number => time.now() + held;
    stop = LoopWatch.start({ timer: time.after, now, requests, log: log.logger });
  });

  /** The timers that are due meanwhile fire at its end. */
  function hold(ms: number): void {
    held += ms;
    time.pass(100);
  }

  it('logs a delay above 250 ms with the routes and ids of the requests under way, the latest first', () => {
    requests.began(named('GET /api/image/:id', 'a'));
    requests.began(named('POST /api/upload', 'b'));
    hold(LATE_MS + 1);
    const [line] = log.atLeast(WARN);
    expect(line).to.deep.include({
      msg: 'event loop delayed',
      delayMs: LATE_MS + 1,
      requests: [
        { route: 'POST /api/upload', requestId: 'b' },
        { route: 'GET /api/image/:id', requestId: 'a' },
      ],
    });
  });

  it('logs nothing of a shorter one', () => {
    hold(LATE_MS);
    expect(log.entries).to.deep.equal([]);
  });

  it('logs at most one line a minute', () => {
    hold(LATE_MS + 1);
    time.pass(MINUTE_MS - 10 * LATE_MS);
    hold(LATE_MS + 1);
    expect(log.entries).to.have.length(1);
    time.pass(10 * LATE_MS);
    hold(LATE_MS + 1);
    expect(log.entries).to.have.length(2);
  });

  it('names a request that has ended in the turn that it held', () => {
    const whole = requests.began(named('GET /api/images', 'whole'));
    requests.ended(whole, LATE_MS);
    const short = requests.began(named('GET /api/tags', 'short'));
    requests.ended(short, 10);
    hold(LATE_MS + 1);
    expect(log.entries[0]?.requests).to.deep.equal([{ route: 'GET /api/images', requestId: 'whole' }]);
  });

  it('does not name one that has ended before', () => {
    const earlier = requests.began(named('GET /api/images', 'earlier'));
    requests.ended(earlier, LATE_MS);
    time.pass(100);
    hold(LATE_MS + 1);
    expect(log.entries[0]?.requests).to.deep.equal([]);
  });

  it('names the latest first, whichever has ended', () => {
    const [first] = ['a', 'b', 'c'].map((id) => requests.began(named('GET /api/images', id)));
    if (first !== undefined) requests.ended(first, 10);
    requests.began(named('GET /api/images', 'd'));
    hold(LATE_MS + 1);
    const found = log.entries[0]?.requests as readonly NamedRequest[] | undefined;
    expect(found?.map(({ requestId }) => requestId)).to.deep.equal(['d', 'c', 'b']);
  });

  it('names 20 requests at most, and says how many there are', () => {
    for (let n = 0; n < 1_000; n += 1) requests.began(named('GET /api/image/:id', String(n)));
    hold(LATE_MS + 1);
    expect(log.entries[0]?.requests).to.have.length(20);
    expect(log.entries[0]).to.deep.include({ underWay: 1_000 });
  });

  it('looks no more after a stop', () => {
    stop();
    hold(LATE_MS + 1);
    expect(log.entries).to.deep.equal([]);
  });
});

function named(route: string, requestId: string): () => { route: string; requestId: string } {
  return () => ({ route, requestId });
}
