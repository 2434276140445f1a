import { expect } from 'chai';
import { useHint } from '../../../web/src/viewer/use-hint.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';

describe('a hint of the viewer', () => {
  unmountAfterwards();

  it('goes away by itself', async () => {
    const hook = await mount(() => useHint(1));
    await hook.do(([, show]) => show('The last picture'));
    await hook.pass(1900);
    expect(hook.value[0]).to.equal('The last picture');
    await hook.pass(100);

    expect(hook.value[0]).to.equal(undefined);
  });

  it('goes away with its picture', async () => {
    let id = 1;
    const hook = await mount(() => useHint(id));
    await hook.do(([, show]) => show('The last picture'));
    id = 2;
    await hook.again();

    expect(hook.value[0]).to.equal(undefined);
  });
});
