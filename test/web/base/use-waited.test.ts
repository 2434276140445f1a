import { expect } from 'chai';
import { useWaited, type Waited } from '../../../web/src/base/use-waited.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

describe('a person who waits', () => {
  let hook: RenderedHook<readonly [Waited, () => void]>;
  let isRunning: boolean;

  beforeEach(async () => {
    isRunning = true;
    hook = await RenderedHook.render(() => useWaited(isRunning));
  });

  afterEach(() => hook.unmount());

  it('sees nothing for a moment, then a sign, words, and at the end a way out', async () => {
    const seen: Waited[] = [hook.value[0]];
    for (const ms of [290, 20, 2650, 50, 11_900, 100]) {
      await hook.pass(ms);
      seen.push(hook.value[0]);
    }

    expect(seen).to.deep.equal(['nothing', 'nothing', 'sign', 'sign', 'words', 'words', 'end']);
  });

  it('waits from the beginning after another attempt', async () => {
    for (const ms of [300, 2700, 12_000]) await hook.pass(ms);
    await hook.do(([, restart]) => restart());
    expect(hook.value[0]).to.equal('nothing');
    await hook.pass(300);

    expect(hook.value[0]).to.equal('sign');
  });

  it('does not wait for what has failed', async () => {
    isRunning = false;
    await hook.again();
    await hook.pass(60_000);

    expect(hook.value[0]).to.equal('nothing');
  });
});
