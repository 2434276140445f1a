import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { FORM_TYPE, filePart, multipart } from '../../support/fixtures/multipart.ts';
import type { DescribedApi } from '../../support/openapi/described-api.ts';
import type { RunningCatalog } from '../../support/servers/running-catalog.ts';
import type { fuzzPictures } from '../fuzz-pictures.ts';
import type { DescribedRequest, RequestBody } from './described-request.ts';

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
  /** Ascending. */
  readonly #ids: number[] = [];

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
      this.#bodyOf(request.body),
    );
    const { status, headers, body } = received;
    const isJson = headers['content-type']?.startsWith('application/json') === true;
    this.api.check(
      { method: request.method, path },
      { status, headers, text: isJson ? body.toString() : undefined },
    );
    if (status === 500) throw new Error('returns 500');
    if (request.expected?.includes(status) === false) {
      throw new Error(
        `returns ${status} instead of ${request.expected.join(' or ')}: ${body.toString('latin1', 0, 300)}`,
      );
    }
    if (request.operationId === 'deleteImage' && status === 204) this.#forget(path);
    await this.#remember(request, received);
    return status;
  }

  close(): void {
    this.#agent.destroy();
  }

  #pathOf({ path, id, query }: DescribedRequest): string {
    const text = typeof id === 'string' ? id : String(this.#ids[Math.floor(id * this.#ids.length)] ?? 1);
    const parameters = new URLSearchParams(
      query.map(([name, value]): [string, string] => [name, value]),
    ).toString();
    return path.replace('{id}', text) + (parameters === '' ? '' : `?${parameters}`);
  }

  #headersOf({ token, headers, body }: DescribedRequest): Record<string, string> {
    return {
      ...(token === 'none' ? {} : { Authorization: token === 'good' ? this.#bearer : `${this.#bearer}x` }),
      ...(body.kind === 'none' ? {} : { 'Content-Type': body.kind === 'form' ? FORM_TYPE : body.mediaType }),
      ...Object.fromEntries(headers),
    };
  }

  #bodyOf(body: RequestBody): Buffer | undefined {
    if (body.kind === 'none') return undefined;
    if (body.kind === 'text') return Buffer.from(body.text);
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
    { status, headers, body }: Received,
  ): Promise<void> {
    if (operationId !== 'uploadImage' || method !== 'POST' || status !== 201) return;
    if (headers['idempotency-replayed'] === undefined) this.#ids.push(idOf(body));
    if (this.#ids.length > MAX_IMAGES) {
      const headers = { Authorization: this.#bearer };
      await this.#exchange('DELETE', `/api/image/${this.#ids.shift()}`, headers, undefined);
    }
  }

  #forget(path: string): void {
    const id = Number(path.split('/').at(-1));
    this.#ids.splice(this.#ids.indexOf(id), 1);
  }

  async #addImage(): Promise<void> {
    const form = multipart([filePart(this.pictures.jpeg)]);
    const headers = { Authorization: this.#bearer, 'Content-Type': FORM_TYPE };
    const { status, body } = await this.#exchange('POST', '/api/upload', headers, form);
    if (status === 201) this.#ids.push(idOf(body));
  }
}

function idOf(body: Buffer): number {
  return (JSON.parse(body.toString()) as { readonly id: number }).id;
}
