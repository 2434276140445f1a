import { pngPicture } from '../fixtures/pictures.ts';
import type { ServiceFolder } from './service-folder.ts';
import type { Environment, RunningService } from './service-process.ts';

export const WITH_WEB: Environment = { WEB_HOST: '127.0.0.1', WEB_PORT: '0' };

export async function uploadTo(folder: ServiceFolder, service: RunningService): Promise<number> {
  const picture = new File([await pngPicture()], 'cat.png');
  return (await folder.images(service).upload(picture)).id;
}

/** With a slash at its end. */
export async function webUrlOf({ process }: RunningService): Promise<string> {
  const port = await process.line((line) => {
    const { msg, port: listening } = JSON.parse(line) as { readonly msg: string; readonly port?: number };
    return msg === 'web listening' ? listening : undefined;
  });
  return `http://127.0.0.1:${port}/`;
}

export async function linkOf(folder: ServiceFolder, service: RunningService, id: number): Promise<string> {
  const { images } = await folder.images(service).links([id]);
  return images[id]?.[0] ?? never();
}

export function pathOf(link: string | undefined): string {
  return new URL(link ?? never()).pathname;
}

/** Of each link at each service. */
export async function statusesOf(
  services: readonly RunningService[],
  links: readonly string[],
): Promise<readonly number[]> {
  const requests = services.flatMap((service) =>
    links.map(async (link) => {
      const response = await fetch(new URL(pathOf(link), await webUrlOf(service)));
      await response.arrayBuffer();
      return response.status;
    }),
  );
  return await Promise.all(requests);
}

export function never(): never {
  throw new Error('There is no such element');
}
