import { CatalogError } from '@image-catalog/client';
import { expect } from 'chai';
import { createElement } from 'react';
import { Part } from '../../../web/src/base/part.ts';
import { SharedValues, SharedValuesProvider } from '../../../web/src/base/shared-value.ts';
import { usePart } from '../../../web/src/states/use-part.ts';
import { Trouble } from '../../../web/src/trouble/trouble.ts';
import { useTrouble } from '../../../web/src/trouble/use-trouble.ts';
import { settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

describe('a part that cannot be loaded', () => {
  it('is tried again until it is there, although it is not needed any more', async () => {
    let isAway = true;
    const part = new Part(
      async () => {
        if (isAway) throw new CatalogError('away', { code: 'network_error', status: 0 });
        return 'code';
      },
      (code) => code,
    );
    const trouble = new Trouble({
      clock: new ManualTime(),
      isOnline: () => true,
      probe: async () => undefined,
      onRefusal: () => undefined,
    });
    const values = new SharedValues().with(useTrouble, trouble);
    const hook = await RenderedHook.render(
      () => usePart(part),
      (children) => createElement(SharedValuesProvider, { values, children }),
    );
    await hook.unmount();
    expect(trouble.outage.get()?.kind).to.equal('unreachable');

    isAway = false;
    trouble.retryNow();
    await settled();

    expect([part.loaded.get(), trouble.outage.get()]).to.deep.equal(['code', undefined]);
  });
});
