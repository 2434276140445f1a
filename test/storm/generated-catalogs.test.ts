import { comparesGeneratedCatalogs } from '../support/fixtures/compare-generated-catalogs.ts';
import { FULL_STORMS } from '../support/full-storms.ts';

comparesGeneratedCatalogs(FULL_STORMS ? 1_000 : 100, Number(process.env.STORM_SEED ?? 1));
