import { join } from 'node:path';
import { ImageCatalog } from '../../../client/src/node.ts';
import { DEMO_CLIENT } from '../../../demo/demo-client.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { requestToken } from '../../support/http/catalog-client.ts';
import { lastingPort } from '../../support/servers/lasting-port.ts';
import { NodeProcess, PROJECT_FOLDER } from '../../support/servers/service-process.ts';

/** The built demo, with a page on another port that may sign in at its provider. */
export class DemoWithPage {
  private constructor(
    /** Where the page must be served, without a slash at the end. */
    readonly pageOrigin: string,
    /** With trailing slashes, as the demo prints them. */
    readonly catalogUrl: string,
    readonly issuer: string,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(): Promise<DemoWithPage> {
    const folder = await temporaryFolder();
    const pageOrigin = `http://127.0.0.1:${await lastingPort()}`;
    const demo = NodeProcess.start([join(PROJECT_FOLDER, 'bin/image-catalog.cjs'), 'demo'], {
      cwd: folder.path,
      // Pages of other origins may not call the API: the demo must allow the page by itself.
      env: { PORT: '0', WEB_PORT: '0', CORS_ORIGIN: 'http://127.0.0.1:1', DEMO_ORIGIN: pageOrigin },
      lastSignal: 'SIGTERM',
    });
    const addressOf = async (what: string): Promise<string> =>
      await demo.line((line) => (line.startsWith(what) ? line.split(/\s+/).at(-1) : undefined));
    return new DemoWithPage(
      pageOrigin,
      await addressOf('Image catalog:'),
      await addressOf('Identity provider:'),
      async () => {
        await demo.stop('SIGTERM');
        await folder.remove();
      },
    );
  }

  get pagePort(): string {
    return new URL(this.pageOrigin).port;
  }

  /** The API, for a program. */
  images(): ImageCatalog {
    return new ImageCatalog({ url: this.catalogUrl, getToken: () => requestToken(this.issuer, DEMO_CLIENT) });
  }

  async stop(): Promise<void> {
    await this.end();
  }
}
