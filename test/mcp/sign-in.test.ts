import { expect } from 'chai';
import { signIn } from '../../mcp/src/sign-in.ts';
import type { ShowCode } from '../../src/adapters/openid/access-tokens.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { untilNextLook } from '../support/time/until-next-look.ts';

const CODE = { address: 'https://login.example.test/device', userCode: 'ABCD-EFGH' };

let provider: { confirm: (token: string) => void; refuse: (error: Error) => void };
let asked: number;

/** Asks a person each time. */
function source(showCode: ShowCode): () => Promise<string> {
  return async () => {
    asked += 1;
    const token = new Promise<string>((confirm, refuse) => {
      provider = { confirm, refuse };
    });
    await Promise.resolve();
    showCode(CODE);
    return await token;
  };
}

describe('a sign-in that a person confirms', () => {
  beforeEach(() => {
    asked = 0;
  });

  it('says what the person has to do until the code is confirmed, and asks once', async () => {
    const getToken = signIn(source);
    for (let call = 0; call < 2; call += 1) {
      expect((await rejection(getToken())).message)
        .to.include(CODE.address)
        .and.include(CODE.userCode);
    }

    provider.confirm('token');
    await untilNextLook();

    expect(await getToken()).to.equal('token');
    expect(asked).to.equal(1);
  });

  it('asks again for the next token, and after a code that was not confirmed in time', async () => {
    const getToken = signIn(source);
    await rejection(getToken());
    provider.refuse(new Error('expired'));
    await untilNextLook();
    expect((await rejection(getToken())).message).to.equal('expired');

    await rejection(getToken());
    provider.confirm('second');
    await untilNextLook();

    expect(await getToken()).to.equal('second');
    expect(asked).to.equal(2);
  });

  it('asks nobody if the provider gives a token by itself', async () => {
    expect(await signIn(() => async () => 'own')()).to.equal('own');
  });
});
