import { expect } from 'chai';
import { type JudgeToken, tokenJudge } from '../../../web/src/session/token-judge.ts';
import { rejection } from '../../support/fixtures/rejection.ts';

const API = 'https://api.example.com/';
const LONG = 'x'.repeat(20_000);

/** The status of a response to a request with or without a token; `undefined`: the page gets none. */
type Answer = (token: string | undefined) => number | undefined;

describe('a token of the gallery', () => {
  let realFetch: typeof fetch;
  let asked: Array<string | undefined>;
  let answer: Answer;
  let judge: JudgeToken;

  beforeEach(() => {
    realFetch = globalThis.fetch;
    asked = [];
    globalThis.fetch = async (_url, init) => {
      const token = new Headers(init?.headers).get('Authorization') ?? undefined;
      asked.push(token?.slice(0, 8));
      const status = answer(token);
      if (status === undefined) throw new TypeError('Failed to fetch');
      return new Response(null, { status });
    };
    judge = tokenJudge(API);
  });

  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  it('of 15,000 characters is used without a question', async () => {
    answer = () => undefined;
    await judge('x'.repeat(15_000));

    expect(asked).to.deep.equal([]);
  });

  for (const [what, status] of [
    ['responds with 431', 431],
    ['responds to nothing but a request without it', undefined],
  ] as const) {
    it(`is too long if the service ${what}`, async () => {
      answer = (token) => (token === undefined ? 200 : status);
      const refused = await rejection(judge(LONG));

      expect(refused).to.include({ code: 'token_too_long', status: 431, kind: 'refused' });
    });
  }

  it('is asked about once for requests at the same time, and not again after a response', async () => {
    answer = () => 431;
    await Promise.all([rejection(judge(LONG)), rejection(judge(LONG))]);
    await rejection(judge(LONG));

    expect(asked).to.deep.equal(['Bearer x']);
  });

  it('is judged anew if a connection has failed by chance', async () => {
    answer = (token) => (token === undefined ? 200 : undefined);
    await Promise.all([rejection(judge(LONG)), rejection(judge(LONG))]);
    expect(asked).to.deep.equal(['Bearer x', undefined]);
    answer = () => 200;

    await judge(LONG);
  });

  it('is used if the service accepts so much, and the question is not repeated', async () => {
    answer = () => 200;
    await judge(LONG);
    await judge(LONG);
    await judge(`${LONG}y`);

    expect(asked).to.deep.equal(['Bearer x', 'Bearer x']);
  });

  it('is judged anew when a service that was down is back', async () => {
    answer = () => undefined;
    await judge(LONG);
    answer = (token) => (token === undefined ? 200 : undefined);

    expect(await rejection(judge(LONG))).to.include({ code: 'token_too_long' });
  });
});
