import type { MadeLinks } from '../../../src/application/links/make-links.ts';
import type { OpenedPage } from '../../../src/application/links/open-page.ts';
import type { CatalogProcess } from '../catalog-process.ts';
import { require, spaceOf } from '../ledger.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { OperationKind } from './operation-kind.ts';
import { someImage, someImages } from './some-images.ts';

const LINK_SECONDS = 604_800;

/** A link that one process has made, followed through another one. */
export const LINK: OperationKind = {
  weight: 2,
  run: async (catalog, operation) => {
    const id = someImage(catalog, operation);
    if (id === undefined) return;
    const { ledger } = catalog;
    const since = ledger.now();
    const request = { ids: [id], files: [{}], ttlSeconds: LINK_SECONDS };
    const { makeLinks } = catalog.process(operation.process);
    const made = await catalog.attempt(() => makeLinks.execute(spaceOf(operation), request));
    if (made.state !== 'done') return;
    const [link] = made.value.images?.links.get(id) ?? [];
    if (link === undefined) return ledger.misses(id, since);
    const segments = { ...link, id: String(link.id), expiry: String(link.expiry) };
    // A process reads the keys again after a second.
    catalog.passTime(1001);
    const { openLink } = catalog.process(operation.process + 1);
    const opened = await catalog.attempt(() => openLink.execute(segments));
    if (opened.state === 'done') require(opened.value.image.id === id, `a link to image ${id} is to another`);
    if (opened.state !== 'refused') return;
    require(opened.code === 'image_not_found', `a link to image ${id} was refused: ${opened.code}`);
    ledger.misses(id, since);
  },
};

/** A page of all images that one process has made, opened through another one. */
export const PAGE: OperationKind = {
  weight: 1,
  run: async (catalog, operation) => {
    const ids = someImages(catalog, spaceOf(operation));
    if (ids.length === 0) return;
    const { ledger } = catalog;
    const [since, request] = [
      ledger.now(),
      { ids, files: [], ttlSeconds: LINK_SECONDS, page: { title: 'Trip' } },
    ];
    const { makeLinks } = catalog.process(operation.process);
    const made = await catalog.attempt(() => makeLinks.execute(spaceOf(operation), request));
    if (made.state !== 'done') return;
    for (const id of made.value.images?.missing ?? []) ledger.misses(id, since);
    // A process reads the keys again after a second.
    catalog.passTime(1001);
    await openThrough(catalog, catalog.process(operation.process + 1), made.value);
  },
};

async function openThrough(
  catalog: SimulatedCatalog,
  { openPage, openLink }: CatalogProcess,
  { page, images }: MadeLinks,
): Promise<void> {
  const { ledger } = catalog;
  const linked = [...(images?.links.keys() ?? [])];
  if (!page) return require(linked.length === 0, 'there is no page of some images');
  const since = ledger.now();
  const opened = await catalog.attempt(() => openPage.execute({ ...page, expiry: String(page.expiry) }));
  if (opened.state === 'unknown') return;
  require(opened.state === 'done' || opened.code === 'image_not_found', 'a page was refused');
  const shown = opened.state === 'done' ? shownBy(opened.value) : [];
  for (const id of shown) ledger.finds(id, since);
  for (const id of linked) if (!shown.includes(id)) ledger.misses(id, since);
  require(shown.join() === linked.filter((id) => shown.includes(id)).join(), 'a page shows other images');
  if (opened.state !== 'done') return;
  const [image] = opened.value.images;
  if (image === undefined) throw new TypeError('A page without images');
  const link = opened.value.link(image, {});
  const segments = { ...link, id: String(link.id), expiry: String(link.expiry) };
  const file = await catalog.attempt(() => openLink.execute(segments));
  if (file.state === 'done') require(file.value.image.id === image.id, 'a page links to another image');
  if (file.state !== 'refused') return;
  require(file.code === 'image_not_found', `a link of a page was refused: ${file.code}`);
  ledger.misses(image.id, since);
}

function shownBy({ images, title }: OpenedPage): readonly number[] {
  require(title === 'Trip', `a page has the title ${title}`);
  return images.map(({ id }) => id);
}
