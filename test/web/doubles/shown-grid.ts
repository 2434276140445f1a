import { LinkCache, type LinkSigner } from '../../../web/src/catalog/link-cache.ts';
import {
  type GridFrame,
  GridModel,
  type GridSize,
  type GridTimers,
} from '../../../web/src/grid/grid-model.ts';
import { PagedImages } from '../../../web/src/images/paged-images.ts';
import { settled } from '../../support/time/gate.ts';
import type { FakeImagePages } from './fake-image-pages.ts';

/** Of a desktop. */
export const GRID_SIZE: GridSize = {
  width: 1200,
  rowHeight: 220,
  gap: 8,
  headingHeight: 56,
  headingWidth: 176,
  viewport: 800,
  pixelRatio: 1,
};

interface FakeTimers extends GridTimers {
  time: number;
  readonly runAll: () => void;
  /** Without those that wait for a time. */
  readonly runFrames: () => void;
}

function fakeTimers(): FakeTimers {
  let waiting: (() => void)[] = [];
  const ofFrames = new Set<() => void>();
  return {
    time: 1000,
    now(): number {
      return this.time;
    },
    onFrame: (run) => {
      ofFrames.add(run);
      waiting.push(run);
    },
    after: (_ms, run) => {
      waiting.push(run);
      return () => {
        waiting = waiting.filter((other) => other !== run);
      };
    },
    runAll: () => {
      const all = waiting;
      waiting = [];
      for (const run of all) run();
    },
    runFrames: () => {
      const now = waiting.filter((run) => ofFrames.has(run));
      waiting = waiting.filter((run) => !ofFrames.has(run));
      for (const run of now) run();
    },
  };
}

/** A grid with its page: `settle` lets all requests and timers end. */
export async function shown(pages: FakeImagePages, size: GridSize) {
  const timers = fakeTimers();
  const signed: (readonly number[])[] = [];
  const signer: LinkSigner = {
    links: async (ids) => {
      signed.push(ids);
      const images = Object.fromEntries(ids.map((id) => [id, ['a', 'b', 'c', 'd']]));
      return { expiresAt: new Date(Date.now() + 3_600_000).toISOString(), images, missing: [] };
    },
  };
  const links = new LinkCache(signer, {
    schedule: (send) => queueMicrotask(send),
    prerendered: ['320:webp'],
  });
  const model = new GridModel(links, timers);
  const list = new PagedImages(pages, { query: { sort: 'taken', order: 'desc' } });
  let page = 0;
  model.frame.subscribe(() => {
    page = model.takePageTarget() ?? page;
  });
  model.resize(size);
  model.show(list);
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 12; round += 1) {
      timers.time += 1000;
      timers.runAll();
      await settled();
    }
  };
  await list.refresh();
  await settle();
  return {
    model,
    links,
    list,
    timers,
    signed,
    settle,
    page: () => page,
    frame: (): GridFrame => {
      const frame = model.frame.get();
      if (frame === undefined) throw new Error('There is no frame');
      return frame;
    },
    scrollBy: (distance: number): void => {
      page += distance;
      model.scrolled(page);
    },
    scrollTo: async (to: number): Promise<void> => {
      page = to;
      model.scrolled(to);
      await settle();
    },
  };
}

export function lastPage({ boxHeight }: GridFrame, { viewport }: GridSize): number {
  return boxHeight - viewport;
}

/** Of a picture, on the screen. */
export function placeOf({ cells, layerTop }: GridFrame, page: number, position: number) {
  const cell = cells.find((candidate) => candidate.position === position);
  if (cell === undefined) throw new Error(`Picture ${position} is not drawn`);
  return { position, id: cell.record?.id, top: layerTop + cell.y - page, height: cell.height };
}
