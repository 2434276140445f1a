/** Its migrations do not begin with the first one of the releases. */
export class DevelopmentCatalog extends Error {
  constructor() {
    super(
      'this catalog was made by a development version; export it with that version, and import the export with this one',
    );
  }
}
