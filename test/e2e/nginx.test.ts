import { answersBytes } from '../contracts/bytes.contract.ts';
import { isNginxInstalled, Nginx } from '../support/nginx.ts';
import { type Front, TestService, type TestServiceOptions } from '../support/test-service.ts';
import type { TestStorage } from '../support/test-storage.ts';

const PREFIX = '/_blobs/';

async function openNginx(port: number, { environment }: TestStorage): Promise<Front> {
  const blobFolder = environment.BLOB_STORE_URL?.slice('file:'.length) ?? '';
  return await Nginx.start({ upstreams: [port], blobFolder });
}

async function startBehindNginx(options: TestServiceOptions = {}): Promise<TestService> {
  return await TestService.start({ accelRedirectPrefix: PREFIX, openFront: openNginx, ...options });
}

const describeWithNginx = isNginxInstalled() ? describe : describe.skip;

describeWithNginx('/api/image/:id/file behind nginx, which sends the bytes', () => {
  answersBytes(startBehindNginx);
});

describeWithNginx('/api/image/:id/file behind nginx, which passes them on', () => {
  answersBytes((options) => startBehindNginx({ ...options, accelRedirectPrefix: undefined }));
});
