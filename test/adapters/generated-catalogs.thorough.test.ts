import { comparesGeneratedCatalogs } from '../support/fixtures/compare-generated-catalogs.ts';

comparesGeneratedCatalogs(15, 4);
