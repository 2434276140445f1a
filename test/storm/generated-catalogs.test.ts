import { comparesGeneratedCatalogs } from '../support/fixtures/compare-generated-catalogs.ts';

comparesGeneratedCatalogs(1_000, Number(process.env.STORM_SEED ?? 1));
