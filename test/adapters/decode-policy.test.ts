import { expect } from 'chai';
import { type DecodeJobOwner, decodePolicy } from '../../src/adapters/decoder/decode-policy.ts';
import { DecoderTime } from '../../src/adapters/decoder/decoder-time.ts';
import { FairQueue } from '../../src/application/concurrency/fair-queue.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { settled } from '../support/time/gate.ts';

/** Takes turns, and notes the order in which they begin. */
class Turns {
  readonly order: string[] = [];
  readonly #ends = new Map<string, () => void>();
  /** No two readings of a clock are the same. */
  readonly #time = new DecoderTime(() => (this.ms += 0.001));
  readonly #queue: FairQueue<DecodeJobOwner>;
  ms = 0;

  constructor(places: number, renditions: number) {
    this.#queue = new FairQueue(decodePolicy({ renditions, maxWaiting: 100 }, places, this.#time));
  }

  async take(
    name: string,
    kind: DecodeJobOwner['kind'] = 'inspection',
    subject = name,
    fileBytes = 100_000,
  ): Promise<void> {
    void this.#queue.take({ kind, subject, fileBytes }, STAYING).then((endTurn) => {
      this.order.push(name);
      const endUse = this.#time.begin(subject);
      this.#ends.set(name, () => {
        endUse();
        endTurn();
      });
    });
    await settled();
  }

  async end(name: string, afterMs = 0): Promise<void> {
    this.ms += afterMs;
    this.#ends.get(name)?.();
    await settled();
    await settled();
  }
}

describe('Decoder turns', () => {
  it('begins inspections before renditions, and these before those ahead of requests', async () => {
    const turns = new Turns(1, 1);
    await turns.take('running');
    await turns.take('ahead', 'ahead');
    await turns.take('rendition', 'rendition');
    await turns.take('inspection');

    for (const name of ['running', 'inspection', 'rendition']) await turns.end(name);
    expect(turns.order).to.deep.equal(['running', 'inspection', 'rendition', 'ahead']);
  });

  it('keeps the last decoder for an inspection', async () => {
    const turns = new Turns(3, 2);
    for (const name of ['one', 'two', 'three']) await turns.take(name, 'rendition');
    await turns.take('ahead', 'ahead');
    await turns.take('upload');

    expect(turns.order).to.deep.equal(['one', 'two', 'upload']);
  });

  it('keeps the last decoder for a file of less than 1 MiB', async () => {
    const turns = new Turns(3, 2);
    const MIB = 2 ** 20;
    for (const name of ['one', 'two', 'three']) await turns.take(name, 'inspection', 'alice', MIB);
    await turns.take('small', 'inspection', 'alice', MIB - 1);
    await turns.end('one');

    expect(turns.order).to.deep.equal(['one', 'two', 'small', 'three']);
  });

  it('has two decoders for large files if there are no more', async () => {
    const turns = new Turns(2, 1);
    for (const name of ['one', 'two']) await turns.take(name, 'inspection', 'alice', 2 ** 20);

    expect(turns.order).to.deep.equal(['one', 'two']);
  });

  it('begins jobs of one subject in the order of arrival', async () => {
    const turns = new Turns(2, 1);
    const names = ['one', 'two', 'three', 'four', 'five'];
    for (const name of names) await turns.take(name, 'inspection', 'alice');

    for (const name of ['one', 'two', 'three']) await turns.end(name, 10);
    expect(turns.order).to.deep.equal(names);
  });

  it('holds the uses of the last minute alone, also if no two jobs ever wait', () => {
    let ms = 0;
    const time = new DecoderTime(() => ms);
    for (let second = 0; second < 600; second += 1) {
      time.begin('alice')();
      ms += 1_000;
    }

    expect(JSON.stringify(time).match(/"subject":"alice"/g)).to.have.length(60);
  });

  it('prefers the subject that has used less time in the last minute', async () => {
    const turns = new Turns(1, 1);
    await turns.take('hog 1', 'inspection', 'hog');
    await turns.take('hog 2', 'inspection', 'hog');
    await turns.take('alice', 'inspection', 'alice');
    await turns.end('hog 1', 5_000);
    await turns.take('bob', 'inspection', 'bob');

    for (const name of ['alice', 'bob']) await turns.end(name, 10);
    expect(turns.order).to.deep.equal(['hog 1', 'alice', 'bob', 'hog 2']);
  });

  it('counts the time of a turn that has not ended', async () => {
    const turns = new Turns(2, 1);
    await turns.take('hog 1', 'inspection', 'hog');
    await turns.take('other');
    await turns.take('hog 2', 'inspection', 'hog');
    await turns.take('alice', 'inspection', 'alice');

    await turns.end('other', 1_000);
    expect(turns.order).to.deep.equal(['hog 1', 'other', 'alice']);
  });

  it('forgets time that was used more than a minute ago', async () => {
    const turns = new Turns(1, 1);
    await turns.take('hog 1', 'inspection', 'hog');
    await turns.end('hog 1', 5_000);
    turns.ms += 60_000;
    await turns.take('running');
    await turns.take('hog 2', 'inspection', 'hog');
    await turns.take('alice', 'inspection', 'alice');

    await turns.end('running');
    expect(turns.order).to.deep.equal(['hog 1', 'running', 'hog 2']);
  });
});
