import type { RunningCatalog } from '../support/running-catalog.ts';
import { rsaKey } from '../support/tokens.ts';
import { type Answer, AnswerReader } from './answer-reader.ts';
import { problemOf } from './judge.ts';
import { type FuzzRequest, type FuzzToken, type TokenKind } from './requests.ts';
import { type Surroundings, wireOf } from './wire.ts';

/** Far more than any answer takes; a request that gets none has been forgotten. */
const ANSWER_DEADLINE_MS = 20_000;
/** More images than that, and the oldest goes: listings stay short. */
const MAX_IMAGES = 20;

interface OwnImage {
  readonly id: number;
  readonly sha256: string;
}

export type Outcome = number | 'none';

/** One client of the fuzz: a connection that it keeps as long as it may, and images that nobody else deletes. */
export class FuzzClient {
  private reader: AnswerReader | undefined;
  private readonly images: OwnImage[] = [];

  constructor(
    private readonly catalog: RunningCatalog,
    private readonly pictures: Surroundings['pictures'],
  ) {}

  /**
   * Sends a request and judges its answer.
   *
   * @returns its status
   * @throws {Error} where the service does not keep what it promises
   */
  async send(request: FuzzRequest): Promise<Outcome> {
    const image = this.images.at(-1) ?? (await this.addImage());
    const authorization = authorizationOf(request.token, this.catalog);
    const wire = wireOf(request, { pictures: this.pictures, image, authorization });
    const reader = await this.connection();
    for (const piece of wire.writes) await reader.write(piece);
    if (wire.ending === 'ends') reader.end();
    const isDelete = request.method === 'DELETE' && request.target.includes('{id}');
    const answer = wire.ending === 'resets' ? undefined : await this.answer(reader, request, wire.isWhole);
    // Without an answer nobody knows, nor with one to a body that breaks off: the delete did not need it.
    if (isDelete && (!wire.isWhole || answer?.status === 204)) this.forget(image);
    if (answer === undefined) return this.leave('none');
    const problem = problemOf(request, answer);
    if (problem !== undefined) throw new Error(`${problem}: ${describe(answer)}`);
    this.remember(answer);
    if (!wire.isWhole || answer.headers.connection === 'close') this.leave(answer.status);
    if (this.images.length > MAX_IMAGES) await this.removeOldest();
    return answer.status;
  }

  close(): void {
    this.leave('none');
  }

  private async answer(
    reader: AnswerReader,
    { method }: FuzzRequest,
    isDue: boolean,
  ): Promise<Answer | undefined> {
    const answer = await reader.next(method, ANSWER_DEADLINE_MS);
    if (answer === undefined && isDue) throw new Error('The connection ends without an answer');
    return answer;
  }

  private remember({ status, headers, body }: Answer): void {
    // Another client may have been the first under the same key.
    if (status === 201 && headers['idempotency-replayed'] === undefined)
      this.images.push(JSON.parse(body.toString('utf8')) as OwnImage);
  }

  private forget({ id }: OwnImage): void {
    this.images.splice(
      this.images.findIndex((image) => image.id === id),
      1,
    );
  }

  private leave(outcome: Outcome): Outcome {
    this.reader?.reset();
    this.reader = undefined;
    return outcome;
  }

  private async connection(): Promise<AnswerReader> {
    if (this.reader?.hasMore === true) throw new Error('An answer to nothing');
    if (this.reader?.isOpen !== true) this.reader = await AnswerReader.open(this.catalog.port);
    return this.reader;
  }

  private async addImage(): Promise<OwnImage> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(this.pictures.png)]), 'cat.png');
    const response = await this.catalog.request('api/upload', { method: 'POST', body: form });
    if (response.status !== 201) throw new Error(`An upload answers ${response.status}`);
    const image = (await response.json()) as OwnImage;
    this.images.push(image);
    return image;
  }

  private async removeOldest(): Promise<void> {
    const [oldest] = this.images;
    if (oldest === undefined) return;
    const response = await this.catalog.request(`api/image/${oldest.id}`, { method: 'DELETE' });
    if (response.status !== 204) throw new Error(`A delete answers ${response.status}`);
    this.forget(oldest);
  }
}

function describe({ status, headers, body }: Answer): string {
  return `${status} ${JSON.stringify(headers)} ${body.toString('utf8').slice(0, 300)}`;
}

/* Tokens are made once each: signing costs more than a request. */
const tokens = new Map<string, string>();

function authorizationOf({ kind, text }: FuzzToken, catalog: RunningCatalog): string | undefined {
  if (kind === 'missing') return undefined;
  if (kind === 'any text') return text;
  const key = `${kind} ${catalog.issuer}`;
  const token = tokens.get(key) ?? TOKENS[kind](catalog);
  tokens.set(key, token);
  return token;
}

type MadeToken = Exclude<TokenKind, 'missing' | 'any text'>;

const HOUR = 3600;
const now = (): number => Math.floor(Date.now() / 1000);

const TOKENS: Readonly<Record<MadeToken, (catalog: RunningCatalog) => string>> = {
  valid: (catalog) => bearer(catalog.token()),
  'of another subject': (catalog) => bearer(catalog.token({ sub: 'bob' })),
  'without a subject': (catalog) => bearer(catalog.token({ sub: undefined, client_id: 'machine' })),
  'lower-case scheme': (catalog) => `bearer  ${catalog.token()}`,
  expired: (catalog) => bearer(catalog.token({ exp: now() - HOUR })),
  'not active yet': (catalog) => bearer(catalog.token({ nbf: now() + 48 * HOUR })),
  'of another audience': (catalog) => bearer(catalog.token({ aud: 'https://other.example/' })),
  'of another issuer': (catalog) => bearer(catalog.token({ iss: 'https://other.example/' })),
  // Published under the same id, so that the signature itself has to tell.
  'of another key': (catalog) =>
    bearer(catalog.token({}, { ...rsaKey('stranger'), kid: rsaKey('running-catalog').kid })),
  'of an unknown kid': (catalog) => bearer(catalog.token({}, rsaKey('stranger'))),
  altered: (catalog) => bearer(altered(catalog.token())),
  'cut off': (catalog) => bearer(catalog.token().slice(0, -20)),
  'without a signature': (catalog) => bearer(`${catalog.token().split('.').slice(0, 2).join('.')}.`),
  'of another scheme': (catalog) => `Basic ${catalog.token()}`,
};

function bearer(token: string): string {
  return `Bearer ${token}`;
}

/** With other claims under the old signature. */
function altered(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const other = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url');
  return [header, other, signature].join('.');
}
