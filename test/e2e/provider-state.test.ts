import { expect } from 'chai';
import { ProviderState } from '../../demo/provider-state.ts';

describe('the state of the demo identity provider', () => {
  it('forgets a model when its time is over', async () => {
    let now = 1000;
    const codes = new ProviderState({ now: () => now }).adapter('AuthorizationCode');
    await codes.upsert('1', {}, 60);

    now += 60_000;
    expect(await codes.find('1')).to.deep.equal({});
    now += 1;
    expect(await codes.find('1')).to.equal(undefined);
  });

  it('drops the oldest models if there are too many', async () => {
    const sessions = new ProviderState({ maxEntries: 2 }).adapter('Session');
    for (const id of ['1', '2', '3']) await sessions.upsert(id, { uid: id }, 60);

    expect(await sessions.find('1')).to.equal(undefined);
    expect(await sessions.find('3')).to.deep.equal({ uid: '3' });
  });
});
