import type { Response, Test } from 'supertest';
import { FORM_TYPE, filePart, multipart, type Part } from '../fixtures/multipart.ts';
import { RawConnection } from './raw-connection.ts';
import { TestService, type TestServiceOptions } from './test-service.ts';
import { WebListener } from './web-listener.ts';

/** A path in it is taken off by the proxy. */
export const WEB_URL = 'https://cats.example.com/gallery/';

/** A service with a web listener, and tickets for uploads to it. */
export class TicketedService {
  private constructor(
    readonly service: TestService,
    readonly web: WebListener,
  ) {}

  static async start(options: TestServiceOptions = {}): Promise<TicketedService> {
    const service = await TestService.start({ webUrl: WEB_URL, ...options });
    return new TicketedService(service, await WebListener.start(service));
  }

  /** The response of the API. */
  async make(body: object, claims: Record<string, unknown> = {}): Promise<Response> {
    return await this.service
      .postJson('/api/uploads/tickets', JSON.stringify(body))
      .set('Authorization', this.service.bearerWith(claims));
  }

  /** The path of a new ticket on the web listener. */
  async ticket(body: object = {}, claims: Record<string, unknown> = {}): Promise<string> {
    const response = await this.make(body, claims);
    const [url] = (response.body as { readonly urls?: readonly string[] }).urls ?? [];
    if (url === undefined) throw new Error(`No ticket: ${response.status} ${response.text}`);
    return url.replace(WEB_URL, '/');
  }

  /** An upload without a token. */
  upload(path: string, bytes: Uint8Array, filename = 'cat.png'): Test {
    return this.send(path, [filePart(bytes, filename)]);
  }

  send(path: string, parts: readonly Part[]): Test {
    const body = multipart(parts);
    // Without a type, superagent would serialize a Buffer as JSON.
    return this.web.agent
      .post(path)
      .set('Content-Type', FORM_TYPE)
      .serialize(() => body as unknown as string)
      .send(body);
  }

  async connect(): Promise<RawConnection> {
    return await RawConnection.open(this.web.port);
  }

  /** Orphaned files after all uploads have ended. */
  async leftovers(): Promise<readonly string[]> {
    await this.web.idle();
    return await this.service.leftovers();
  }

  async stop(): Promise<void> {
    await this.web.stop();
    await this.service.stop();
  }
}
