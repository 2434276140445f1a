import { expect } from 'chai';
import { useSecondsUntil } from '../../../web/src/states/use-seconds-until.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';

describe('the seconds until an attempt', () => {
  unmountAfterwards();

  it('count down to 0, and no further', async () => {
    let until: number | undefined;
    const hook = await mount(() => {
      until ??= Date.now() + 2500;
      return useSecondsUntil(until);
    });
    expect(hook.value).to.equal(3);
    await hook.pass(1000);
    expect(hook.value).to.equal(2);
    await hook.pass(5000);

    expect(hook.value).to.equal(0);
  });

  it('are 0 without an attempt', async () => {
    expect((await mount(() => useSecondsUntil(undefined))).value).to.equal(0);
  });
});
