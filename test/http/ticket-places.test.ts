import { expect } from 'chai';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { filePart, multipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { type BegunUpload, beginUpload, outcomeOf } from '../support/http/begun-upload.ts';
import { TicketedService } from '../support/http/ticketed-service.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { eventually } from '../support/time/eventually.ts';
import { Gate, settled } from '../support/time/gate.ts';

let tickets: TicketedService;
let form: Buffer;
let begun: BegunUpload[];
let beforePut: () => Promise<void>;

/** The next images wait in front of the store until the gate opens. */
function holdPut(): { readonly reached: Gate; readonly gate: Gate } {
  const [reached, gate] = [new Gate(), new Gate()];
  beforePut = async () => {
    reached.open();
    await gate.opened;
  };
  return { reached, gate };
}

/** An upload without its body. */
async function begin(path: string): Promise<BegunUpload> {
  const upload = await beginUpload(tickets, path, { 'Content-Length': form.length });
  begun.push(upload);
  return upload;
}

async function outcomesOf(uploads: ReadonlyArray<() => Promise<BegunUpload>>): Promise<readonly string[]> {
  const outcomes: string[] = [];
  for (const upload of uploads) outcomes.push(outcomeOf((await upload()).first));
  return outcomes;
}

function usePlaces(uploadConcurrency: number): void {
  before(async () => {
    form = multipart([filePart(await noisyPng(20, 20))]);
    tickets = await TicketedService.start({
      uploadConcurrency,
      spaceClaim: 'org',
      modules: [
        wrapping(TOKENS.blobs, (blobs) =>
          intercepted(blobs, async (method, proceed) => {
            if (method === 'put') await beforePut();
            return await proceed();
          }),
        ),
      ],
    });
  });

  beforeEach(() => {
    begun = [];
    beforePut = async () => {};
  });

  afterEach(async () => {
    for (const { connection } of begun) connection.abandon();
    expect(await tickets.leftovers()).to.deep.equal([]);
  });

  after(() => tickets.stop());
}

describe('The upload places of tickets', () => {
  usePlaces(8);

  async function ofSpace(org: string): Promise<BegunUpload> {
    return await begin(await tickets.ticket({}, { org }));
  }

  it('are at most half of all, and at most half of these for one space', async () => {
    const outcomes = await outcomesOf(['a', 'a', 'a', 'b', 'b', 'c'].map((org) => () => ofSpace(org)));

    expect(outcomes).to.deep.equal(['100', '100', '503 overloaded', '100', '100', '503 overloaded']);
    expect(begun[2]?.first.headers['retry-after']).to.match(/^[1-9]\d*$/);
  });

  it('are free again when their uploads are refused, cut off and stored', async () => {
    await ofSpace('a');
    const [refused, path] = [await ofSpace('a'), await tickets.ticket({}, { org: 'a' })];
    refused.connection.send(Buffer.alloc(form.length));
    await refused.connection.response();
    const stored = await begin(path);
    stored.connection.send(form);
    const { status } = await stored.connection.response();
    begun[0]?.connection.abandon();
    await tickets.web.idle();

    expect([outcomeOf(stored.first), status]).to.deep.equal(['100', 201]);
    expect(await outcomesOf([() => ofSpace('a'), () => ofSpace('a')])).to.deep.equal(['100', '100']);
  });
});

describe('A ticket under way', () => {
  usePlaces(64);

  it('is one place, however many connections it has: others are 409 before their bodies', async () => {
    const path = await tickets.ticket({}, { org: 'a' });
    const outcomes = await outcomesOf(Array.from({ length: 40 }, () => () => begin(path)));

    expect(outcomes[0]).to.equal('100');
    expect(new Set(outcomes.slice(1))).to.deep.equal(new Set(['409 idempotency_key_in_use']));
    expect(begun[1]?.first.headers['retry-after']).to.match(/^[1-9]\d*$/);
    expect(outcomeOf((await begin(await tickets.ticket({}, { org: 'a' }))).first)).to.equal('100');
  });

  it('is taken again as soon as its upload was refused', async () => {
    const path = await tickets.ticket({}, { org: 'a' });
    const { connection } = await begin(path);
    connection.send(Buffer.alloc(form.length));
    await connection.response();

    expect(outcomeOf((await begin(path)).first)).to.equal('100');
  });

  it('is taken again as soon as its connection is gone, also while the image is being stored', async () => {
    const { reached, gate } = holdPut();
    const path = await tickets.ticket({}, { org: 'a' });
    const { connection } = await begin(path);
    connection.send(form);
    await reached.opened;
    expect(outcomeOf((await begin(path)).first)).to.equal('409 idempotency_key_in_use');
    connection.abandon();
    const outcome = await eventually(
      async () => outcomeOf((await begin(path)).first),
      (seen) => seen === '100',
    );
    gate.open();

    expect(outcome).to.equal('100');
  });

  it('belongs to the request that has it, not to one whose connection went before', async () => {
    const { reached, gate } = holdPut();
    const path = await tickets.ticket({}, { org: 'a' });
    const first = await begin(path);
    first.connection.send(form);
    await reached.opened;
    first.connection.abandon();
    await eventually(
      async () => outcomeOf((await begin(path)).first),
      (seen) => seen === '100',
    );
    const records = await tickets.service.records();
    gate.open();
    await eventually(
      () => tickets.service.records(),
      (count) => count > records,
    );
    await settled();

    expect(outcomeOf((await begin(path)).first)).to.equal('409 idempotency_key_in_use');
  });
});
