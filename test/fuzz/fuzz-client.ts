import type { DescribedApi } from '../support/openapi/described-api.ts';
import type { RunningCatalog } from '../support/servers/running-catalog.ts';
import type { FuzzRequest, FuzzToken } from './fuzz-request.ts';
import { judge } from './judge.ts';
import { ResponseReader, type WireResponse } from './response-reader.ts';
import { type Surroundings, type Wire, wireOf } from './wire.ts';

/** The maximum number of images; above it, the oldest is deleted, so that listings stay short. */
const MAX_IMAGES = 20;

export type Outcome = number | 'none';

/** One client of the fuzz: a connection that it keeps as long as possible, and images that only it deletes. */
export class FuzzClient {
  private reader: ResponseReader | undefined;
  private readonly images: number[] = [];
  /** They may be restored or erased. */
  private readonly trashed: number[] = [];

  constructor(
    private readonly catalog: RunningCatalog,
    private readonly pictures: Surroundings['pictures'],
    private readonly api: DescribedApi,
  ) {}

  /**
   * Sends a request and judges its response.
   *
   * @returns its status
   * @throws {Error} if the service violates the contract or its document
   */
  async send(request: FuzzRequest): Promise<Outcome> {
    if (this.images.length === 0) await this.addImage();
    const id = this.idOf(request);
    const authorization = authorizationOf(request.token, this.catalog);
    const wire = wireOf(request, { pictures: this.pictures, id, authorization });
    const response = await this.exchange(request, wire);
    this.remember(request, Number(id), wire, response);
    if (response === undefined) return this.leave('none');
    try {
      judge(request, wire.target, response, this.api);
    } catch (error) {
      throw new Error(`${String(error)}: ${describe(response)}`, { cause: error });
    }
    if (!wire.isWhole || response.headers.connection === 'close') this.leave(response.status);
    if (this.images.length > MAX_IMAGES) await this.removeOldest();
    return response.status;
  }

  close(): void {
    this.leave('none');
  }

  private idOf({ id, path }: FuzzRequest): number | string {
    if (typeof id === 'string') return id;
    const ids = path.startsWith('/api/trash') ? this.trashed : this.images;
    // Without any, that of an image which is not in the trash.
    return ids[Math.min(Math.floor(id * ids.length), ids.length - 1)] ?? 1;
  }

  private async exchange(request: FuzzRequest, wire: Wire): Promise<WireResponse | undefined> {
    const reader = await this.connection();
    for (const piece of wire.writes) await reader.write(piece);
    if (wire.ending === 'ends') reader.end();
    if (wire.ending === 'resets') return undefined;
    const response = await reader.next(request.method);
    if (response === undefined && wire.isWhole) throw new Error('The connection ends without a response');
    return response;
  }

  /** Without a response, or behind one to a part of a request, it is unknown where an image is. */
  private remember(
    { method, path }: FuzzRequest,
    id: number,
    { isWhole }: Wire,
    response: WireResponse | undefined,
  ): void {
    const isDone = response !== undefined && response.status < 300;
    const act = `${method} ${path}`;
    const moves: Readonly<Record<string, readonly [from: number[], to: number[]]>> = {
      'DELETE /api/image/{id}': [this.images, this.trashed],
      'POST /api/trash/{id}/restore': [this.trashed, this.images],
      'DELETE /api/trash/{id}': [this.trashed, []],
    };
    const [from, to] = moves[act] ?? [[], []];
    if (from.includes(id) && (isDone || !isWhole)) {
      from.splice(from.indexOf(id), 1);
      if (isDone && isWhole) to.push(id);
    }
    // Another client may have been the first with the same key.
    if (
      response?.status === 201 &&
      act === 'POST /api/upload' &&
      !('idempotency-replayed' in response.headers)
    ) {
      this.images.push((JSON.parse(response.body.toString()) as { readonly id: number }).id);
    }
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

  private async addImage(): Promise<void> {
    const response = await this.catalog.client().upload(new Uint8Array(this.pictures.png), 'cat.png');
    if (response.status !== 201) throw new Error(`An upload returns ${response.status}`);
    this.images.push(((await response.json()) as { readonly id: number }).id);
  }

  private async removeOldest(): Promise<void> {
    const oldest = this.images.shift() ?? 0;
    const { status } = await this.catalog.request(`api/image/${oldest}`, { method: 'DELETE' });
    if (status !== 204) throw new Error(`A delete returns ${status}`);
    this.trashed.push(oldest);
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

type MadeToken = Exclude<FuzzToken['kind'], 'missing' | 'any text'>;

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
