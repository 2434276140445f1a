import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import { useStore } from '../../../web/src/base/use-store.ts';
import { useStoreValue } from '../../../web/src/base/use-store-value.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';

describe('a store in a component', () => {
  unmountAfterwards();

  it('renders again when its value changes', async () => {
    const store = new Store(1);
    const hook = await mount(() => useStore(store));
    await hook.do(() => store.set(2));

    expect(hook.value).to.equal(2);
  });

  it('renders again only if what is selected changes', async () => {
    const store = new Store({ name: 'Ada', count: 1 });
    let renders = 0;
    const hook = await mount(() => {
      renders += 1;
      return useStoreValue(store, ({ name }) => name);
    });
    await hook.do(() => store.update((value) => ({ ...value, count: 2 })));
    expect(renders).to.equal(1);
    await hook.do(() => store.update((value) => ({ ...value, name: 'Grace' })));

    expect([renders, hook.value]).to.deep.equal([2, 'Grace']);
  });
});
