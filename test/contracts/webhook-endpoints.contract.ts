import { expect } from 'chai';
import type { ChangeFeed, ChangePosition } from '../../src/domain/ports/records/change-feed.ts';
import type { ImageRepository } from '../../src/domain/ports/records/image-repository.ts';
import type { WebhookEndpoint, WebhookRecords } from '../../src/domain/ports/records/webhook-endpoints.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { madeForEach } from './made-for-each.ts';

export interface WebhookEndpointsUnderTest {
  /** One instance per process. */
  readonly processes: readonly [WebhookRecords, WebhookRecords, ...WebhookRecords[]];
  readonly changes: ChangeFeed;
  readonly images: Pick<ImageRepository, 'add'>;
  tearDown(): Promise<void>;
}

const LEASE_MS = 60_000;
const URLS = ['https://one.example.com/', 'https://user:pass@two.example.com/?key=1'] as const;
const [URL_ONE] = URLS;
const FAR: ChangePosition = { number: 2 ** 40, mark: 2 ** 48 - 1 };

let made: WebhookEndpointsUnderTest;
let endpoints: WebhookRecords;
let other: WebhookRecords;

/** Registers tests of all guarantees of the `WebhookRecords` ports; `setUp` runs before each test. */
export function behavesLikeWebhookEndpoints(
  name: string,
  setUp: () => Promise<WebhookEndpointsUnderTest>,
): void {
  describe(`${name} behaves like WebhookRecords`, () => {
    madeForEach(setUp, (fresh) => {
      made = fresh;
      [endpoints, other] = made.processes;
    });

    describe('registering', registerCases);
    describe('a lease', leaseCases);
    describe('saving', saveCases);
    describe('the list', listCases);
    describe('operators', operatorCases);
  });
}

async function heldBy(owner: string, ms = LEASE_MS, records = endpoints): Promise<WebhookEndpoint> {
  const held = await records.hold(URL_ONE, owner, ms);
  if (held === undefined) throw new Error('The lease is held by another owner');
  return held;
}

function registerCases(): void {
  it('starts an endpoint behind the newest change', async () => {
    await made.images.add(newImage());
    const latest = await made.changes.latest();
    await endpoints.register(URLS);
    await made.images.add(newImage());

    expect(await heldBy('a')).to.deep.equal({
      number: 1,
      url: URL_ONE,
      after: latest,
      state: 'ok',
      lastError: undefined,
    });
  });

  it('keeps the number and the position of an endpoint that is known', async () => {
    await endpoints.register(URLS);
    const [before] = await endpoints.findAll();
    await made.images.add(newImage());
    await endpoints.register(['https://three.example.com/', ...URLS]);
    const after = await endpoints.findAll();

    expect(after[0]?.after).to.deep.equal(before?.after);
    expect(after.map(({ number, url }) => [number, url])).to.deep.equal([
      [1, URLS[0]],
      [2, URLS[1]],
      [3, 'https://three.example.com/'],
    ]);
  });

  it('makes one endpoint if several processes start at once', async () => {
    await Promise.all(made.processes.flatMap((one) => [one.register(URLS), one.register(URLS)]));
    expect((await endpoints.findAll()).map(({ number }) => number)).to.deep.equal([1, 2]);
  });
}

function leaseCases(): void {
  beforeEach(async () => {
    await endpoints.register(URLS);
  });

  it('is of one endpoint for one owner, who can renew it', async () => {
    const first = await heldBy('a');
    expect(await other.hold(URL_ONE, 'b', LEASE_MS)).to.equal(undefined);
    expect((await other.hold(URLS[1], 'b', LEASE_MS))?.number).to.equal(2);
    expect(await heldBy('a')).to.deep.equal(first);
  });

  it('gets one owner from several processes', async () => {
    const held = await Promise.all(
      ['a', 'b', 'c', 'd'].map((owner, at) =>
        (at % 2 === 0 ? endpoints : other).hold(URL_ONE, owner, LEASE_MS),
      ),
    );
    expect(held.filter((one) => one !== undefined)).to.have.length(1);
  });

  it('can be taken over when its time is over', async () => {
    await heldBy('a', 0);
    expect((await heldBy('b', LEASE_MS, other)).number).to.equal(1);
    expect(await endpoints.hold(URL_ONE, 'a', LEASE_MS)).to.equal(undefined);
  });

  it('can be given up', async () => {
    await heldBy('a');
    await other.release(URL_ONE, 'b');
    await endpoints.release(URLS[1], 'a');
    expect(await other.hold(URL_ONE, 'b', LEASE_MS)).to.equal(undefined);
    await endpoints.release(URL_ONE, 'a');
    expect((await heldBy('b', LEASE_MS, other)).number).to.equal(1);
  });

  it('does not exist for an endpoint that is not registered', async () => {
    expect(await endpoints.hold('https://unknown.example.com/', 'a', LEASE_MS)).to.equal(undefined);
  });
}

function saveCases(): void {
  beforeEach(async () => {
    await endpoints.register(URLS);
  });

  it('keeps the position, the state and the last error', async () => {
    const held = await heldBy('a');
    const progress = { after: FAR, state: 'retrying', lastError: 'HTTP 503' } as const;
    expect(await endpoints.save(held, 'a', progress)).to.equal(true);
    expect(await heldBy('a')).to.deep.equal({ number: 1, url: URL_ONE, ...progress });

    expect(await endpoints.save(await heldBy('a'), 'a', { after: FAR, state: 'ok' })).to.equal(true);
    expect((await heldBy('a')).lastError).to.equal(undefined);
    expect((await endpoints.findAll())[1]?.after).not.to.deep.equal(FAR);
  });

  it('does nothing after another process has taken over', async () => {
    const held = await heldBy('a', 0);
    const taken = await heldBy('b', LEASE_MS, other);
    expect(await endpoints.save(held, 'a', { after: FAR, state: 'ok' })).to.equal(false);
    expect((await heldBy('b', LEASE_MS, other)).after).to.deep.equal(taken.after);
  });

  it('does nothing after the endpoint was moved', async () => {
    const held = await heldBy('a');
    const moved = { number: held.after.number, mark: held.after.mark + 1 };
    await other.move(held.number, moved);
    expect(await endpoints.save(held, 'a', { after: FAR, state: 'ok' })).to.equal(false);
    expect((await heldBy('a')).after).to.deep.equal(moved);
  });
}

function listCases(): void {
  it('has the age of the oldest change that is not delivered', async () => {
    expect(await endpoints.findAll()).to.deep.equal([]);
    await made.images.add(newImage());
    await endpoints.register(URLS);
    const before = await endpoints.findAll();
    await made.images.add(newImage());
    const [late] = await endpoints.findAll();
    await endpoints.move(1, await made.changes.latest());
    const [delivered] = await endpoints.findAll();

    expect(before.map(({ lagSeconds }) => lagSeconds)).to.deep.equal([0, 0]);
    expect(late?.lagSeconds).to.be.above(0);
    expect(delivered?.lagSeconds).to.equal(0);
  });
}

function operatorCases(): void {
  beforeEach(async () => {
    await endpoints.register(URLS);
  });

  it('move an endpoint without a change of its state', async () => {
    const held = await heldBy('a');
    await endpoints.save(held, 'a', { after: held.after, state: 'stopped', lastError: 'HTTP 410' });
    await other.move(1, FAR);
    expect(await heldBy('a')).to.deep.include({ after: FAR, state: 'stopped', lastError: 'HTTP 410' });
  });

  it('resume an endpoint where it was', async () => {
    const held = await heldBy('a');
    await endpoints.save(held, 'a', { after: FAR, state: 'stopped', lastError: 'HTTP 410' });
    await other.resume(1);
    expect(await heldBy('a')).to.deep.include({ after: FAR, state: 'ok', lastError: undefined });
  });
}
