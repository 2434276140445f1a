import type { DescribedApi } from '../support/openapi/described-api.ts';
import type { RunningCatalog } from '../support/servers/running-catalog.ts';
import { ResponseReader, type WireResponse } from './answer-reader.ts';
import { judge } from './judge.ts';
import { type FuzzRequest, type FuzzToken, type TokenKind } from './requests.ts';
import { type Surroundings, wireOf } from './wire.ts';

/** The maximum number of images; above it, the oldest is deleted, so that listings stay short. */
const MAX_IMAGES = 20;

interface OwnImage {
  readonly id: number;
}

export type Outcome = number | 'none';

/** One client of the fuzz: a connection that it keeps as long as possible, and images that only it deletes. */
export class FuzzClient {
  private reader: ResponseReader | undefined;
  private readonly images: OwnImage[] = [];

  constructor(
    private readonly catalog: RunningCatalog,
    private readonly pictures: Surroundings['pictures'],
    private readonly api: DescribedApi,
  ) {}

  /**
   * Sends a request and judges its response.
   *
   * @returns its status
   * @throws {Error} if the service violates the contract
   */
  async send(request: FuzzRequest): Promise<Outcome> {
    const image = this.images.at(-1) ?? (await this.addImage());
    const authorization = authorizationOf(request.token, this.catalog);
    const wire = wireOf(request, { pictures: this.pictures, image, authorization });
    const reader = await this.connection();
    for (const piece of wire.writes) await reader.write(piece);
    if (wire.ending === 'ends') reader.end();
    const isDelete = request.method === 'DELETE' && request.target.includes('{id}');
    const response =
      wire.ending === 'resets' ? undefined : await this.response(reader, request, wire.isWhole);
    // Without a response the outcome of a delete is unknown; a delete with an incomplete body may still have succeeded.
    if (isDelete && (!wire.isWhole || response?.status === 204)) this.forget(image);
    if (response === undefined) return this.leave('none');
    this.judge(request, response);
    this.remember(response);
    if (!wire.isWhole || response.headers.connection === 'close') this.leave(response.status);
    if (this.images.length > MAX_IMAGES) await this.removeOldest();
    return response.status;
  }

  close(): void {
    this.leave('none');
  }

  private judge(request: FuzzRequest, response: WireResponse): void {
    try {
      judge(request, response, this.api);
    } catch (error) {
      throw new Error(`${String(error)}: ${describe(response)}`, { cause: error });
    }
  }

  private async response(
    reader: ResponseReader,
    { method }: FuzzRequest,
    isDue: boolean,
  ): Promise<WireResponse | undefined> {
    const response = await reader.next(method);
    if (response === undefined && isDue) throw new Error('The connection ends without a response');
    return response;
  }

  private remember({ status, headers, body }: WireResponse): void {
    // Another client may have been the first with the same key.
    if (status === 201 && headers['idempotency-replayed'] === undefined) {
      this.images.push(JSON.parse(body.toString('utf8')) as OwnImage);
    }
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

  private async connection(): Promise<ResponseReader> {
    if (this.reader?.hasMore === true) throw new Error('A response without a request');
    if (this.reader?.isOpen !== true) this.reader = await ResponseReader.open(this.catalog.port);
    return this.reader;
  }

  private async addImage(): Promise<OwnImage> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(this.pictures.png)]), 'cat.png');
    const response = await this.catalog.request('api/upload', { method: 'POST', body: form });
    if (response.status !== 201) throw new Error(`An upload returns ${response.status}`);
    const image = (await response.json()) as OwnImage;
    this.images.push(image);
    return image;
  }

  private async removeOldest(): Promise<void> {
    const [oldest] = this.images;
    if (oldest === undefined) return;
    const response = await this.catalog.request(`api/image/${oldest.id}`, { method: 'DELETE' });
    if (response.status !== 204) throw new Error(`A delete returns ${response.status}`);
    this.forget(oldest);
  }
}

function describe({ status, headers, body }: WireResponse): string {
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

const TOKENS: Readonly<Record<MadeToken, (catalog: RunningCatalog) => string>> = {
  valid: (catalog) => catalog.bearer,
  'lower-case scheme': (catalog) => `bearer  ${catalog.token()}`,
  altered: (catalog) => `Bearer ${altered(catalog.token())}`,
};

/** Replaces the claims and keeps the signature. */
function altered(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const other = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url');
  return [header, other, signature].join('.');
}
