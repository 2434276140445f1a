import { expect } from 'chai';
import { HeldTime } from '../../src/adapters/decoder/held-time.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import { AdmissionClock } from '../support/doubles/admission-clock.ts';

const UPLOADS = { kind: 'inspection', subject: 'uploader', ms: 40 } as const;
const VIEWS = { kind: 'rendition', subject: 'viewer', ms: 70 } as const;

/** A job that has begun may run longer than its share. */
const OVERSHOOT = 0.01;

describe('Admission', () => {
  it('begins inspections before renditions, and these before those ahead of requests', async () => {
    const clock = new AdmissionClock({ slots: 1 });
    await clock.begin('running');
    await clock.begin('ahead', { kind: 'ahead' });
    await clock.begin('rendition', { kind: 'rendition' });
    await clock.begin('inspection');

    for (const name of ['running', 'inspection', 'rendition']) await clock.end(name);
    expect(clock.order).to.deep.equal(['running', 'inspection', 'rendition', 'ahead']);
  });

  it('keeps the last decoder for an inspection', async () => {
    const clock = new AdmissionClock({ slots: 3 });
    for (const name of ['one', 'two', 'three']) await clock.begin(name, { kind: 'rendition' });
    await clock.begin('ahead', { kind: 'ahead' });
    await clock.begin('upload');

    expect(clock.order).to.deep.equal(['one', 'two', 'upload']);
  });

  it('keeps the last decoder for a file that is not large', async () => {
    const clock = new AdmissionClock({ slots: 3 });
    for (const name of ['one', 'two', 'three']) await clock.begin(name, { subject: 'alice', isLarge: true });
    expect(clock.admission.wanted).to.equal(0);
    await clock.begin('small', { subject: 'alice' });
    await clock.end('one');

    expect(clock.order).to.deep.equal(['one', 'two', 'small', 'three']);
  });

  it('has two decoders for large files if there are no more', async () => {
    const clock = new AdmissionClock({ slots: 2 });
    for (const name of ['one', 'two']) await clock.begin(name, { isLarge: true });

    expect(clock.order).to.deep.equal(['one', 'two']);
  });

  it('begins jobs of one subject in the order of arrival', async () => {
    const clock = new AdmissionClock({ slots: 2 });
    const names = ['one', 'two', 'three', 'four', 'five'];
    for (const name of names) await clock.begin(name, { subject: 'alice' });

    for (const name of ['one', 'two', 'three']) await clock.end(name, 10);
    expect(clock.order).to.deep.equal(names);
  });

  it('prefers the subject that has held decoders for less time in the last minute', async () => {
    const clock = new AdmissionClock({ slots: 1 });
    await clock.begin('hog 1', { subject: 'hog' });
    await clock.begin('hog 2', { subject: 'hog' });
    await clock.begin('alice');
    await clock.end('hog 1', 5_000);
    await clock.begin('bob');

    for (const name of ['alice', 'bob']) await clock.end(name, 10);
    expect(clock.order).to.deep.equal(['hog 1', 'alice', 'bob', 'hog 2']);
  });

  it('counts the time of a job that has not ended', async () => {
    const clock = new AdmissionClock({ slots: 2 });
    await clock.begin('hog 1', { subject: 'hog' });
    await clock.begin('other');
    await clock.begin('hog 2', { subject: 'hog' });
    await clock.begin('alice');

    await clock.end('other', 1_000);
    expect(clock.order).to.deep.equal(['hog 1', 'other', 'alice']);
  });

  it('forgets time that was used more than a minute ago', async () => {
    const clock = new AdmissionClock({ slots: 1 });
    await clock.begin('hog 1', { subject: 'hog' });
    await clock.end('hog 1', 5_000);
    clock.ms += 60_000;
    await clock.begin('running');
    await clock.begin('hog 2', { subject: 'hog' });
    await clock.begin('alice');

    await clock.end('running');
    expect(clock.order).to.deep.equal(['hog 1', 'running', 'hog 2']);
  });

  it('refuses renditions beyond the bound on those that wait, but none that has begun before', async () => {
    const clock = new AdmissionClock({ slots: 2, maxWaiting: 2 });
    for (const name of ['runs', 'first', 'second']) await clock.begin(name, { kind: 'rendition' });

    expect(await clock.begin('third', { kind: 'rendition' })).to.be.instanceOf(Overloaded);
    expect(await clock.begin('again', { kind: 'rendition', isAgain: true })).to.equal(undefined);
    expect(clock.admission.waiting('rendition')).to.equal(3);
  });
});

describe('Admission, while inspections and renditions wait,', () => {
  for (const slots of [1, 2, 3, 4, 8]) {
    it(`gives renditions a quarter of the time of ${slots} decoders, and inspections the rest`, async () => {
      const clock = new AdmissionClock({ slots });
      await clock.load({ ...UPLOADS, clients: 56 });
      await clock.load({ ...VIEWS, clients: 16 });
      for (let round = 0; round < 3; round += 1) {
        const { rendition } = await clock.pass(10_000);
        expect(rendition).to.be.within(1 / 4 - OVERSHOOT, 1 / 4 + 2 * OVERSHOOT);
      }
    });
  }

  for (const slots of [2, 3, 4, 8]) {
    it(`leaves half of the time of ${slots} decoders to inspections beside renditions that take ten seconds`, async () => {
      const clock = new AdmissionClock({ slots });
      await clock.load({ ...UPLOADS, clients: 56 });
      await clock.load({ ...VIEWS, clients: 16, ms: 10_000 });
      for (let round = 0; round < 6; round += 1) {
        const { inspection } = await clock.pass(10_000);
        expect(inspection).to.be.at.least(1 / 2);
      }
    });

    it(`gives renditions a quarter of ${slots} decoders beside inspections that take five seconds`, async () => {
      const clock = new AdmissionClock({ slots });
      await clock.load({ ...UPLOADS, clients: 56, ms: 5_000 });
      await clock.load({ ...VIEWS, clients: 16 });
      await clock.pass(10_000);
      // Long enough that the one inspection that runs at the end makes no difference.
      const { rendition } = await clock.pass(400_000);

      expect(rendition).to.be.at.least(1 / 4 - OVERSHOOT);
    });
  }

  it('lets a viewer wait no longer than a job takes, whatever one subject uploads', async () => {
    const clock = new AdmissionClock({ slots: 2 });
    await clock.load({ ...UPLOADS, clients: 56 });
    await clock.pass(20_000);
    await clock.load({ ...VIEWS, clients: 1 });
    await clock.pass(20_000);
    const waits = clock.waits.filter(({ kind }) => kind === 'rendition').map(({ ms }) => ms);

    expect(waits.length).to.be.above(100);
    expect(Math.max(...waits)).to.be.at.most(3 * VIEWS.ms);
  });

  for (const slots of [2, 3, 8]) {
    it(`gives renditions a quarter of ${slots} decoders beside large files, and these half`, async () => {
      const clock = new AdmissionClock({ slots });
      await clock.load({ ...UPLOADS, clients: 56, isLarge: true });
      await clock.load({ ...VIEWS, clients: 16 });
      const { inspection, rendition } = await clock.pass(20_000);

      expect(rendition).to.be.at.least(1 / 4 - OVERSHOOT);
      expect(inspection).to.be.at.least(1 / 2);
    });
  }

  it('does not take from the share of renditions what they have used while no inspection waited', async () => {
    const clock = new AdmissionClock({ slots: 3 });
    await clock.load({ ...VIEWS, clients: 16 });
    await clock.pass(20_000);
    await clock.load({ ...UPLOADS, clients: 56 });

    expect((await clock.pass(2_000)).rendition).to.be.at.least(1 / 4 - OVERSHOOT);
  });

  it('does not take from the share of renditions what large files leave to them', async () => {
    const clock = new AdmissionClock({ slots: 3 });
    await clock.load({ ...UPLOADS, clients: 56, isLarge: true });
    await clock.load({ ...VIEWS, clients: 16 });
    expect((await clock.pass(20_000)).rendition).to.be.closeTo(1 / 3, OVERSHOOT);
    await clock.load({ ...UPLOADS, clients: 56 });

    expect((await clock.pass(2_000)).rendition).to.be.at.least(1 / 4 - 2 * OVERSHOOT);
  });

  it('gives inspections what renditions do not use, and renditions all but one decoder if no inspection waits', async () => {
    const alone = new AdmissionClock({ slots: 3 });
    await alone.load({ ...VIEWS, clients: 16 });
    expect(alone.admission.running('rendition')).to.equal(2);
    const uploads = new AdmissionClock({ slots: 3 });
    await uploads.load({ ...UPLOADS, clients: 16 });

    expect(uploads.admission.running('inspection')).to.equal(3);
  });
});

describe('Admission, with too little memory for the next job,', () => {
  it('lets no other job pass, and begins it as soon as its memory is free', async () => {
    const clock = new AdmissionClock({ slots: 4 }, 100);
    await clock.begin('half', { bytes: 50 });
    await clock.begin('small', { bytes: 40 });
    await clock.begin('heavy', { bytes: 60 });
    for (const name of ['light 1', 'light 2']) await clock.begin(name, { bytes: 1 });
    expect([clock.order, clock.admission.waitingForMemory]).to.deep.equal([['half', 'small'], 1]);
    await clock.end('half');

    expect(clock.order).to.deep.equal(['half', 'small', 'heavy']);
    await clock.end('small');
    expect(clock.order).to.deep.equal(['half', 'small', 'heavy', 'light 1', 'light 2']);
  });

  it('begins the others when its client leaves', async () => {
    const clock = new AdmissionClock({ slots: 4 }, 100);
    const leaver = new AbortController();
    await clock.begin('half', { bytes: 50 });
    const refused = clock.begin('heavy', { bytes: 60 }, leaver.signal);
    await clock.begin('light', { bytes: 1 });
    leaver.abort();
    await clock.serve();

    expect([clock.order, await refused]).to.deep.equal([['half', 'light'], undefined]);
    expect(clock.admission.waiting('inspection')).to.equal(0);
  });

  it('keeps the share of renditions whose memory is free only now and then', async () => {
    const clock = new AdmissionClock({ slots: 3 }, 100);
    await clock.load({ ...UPLOADS, clients: 20, bytes: 50 });
    await clock.load({ ...VIEWS, clients: 20, bytes: 40 });
    await clock.pass(10_000);

    expect((await clock.pass(20_000)).rendition).to.be.at.least(1 / 4 - OVERSHOOT);
  });
});

describe('Held time', () => {
  it('is that of the last minute alone, also if nothing happens for days', () => {
    const time = new HeldTime(60_000, 1_000);
    let ms = 0;
    for (let second = 0; second < 600; second += 1) {
      time.passTime(ms);
      time.hold('alice');
      time.passTime((ms += 500));
      time.release('alice');
      ms += 500;
    }
    time.passTime(ms);
    expect(time.of('alice')).to.equal(30_000);
    time.passTime(ms + 86_400_000);

    expect(JSON.stringify([time.of('alice'), time])).to.not.include('alice');
  });
});
