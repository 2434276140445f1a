/** Paths that need no token, of the space `many-parts` or `named`. */
export interface SignedPaths {
  readonly original: string;
  readonly clean: string;
  readonly rendition: string;
  readonly named: string;
  readonly page: string;
  readonly ticket: string;
  /** Not signed: the name is public. */
  readonly public: string;
}

interface LinkedImages {
  readonly images: Readonly<Record<string, readonly string[]>>;
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly page?: string;
}

/** @param post a request with a token of the space, which resolves to the JSON of the response */
export async function makeSignedPaths(
  post: (space: string, path: string, body: object) => Promise<unknown>,
  imageId: number,
  name: string,
): Promise<Omit<SignedPaths, 'public'>> {
  const renditions = [{}, { metadata: 'none' }, { width: 320, format: 'webp' }];
  const body = { ids: [imageId], renditions, page: { title: 'many parts' } };
  const linked = (await post('many-parts', '/api/images/links', body)) as LinkedImages;
  const ofName = (await post('named', '/api/images/links', { names: [name] })) as LinkedImages;
  const tickets = (await post('many-parts', '/api/uploads/tickets', { count: 1 })) as {
    readonly urls: readonly string[];
  };
  const [original, clean, rendition] = Object.values(linked.images).flat().map(pathOf);
  return {
    original: original ?? missing(),
    clean: clean ?? missing(),
    rendition: rendition ?? missing(),
    named: pathOf(Object.values(ofName.names).flat()[0]),
    page: pathOf(linked.page),
    ticket: pathOf(tickets.urls[0]),
  };
}

function pathOf(url: string | undefined): string {
  return new URL(url ?? missing()).pathname;
}

function missing(): never {
  throw new Error('The service has not made the link');
}
