import { expect } from 'chai';
import { IdleBounds } from '../../src/adapters/decoder/idle-bounds.ts';
import type { ProcessUsage } from '../../src/adapters/decoder/process-usage.ts';

const MIB = 1024 * 1024;
const START: ProcessUsage = { cpuSeconds: 0.3, anonymousBytes: 18 * MIB, isStopped: false };

function after(cpuSeconds: number, bytes = 0): ProcessUsage {
  return {
    ...START,
    cpuSeconds: START.cpuSeconds + cpuSeconds,
    anonymousBytes: START.anonymousBytes + bytes,
  };
}

describe('IdleBounds', () => {
  it('allow 64 MiB above the start, and no more', () => {
    const idle = new IdleBounds(START);

    expect(idle.excess(after(0, 64 * MIB))).to.equal(undefined);
    expect(idle.excess(after(0, 64 * MIB + 4096))).to.equal('memory');
  });

  it('allow half a second of CPU time in a minute, and no more', () => {
    const idle = new IdleBounds(START);

    expect(idle.excess(after(0.5))).to.equal(undefined);
    expect(idle.excess(after(0.51))).to.equal('CPU time');
  });

  it('begin a new minute after sixty looks', () => {
    const idle = new IdleBounds(START);
    for (let second = 0; second < 600; second += 1) {
      expect(idle.excess(after(second * 0.005))).to.equal(undefined);
    }

    expect(idle.excess(after(600 * 0.005 + 0.5))).to.equal('CPU time');
  });

  it('begin a new minute at the end of a job', () => {
    const idle = new IdleBounds(START);
    idle.begin(after(4).cpuSeconds);

    expect(idle.excess(after(4.5))).to.equal(undefined);
    expect(idle.excess(after(4.6))).to.equal('CPU time');
  });
});
