import { expect } from 'chai';
import { Turns } from '../../../web/src/base/turns.ts';
import { settled } from '../../support/time/gate.ts';

describe('turns', () => {
  const { signal } = new AbortController();
  let running: string[];
  let ends: Map<string, () => void>;
  let turns: Turns;

  beforeEach(() => {
    running = [];
    ends = new Map();
    turns = new Turns(2);
  });

  function work(name: string): () => Promise<string> {
    return () => {
      running.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(name)));
    };
  }

  it('run two at a time, in their order', async () => {
    const all = ['a', 'b', 'c', 'd'].map((name) => turns.run(work(name), signal));
    await settled();
    expect(running).to.deep.equal(['a', 'b']);

    ends.get('b')?.();
    await settled();
    expect(running).to.deep.equal(['a', 'b', 'c']);
    for (const name of ['a', 'c']) ends.get(name)?.();
    await settled();
    ends.get('d')?.();
    expect(await Promise.all(all)).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('pass what was aborted while it waited, and what fails', async () => {
    const abort = new AbortController();
    const failed = turns.run(async () => await Promise.reject(new Error('No')), signal).catch(String);
    void turns.run(work('a'), signal);
    const passed = turns.run(work('b'), abort.signal).catch(({ name }: Error) => name);
    void turns.run(work('c'), signal);
    abort.abort();

    expect(await Promise.all([failed, passed])).to.deep.equal(['Error: No', 'AbortError']);
    await settled();
    expect(running).to.deep.equal(['a', 'c']);
  });
});
