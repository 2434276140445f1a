import { makePictures } from '../../test/gallery/support/gallery-pictures.ts';
import { GalleryServers } from '../../test/gallery/support/gallery-servers.ts';
import {
  isLighthouseThere,
  type Judgement,
  runLighthouse,
} from '../../test/gallery/support/run-lighthouse.ts';
import type { Check, Scenario } from '../support/scenario.ts';
import { median } from '../support/statistics.ts';

const PICTURES = 100;
const LOADS = 5;

/** What Lighthouse says of the time that the gallery takes to load, on a phone and a desktop that it simulates. */
export const lighthouse: Scenario = {
  name: 'lighthouse',
  isQuick: false,
  isAvailable: isLighthouseThere,
  run: async () => {
    const servers = await GalleryServers.start();
    try {
      await servers.upload(await makePictures(PICTURES));
      const loads: (readonly Judgement[])[] = [];
      while (loads.length < LOADS) loads.push(await runLighthouse(servers.url, ['performance']));
      return { checks: checksOf(loads) };
    } finally {
      await servers.stop();
    }
  },
};

function checksOf(loads: readonly (readonly Judgement[])[]): readonly Check[] {
  return (loads[0] ?? []).map(({ view, device }, at) => ({
    what: `performance of the ${view} on a ${device}`,
    measured: median(loads.map((load) => load[at]?.scores.performance ?? 0)),
    bound: 'at least',
    target: 0.95,
  }));
}
