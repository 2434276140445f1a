import { expect } from 'chai';
import { ProviderState } from '../../demo/provider-state.ts';

describe('the state of the demo identity provider', () => {
  it('keeps models of one kind apart from those of others', async () => {
    const state = new ProviderState();
    await state.adapter('Session').upsert('1', { uid: 'a' }, 60);

    expect(await state.adapter('Session').find('1')).to.deep.equal({ uid: 'a' });
    expect(await state.adapter('Grant').find('1')).to.equal(undefined);
    expect(await state.adapter('Session').findByUid('a')).to.deep.equal({ uid: 'a' });
    expect(await state.adapter('Interaction').findByUid('a')).to.equal(undefined);
  });

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

  it('revokes what belongs to a grant', async () => {
    const tokens = new ProviderState().adapter('RefreshToken');
    await tokens.upsert('1', { grantId: 'a' }, 60);
    await tokens.upsert('2', { grantId: 'b' }, 60);

    await tokens.revokeByGrantId('a');

    expect(await tokens.find('1')).to.equal(undefined);
    expect(await tokens.find('2')).to.deep.equal({ grantId: 'b' });
  });
});
