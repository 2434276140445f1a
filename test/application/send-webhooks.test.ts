import { expect } from 'chai';
import { NodeAddressSeal } from '../../src/adapters/system/node-address-seal.ts';
import { ChangeCursors } from '../../src/application/changes/change-cursors.ts';
import { ChangeTail } from '../../src/application/changes/change-tail.ts';
import { FollowChanges } from '../../src/application/changes/follow-changes.ts';
import { ReadChanges } from '../../src/application/changes/read-changes.ts';
import { SendWebhooks } from '../../src/application/webhooks/send-webhooks.ts';
import type { WebhookEndpoint } from '../../src/domain/ports/records/webhook-endpoints.ts';
import { InMemoryCatalogIdentity } from '../support/doubles/in-memory-catalog-identity.ts';
import { InMemoryChanges } from '../support/doubles/in-memory-changes.ts';
import { InMemoryWebhookEndpoints } from '../support/doubles/in-memory-webhook-endpoints.ts';
import { RecordingEventLog } from '../support/doubles/recording-event-log.ts';
import { DELIVERED, refusal, ScriptedReceiver } from '../support/doubles/scripted-receiver.ts';
import { Gate, settled } from '../support/time/gate.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const URL_SECRET = 'https://user:hunter2@hooks.example.com/images?key=opensesame';
const START_MS = Date.parse('2026-01-31T12:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface Process {
  readonly time: ManualTime;
  readonly sender: SendWebhooks;
  readonly ended: Promise<void>;
}

interface Destination {
  readonly url: string;
  readonly to: ScriptedReceiver;
}

let time: ManualTime;
let changes: InMemoryChanges;
let endpoints: InMemoryWebhookEndpoints;
let receiver: ScriptedReceiver;
let events: RecordingEventLog;
let running: Process[];
let random: number;

/** @param own a process whose time stands still is halted */
function startProcess(
  owner: string,
  own: ManualTime = time,
  { url, to }: Destination = { url: URL_SECRET, to: receiver },
): Process {
  const identity = new InMemoryCatalogIdentity();
  const cursors = new ChangeCursors(identity, new NodeAddressSeal());
  const readChanges = new ReadChanges(changes, cursors, {
    in: () => ({ findById: async () => undefined }),
  });
  const followChanges = new FollowChanges(readChanges, new ChangeTail(changes, own.after), own.after);
  const source = { endpoints, readChanges, followChanges };
  const surroundings = { owner, timer: own.after, random: () => random, events };
  const sender = new SendWebhooks(url, to, source, surroundings);
  const started = { time: own, sender, ended: sender.execute() };
  running.push(started);
  return started;
}

function add(count = 1): void {
  for (let added = 0; added < count; added += 1) {
    changes.add({ type: 'image.created', imageId: ids() + 1, at: new Date(START_MS), by: null });
  }
}

let added = 0;
function ids(): number {
  added += 1;
  return added - 1;
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) await time.settle(Math.min(250, ms - passed));
}

function delivered(): readonly (number | undefined)[] {
  return receiver.messages.map(({ data }) => data?.change.imageId);
}

async function endpoint(): Promise<WebhookEndpoint | undefined> {
  const [found] = await endpoints.findAll();
  return found;
}

/** When the messages came, in ms. */
async function timesOf(count: number): Promise<readonly number[]> {
  const times: number[] = [];
  while (times.length < count) {
    await time.settle(250);
    while (times.length < receiver.messages.length) times.push(time.now());
  }
  return times;
}

describe('SendWebhooks', () => {
  beforeEach(async () => {
    time = new ManualTime();
    changes = new InMemoryChanges();
    endpoints = new InMemoryWebhookEndpoints(changes, { now: () => new Date(START_MS + time.now()) });
    receiver = new ScriptedReceiver();
    events = new RecordingEventLog();
    running = [];
    random = 0.5;
    added = 0;
    await endpoints.register([URL_SECRET]);
  });

  afterEach(async () => {
    for (const { sender } of running) sender.stop();
    await settled();
  });

  describe('delivers', deliveries);
  describe('tries again', retries);
  describe('stops', stops);
  describe('lost changes', losses);
  describe('beside another process', leases);
  describe('a process that stops', stopping);
});

function deliveries(): void {
  it('each change once, in order, within a second', async () => {
    startProcess('a');
    await pass(MINUTE);
    add(3);
    await pass(SECOND);
    add(100);
    await pass(SECOND);

    expect(delivered()).to.deep.equal(Array.from({ length: 103 }, (_, at) => at + 1));
    expect((await endpoint())?.after).to.deep.equal(await changes.latest());
    await pass(HOUR);
    expect(receiver.messages).to.have.length(103);
  });

  it('the type and time of the change, its cursor, and an id without a dot', async () => {
    startProcess('a');
    add();
    await pass(SECOND);

    const [{ id, type, at, data }] = receiver.messages as [(typeof receiver.messages)[number]];
    const { number, mark } = await changes.latest();
    expect([id, type, at]).to.deep.equal([`${number}-${mark}`, 'image.created', new Date(START_MS)]);
    expect(data?.cursor).to.match(/^[0-9a-f]{32}$/);
  });

  it('from the position to which it was moved during a try', async () => {
    const gate = new Gate();
    const start = await changes.latest();
    startProcess('a');
    add(2);
    await pass(SECOND);
    receiver.replies.push(gate.opened.then(() => DELIVERED));
    add();
    await pass(SECOND);
    await endpoints.move(1, start);
    gate.open();
    await pass(10 * SECOND);

    expect(delivered()).to.deep.equal([1, 2, 3, 1, 2, 3]);
  });

  it('all changes after a time in which the database is unavailable', async () => {
    startProcess('a');
    await pass(SECOND);
    endpoints.isUnavailable = true;
    await pass(MINUTE);
    add(2);
    endpoints.isUnavailable = false;
    await pass(10 * SECOND);

    expect(delivered()).to.deep.equal([1, 2]);
    expect(events.warnings).to.deep.equal([]);
  });
}

function retries(): void {
  it('after 5 s, doubling up to an hour, with the same message', async () => {
    receiver.usual = refusal('HTTP 503');
    add();
    startProcess('a');
    const times = await timesOf(13);
    const waits = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / SECOND));

    expect(waits).to.deep.equal([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
    expect(new Set(receiver.messages.map(({ id }) => id)).size).to.equal(1);
  });

  for (const [value, seconds] of [
    [0, 4.5],
    [0.9999999, 5.5],
  ] as const) {
    it(`after ${seconds} s if the random number is ${value}`, async () => {
      random = value;
      receiver.replies.push(refusal('ECONNREFUSED'));
      add();
      startProcess('a');
      const [first = 0, second = 0] = await timesOf(2);
      expect(second - first).to.equal(seconds * SECOND);
    });
  }

  for (const [retryAfterMs, expected] of [
    [2 * SECOND, 5 * SECOND],
    [90 * SECOND, 90 * SECOND],
    [24 * HOUR, HOUR],
  ] as const) {
    it(`after ${expected / SECOND} s if the receiver names ${retryAfterMs / SECOND} s`, async () => {
      receiver.replies.push(refusal('HTTP 429', retryAfterMs));
      add();
      startProcess('a');
      const [first = 0, second = 0] = await timesOf(2);
      expect(second - first).to.equal(expected);
    });
  }

  it('after 5 s again once a message was delivered', async () => {
    receiver.replies.push(refusal('HTTP 500'), refusal('HTTP 500'), DELIVERED, refusal('HTTP 500'));
    add(2);
    startProcess('a');
    const times = await timesOf(5);
    expect((times[4] ?? 0) - (times[3] ?? 0)).to.equal(5 * SECOND);
  });

  it('at once after a restart', async () => {
    receiver.usual = refusal('HTTP 500');
    add();
    const { sender } = startProcess('a');
    await pass(HOUR);
    sender.stop();
    await settled();
    const before = receiver.messages.length;
    startProcess('b');
    await settled();

    expect(receiver.messages.length - before).to.equal(1);
  });

  it('within 10 s if an operator resumes it', async () => {
    receiver.replies.push(...Array.from({ length: 10 }, () => refusal('HTTP 500')));
    add();
    startProcess('a');
    await pass(HOUR);
    const before = receiver.messages.length;
    await endpoints.resume(1);
    await pass(10 * SECOND);
    expect(receiver.messages.length).to.equal(before + 1);
  });

  it('and tells operators of the first failure, without the secrets of the URL', async () => {
    receiver.replies.push(...Array.from({ length: 3 }, () => refusal('HTTP 500')));
    add();
    startProcess('a');
    await pass(MINUTE);

    expect(events.warnings.map(({ facts }) => facts)).to.deep.equal([
      { endpoint: 'https://hooks.example.com/images', error: 'HTTP 500' },
    ]);
  });
}

function stops(): void {
  it('when the receiver is gone, until it is resumed; nothing is lost', async () => {
    receiver.replies.push(DELIVERED, refusal('HTTP 410'));
    add(2);
    startProcess('a');
    await pass(HOUR);
    add();
    await pass(MINUTE);
    const [before, stopped] = [delivered(), await endpoint()];
    await endpoints.resume(1);
    await pass(10 * SECOND);

    expect(before).to.deep.equal([1, 2]);
    expect(stopped).to.deep.include({ state: 'stopped', lastError: 'HTTP 410' });
    expect(delivered()).to.deep.equal([1, 2, 2, 3]);
  });
}

function losses(): void {
  const later = new Date(START_MS + HOUR);

  it('are one message, and the oldest change kept is next', async () => {
    receiver.replies.push(refusal('HTTP 500'), refusal('HTTP 500'));
    add(3);
    await changes.removeOlder(later);
    startProcess('a');
    await pass(HOUR);
    add();
    await pass(SECOND);

    expect(receiver.messages.map(({ type }) => type)).to.deep.equal([
      'changes.lost',
      'changes.lost',
      'changes.lost',
      'image.created',
      'image.created',
    ]);
    expect(delivered().slice(3)).to.deep.equal([3, 4]);
    const [first, ...others] = receiver.messages.slice(0, 3);
    expect(others).to.deep.equal([first, first]);
    expect(first?.data).to.equal(null);
    expect(first?.id).not.to.contain('.');
  });

  it('are none if only delivered changes were removed', async () => {
    add(2);
    startProcess('a');
    await pass(SECOND);
    const [process] = running;
    process?.sender.stop();
    await process?.ended;
    add();
    await changes.removeOlder(later);
    startProcess('b');
    await pass(SECOND);

    expect(delivered()).to.deep.equal([1, 2, 3]);
  });

  it('are told if no change has the mark of the position, as in a copy', async () => {
    add(2);
    const { number } = await changes.latest();
    await endpoints.move(1, { number, mark: -7 });
    startProcess('a');
    await pass(SECOND);

    expect(receiver.messages.map(({ type }) => type)).to.deep.equal([
      'changes.lost',
      'image.created',
      'image.created',
    ]);
  });
}

function leases(): void {
  it('goes on within 60 s after the other was killed', async () => {
    startProcess('a', new ManualTime());
    await settled();
    startProcess('b');
    await pass(SECOND);
    add(3);
    const killedAt = time.now();
    const [first = 0] = await timesOf(1);

    expect(first - killedAt).to.be.within(10 * SECOND, MINUTE);
    await pass(SECOND);
    expect(delivered()).to.deep.equal([1, 2, 3]);
  });

  it('repeats one message at most after a process was halted beyond its lease', async () => {
    const halted = new ManualTime();
    const gate = new Gate();
    receiver.replies.push(
      DELIVERED,
      gate.opened.then(() => DELIVERED),
    );
    add(5);
    startProcess('a', halted);
    await settled();
    startProcess('b');
    await pass(MINUTE);
    halted.pass(MINUTE);
    gate.open();
    await pass(MINUTE);

    expect(delivered()).to.deep.equal([1, 2, 1, 2, 3, 4, 5]);
    expect((await endpoint())?.after.number).to.equal(5);
  });
}

function stopping(): void {
  const OTHER_URL = 'https://other.example.com/';
  const HUNG = new Promise<never>(() => {});

  async function isFree(url: string): Promise<boolean> {
    return (await endpoints.hold(url, 'another process', 0)) !== undefined;
  }

  it('gives each endpoint up as soon as its try has ended', async () => {
    const other = { url: OTHER_URL, to: new ScriptedReceiver() };
    await endpoints.register([OTHER_URL]);
    receiver.replies.push(HUNG);
    const [hangs, fine] = [startProcess('a'), startProcess('a', time, other)];
    add();
    await pass(SECOND);
    for (const { sender } of [hangs, fine]) sender.stop();
    await settled();
    const atOnce = [await isFree(URL_SECRET), await isFree(OTHER_URL)];
    await pass(SECOND);

    expect(atOnce).to.deep.equal([false, true]);
    expect([await isFree(URL_SECRET), await isFree(OTHER_URL)]).to.deep.equal([true, true]);
  });

  it('ends a try after 1 s, which another process makes again at once', async () => {
    receiver.replies.push(HUNG);
    const { sender, ended } = startProcess('a');
    add(2);
    await pass(SECOND);
    const before = receiver.messages.length;
    sender.stop();
    await pass(SECOND);
    await ended;
    const state = await endpoint();
    startProcess('b');
    await settled();

    expect([before, state?.state, state?.lastError]).to.deep.equal([1, 'ok', undefined]);
    expect(delivered()).to.deep.equal([1, 1, 2]);
    expect(receiver.messages[1]).to.deep.equal(receiver.messages[0]);
    expect(events.warnings).to.deep.equal([]);
  });

  it('lets a try end within 1 s, notes what it has delivered, and begins no other', async () => {
    const gate = new Gate();
    receiver.replies.push(
      DELIVERED,
      gate.opened.then(() => DELIVERED),
    );
    const { sender, ended } = startProcess('a');
    add(3);
    await pass(SECOND);
    sender.stop();
    await pass(999);
    gate.open();
    await ended;
    startProcess('b');
    await settled();

    expect(delivered()).to.deep.equal([1, 2, 3]);
  });

  it('ends, and says so, if the database is unavailable', async () => {
    const { sender, ended } = startProcess('a');
    await pass(SECOND);
    endpoints.isUnavailable = true;
    sender.stop();
    await ended;

    expect(events.warnings.map(({ message }) => message)).to.deep.equal(['lease not given up']);
  });
}
