import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { FORM_TYPE, filePart, multipart } from '../../support/fixtures/multipart.ts';
import type { DescribedApi } from '../../support/openapi/described-api.ts';
import type { RunningCatalog } from '../../support/servers/running-catalog.ts';
import type { fuzzPictures } from '../fuzz-pictures.ts';
import type { DescribedRequest } from './described-request.ts';

/** Above it the oldest image is deleted, so that listings stay short. */
const MAX_IMAGES = 20;

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends generated requests and checks the responses against the document of the service. */
export class DescribedClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #bearer: string;
  readonly #ids: number[] = [];
  /** Their rows may be restored or erased. */
  readonly #trashedIds: number[] = [];

  constructor(
    private readonly catalog: RunningCatalog,
    private readonly api: DescribedApi,
    private readonly pictures: Awaited<ReturnType<typeof fuzzPictures>>,
  ) {
    this.#bearer = catalog.bearer;
  }

  /**
   * Resolves to the status.
   *
   * @throws {Error} if the document does not declare the response, or if it is not one that the mutation allows
   */
  async send(request: DescribedRequest): Promise<number> {
    if (this.#ids.length === 0) await this.#addImage();
    const path = this.#pathOf(request);
    const received = await this.#exchange(
      request.method,
      path,
      this.#headersOf(request),
      this.#bodyOf(request),
    );
    const { status, headers, body } = received;
    const isJson = headers['content-type']?.startsWith('application/json') === true;
    this.api.check(
      { method: request.method, path },
      { status, headers, text: isJson ? body.toString() : undefined },
    );
    if (status === 500) throw new Error('returns 500');
    // The service of this test sets no SCOPE_ALL_SPACES, and judges the scope before everything else.
    const isRefused = status === 403 && request.path.startsWith('/api/spaces');
    if (!isRefused && request.expected?.includes(status) === false) {
      throw new Error(
        `returns ${status} instead of ${request.expected.join(' or ')}: ${body.toString('latin1', 0, 300)}`,
      );
    }
    await this.#remember(request, path, received);
    return status;
  }

  close(): void {
    this.#agent.destroy();
  }

  #pathOf({ path, id, name, query }: DescribedRequest): string {
    const ids = path.startsWith('/api/trash') ? this.#trashedIds : this.#ids;
    const text = typeof id === 'string' ? id : String(at(id, ids));
    const parameters = new URLSearchParams(
      query.map(([name, value]): [string, string] => [name, value]),
    ).toString();
    return path.replace('{id}', text).replace('{name}', name) + (parameters === '' ? '' : `?${parameters}`);
  }

  #headersOf({ token, headers, body }: DescribedRequest): Record<string, string> {
    return {
      ...(token === 'none' ? {} : { Authorization: token === 'good' ? this.#bearer : `${this.#bearer}x` }),
      ...(body.kind === 'none' ? {} : { 'Content-Type': body.kind === 'form' ? FORM_TYPE : body.mediaType }),
      ...Object.fromEntries(headers),
    };
  }

  #bodyOf({ body, operationId, id }: DescribedRequest): Buffer | undefined {
    if (body.kind === 'none') return undefined;
    if (body.kind === 'text') {
      // Hardly any other number is the id of an image that is there.
      const isNamed = operationId === 'setName' && typeof id === 'number';
      return Buffer.from(
        isNamed ? body.text.replace(/^\{"id":\d+\}$/, `{"id":${at(id, this.#ids)}}`) : body.text,
      );
    }
    const form = multipart([filePart(this.pictures[body.picture], 'cat.png', body.field)]);
    return body.isCut ? form.subarray(0, form.length / 2) : form;
  }

  async #exchange(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Buffer | undefined,
  ): Promise<Received> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const { hostname, port } = new URL(this.catalog.url);
      const length = body === undefined ? {} : { 'Content-Length': body.length };
      const sent = httpRequest({
        hostname,
        port,
        method,
        path,
        agent: this.#agent,
        headers: { ...headers, ...length },
      });
      let isAnswered = false;
      sent.once('response', (received) => {
        isAnswered = true;
        resolve(received);
      });
      // The service may refuse a body and close before it is sent.
      sent.on('error', (error) => (isAnswered ? undefined : reject(error)));
      sent.end(body);
    });
    return {
      status: response.statusCode ?? 0,
      headers: response.headers as Record<string, string>,
      body: await buffer(response),
    };
  }

  async #remember(
    { method, operationId }: DescribedRequest,
    path: string,
    { status, headers, body }: Received,
  ): Promise<void> {
    const id = Number(path.split('/')[3]);
    if (operationId === 'deleteImage' && status === 204) move(id, this.#ids, this.#trashedIds);
    if (operationId === 'restoreImage' && status === 200) move(id, this.#trashedIds, this.#ids);
    if (operationId === 'eraseImage' && status === 204) move(id, this.#trashedIds, []);
    if (operationId !== 'uploadImage' || method !== 'POST' || status !== 201) return;
    if (headers['idempotency-replayed'] === undefined) this.#ids.push(idOf(body));
    const [oldest] = this.#ids;
    if (oldest !== undefined && this.#ids.length > MAX_IMAGES) {
      const headers = { Authorization: this.#bearer };
      await this.#exchange('DELETE', `/api/image/${oldest}`, headers, undefined);
      move(oldest, this.#ids, this.#trashedIds);
    }
  }

  async #addImage(): Promise<void> {
    const form = multipart([filePart(this.pictures.jpeg)]);
    const headers = { Authorization: this.#bearer, 'Content-Type': FORM_TYPE };
    const { status, body } = await this.#exchange('POST', '/api/upload', headers, form);
    if (status === 201) this.#ids.push(idOf(body));
  }
}

function at(place: number, ids: readonly number[]): number {
  return ids[Math.floor(place * ids.length)] ?? 1;
}

function move(id: number, from: number[], to: number[]): void {
  from.splice(from.indexOf(id), 1);
  to.push(id);
}

function idOf(body: Buffer): number {
  return (JSON.parse(body.toString()) as { readonly id: number }).id;
}
