import { expect } from 'chai';
import { sharedValue } from '../../../web/src/base/shared-value.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';

describe('a shared object', () => {
  unmountAfterwards();

  it('without its provider is a mistake', async () => {
    const useThing = sharedValue<object>();
    let error: unknown;
    await mount(() => {
      try {
        useThing();
      } catch (caught) {
        error = caught;
      }
    });

    expect(error).to.be.instanceOf(TypeError);
  });
});
